"""Agents that go in circles: what a person sees, which turns end, and what the one who asked is told."""

from __future__ import annotations

import json

import pytest

from tests.walks.builder import Walk
from tests.walks.model_server import ModelServer, at_work

LOCK = "🔐"
JAN = "mmConfigs: {jan: ./jan.yaml}"
RETRIES = """
    - {when: do not retry, call: {tool: bash, args: {command: touch made}}, repeat: true}
    - {call: {tool: bash, args: {command: touch made}}}
"""
"""Calls once; and again, as often as it is told that it was refused and shall not retry."""
READS = {"kind": "read", "status": "completed"}


def circles(text: str) -> int:
    """How many times it was told that somebody goes in circles."""
    return text.count("going in circles") + text.count("same call again")


def retrying(walk: Walk, name: str, *lines: str) -> None:
    """An agent of ours whose model retries a refused call for ever."""
    walk.agent(name, f"model: script:{name}.turns.yaml", *lines)
    walk.file(f"{name}.turns.yaml", RETRIES)


def repeating(walk: Walk, *commands: str) -> str:
    """A foreign agent that asks for commands again and again, with a read after every second one."""
    steps: list[object] = []
    for number in range(200):
        call = {"name": "shell", "kind": "execute", "rawInput": {"command": commands[number % len(commands)]}}
        steps.append({"ask": {"toolCall": call, "cancelled": [{"stop": "cancelled"}]}})
        if number % 2:
            seen = {
                "toolCallId": f"r{number}",
                "name": "look",
                "rawInput": {"path": f"file{number}"},
                **READS,
            }
            steps.append({"update": {"sessionUpdate": "tool_call", **seen}})
    steps.insert(0, {"say": "I begin."})
    return walk.child("jan", json.dumps({"log": "jan.log", "prompts": [steps]}))


# --- the launched agent itself


def test_O_h1_a_model_that_retries_is_told_off_and_never_ends_the_questions(walk: Walk) -> None:
    retrying(walk, "riker", "yolo: false", "limits: {steps: 9}")
    with walk.line() as mm:
        mm.types("go").answers("4").answers("4").answers("4")
        mm.sees("your agent is going in circles", "(Ctrl-C stops)").answers("3")
        mm.sees("too many steps", "limit of 9 steps").waits_for_prompt().types("/quit").ends(0)
        assert mm.count(LOCK) == 4
        assert mm.count("going in circles") == 1
        mm.never_saw("the turn was ended")
    assert not walk.made("made")


def test_where_nobody_can_press_stop_the_fifth_refusal_ends_the_turn(walk: Walk) -> None:
    retrying(walk, "riker", "yolo: false")
    ran = walk.runs("-p", "go")
    assert ran.code == 1
    assert "the turn was ended: five calls in a row were refused" in ran.stderr
    assert ran.stderr.endswith("mm: 5 calls refused because nobody could be asked: bash (5)\n")
    assert circles(ran.stderr) == 1
    assert "Ctrl-C" not in ran.stderr


def test_twelve_refusals_end_the_turn_although_reads_succeed_between(walk: Walk) -> None:
    walk.agent("riker", "model: script:turns.yaml", "yolo: false")
    walk.file("seen.txt", "something")
    refused = "{{tool: bash, args: {{command: touch {n}}}}}"
    read = "{{tool: read_file, args: {{path: seen.txt}}}}"
    calls = [text.format(n=n) for n in range(1, 40) for text in (refused, refused, read)]
    walk.file("turns.yaml", f"- {{say: I begin., calls: [{', '.join(calls)}]}}\n- {{say: never said}}")
    ran = walk.runs("-p", "go")
    assert (ran.code, ran.stdout) == (1, "I begin.\n")
    assert "the turn was ended: twelve calls were refused in it" in ran.stderr
    assert ran.stderr.endswith("nobody could be asked: bash (12)\n")


def test_a_model_that_succeeds_for_ever_is_noticed_once_and_ends_at_its_limit_of_steps(walk: Walk) -> None:
    walk.agent("riker", "model: script:turns.yaml", "yolo: true", "limits: {steps: 20}")
    walk.file("turns.yaml", "- {call: {tool: bash, args: {command: echo x >> made}}, repeat: true}")
    ran = walk.runs("-p", "go")
    assert ran.code == 1
    assert ran.stderr.count("your agent makes the same call again") == circles(ran.stderr) == 1
    assert "the turn reached its limit of 20 steps" in ran.stderr
    assert walk.read("made") == "x\n" * 20


def test_a_call_that_cannot_even_be_submitted_counts_as_failed(walk: Walk) -> None:
    walk.agent("riker", "model: script:turns.yaml", "yolo: true", "limits: {steps: 8}")
    walk.file("turns.yaml", "- {call: {tool: no_such_tool}, repeat: true}")
    assert circles(walk.runs("-p", "go").stderr) == 1


@pytest.mark.parametrize("passing", [10, 1])
def test_a_tdd_loop_of_ten_rounds_is_no_circle(walk: Walk, passing: int) -> None:
    """The same test runs ten times, and fails until the round `passing`."""
    walk.agent("riker", "model: script:turns.yaml", "yolo: true")
    write = "- {{call: {{tool: write_file, args: {{path: code, content: '{n}'}}}}}}"
    test = f"- {{{{call: {{{{tool: bash, args: {{{{command: test $(cat code) -ge {passing}}}}}}}}}}}}}"
    rounds = "\n".join(f"{write}\n{test}".format(n=n) for n in range(1, 11))
    walk.file("turns.yaml", f"{rounds}\n- {{say: It works.}}")
    ran = walk.runs("-p", "go")
    assert (ran.code, ran.stdout, circles(ran.stderr)) == (0, "It works.\n", 0)


# --- asked agents


@pytest.mark.parametrize("commands", [("make it",), ("make it", " make  it ", "make it\n", "make\tit")])
def test_O_h2_an_agent_that_repeats_a_refused_call_is_ended_and_the_hand_off_says_why(
    walk: Walk, commands: tuple[str, ...]
) -> None:
    """Reads succeed between; the person said "never" once and is asked no more."""
    walk.agent(
        "riker",
        "model: script:turns.yaml",
        "yolo: false",
        f"mmConfigs: {{jan: {repeating(walk, *commands)}}}",
    )
    walk.file(
        "turns.yaml",
        """
        - call: {tool: ask_jan, args: {question: work}}
        - expect: "failed: jan did not finish: jan: the turn was ended: five calls in a row were refused"
          say: I know why.
        - {expect: I begin., say: I know the rest.}
        """,
    )
    with walk.line() as mm:
        mm.types("go").answers("3").sees("jan makes the same call again", "(Ctrl-C stops)", "I know why.")
        mm.waits_for_prompt().types("/quit").ends(0)
        assert mm.count(LOCK) == 1
        assert mm.count("same call again") == 1
        mm.never_saw("going in circles")
    assert walk.chosen()[:5] == ["reject_once-id"] * 5
    assert set(walk.chosen()[5:]) <= {"cancelled"}
    asked = [frame["id"] for frame in walk.frames("jan.log") if "result" in frame]
    assert asked == [f"ask-{number + 1}" for number in range(len(asked))]


def test_what_had_arrived_is_handed_over_with_what_was_refused(walk: Walk) -> None:
    walk.agent(
        "riker", "model: script:turns.yaml", "yolo: false", f"mmConfigs: {{jan: {repeating(walk, 'ls')}}}"
    )
    walk.file(
        "turns.yaml",
        """
        - call: {tool: ask_jan, args: {question: work}}
        - expect: "What jan had said until then:\\n\\nI begin.\\n\\nCalls that were refused: jan/shell"
          say: "Yes."
        """,
    )
    ran = walk.runs("-p", "go")
    assert (ran.code, ran.stdout) == (3, "Yes.\n"), ran.stderr
    assert ran.stderr.endswith("nobody could be asked: jan/shell (5)\n")


def test_a_run_whose_asked_agent_was_ended_is_not_done(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", f"mmConfigs: {{jan: {repeating(walk, 'ls')}}}")
    ran = walk.runs("--ask", "jan", "work")
    assert (ran.code, ran.stdout) == (1, "I begin.\n")
    assert "jan: the turn was ended: five calls in a row were refused" in ran.stderr
    assert ran.stderr.endswith("mm: 5 calls refused because nobody could be asked: jan/shell (5)\n")


def test_our_own_agent_that_retries_is_ended_too(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", JAN)
    retrying(walk, "jan")
    ran = walk.runs("--ask", "jan", "work")
    assert ran.code == 1
    assert "five calls in a row were refused" in ran.stderr
    assert "jan is going in circles" in ran.stderr
    assert circles(ran.stderr) == 1
    assert ran.stderr.endswith("nobody could be asked: jan/bash (5)\n")


def test_our_own_agent_that_its_own_file_refuses_is_ended_too(walk: Walk) -> None:
    walk.agent("riker", "yolo: true", JAN)
    retrying(walk, "jan", "tools: {approval: {bash: deny}}")
    ran = walk.runs("--ask", "jan", "work")
    assert ran.code == 1
    assert "jan is going in circles" in ran.stderr
    assert "five calls in a row were refused" in ran.stderr


def test_the_agent_between_is_told_that_its_agent_was_ended_and_goes_on(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", JAN)
    walk.agent("jan", "model: script:jan.turns.yaml", "mmConfigs: {homer: ./homer.yaml}")
    walk.file(
        "jan.turns.yaml",
        """
        - call: {tool: ask_homer, args: {question: work}}
        - {expect: five calls in a row were refused, say: I go on without homer.}
        """,
    )
    retrying(walk, "homer")
    ran = walk.runs("--ask", "jan", "work")
    assert (ran.code, ran.stdout) == (3, "I go on without homer.\n"), ran.stderr
    assert ran.stderr.count("jan › homer is going in circles") == circles(ran.stderr) == 1
    assert ran.stderr.endswith("nobody could be asked: jan/homer/bash (5)\n")


def test_an_editor_is_told_how_to_stop_in_its_language(walk: Walk) -> None:
    retrying(walk, "riker", "language: fr", "yolo: false", "limits: {steps: 5}")
    with walk.editor() as editor:
        editor.opens().says("go")
        for _ in range(5):
            editor.answers(editor.question(), "reject_once")
        assert editor.stop_reason == "max_turn_requests"
        assert editor.text().count("votre agent tourne en rond") == 1
        assert "(Stop arrête le tour)" in editor.text()


def test_a_person_is_told_in_french_what_the_model_is_told_in_english(walk: Walk) -> None:
    jan = repeating(walk, "ls")
    walk.agent(
        "riker", "model: script:turns.yaml", "language: fr", "yolo: false", f"mmConfigs: {{jan: {jan}}}"
    )
    walk.file(
        "turns.yaml",
        """
        - call: {tool: ask_jan, args: {question: work}}
        - {expect: "jan: the turn was ended: five calls in a row were refused", say: "Yes."}
        """,
    )
    assert "jan refait le même appel" in walk.runs("-p", "go").stderr
    ran = walk.runs("--ask", "jan", "work")
    assert "jan : le tour a été arrêté : cinq appels de suite ont été refusés" in ran.stderr


# --- text that only looks like a call


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        ('I call {"name": "bash", "arguments": {"command": "touch made"}} now.', "describes a tool call"),
        ("<function=bash>touch made</function>", "describes a tool call"),
        ("", "the answer is empty"),
    ],
)
def test_O_h3_text_that_only_looks_like_a_call_never_runs_and_is_told(
    walk: Walk, answer: str, note: str
) -> None:
    with at_work(ModelServer(answer)) as server:
        walk.agent(
            "riker", "model: qwen3:4b", f"baseUrl: http://127.0.0.1:{server.server_port}/v1", "yolo: true"
        )
        ran = walk.runs("-p", "make it")
    assert note in ran.stderr
    assert not walk.made("made")


def test_O_h3_an_answer_that_is_nothing_but_a_call_passes_the_gate_like_every_call(walk: Walk) -> None:
    with at_work(ModelServer('{"name": "bash", "arguments": {"command": "touch made"}}')) as server:
        walk.agent(
            "riker", "model: qwen3:4b", f"baseUrl: http://127.0.0.1:{server.server_port}/v1", "yolo: false"
        )
        ran = walk.runs("-p", "make it")
    assert ran.stderr.endswith("nobody could be asked: bash (5)\n")
    assert not walk.made("made")
