"""Acting without asking: what an asked agent reports past the answers is told, counted, and costs grants."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from consent.answer import Answer
from consent.key import Key
from consent.setting import Mode, Setting
from consent.unasked import Finding
from orchestrator.acp.profiles import PROFILES
from orchestrator.events import Noted
from tests.orchestrator.asked import BASH, FREE, GEM, JAN, PROTECTED, Scene, asked_agent

pytestmark = pytest.mark.anyio

RM: dict[str, Any] = {"command": "rm -rf ~"}
GRANT = (Key(("jan",), "write_file"), Answer.ALLOW_SESSION)
WRITE = {"toolCallId": "w", "name": "write_file", "rawInput": {"path": "a", "content": ""}}


async def answered(scene: Scene, call: dict[str, Any] = BASH, number: object = 1) -> None:
    """jan asks for a call, and gets its answer."""
    await scene.requests(number, call)
    await scene.outcome()


async def says(scene: Scene, *statuses: str, call: str = "1", **fields: Any) -> None:
    for status in statuses:
        await scene.updates("tool_call_update", toolCallId=call, status=status, **fields)
    await scene.all_is_read()


def findings(scene: Scene, path: tuple[str, ...] = ("jan",)) -> dict[Finding, int]:
    count = scene.desk.tally.agents.get(path)
    return dict(count.unasked) if count else {}


def grants(scene: Scene) -> list[tuple[Key, Answer]]:
    return list(scene.desk.grants)


def stops(scene: Scene) -> list[bool]:
    return [event.offers_stop for event in scene.page.events if isinstance(event, Noted)]


async def test_seq_02_something_else_than_was_allowed_is_told_and_costs_the_grants() -> None:
    async with asked_agent(Answer.ALLOW_SESSION) as scene:
        await answered(scene, WRITE, 0)
        assert grants(scene) == [GRANT]
        await answered(scene)
        await says(scene, "in_progress", rawInput=RM)
        (note,) = scene.page.notes
        assert note.startswith("jan ran something other than what you allowed: rm -rf ~")
        assert "asks again: jan/write_file, jan/bash" in note
        assert stops(scene) == [True]
        assert grants(scene) == []
        await says(scene, "completed")
        assert findings(scene) == {Finding.OTHER: 1}


async def test_what_was_refused_for_the_session_stays_refused() -> None:
    async with asked_agent(Answer.NEVER) as scene:
        await answered(scene)
        await says(scene, "completed")
        assert grants(scene) == [(Key(("jan",), "bash"), Answer.NEVER)]
        assert findings(scene) == {Finding.REFUSED: 1}


@pytest.mark.parametrize("asking", [JAN, replace(GEM, path=("jan",))])
async def test_seq_03_what_runs_without_a_request_is_told_when_it_ends(asking: Any) -> None:
    async with asked_agent(Answer.ALLOW_SESSION, asking=asking) as scene:
        await answered(scene, WRITE, 0)
        await scene.updates("tool_call", **BASH, status="in_progress")
        await scene.all_is_read()
        assert scene.page.notes == []  # it may still ask
        await says(scene, "completed")
        assert scene.page.notes == ["jan ran bash without asking: ls"]
        assert stops(scene) == [False]
        assert findings(scene) == {Finding.UNASKED: 1}
        assert grants(scene) == [GRANT]


async def test_a_call_without_a_name_is_told_by_its_kind() -> None:
    async with asked_agent() as scene:
        await scene.updates("tool_call", toolCallId="1", kind="execute", status="completed")
        await scene.updates("tool_call", toolCallId="2", status="completed")
        await scene.all_is_read()
        assert scene.page.notes == [
            "jan ran a command without asking",
            "jan ran something that it did not name without asking",
        ]


@pytest.mark.parametrize("status", ["in_progress", "completed"])
async def test_seq_04_what_runs_although_refused_is_told_and_costs_the_grants(status: str) -> None:
    async with asked_agent(Answer.ALLOW_SESSION) as scene:
        await answered(scene, WRITE, 0)
        scene.person.answer = Answer.REFUSE_ONCE
        await answered(scene)
        await says(scene, status)
        (note,) = scene.page.notes
        assert note.startswith("jan ran bash although refused: ls")
        assert stops(scene) == [True]
        assert grants(scene) == []


async def test_what_is_refused_and_fails_is_no_act() -> None:
    async with asked_agent(Answer.REFUSE_ONCE) as scene:
        await scene.updates("tool_call", **BASH, status="in_progress")
        await answered(scene)
        await says(scene, "failed")
        assert scene.page.notes == []


async def test_an_agent_known_to_call_refused_calls_completed_is_not_accused() -> None:
    deepagents = replace(GEM, path=("jan",), profile=PROFILES["deepagents"])
    for asking, found in ((deepagents, 0), (replace(GEM, path=("jan",)), 1)):
        async with asked_agent(Answer.REFUSE_ONCE, asking=asking) as scene:
            await scene.updates("tool_call", **BASH, status="pending")
            await scene.all_is_read()
            await answered(scene, {"toolCallId": "own", "rawInput": {"command": "ls"}})
            await says(scene, "completed")
            assert len(scene.page.notes) == found


async def test_it_is_accused_where_it_says_that_the_refused_call_runs() -> None:
    asking = replace(GEM, path=("jan",), profile=PROFILES["deepagents"])
    async with asked_agent(Answer.REFUSE_ONCE, asking=asking) as scene:
        await answered(scene)
        await says(scene, "in_progress")
        assert "although refused" in scene.page.notes[0]


async def test_a_request_after_the_turn_counts_as_refused() -> None:
    async with asked_agent() as scene:
        scene.listener.end()
        await answered(scene)
        await says(scene, "completed")
        assert "although refused" in scene.page.notes[0]


async def test_a_call_left_open_at_the_end_of_the_turn_ran_if_it_said_so() -> None:
    async with asked_agent() as scene:
        await scene.updates("tool_call", **BASH, status="in_progress")
        await scene.updates("tool_call", **BASH | {"toolCallId": "2"}, status="pending")
        await scene.all_is_read()
        await scene.listener.close_calls(stopped=False)
        assert scene.page.notes == ["jan ran bash without asking: ls"]


async def test_in_a_turn_that_was_stopped_it_may_have_been_about_to_ask() -> None:
    async with asked_agent() as scene:
        await scene.updates("tool_call", **BASH, status="in_progress")
        await scene.all_is_read()
        await scene.listener.close_calls(stopped=True)
        assert scene.page.notes == []
        await says(scene, "completed")  # it went on all the same
        assert scene.page.notes == ["jan ran bash without asking: ls"]


# --- again, under one id


async def test_another_act_under_an_id_that_was_told_of_is_told_of() -> None:
    async with asked_agent() as scene:
        await scene.updates("tool_call", **BASH, status="completed")
        await says(scene, "completed")
        await says(scene, "completed", rawInput={"command": "make"})
        assert scene.page.notes == ["jan ran bash without asking: ls", "jan ran bash without asking: make"]
        assert findings(scene) == {Finding.UNASKED: 2}


async def test_an_allowed_id_that_ends_twice_with_other_arguments_each_time_is_told_of_twice() -> None:
    async with asked_agent(Answer.ALLOW_ONCE) as scene:
        await answered(scene)
        for command in ("ls", "rm a", "rm b", "rm b"):
            await says(scene, "completed", rawInput={"command": command})
        assert findings(scene) == {Finding.OTHER: 2}


async def test_an_id_that_ended_and_only_says_that_it_runs_again_is_told_of() -> None:
    async with asked_agent(Answer.ALLOW_ONCE) as scene:
        await answered(scene)
        await says(scene, "in_progress", "completed", "in_progress")
        assert scene.page.notes == []  # it may still ask
        await scene.listener.close_calls(stopped=False)
        assert scene.page.notes == ["jan ran bash without asking: ls"]


async def test_an_id_that_is_used_again_in_a_later_turn_is_told_of() -> None:
    async with asked_agent(Answer.ALLOW_ONCE) as scene:
        await answered(scene)
        await says(scene, "completed")
        await scene.listener.close_calls(stopped=False)
        scene.listener.begin()
        await says(scene, "completed")
        assert scene.page.notes == ["jan ran bash without asking: ls"]


async def test_what_said_that_it_changes_something_becomes_no_reading() -> None:
    async with asked_agent(Answer.REFUSE_ONCE, asking=GEM) as scene:
        await scene.updates("tool_call", toolCallId="1", kind="execute", status="pending")
        await says(scene, "completed", kind="read")
        await scene.updates("tool_call", toolCallId="2", status="pending")
        await says(scene, "completed", kind="read", call="2")  # it only had not said what it is
        await answered(scene, {"toolCallId": "3", "kind": "execute", "rawInput": {"command": "ls"}})
        await says(scene, "completed", kind="read", call="3")
        assert findings(scene, ("gem",)) == {Finding.UNASKED: 1, Finding.REFUSED: 1}


async def test_where_the_title_is_the_command_another_title_is_another_act() -> None:
    for profile, found in (("gemini", {Finding.OTHER: 1}), ("generic", {})):
        asking = replace(GEM, profile=PROFILES[profile])
        async with asked_agent(Answer.ALLOW_ONCE, asking=asking) as scene:
            await answered(scene, {"toolCallId": "1", "kind": "execute", "title": "ls"})
            await says(scene, "completed")
            assert scene.page.notes == []
            await says(scene, "completed", title="rm -rf ~")
            assert findings(scene, ("gem",)) == found


async def test_of_an_agent_that_was_told_of_another_title_is_another_act() -> None:
    async with asked_agent(asking=GEM) as scene:
        await scene.updates("tool_call", toolCallId="1", kind="execute", title="a", status="completed")
        await says(scene, "completed")
        await says(scene, "completed", title="b")
        assert findings(scene, ("gem",)) == {Finding.UNASKED: 2}


# --- who is not accused


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        ({"path": "notes.txt", "content": ""}, {"path": "/home/me/project/notes.txt", "content": ""}),
        ({"path": "~/x", "content": ""}, {"path": "/home/me/x", "content": ""}),
        ({"command": ["bash", "-lc", "ls"]}, {"command": "ls\n"}),
        ({"cmd": "ls", "timeout": 1}, {"command": "ls", "timeout": "1"}),
    ],
)
async def test_who_reports_the_same_in_another_writing_is_not_accused(shown: Any, told: Any) -> None:
    async with asked_agent(Answer.ALLOW_ONCE, asking=replace(GEM, home="/home/me")) as scene:
        await answered(scene, {"toolCallId": "1", "kind": "other", "rawInput": shown})
        await says(scene, "in_progress", "completed", rawInput=told)
        assert scene.page.notes == []


async def test_the_folder_is_known_behind_its_links_too(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    async with asked_agent(Answer.ALLOW_ONCE, asking=replace(GEM, folder=str(tmp_path / "link"))) as scene:
        await answered(scene, {"toolCallId": "1", "kind": "edit", "rawInput": {"path": "a"}})
        await says(scene, "completed", rawInput={"path": str(tmp_path / "a")})
        await says(scene, "completed", rawInput={"path": str(tmp_path / "link" / "a")})
        assert scene.page.notes == []
        await says(scene, "completed", rawInput={"path": str(tmp_path / "b")})
        assert findings(scene, ("gem",)) == {Finding.OTHER: 1}


@pytest.mark.parametrize("kind", ["read", "search", "fetch", "think"])
async def test_what_changes_nothing_needs_no_question(kind: str) -> None:
    async with asked_agent(asking=GEM) as scene:
        await scene.updates("tool_call", toolCallId="1", kind=kind, status="completed")
        await scene.all_is_read()
        assert scene.page.notes == []


async def test_a_hand_over_by_our_own_agent_is_none_but_by_another_it_is() -> None:
    hand_over: dict[str, Any] = {
        "name": "ask_homer",
        "kind": "other",
        "rawInput": {"question": "?"},
        "status": "completed",
    }
    for asking, found in ((JAN, 0), (GEM, 1)):
        async with asked_agent(asking=asking) as scene:
            await scene.updates("tool_call", toolCallId="1", **hand_over)
            await scene.all_is_read()
            assert len(scene.page.notes) == found


async def test_where_yolo_counts_nothing_is_said() -> None:
    async with asked_agent(setting=FREE) as scene:
        await answered(scene)
        await says(scene, "in_progress", "completed", rawInput=RM)
        await scene.updates("tool_call", **BASH | {"toolCallId": "2"}, status="completed")
        await scene.all_is_read()
        assert scene.page.notes == []
        assert findings(scene) == {}


async def test_after_yolo_off_only_what_begins_afterwards_counts() -> None:
    async with asked_agent(setting=FREE) as scene:
        await scene.updates("tool_call", **BASH, status="in_progress")
        await scene.all_is_read()
        scene.desk.set_mode(Mode.ALWAYS_ASK)
        await says(scene, "completed")
        assert scene.page.notes == []
        await scene.updates("tool_call", **BASH | {"toolCallId": "2"}, status="completed")
        await scene.all_is_read()
        assert scene.page.notes == ["jan ran bash without asking: ls"]


async def test_an_entrys_own_yolo_counts() -> None:
    setting = replace(PROTECTED, entries={"jan": True})
    async with asked_agent(setting=setting) as scene:
        await scene.updates("tool_call", **BASH, status="completed")
        await scene.all_is_read()
        assert scene.page.notes == []


# --- agents below


async def test_what_agents_below_report_is_looked_at_by_who_asks_them() -> None:
    async with asked_agent() as scene:
        await scene.updates("tool_call", **BASH, status="completed", _meta={"mm": {"path": ["homer"]}})
        await scene.all_is_read()
        assert scene.page.notes == []


async def acted(scene: Scene, **fields: Any) -> None:
    call = {"name": "bash", "kind": "execute", "rawInput": {"command": "ls"}}
    params = {
        "sessionId": "sess_jan",
        "finding": "refused",
        "toolCall": call,
        "_meta": {"mm": {"path": ["homer"]}},
        **fields,
    }
    await scene.agent.say({"jsonrpc": "2.0", "method": "_mm/acted", "params": params})
    await scene.all_is_read()


async def test_what_our_agent_found_below_it_is_told_here_and_costs_the_grants_below() -> None:
    async with asked_agent(Answer.ALLOW_SESSION) as scene:
        meta = {"_meta": {"mm": {"path": ["homer"]}}}
        await scene.requests(0, WRITE, **meta)
        await scene.outcome()
        await answered(scene, WRITE | {"toolCallId": "v"}, 1)
        assert len(grants(scene)) == 2
        await acted(scene)
        (note,) = scene.page.notes
        assert note.startswith("jan › homer ran bash although refused: ls")
        assert grants(scene) == [GRANT]
        assert findings(scene, ("jan", "homer")) == {Finding.REFUSED: 1}


async def test_where_yolo_counts_for_it_only_a_refusal_is_told() -> None:
    async with asked_agent(setting=Setting(mode=Mode.YOLO, somebody=True)) as scene:
        await acted(scene, finding="unasked")
        await acted(scene, finding="other")
        assert scene.page.notes == []
        await acted(scene)
        assert len(scene.page.notes) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"finding": "fine"},
        {"finding": ["unasked"]},
        {"toolCall": None},
        {"_meta": {}},
        {"_meta": {"mm": {"path": [7]}}},
    ],
)
async def test_a_report_that_is_not_valid_is_told_and_changes_nothing(fields: dict[str, Any]) -> None:
    async with asked_agent() as scene:
        await acted(scene, **fields)
        (note,) = scene.page.notes
        assert "not valid" in note
        assert scene.desk.tally.agents == {}


async def test_a_foreign_agent_reports_of_nobody() -> None:
    async with asked_agent(asking=GEM) as scene:
        await acted(scene)
        assert scene.page.notes == []
