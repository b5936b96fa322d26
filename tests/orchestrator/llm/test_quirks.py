"""What local model servers really answer, served over a real socket, and what the client makes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from orchestrator.llm.messages import Assistant, Call, Message, ModelError, Result, User
from orchestrator.llm.openai import OpenAIModel
from orchestrator.llm.protocols import PROTOCOLS
from tests.orchestrator.llm.helpers import Clock, Heard, ask, tools
from tests.orchestrator.llm.server import Server, serving

CORPUS = Path(__file__).parents[2] / "corpus" / "model_quirks"


def rows(folder: Path) -> list[Any]:
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    assert found, f"no rows in {folder}"
    return [pytest.param(row, id=row["id"]) for row in found]


def raw(piece: str | dict[str, str]) -> bytes:
    return piece.encode() if isinstance(piece, str) else bytes.fromhex(piece["hex"])


def as_expected(call: Call, expected: dict[str, Any]) -> dict[str, Any]:
    """The call in the corpus' shape: arguments that do not parse are `invalid`, an id may be any."""
    shape: dict[str, Any] = {"id": expected["id"] and call.id, "name": call.name}
    if "invalid" in expected:
        return {**shape, "arguments": None, "invalid": call.arguments}
    return {**shape, "arguments": json.loads(call.arguments)}


@pytest.mark.parametrize("row", rows(CORPUS))
async def test_a_reply_is_what_the_corpus_says(row: dict[str, Any]) -> None:
    expect, heard = row["expect"], Heard()
    http = row["http"]
    server = Server([raw(piece) for piece in row["wire"]], http["status"], http["content_type"])
    async with serving(server):
        model = OpenAIModel("m", server.url, patience=Clock().patience())
        if expect["error"] is not None:
            with pytest.raises(ModelError) as failed:
                await ask(model, [User("go")], *row["request"]["tools"], heard=heard)
            assert expect["error"] in str(failed.value)
        else:
            reply = await ask(model, [User("go")], *row["request"]["tools"], heard=heard)
            calls = [as_expected(*pair) for pair in zip(reply.calls, expect["tool_calls"], strict=True)]
            usage = reply.usage and [reply.usage.prompt, reply.usage.completion]
            assert calls == expect["tool_calls"]
            assert (reply.text, reply.finish) == (expect["text"], expect["finish"])
            assert usage == (expect["usage"] and list(expect["usage"].values())[:2])
            assert len({call.id for call in reply.calls} - {""}) == len(reply.calls)
    assert (heard.text, heard.thought) == (expect["text"], expect["reasoning"])


def message(said: dict[str, Any]) -> Message:
    if said["role"] == "user":
        return User(said["content"])
    if said["role"] == "tool":
        return Result(said["id"], said["name"], said["content"])
    calls = (
        Call(call["id"], call["name"], call.get("invalid") or json.dumps(call["arguments"]))
        for call in said["tool_calls"]
    )
    return Assistant(said["text"], tuple(calls))


@pytest.mark.parametrize("row", rows(CORPUS / "outgoing"))
def test_a_history_goes_out_in_the_shape_that_servers_accept(row: dict[str, Any]) -> None:
    history, expect = [message(said) for said in row["history"]], row["expect"]
    if "no_keys" in expect:
        sent = PROTOCOLS["json"].body("m", history, tools("bash"))
        roles, texts = zip(*(said.values() for said in sent["messages"]), strict=True)
        assert not sent.keys() & set(expect["no_keys"])
        assert list(roles) == expect["messages_roles"]
        assert "bash" in texts[0]
        assert expect["assistant_contains"] in texts[2]
        assert expect["last_user_contains"] in texts[-1]
    else:
        assert PROTOCOLS["native"].body("m", history, tools("bash"))["messages"] == expect["messages"]
