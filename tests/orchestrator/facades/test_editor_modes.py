"""The modes of approval in an editor: offered, chosen, told, and never above a floor."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from orchestrator.words.banner import YOLO_OFF, YOLO_ON, YOLO_WRITE
from tests.orchestrator.acp.official_schema import check
from tests.orchestrator.facades.editor_client import Client, Frame, an_editor

pytestmark = pytest.mark.anyio

PROTECTED = "yolo: false"
MODES = {"always-ask": YOLO_OFF, "write": YOLO_WRITE, "yolo": YOLO_ON}

Choose = Callable[[Client, str, Any], Awaitable[Frame]]


async def by_mode(client: Client, session: str, mode: Any) -> Frame:
    params = {"sessionId": session, "modeId": mode}
    return await client.answer(await client.asks("session/set_mode", **params))


async def by_option(client: Client, session: str, mode: Any) -> Frame:
    params = {"sessionId": session, "configId": "mode", "value": mode}
    return await client.answer(await client.asks("session/set_config_option", **params))


both_ways = pytest.mark.parametrize("choose", [by_mode, by_option])


async def new(client: Client) -> Frame:
    result = await client.result("session/new", cwd=str(client.folder), mcpServers=[])
    check("NewSessionResponse", result)
    return result


async def runs_unasked(client: Client, session: str, file: str) -> bool:
    """Whether a command runs without a question; a question is refused."""
    before = len(client.questions)
    turn = await client.prompts(session, f"run touch {file}")
    frame = await client.hears(lambda frame: frame.get("id") == turn or "request_permission" in str(frame))
    if len(client.questions) > before:
        await client.chooses(frame, "refuse_once")
        await client.answer(turn)
    return (client.folder / file).exists()


def told(client: Client, session: str) -> list[str]:
    """The modes that the session was told of; both kinds of updates tell the same."""
    modes = [update["currentModeId"] for update in client.updates("current_mode_update", session)]
    options = [update["configOptions"] for update in client.updates("config_option_update", session)]
    assert [mode["currentValue"] for (mode,) in options] == modes
    return modes


@pytest.mark.parametrize(
    ("line", "mode"),
    [
        ("yolo: false", "always-ask"),
        ("yolo: true", "yolo"),
        ("tools: {approvalMode: write}", "write"),
        ("", "yolo"),
    ],
)
async def test_a_session_says_its_mode_and_offers_all_three(tmp_path: Path, line: str, mode: str) -> None:
    async with an_editor(tmp_path, line) as client:
        result = await new(client)
        assert result["modes"]["currentModeId"] == mode
        offered = result["modes"]["availableModes"]
        assert {one["id"]: one["description"] for one in offered} == MODES
        (option,) = result["configOptions"]
        assert (option["id"], option["category"], option["type"]) == ("mode", "mode", "select")
        assert option["currentValue"] == mode
        assert [one["value"] for one in option["options"]] == [*MODES]


async def test_the_option_is_named_in_the_language_of_the_file(tmp_path: Path) -> None:
    async with an_editor(tmp_path, "language: fr") as client:
        assert (await new(client))["configOptions"][0]["name"] == "approbation"


@both_ways
async def test_a_chosen_mode_counts_from_the_next_call_on(tmp_path: Path, choose: Choose) -> None:
    async with an_editor(tmp_path, PROTECTED) as client:
        session = await client.opens()
        found = [await runs_unasked(client, session, "first")]
        for mode in ("yolo", "always-ask", "write", "yolo"):
            assert "result" in await choose(client, session, mode)
            assert told(client, session)[-1] == mode
            found.append(await runs_unasked(client, session, mode))
            (client.folder / mode).unlink(missing_ok=True)
        assert found == [False, True, False, False, True]
        assert told(client, session) == ["yolo", "always-ask", "write", "yolo"]


async def test_the_answers_are_valid_acp(tmp_path: Path) -> None:
    async with an_editor(tmp_path) as client:
        session = await client.opens()
        check("SetSessionModeResponse", (await by_mode(client, session, "write"))["result"])
        result = (await by_option(client, session, "always-ask"))["result"]
        check("SetSessionConfigOptionResponse", result)
        assert result["configOptions"][0]["currentValue"] == "always-ask"


async def test_slash_yolo_is_told_as_a_mode_before_the_turn_ends_and_only_if_it_changed(
    tmp_path: Path,
) -> None:
    async with an_editor(tmp_path, PROTECTED) as client:
        session = await client.opens()
        for text in ("/yolo", "/yolo off", "/yolo maybe", "/yolo write", "/yolo write"):
            await client.stop_reason(await client.prompts(session, text))
        assert told(client, session) == ["write"]
        await by_mode(client, session, "write")
        assert told(client, session) == ["write"]
        await client.stop_reason(await client.prompts(session, "/help"))
        assert "yolo: write (commands, MCP and asked agents ask) (session/set_mode)" in client.text()


@both_ways
async def test_yolo_switched_on_takes_the_waiting_question_away_and_the_call_runs(
    tmp_path: Path, choose: Choose
) -> None:
    async with an_editor(tmp_path, PROTECTED) as client:
        session = await client.opens()
        turn = await client.prompts(session, "run touch made")
        question = await client.question()
        await choose(client, session, "write")
        assert not (tmp_path / "made").exists()
        await choose(client, session, "yolo")
        assert await client.stop_reason(turn) == "end_turn"
        assert (tmp_path / "made").exists()
        (taken,) = [frame for frame in client.frames if frame.get("method") == "$/cancel_request"]
        assert taken["params"]["requestId"] == question["id"]
        await client.chooses(question, "refuse_once")  # too late, and harmless
        await client.all_is_said()


@both_ways
async def test_never_stands_above_a_chosen_mode(tmp_path: Path, choose: Choose) -> None:
    async with an_editor(tmp_path, PROTECTED) as client:
        session = await client.opens()
        turn = await client.prompts(session, "run touch first")
        await client.chooses(await client.question(), "never")
        await client.answer(turn)
        await choose(client, session, "yolo")
        assert not await runs_unasked(client, session, "made")
        assert len(client.questions) == 1


@both_ways
async def test_two_sessions_have_modes_of_their_own(tmp_path: Path, choose: Choose) -> None:
    async with an_editor(tmp_path, PROTECTED) as client:
        one, two = await client.opens(), await client.opens()
        await choose(client, one, "yolo")
        assert await runs_unasked(client, one, "a")
        assert not await runs_unasked(client, two, "b")
        assert (told(client, one), told(client, two)) == (["yolo"], [])
        assert (await new(client))["modes"]["currentModeId"] == "always-ask"


@both_ways
@pytest.mark.parametrize("line", ["yolo: true", "tools: {approvalMode: write}", "yolo: false"])
async def test_under_the_floor_only_the_mode_that_asks_is_offered(
    tmp_path: Path, choose: Choose, line: str
) -> None:
    async with an_editor(tmp_path, line, environ={"AGENT_YOLO": "false"}) as client:
        result = await new(client)
        session = result["sessionId"]
        assert result["modes"]["currentModeId"] == "always-ask"
        assert [one["id"] for one in result["modes"]["availableModes"]] == ["always-ask"]
        assert [one["value"] for one in result["configOptions"][0]["options"]] == ["always-ask"]
        for mode in ("yolo", "write"):
            error = (await choose(client, session, mode))["error"]
            assert error["code"] == -32602
            assert "AGENT_YOLO=false" in error["message"]
        assert "result" in await choose(client, session, "always-ask")
        assert not await runs_unasked(client, session, "made")
        assert told(client, session) == []


@both_ways
@pytest.mark.parametrize("mode", ["on", "", None, 1, True, ["yolo"], {"yolo": True}, "YOLO"])
async def test_a_mode_that_is_none_changes_nothing(tmp_path: Path, choose: Choose, mode: object) -> None:
    async with an_editor(tmp_path, PROTECTED) as client:
        session = await client.opens()
        error = (await choose(client, session, mode))["error"]
        assert error["code"] == -32602
        assert "always-ask, write, yolo" in error["message"]
        assert not await runs_unasked(client, session, "made")


@both_ways
async def test_a_mode_for_no_session_is_refused(tmp_path: Path, choose: Choose) -> None:
    async with an_editor(tmp_path) as client:
        await client.opens()
        assert (await choose(client, "mm-99", "yolo"))["error"]["code"] == -32602


async def test_another_option_is_refused(tmp_path: Path) -> None:
    async with an_editor(tmp_path) as client:
        session = await client.opens()
        params = {"sessionId": session, "configId": "model", "value": "yolo"}
        assert (await client.error("session/set_config_option", **params))["code"] == -32602


@both_ways
async def test_an_asking_agent_gets_no_modes_and_sets_none(tmp_path: Path, choose: Choose) -> None:
    async with an_editor(tmp_path, "yolo: true", asked_by="boss") as client:
        result = await new(client)
        assert set(result) == {"sessionId"}
        for mode in MODES:
            assert (await choose(client, result["sessionId"], mode))["error"]["code"] == -32601
