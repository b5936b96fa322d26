"""What the calls of a turn and of a run came to: said where a person would want to know, and only there."""

from __future__ import annotations

import json

import pytest

from tests.walks.builder import Walk

TEAM = "mmConfigs: {jan: ./jan.yaml}"
TURN = "mm: calls of this turn:"


def team(walk: Walk, *lines: str) -> None:
    walk.agent("riker", *lines, TEAM)
    walk.agent("jan")


def unasked(walk: Walk) -> None:
    """A jan that runs something, and asks for nothing."""
    ran = {"sessionUpdate": "tool_call", "toolCallId": "1", "kind": "execute", "status": "completed"}
    entry = walk.child("jan", json.dumps({"prompts": [[{"update": ran}, {"say": "Done."}]]}))
    walk.agent("riker", "yolo: false", f"mmConfigs: {{jan: {entry}}}")


def test_at_the_terminal_a_turn_with_questions_is_summed_up_and_the_session_by_agent(walk: Walk) -> None:
    team(walk, "yolo: false")
    with walk.line() as mm:
        mm.types("read jan.yaml").waits_for_prompt().never_saw(TURN)
        mm.types("/grants").waits_for_prompt().never_saw(TURN)
        mm.types("/ask-jan run touch a then run touch b").answers("1").sees("│ touch b").answers("4")
        mm.sees(f"{TURN} 2 questions, 1 allowed (by you), 1 refused (by you)")
        mm.types("/ask-jan run touch c").answers("2").sees(f"{TURN} 1 question, 1 allowed (by you)")
        mm.types("/ask-jan run touch d").waits_for_prompt()
        mm.types("/quit").ends(0)
        mm.sees(
            "mm: calls of your agent: 1 allowed (changing nothing)",
            "mm: calls of jan: 3 questions, 3 allowed (2 by you, 1 by an earlier answer), 1 refused (by you)",
        )
        assert mm.count(TURN) == 2


def test_without_any_call_nothing_is_summed_up(walk: Walk) -> None:
    team(walk, "yolo: false")
    with walk.line() as mm:
        mm.types("hello").waits_for_prompt().types("/quit").ends(0).never_saw("mm: calls")


def test_a_run_is_summed_up_only_where_it_is_wanted_or_something_ran_unasked(walk: Walk) -> None:
    team(walk, "yolo: false")
    line = "mm: 1 call refused because nobody could be asked: jan/bash (1)\n"
    assert walk.runs("--ask", "jan", "run touch a").stderr.endswith(line)
    assert "mm: calls" not in walk.runs("--ask", "jan", "run touch a").stderr
    ran = walk.runs("--verbose", "--ask", "jan", "run touch a")
    assert ran.stderr.endswith(f"mm: calls of jan: 1 refused (nobody could be asked)\n{line}")
    unasked(walk)
    ran = walk.runs("--ask", "jan", "go")
    assert ran.stderr.endswith("mm: calls of jan: 1 ran past the answers (without asking)\n")
    assert ran.stdout == "Done.\n"


@pytest.mark.parametrize("denied", [True, False])
def test_an_editor_is_told_of_what_it_was_not_asked_about(walk: Walk, denied: bool) -> None:
    if denied:
        team(walk, "yolo: false", "tools: {approval: {jan/bash: deny}}")
        told = "1 refused (by a rule of the file)"
    else:
        unasked(walk)
        told = "1 ran past the answers (without asking)"
    with walk.editor().opens() as mm:
        assert mm.says("/ask-jan run touch a").stop_reason == "end_turn"
        assert mm.text().endswith(f"\n\n` {TURN} {told} `\n\n")


def test_an_editor_that_was_asked_is_told_no_more(walk: Walk) -> None:
    team(walk, "yolo: false")
    with walk.editor().opens() as mm:
        question = mm.says("/ask-jan run touch a").question()
        assert mm.answers(question, "reject_once").stop_reason == "end_turn"
        assert TURN not in mm.text()
