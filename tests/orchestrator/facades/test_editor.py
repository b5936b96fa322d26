"""The editor facade over pipes: sessions, turns, order, questions and editors that answer badly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.orchestrator.acp.official_schema import check
from tests.orchestrator.facades.editor_client import Client, Frame, an_editor

pytestmark = pytest.mark.anyio

PROTECTED = "yolo: false"


def is_answer(frame: Frame) -> bool:
    return "method" not in frame


def is_update(frame: Frame) -> bool:
    return frame.get("method") == "session/update"


async def runs(client: Client, session: str, file: str, option: str | None) -> bool:
    """One turn that makes a file; gives whether it is there. `option` is chosen, if a question comes."""
    turn = await client.prompts(session, f"run touch {file}")
    if option is not None:
        await client.chooses(await client.question(), option)
    assert await client.stop_reason(turn) == "end_turn"
    return (client.folder / file).exists()


# --- sessions


async def test_the_hello_and_the_session_are_valid_acp(tmp_path: Path) -> None:
    async with an_editor(tmp_path) as client:
        hello = await client.result("initialize", protocolVersion=1, clientCapabilities={})
        check("InitializeResponse", hello)
        assert hello["protocolVersion"] == 1
        check("NewSessionResponse", await client.result("session/new", cwd=str(tmp_path), mcpServers=[]))


@pytest.mark.parametrize("version", [0, 2, 99, "1", None])
async def test_whatever_version_is_offered_the_answer_is_ours(tmp_path: Path, version: object) -> None:
    async with an_editor(tmp_path) as client:
        assert (await client.result("initialize", protocolVersion=version))["protocolVersion"] == 1


async def test_what_is_not_offered_is_an_error(tmp_path: Path) -> None:
    async with an_editor(tmp_path) as client:
        for method in ("session/load", "session/list", "authenticate", "x/y"):
            assert (await client.error(method))["code"] == -32601


async def test_nothing_of_a_session_goes_out_before_its_id(tmp_path: Path) -> None:
    async with an_editor(tmp_path, notes=("beware",)) as client:
        session = await client.opens()
        await client.hears(is_update)
        named = [frame for frame in client.frames if session in str(frame)]
        assert is_answer(named[0])
        commands = client.updates("available_commands_update")[0]["availableCommands"]
        assert {"name": "help", "description": "this list"} in commands


@pytest.mark.parametrize("cwd", ["relative", "", "~", None, 5, "/no/such/folder", "/\0", "/\ud800"])
async def test_a_folder_that_is_none_is_refused(tmp_path: Path, cwd: object) -> None:
    async with an_editor(tmp_path) as client:
        error = await client.error("session/new", cwd=cwd, mcpServers=[])
        assert error["code"] == -32602
        assert "cwd" in error["message"]


async def test_a_folder_that_is_a_file_or_missing_is_refused(tmp_path: Path) -> None:
    async with an_editor(tmp_path) as client:
        error = await client.error("session/new", cwd=str(tmp_path / "riker.yaml"), mcpServers=[])
        assert error["code"] == -32602
        assert (await client.error("session/new", mcpServers=[]))["code"] == -32602


@pytest.mark.parametrize("submit", ["read_file", {"a": 1}, [1], [None], [""], ["a//b"], ["jan/"], ["a*b/c*"]])
async def test_patterns_that_are_none_are_refused(tmp_path: Path, submit: object) -> None:
    async with an_editor(tmp_path) as client:
        meta = {"mm": {"submit": submit}}
        assert (await client.error("session/new", cwd=str(tmp_path), _meta=meta))["code"] == -32602


async def test_calls_that_an_asking_agent_named_ask_as_well(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("secret")
    async with an_editor(tmp_path, PROTECTED) as client:
        session = await client.opens(_meta={"mm": {"submit": ["read_file"]}})
        turn = await client.prompts(session, "read notes.txt")
        question = await client.question()
        assert question["params"]["toolCall"]["name"] == "read_file"
        assert question["params"]["_meta"] == {"mm": {"path": []}}
        await client.chooses(question, "refuse_once")
        await client.answer(turn)
        assert "secret" not in client.text()


async def test_two_sessions_have_separate_memories(tmp_path: Path) -> None:
    """consent.md, "Memory": one per ACP session."""
    async with an_editor(tmp_path, PROTECTED) as client:
        one, two = await client.opens(), await client.opens()
        assert one != two
        assert await runs(client, one, "a", "allow_session")
        assert await runs(client, one, "b", None)
        assert not await runs(client, two, "c", "never")
        assert not await runs(client, two, "d", None)
        assert await runs(client, one, "e", None)
        assert [question["params"]["sessionId"] for question in client.questions] == [one, two]


# --- turns


@pytest.mark.parametrize("session", ["mm-99", "", None, 1, ["mm-1"]])
async def test_a_prompt_for_no_session_is_refused(tmp_path: Path, session: object) -> None:
    async with an_editor(tmp_path) as client:
        await client.opens()
        block = [{"type": "text", "text": "hello"}]
        assert (await client.error("session/prompt", sessionId=session, prompt=block))["code"] == -32602


@pytest.mark.parametrize("prompt", [None, [], "hello", [{"type": "image", "data": "", "mimeType": "x"}], [5]])
async def test_a_prompt_that_cannot_be_read_is_refused(tmp_path: Path, prompt: object) -> None:
    async with an_editor(tmp_path) as client:
        session = await client.opens()
        assert (await client.error("session/prompt", sessionId=session, prompt=prompt))["code"] == -32602
        assert await client.stop_reason(await client.prompts(session, "hello")) == "end_turn"


async def test_a_second_prompt_while_one_runs_is_refused_and_disturbs_nothing(tmp_path: Path) -> None:
    async with an_editor(tmp_path, PROTECTED) as client:
        session = await client.opens()
        turn = await client.prompts(session, "run touch made")
        question = await client.question()
        assert (await client.answer(await client.prompts(session, "hello")))["error"]["code"] == -32600
        await client.chooses(question, "allow_once")
        assert await client.stop_reason(turn) == "end_turn"
        assert (tmp_path / "made").exists()


async def test_a_call_is_announced_then_asked_then_ended_and_the_answer_comes_last(tmp_path: Path) -> None:
    async with an_editor(tmp_path, PROTECTED) as client:
        session = await client.opens()
        turn = await client.prompts(session, "run touch made")
        question = await client.question()
        call = question["params"]["toolCall"]["toolCallId"]
        assert [update["toolCallId"] for update in client.updates("tool_call")] == [call]
        await client.chooses(question, "allow_once")
        await client.stop_reason(turn)
        (ended,) = client.updates("tool_call_update")
        assert (ended["toolCallId"], ended["status"]) == (call, "completed")
        before = len(client.frames)
        await client.all_is_said()
        assert not any(map(is_update, client.frames[before:]))


async def test_a_refused_call_ends_as_failed(tmp_path: Path) -> None:
    async with an_editor(tmp_path, PROTECTED) as client:
        assert not await runs(client, await client.opens(), "made", "refuse_once")
        assert [update["status"] for update in client.updates("tool_call_update")] == ["failed"]


async def test_stop_ends_the_turn_and_takes_the_question_away(tmp_path: Path) -> None:
    async with an_editor(tmp_path, PROTECTED) as client:
        session = await client.opens()
        turn = await client.prompts(session, "run touch made")
        question = await client.question()
        await client.notifies("session/cancel", sessionId="mm-99")
        await client.notifies("session/cancel", sessionId=session)
        assert await client.stop_reason(turn) == "cancelled"
        (taken,) = [frame for frame in client.frames if frame.get("method") == "$/cancel_request"]
        assert taken["params"]["requestId"] == question["id"]
        await client.chooses(question, "allow_once")
        await client.all_is_said()
        assert not (tmp_path / "made").exists()


async def test_a_prompt_that_is_taken_back_ends_what_it_started(tmp_path: Path) -> None:
    async with an_editor(tmp_path, PROTECTED) as client:
        session = await client.opens()
        turn = await client.prompts(session, "run touch made")
        question = await client.question()
        await client.notifies("$/cancel_request", requestId=turn)
        assert (await client.answer(turn))["error"]["code"] == -32800
        await client.chooses(question, "allow_once")
        assert await client.stop_reason(await client.prompts(session, "hello")) == "end_turn"
        assert not (tmp_path / "made").exists()


async def test_a_model_that_breaks_is_an_error_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "turns.yaml").write_text("- say: Once.\n  when: nobody says this\n")
    async with an_editor(tmp_path, model="script:./turns.yaml") as client:
        session = await client.opens()
        error = (await client.answer(await client.prompts(session, "hello")))["error"]
        assert error["code"] == -32603
        assert "no turn left for: 'hello'" in error["message"]


async def test_a_model_that_cannot_be_opened_opens_no_session(tmp_path: Path) -> None:
    async with an_editor(tmp_path, model="script:./nowhere.yaml") as client:
        error = await client.error("session/new", cwd=str(tmp_path), mcpServers=[])
        assert error["code"] == -32602
        assert "nowhere.yaml" in error["message"]


async def test_slash_commands_are_answered_by_mm_itself(tmp_path: Path) -> None:
    async with an_editor(tmp_path, PROTECTED) as client:
        session = await client.opens()
        for text, shown in (("/help", "yolo: off"), ("/nonsense", "no /nonsense"), ("/quit", "close the")):
            assert await client.stop_reason(await client.prompts(session, text)) == "end_turn"
            assert shown in client.text()


async def test_notes_are_said_once_for_each_session_at_its_first_turn(tmp_path: Path) -> None:
    async with an_editor(tmp_path, notes=("beware",)) as client:
        for session in (await client.opens(), await client.opens()):
            assert client.text(session) == ""
            for text in ("/grants", "/grants"):
                await client.stop_reason(await client.prompts(session, text))
            assert client.text(session).count("mm: warning: beware") == 1


async def test_servers_that_the_editor_gives_are_not_silently_dropped(tmp_path: Path) -> None:
    async with an_editor(tmp_path) as client:
        server = {"name": "x", "command": "x", "args": [], "env": []}
        session = (await client.result("session/new", cwd=str(tmp_path), mcpServers=[server]))["sessionId"]
        await client.stop_reason(await client.prompts(session, "/grants"))
        assert "MCP servers that the editor gave are not started" in client.text()


# --- questions


@pytest.mark.parametrize(
    "result",
    [
        {"outcome": {"outcome": "selected", "optionId": "yes to everything"}},
        {"outcome": {"outcome": "selected", "optionId": ["allow_once"]}},
        {"allow_once": True},
        "allow_once",
        None,
    ],
)
async def test_an_answer_that_was_not_on_offer_refuses_and_is_told_as_what_it_was(
    tmp_path: Path, result: Any
) -> None:
    async with an_editor(tmp_path, PROTECTED) as client:
        session = await client.opens()
        turn = await client.prompts(session, "run touch made")
        await client.answers(await client.question(), result=result)
        assert await client.stop_reason(turn) == "end_turn"
        assert "mm: warning: the answer to the question could not be understood" in client.text()
        assert "the answer to the question about it could not be understood" in client.text()
        assert "nobody could be asked" not in client.text()
        assert not (tmp_path / "made").exists()


async def test_O_a2_without_an_answer_the_model_is_told_that_nobody_could_be_asked(tmp_path: Path) -> None:
    async with an_editor(tmp_path, PROTECTED) as client:
        session = await client.opens()
        turn = await client.prompts(session, "run touch made")
        await client.answers(await client.question(), error={"code": -32603, "message": "no window"})
        assert await client.stop_reason(turn) == "end_turn"
        assert "nobody could be asked" in client.text()
        assert "the question could not be shown: no window" in client.text()
        assert not (tmp_path / "made").exists()


async def test_a_cancelled_question_stops_the_turn(tmp_path: Path) -> None:
    async with an_editor(tmp_path, PROTECTED) as client:
        session = await client.opens()
        turn = await client.prompts(session, "run touch made")
        await client.answers(await client.question(), result={"outcome": {"outcome": "cancelled"}})
        assert await client.stop_reason(turn) == "cancelled"
        assert not (tmp_path / "made").exists()


# --- an asking agent of ours at the other end


async def test_the_task_of_an_asking_agent_is_never_a_command(tmp_path: Path) -> None:
    async with an_editor(tmp_path, asked_by="boss") as client:
        session = await client.opens()
        await client.stop_reason(await client.prompts(session, "/help"))
        assert "demo model" in client.text()
        assert "/grants" not in client.text()


async def test_an_asking_agent_gets_no_card_and_plain_notes(tmp_path: Path) -> None:
    async with an_editor(tmp_path, PROTECTED, asked_by="boss", notes=("beware",)) as client:
        session = await client.opens()
        turn = await client.prompts(session, "run touch made")
        question = await client.question()
        assert question["params"]["toolCall"]["content"] == []
        note = client.updates("agent_message_chunk")[0]
        assert note["content"]["text"] == "beware"
        await client.chooses(question, "allow_once")
        await client.stop_reason(turn)
        assert "**" not in client.text()


async def test_the_reason_of_an_asking_agent_reaches_the_model(tmp_path: Path) -> None:
    async with an_editor(tmp_path, PROTECTED, asked_by="boss") as client:
        session = await client.opens()
        turn = await client.prompts(session, "run touch made")
        outcome = {"outcome": {"outcome": "selected", "optionId": "refuse_once"}}
        meta = {"_meta": {"mm": {"why": "nobody"}}}
        await client.answers(await client.question(), result=outcome | meta)
        await client.stop_reason(turn)
        assert "nobody could be asked" in client.text()
