"""Handing a task to jan, what comes back, and how long jan lives."""

from __future__ import annotations

import pytest

from tests.walks.builder import Walk

JAN = "mmConfigs: {jan: ./jan.yaml}"
LOCK = "🔐"
ASKING = """
    log: jan.log
    prompts:
      - - say: "Let me see. "
        - ask:
            toolCall: {name: shell, kind: execute, title: date, rawInput: {command: date}}
            allowed: [{say: "It was allowed."}]
            refused: [{say: "It was refused."}]
"""


def methods(walk: Walk) -> list[str]:
    return [frame["method"] for frame in walk.frames("jan.log") if "method" in frame]


def test_a_second_task_goes_to_the_same_jan(walk: Walk) -> None:
    walk.foreign("{log: jan.log, prompts: [[{say: one}], [{say: two}]]}")
    with walk.line() as mm:
        mm.types("/ask-jan count").sees("one").types("/ask-jan count").sees("two").types("/quit").ends(0)
    assert methods(walk) == ["initialize", "session/new", "session/prompt", "session/prompt"]


def test_new_starts_a_fresh_jan_and_keeps_what_was_remembered(walk: Walk) -> None:
    """O-b2"""
    walk.foreign(ASKING)
    with walk.line() as mm:
        mm.types("/ask-jan look").answers("2").sees("It was allowed.")
        mm.types("/new").types("/ask-jan look").sees("It was allowed.").types("/quit").ends(0)
        assert mm.count(LOCK) == 1
    assert methods(walk).count("initialize") == 2


def test_what_is_remembered_stays_with_mm(walk: Walk) -> None:
    """O-b4: jan is only ever told once, whatever the person chose."""
    walk.foreign(ASKING)
    with walk.line() as mm:
        mm.types("/ask-jan look").answers("2").sees("It was allowed.")
        mm.types("/ask-jan look").sees("It was allowed.").types("/quit").ends(0)
        assert mm.count(LOCK) == 1
    assert walk.chosen() == ["allow_once-id", "allow_once-id"]


def test_a_refusal_is_a_refusal_on_the_wire(walk: Walk) -> None:
    """O-e1: `cancelled` is kept for a turn that is cancelled."""
    walk.foreign(ASKING)
    with walk.line() as mm:
        mm.types("/ask-jan look").answers("3").sees("It was refused.")
        mm.types("/ask-jan look").sees("It was refused.").types("/quit").ends(0)
        assert mm.count(LOCK) == 1
    assert walk.chosen() == ["reject_once-id", "reject_once-id"]


def test_a_free_jan_is_allowed_each_time_with_the_plain_yes(walk: Walk) -> None:
    """O-c1"""
    ask = "{ask: {toolCall: {name: shell, kind: execute, rawInput: {command: ls}}}}"
    walk.foreign(f"{{log: jan.log, prompts: [[{', '.join([ask] * 10)}]]}}", "yolo: true")
    with walk.line() as mm:
        mm.types("/ask-jan look").types("/quit").ends(0)
        mm.never_saw(LOCK)
    assert walk.chosen() == ["allow_once-id"] * 10


def test_the_models_own_ask_hands_jans_text_back(walk: Walk) -> None:
    walk.agent("riker", "model: script:turns.yaml", "yolo: false", JAN)
    walk.file(
        "turns.yaml",
        """
        - call: {tool: ask_jan, args: {question: run echo $((6*7))}}
        - expect: "42"
          say: Jan has said it.
        """,
    )
    walk.agent("jan")
    with walk.line() as mm:
        mm.types("go").sees(f"{LOCK} jan").answers("1").sees("Jan has said it.").types("/quit").ends(0)


def test_the_models_own_ask_is_asked_about_when_it_frees_something(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", "mmConfigs: {homer: {path: ./homer.yaml, yolo: true}}")
    walk.agent("homer")
    with walk.line() as mm:
        mm.types("ask homer: run touch first").sees(f"{LOCK} you", "run touch first").answers("4")
        mm.types("ask homer: run touch second").answers("1").types("/quit").ends(0)
        assert mm.count(LOCK) == 2
    assert not walk.made("first")
    assert walk.made("second")


def test_the_hand_off_names_what_was_refused(walk: Walk) -> None:
    walk.agent("riker", "model: script:turns.yaml", "yolo: false", JAN)
    walk.file(
        "turns.yaml",
        """
        - call: {tool: ask_jan, args: {question: run touch made}}
        - expect: jan/bash
          say: I know what was refused.
        """,
    )
    walk.agent("jan")
    with walk.line() as mm:
        mm.types("go").answers("4").sees("I know what was refused.").types("/quit").ends(0)
    assert not walk.made("made")


@pytest.mark.parametrize("reason", ["max_tokens", "max_turn_requests", "refusal", "cancelled", "tired"])
def test_only_the_end_of_a_turn_counts_as_done(walk: Walk, reason: str) -> None:
    """O-m1"""
    jan = walk.child("jan", f"prompts: [[{{say: Half a result}}, {{stop: {reason}}}]]")
    walk.agent("riker", "model: script:turns.yaml", f"mmConfigs: {{jan: {jan}}}")
    word = "unknown" if reason == "tired" else reason
    walk.file(
        "turns.yaml",
        f"""
        - call: {{tool: ask_jan, args: {{question: work}}}}
        - expect: "{word}: jan did not finish"
          say: I know.
        """,
    )
    ran = walk.runs("-p", "go")
    assert ran.stdout == "I know.\n", ran.stderr


def test_what_jan_was_not_asked_to_know_does_no_harm(walk: Walk) -> None:
    """O-j7"""
    walk.foreign(
        """
        prompts:
          - - update: {sessionUpdate: usage_update, used: 1, size: 2, _meta: {x: 1}}
            - update: {sessionUpdate: x_future, anything: []}
            - update: {sessionUpdate: tool_call_update, toolCallId: unseen, status: in_progress}
            - ask:
                toolCall: {name: shell, kind: execute, rawInput: {command: ls}}
                allowed:
                  - update: {sessionUpdate: tool_call, toolCallId: t1, title: ls, kind: execute}
                  - say: All is well.
        """,
    )
    with walk.line() as mm:
        mm.types("/ask-jan work").answers("1").sees("All is well.").types("/quit").ends(0)
        assert mm.count(LOCK) == 1


def test_questions_are_shown_in_the_order_in_which_they_came(walk: Walk) -> None:
    """O-k2"""
    call = "{{name: shell, kind: execute, rawInput: {{command: {}}}}}"
    asks = ", ".join(
        f"{{ask_no_wait: {{toolCall: {call.format(word)}}}}}" for word in ("one", "two", "three")
    )
    walk.foreign(f"{{log: jan.log, prompts: [[{asks}, {{wait_for: answered}}]]}}")
    with walk.line() as mm:
        mm.types("/ask-jan work")
        for word, digit in (("one", "1"), ("two", "4"), ("three", "1")):
            mm.sees(f"│ {word}").answers(digit)
        walk.waits_for_answers("jan.log", 3)
        walk.file("answered", "")
        mm.types("/quit").ends(0)
        assert mm.count(LOCK) == 3
    assert walk.chosen() == ["allow_once-id", "reject_once-id", "allow_once-id"]


def test_a_question_after_many_words_is_shown_while_the_turn_is_open(walk: Walk) -> None:
    """O-a4"""
    words = ", ".join(["{say: word }"] * 200)
    ask = "{ask: {toolCall: {name: shell, kind: execute, rawInput: {command: ls}}}}"
    walk.foreign(f"{{log: jan.log, prompts: [[{words}, {ask}]]}}")
    with walk.line() as mm:
        mm.types("/ask-jan work").answers("4").types("/quit").ends(0)
    assert walk.chosen() == ["reject_once-id"]


def test_a_request_for_another_session_is_answered_and_told(walk: Walk) -> None:
    """O-a1"""
    walk.foreign(
        """
        log: jan.log
        prompts: [[{ask: {sessionId: s1-child, toolCall: {toolCallId: t}, failed: [{say: I was told.}]}}]]
        """,
    )
    with walk.line() as mm:
        mm.types("/ask-jan work").sees("I was told.").types("/quit").ends(0)
        mm.never_saw(LOCK)
    assert [frame["id"] for frame in walk.frames("jan.log") if "error" in frame] == ["ask-1"]


def test_jan_works_in_the_persons_folder(walk: Walk) -> None:
    """O-m4: neither the folder of jan's file nor another one."""
    walk.agent("agents/jan")
    walk.agent("riker", "yolo: true", "mmConfigs: {jan: ./agents/jan.yaml}")
    with walk.line() as mm:
        mm.types("/ask-jan run pwd > where").types("/quit").ends(0)
    assert walk.read("where").strip() == str(walk.folder.resolve())


def test_nothing_below_jan_is_freer_than_jan(walk: Walk) -> None:
    """O-m6"""
    walk.agent("riker", JAN)
    walk.agent("jan")
    with walk.line(AGENT_YOLO="true") as mm:
        mm.sees("yolo: on").types("/ask-jan run env > variables").types("/quit").ends(0)
    variables = walk.read("variables").splitlines()
    assert "AGENT_YOLO=false" in variables
    assert any(line.startswith("MM_CHAIN=") and "riker:" in line for line in variables)


def test_a_command_of_an_agent_that_asks_is_told_so(walk: Walk) -> None:
    """O-m6: a nested mm is no freer; below a free agent nothing is held down."""
    walk.agent("riker", "yolo: false")
    with walk.line() as mm:
        mm.types("run env > asking").answers("1").types("/quit").ends(0)
    walk.runs("--yolo", "-p", "run env > free")
    assert "AGENT_YOLO=false" in walk.read("asking").splitlines()
    assert "MM_CHAIN=" in walk.read("asking")
    assert "AGENT_YOLO" not in walk.read("free")


def test_an_agent_that_already_waits_is_not_asked_again(walk: Walk) -> None:
    """O-m3"""
    walk.agent("riker", "yolo: true", JAN)
    walk.agent("jan", "mmConfigs: {boss: ./riker.yaml}")
    with walk.line() as mm:
        mm.types("/ask-jan ask boss: run touch made").sees("riker > jan > boss is a cycle")
        mm.types("/quit").ends(0)
    assert not walk.made("made")


def test_an_unknown_agent_is_not_asked(walk: Walk) -> None:
    walk.agent("riker", "yolo: true", JAN)
    walk.agent("jan")
    with walk.line() as mm:
        mm.types("/ask-nobody run touch made").sees("nobody", "jan").types("/quit").ends(0)
    assert not walk.made("made")


def test_the_result_of_jans_change_is_shown_as_ones_own(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", "mmConfigs: {jan: ./jan.yaml}")
    walk.agent("jan")
    with walk.line() as mm:
        mm.types("/ask-jan write notes.txt: hi").answers("1").sees("notes.txt is written │").types(
            "/quit"
        ).ends(0)
