"""Attacks of an asked agent that take several messages: changes under a question, second doors, floods."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from consent.answer import Answer
from consent.call import Command
from consent.rules import Why
from tests.orchestrator.asked import BASH, CANCELLED, FREE, GEM, SESSION, asked_agent, chosen

pytestmark = pytest.mark.anyio

RM: dict[str, Any] = {"command": "rm -rf ~"}


async def test_seq_01_arguments_that_change_under_an_open_question_withdraw_it() -> None:
    async with asked_agent() as scene:
        await scene.requests(1)
        await scene.person.sees(1)
        await scene.updates("tool_call_update", toolCallId="1", rawInput=RM)
        assert await scene.outcome() == CANCELLED
        assert scene.person.withdrawn == scene.person.asked
        assert "changed a call while it was asked about" in scene.page.notes[-1]
        await scene.requests(2, {**BASH, "rawInput": RM})
        await scene.person.sees(2)
        assert scene.person.asked[1].question.call.detail == Command("rm -rf ~")
        assert scene.desk.grants == ()


async def test_seq_01_also_before_the_question_is_drawn() -> None:
    """The call is still being announced when its arguments change: no question about the old ones."""
    async with asked_agent(Answer.ALLOW_ONCE) as scene:
        scene.page.gate = anyio.Event()
        await scene.requests(1)
        await scene.page.until(lambda: bool(scene.page.events))
        await scene.updates("tool_call_update", toolCallId="1", rawInput=RM)
        await scene.all_is_read()
        scene.page.gate.set()
        assert await scene.outcome() == CANCELLED
        assert scene.person.asked == []


async def test_seq_01_also_by_a_second_request_for_the_same_call() -> None:
    async with asked_agent() as scene:
        await scene.requests(1)
        await scene.person.sees(1)
        await scene.requests(2, {**BASH, "rawInput": RM})
        first = await scene.agent.hear()
        assert (first["id"], first["result"]["outcome"]) == (1, CANCELLED["outcome"])
        await scene.person.sees(2)
        scene.person.decides(Answer.REFUSE_ONCE)
        assert await scene.outcome() == chosen("no")


async def test_seq_01_also_where_the_content_is_all_that_was_shown() -> None:
    diff = {"type": "diff", "path": "a.txt", "oldText": "a", "newText": "b"}
    async with asked_agent(asking=GEM) as scene:
        await scene.requests(1, {"toolCallId": "1", "kind": "edit", "content": [diff]})
        await scene.person.sees(1)
        await scene.updates("tool_call_update", toolCallId="1", content=[diff | {"newText": "c"}])
        assert await scene.outcome() == CANCELLED


@pytest.mark.parametrize(
    "change", [{"name": "read_file"}, {"kind": "read"}, {"name": "no name"}, {"kind": "?"}]
)
async def test_seq_01_also_where_another_tool_is_named_than_the_one_that_was_shown(
    change: dict[str, str],
) -> None:
    async with asked_agent() as scene:
        await scene.requests(1)
        await scene.person.sees(1)
        await scene.updates("tool_call_update", toolCallId="1", **change)
        assert await scene.outcome() == CANCELLED
        assert scene.person.withdrawn == scene.person.asked


async def test_an_update_that_changes_nothing_leaves_the_question_open() -> None:
    async with asked_agent() as scene:
        await scene.requests(1)
        await scene.person.sees(1)
        await scene.updates("tool_call_update", toolCallId="1", status="in_progress", title="other words")
        await scene.updates("tool_call_update", toolCallId="1", rawInput={"command": "ls"})
        await scene.updates("tool_call_update", toolCallId="2", rawInput=RM)
        await scene.all_is_read()
        scene.person.decides(Answer.ALLOW_ONCE)
        assert await scene.outcome() == chosen("yes")


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("fs/write_text_file", {"path": "/root/.bashrc", "content": "x"}),
        ("terminal/create", {"command": "rm", "args": ["-rf", "~"]}),
        ("fs/read_text_file", {"path": "/etc/passwd"}),
        ("elicitation/create", {"message": "may I?"}),
    ],
)
async def test_seq_05_and_06_there_is_no_second_door(method: str, params: dict[str, Any]) -> None:
    async with asked_agent(Answer.ALLOW_ONCE, setting=FREE) as scene:
        await scene.agent.ask(1, method, sessionId=SESSION, **params)
        assert (await scene.agent.hear())["error"]["code"] == -32601
        assert scene.person.asked == []


async def test_seq_07_stop_before_the_answer_cancels_and_nothing_is_kept() -> None:
    async with asked_agent() as scene:
        await scene.requests(1)
        await scene.person.sees(1)
        scene.desk.stop(("jan",))
        scene.person.decides(Answer.ALLOW_SESSION)
        assert await scene.outcome() == CANCELLED
        await scene.all_is_read()  # there is no second answer
        assert scene.desk.grants == ()


async def test_seq_07_stop_behind_the_answer_comes_too_late() -> None:
    async with asked_agent(Answer.ALLOW_ONCE) as scene:
        await scene.requests(1)
        answer = await scene.outcome()
        scene.desk.stop(("jan",))
        assert answer == chosen("yes")
        await scene.all_is_read()


async def test_stop_at_the_question_is_told_and_answers_everything_that_waits() -> None:
    async with asked_agent() as scene:
        for number in range(3):
            await scene.requests(number, BASH | {"toolCallId": str(number)})
        await scene.all_is_read()
        scene.person.decides(Why.CANCELLED)
        assert [await scene.outcome() for _ in range(3)] == [CANCELLED] * 3
        assert set(scene.stopped) == {("jan",)}
        assert scene.listener.heard.refused == []


async def test_seq_08_a_flood_waits_in_order_one_question_at_a_time() -> None:
    async with asked_agent() as scene:
        for number in range(200):
            await scene.requests(number, BASH | {"toolCallId": str(number)})
        await scene.all_is_read()
        assert len(scene.person.asked) == 1
        scene.person.decides(Answer.ALLOW_ONCE)
        answers = [await scene.agent.hear() for _ in range(200)]
        assert [answer["id"] for answer in answers] == list(range(200))
        assert {answer["result"]["outcome"]["optionId"] for answer in answers} == {"yes"}
        assert scene.person.behind[1:] == list(range(198, -1, -1))
        assert scene.page.notes == []


async def test_seq_08_over_a_thousand_waiting_is_an_error_told_once() -> None:
    async with asked_agent() as scene:
        for number in range(1003):
            await scene.requests(number, BASH | {"toolCallId": str(number)})
        errors = [await scene.agent.hear() for _ in range(3)]
        assert [error["id"] for error in errors] == [1000, 1001, 1002]
        assert {error["error"]["code"] for error in errors} == {-32000}
        crowded, circling = scene.page.notes
        assert "too-many-waiting" in crowded
        assert "going in circles" in circling
