"""Agents that act without asking, over real processes: who is told, once, and what stays in the log."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.walks.builder import Walk

LOCK = "🔐"
TOLD = "without asking"
CALL: dict[str, Any] = {"toolCallId": "1", "name": "bash", "kind": "execute", "rawInput": {"command": "ls"}}


def update(**fields: Any) -> dict[str, Any]:
    return {"update": {"sessionUpdate": "tool_call", **CALL, **fields}}


RUNS = [update(status="in_progress"), update(status="completed"), {"say": "I did it."}]


def foreign(walk: Walk, name: str, *steps: Any) -> str:
    """The `mmConfigs` of an agent with one below it that does these steps."""
    return f"mmConfigs: {{{name}: {walk.child(name, json.dumps({'prompts': [steps]}))}}}"


def acts(walk: Walk) -> list[tuple[str, bool, str]]:
    return [
        (line["key"], line["allowed"], line["acted"]) for line in walk.decisions() if line["why"] == "unasked"
    ]


def test_it_is_written_down_and_allowed_by_nobody(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", foreign(walk, "jan", *RUNS))
    ran = walk.runs("--ask", "jan", "go")
    assert ran.code == 0
    assert ran.stdout == "I did it.\n"
    assert "mm: warning: jan ran bash without asking: ls\n" in ran.stderr
    assert acts(walk) == [("jan/bash", False, "unasked")]
    assert "ran      jan/bash  without asking  ls" in walk.runs("log").stdout


def test_what_deletes_files_costs_the_grants_even_where_nothing_was_refused(walk: Walk) -> None:
    ask = {"ask": {"toolCall": CALL | {"toolCallId": "0"}}}
    deletes = update(status="completed", rawInput={"command": "rm -rf build"})
    walk.agent("riker", "yolo: false", foreign(walk, "jan", ask, deletes))
    with walk.line() as mm:
        mm.types("/ask-jan go").answers("2").sees(
            "jan ran bash without asking: rm -rf build. What was allowed",
            "for the session asks again: jan/bash",
            "(Ctrl-C stops)",
        )
        mm.types("/grants").sees("nothing is remembered").types("/quit").ends(0)


def test_another_writing_of_what_was_allowed_is_no_act_and_to_run_it_again_is_one(walk: Walk) -> None:
    words = CALL | {"rawInput": {"command": ["bash", "-lc", "ls"]}}
    again = update(status="in_progress")
    steps = [{"ask": {"toolCall": words}}, update(status="completed"), {"say": "Done."}, again]
    walk.agent("riker", "yolo: false", foreign(walk, "jan", *steps))
    with walk.line() as mm:
        mm.types("/ask-jan go").answers("1").sees("Done.", "jan ran bash without asking: ls")
        mm.never_saw("other than").types("/quit").ends(0)
    assert acts(walk) == [("jan/bash", False, "unasked")]


def test_where_yolo_counts_for_it_nothing_is_said(walk: Walk) -> None:
    walk.agent("riker", "yolo: true", foreign(walk, "jan", *RUNS))
    assert TOLD not in walk.runs("--ask", "jan", "go").stderr
    assert walk.decisions() == []


def test_what_an_agent_two_below_does_is_told_once_by_the_launched_one(walk: Walk) -> None:
    """jan is ours, homer is not: jan's process sees it, riker's tells it."""
    walk.agent("riker", "yolo: false", "language: fr", "mmConfigs: {jan: ./jan.yaml}")
    walk.agent("jan", foreign(walk, "homer", *RUNS))
    ran = walk.runs("--ask", "jan", "ask homer: go")
    assert ran.code == 0
    assert ran.stderr.count("jan › homer a lancé bash sans demander : ls") == 1
    assert TOLD not in ran.stderr
    assert acts(walk) == [("jan/homer/bash", False, "unasked")]


def test_what_an_agent_three_below_does_goes_all_the_way_up(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", "mmConfigs: {jan: ./jan.yaml}")
    walk.agent("jan", "mmConfigs: {lisa: ./lisa.yaml}")
    walk.agent("lisa", foreign(walk, "homer", *RUNS))
    ran = walk.runs("--ask", "jan", "ask lisa: ask homer: go")
    assert ran.stderr.count("jan › lisa › homer ran bash without asking: ls") == 1
    assert acts(walk) == [("jan/lisa/homer/bash", False, "unasked")]


def test_where_yolo_counts_for_jan_it_counts_for_what_is_below(walk: Walk) -> None:
    walk.agent("riker", "yolo: true", "mmConfigs: {jan: ./jan.yaml}")
    walk.agent("jan", "yolo: false", foreign(walk, "homer", *RUNS))
    assert TOLD not in walk.runs("--ask", "jan", "ask homer: go").stderr
    assert acts(walk) == []


@pytest.mark.parametrize("answer", ["1", "4"])
def test_our_own_agents_are_never_accused(walk: Walk, answer: str) -> None:
    walk.agent("riker", "yolo: false", "mmConfigs: {jan: ./jan.yaml}")
    walk.agent("jan", "mmConfigs: {homer: ./homer.yaml}", "tools: {approval: {edit_file: deny}}")
    walk.agent("homer")
    with walk.line() as mm:
        mm.types("/ask-jan run false then read jan.yaml then edit jan.yaml: a => b").answers(answer)
        mm.types("/ask-jan ask homer: run touch made").answers(answer)
        mm.types("/ask-jan run sleep 60").answers("1").sees("sleep").presses("ctrl-c")
        mm.waits_for_prompt().types("/quit").ends(0)
        mm.never_saw(TOLD).never_saw("although refused").never_saw("other than")
    assert acts(walk) == []


def test_after_yolo_off_only_what_begins_afterwards_counts(walk: Walk) -> None:
    steps = [
        update(status="in_progress"),
        {"touch": "began"},
        {"wait_for": "off"},
        update(status="completed"),
    ]
    again = [update(toolCallId="2", status="completed")]
    script = json.dumps({"prompts": [steps, again]})
    walk.agent("riker", "yolo: true", f"mmConfigs: {{jan: {walk.child('jan', script)}}}")
    with walk.editor().opens() as mm:
        mm.says("/ask-jan go")
        walk.waits_for("began")
        mm.result("session/set_mode", {"sessionId": mm.session, "modeId": "always-ask"})
        walk.file("off", "")
        assert mm.stop_reason == "end_turn"
        assert TOLD not in mm.text()
        assert mm.says("/ask-jan go").stop_reason == "end_turn"
        assert mm.text().count("jan ran bash without asking: ls") == 1
