"""Agents below agents: one person, one file that decides, however deep it goes."""

from __future__ import annotations

import pytest

from tests.walks.builder import Walk

RIKER_ASKS_JAN = "mmConfigs: {jan: ./jan.yaml}"
JAN_FREES_HOMER = "mmConfigs: {homer: {path: ./homer.yaml, yolo: true}}"
LOCK = "🔐"


@pytest.fixture
def three(walk: Walk) -> Walk:
    """riker asks jan, and jan, whose own file lets homer run free, asks homer."""
    walk.agent("jan", JAN_FREES_HOMER)
    walk.agent("homer")
    return walk


def test_what_jans_file_frees_still_asks_the_person_and_says_the_whole_chain(three: Walk) -> None:
    three.agent("riker", "yolo: false", RIKER_ASKS_JAN)
    with three.editor() as editor:
        editor.opens().says("/ask-jan ask homer: run touch made")
        question = editor.question()
        assert question["params"]["_meta"]["mm"]["path"] == ["jan", "homer"]
        assert question["params"]["toolCall"]["title"] == "jan › homer › bash: touch made"
        assert not three.made("made")
        editor.answers(question, "allow_once")
        assert editor.stop_reason == "end_turn"
    assert three.made("made")


def test_an_answer_for_the_agent_below_is_no_answer_for_the_one_between(three: Walk) -> None:
    three.agent("riker", "yolo: false", RIKER_ASKS_JAN)
    with three.line() as mm:
        mm.types("/ask-jan ask homer: run touch first").sees(f"{LOCK} jan › homer").answers("2")
        mm.waits_for_prompt().types("/ask-jan ask homer: run touch second").sees("second").waits_for_prompt()
        mm.types("/grants").sees("jan/homer/bash")
        mm.types("/ask-jan run touch third").sees(f"{LOCK} jan").answers("4")
        mm.waits_for_prompt().types("/quit").ends(0)
        assert mm.count(LOCK) == 2
    assert three.made("second")
    assert not three.made("third")


def test_yolo_of_the_entry_counts_for_all_below_it(three: Walk) -> None:
    three.agent("riker", "yolo: false", "mmConfigs: {jan: {path: ./jan.yaml, yolo: true}}")
    assert three.runs("--ask", "jan", "ask homer: run touch made").code == 0
    assert three.made("made")


def test_a_rule_of_the_launched_file_reaches_two_levels_down(three: Walk) -> None:
    three.agent("riker", "yolo: true", RIKER_ASKS_JAN, "tools: {approval: {jan/homer/read_file: deny}}")
    three.file("secret.txt", "nobody reads this")
    ran = three.runs("--ask", "jan", "ask homer: read secret.txt")
    assert "nobody reads this" not in ran.stdout
    assert "jan/homer/read_file was refused by a rule" in ran.stderr


def test_the_depth_of_the_launched_file_holds_although_a_file_below_allows_more(three: Walk) -> None:
    """O-m3: no process of the refused level is started."""
    three.agent("riker", "yolo: true", "limits: {depth: 1}", RIKER_ASKS_JAN)
    three.agent("jan", "limits: {depth: 9}", JAN_FREES_HOMER)
    ran = three.runs("--ask", "jan", "ask homer: run touch made")
    assert "riker > jan > homer is deeper than limits.depth: 1" in ran.stdout
    assert not three.made("made")


def test_the_same_file_under_another_name_is_still_a_cycle(walk: Walk) -> None:
    """O-m3"""
    walk.agent("riker", "yolo: true", RIKER_ASKS_JAN)
    walk.agent("jan", "mmConfigs: {boss: ./other.yaml}")
    (walk.folder / "other.yaml").symlink_to("riker.yaml")
    ran = walk.runs("--ask", "jan", "ask boss: run touch made")
    assert "is a cycle" in ran.stdout
    assert not walk.made("made")


def test_two_tasks_for_one_agent_in_one_step_run_in_turn(walk: Walk) -> None:
    walk.agent("riker", "model: script:turns.yaml", "yolo: true", RIKER_ASKS_JAN)
    walk.agent("jan")
    walk.file(
        "turns.yaml",
        """
        - calls:
            - {tool: ask_jan, args: {question: run echo one >> order}}
            - {tool: ask_jan, args: {question: run echo two >> order}}
        - say: both done
        """,
    )
    ran = walk.runs("-p", "go")
    assert (ran.code, ran.stdout.strip()) == (0, "both done")
    assert walk.read("order") == "one\ntwo\n"


def test_context_travels_with_the_task(walk: Walk) -> None:
    entry = walk.child("jan", "{log: jan.log, prompts: [[{say: understood}]]}")
    walk.agent("riker", "model: script:turns.yaml", "yolo: false", f"mmConfigs: {{jan: {entry}}}")
    walk.file(
        "turns.yaml",
        """
        - call: {tool: ask_jan, args: {question: "What is it?", context: It is about the lamp.}}
        - {expect: understood, say: jan has it}
        """,
    )
    ran = walk.runs("-p", "go")
    assert ran.stdout.strip() == "jan has it", ran.stderr
    prompts = [frame for frame in walk.frames("jan.log") if frame.get("method") == "session/prompt"]
    assert prompts[0]["params"]["prompt"][0]["text"] == "It is about the lamp.\n\nWhat is it?"


def test_each_of_several_yeses_can_be_chosen_also_for_an_agent_below_and_with_yolo_on(walk: Walk) -> None:
    script = """
    log: gem.log
    prompts:
      - - ask:
            toolCall: {name: plan, kind: other, title: start, rawInput: {plan: go}}
            options:
              - {optionId: careful, name: start and ask each time, kind: allow_once}
              - {optionId: free, name: start and run free, kind: allow_once}
              - {optionId: stay, name: stay, kind: reject_once}
            allowed: [{say: "It starts."}]
            refused: [{say: "It stays."}]
    """
    entry = walk.child("gem", script)
    walk.agent("riker", "yolo: true", RIKER_ASKS_JAN)
    walk.agent("jan", f"mmConfigs: {{gem: {entry}}}")
    with walk.line() as mm:
        mm.types("/ask-jan ask gem: go").sees("1  allow once: start and ask each time")
        mm.sees("5  allow once: start and run free").answers("2").sees("only 1, 5, 3, 4, s or d").answers("5")
        mm.sees("It starts.").waits_for_prompt().types("/quit").ends(0)
    (answer,) = [frame["result"] for frame in walk.frames("gem.log") if frame.get("id") and "result" in frame]
    assert answer["outcome"] == {"outcome": "selected", "optionId": "free"}


def test_a_foreign_agent_below_is_named_in_the_question(walk: Walk) -> None:
    script = """
    prompts:
      - - ask:
            toolCall: {name: shell, kind: execute, title: date, rawInput: {command: date}}
            allowed: [{touch: made}]
            refused: [{say: "It was refused."}]
    """
    entry = walk.child("gem", script)
    walk.agent("riker", "yolo: false", RIKER_ASKS_JAN)
    walk.agent("jan", f"mmConfigs: {{gem: {entry}}}")
    with walk.line() as mm:
        mm.types("/ask-jan ask gem: go").sees(f"{LOCK} jan › gem, or an agent that it asks").answers("1")
        mm.waits_for_prompt().types("/quit").ends(0)
    assert walk.made("made")
