"""Histories that an agent's life makes, and servers refuse unless they are mended."""

from __future__ import annotations

import pytest

from orchestrator.llm.messages import Assistant, Call, Message, Result, System, User
from orchestrator.llm.request import body


def sent(*messages: Message) -> list[tuple[str, str]]:
    """Role and id, or content, of what goes out."""
    wire = body("m", messages, ())["messages"]
    return [(message["role"], message.get("tool_call_id", message["content"])) for message in wire]


def test_a_call_at_the_very_end_is_answered_too() -> None:
    calls = (Call("a", "bash", "{}"), Call("b", "bash", "{}"))
    history: list[Message] = [System("be"), User("go"), Assistant("", calls), Result("b", "bash", "x")]
    assert sent(*history)[3:] == [("tool", "b"), ("tool", "a")]


def test_each_turn_answers_its_own_calls() -> None:
    one, two = Assistant("", (Call("a", "bash", "{}"),)), Assistant("", (Call("b", "bash", "{}"),))
    assert sent(one, two, User("stop")) == [
        ("assistant", ""),
        ("tool", "a"),
        ("assistant", ""),
        ("tool", "b"),
        ("user", "stop"),
    ]


@pytest.mark.parametrize("arguments", ["", "{oops", "[1]", "7", "null", '"{}"'])
def test_arguments_that_are_no_object_go_back_as_an_empty_one(arguments: str) -> None:
    (message, _) = body("m", [Assistant("", (Call("a", "bash", arguments),))], ())["messages"]
    assert message["tool_calls"][0]["function"]["arguments"] == "{}"
