"""A conversation as the body of a chat completion request, in the shape that all servers accept. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from orchestrator.llm.loose import Json, decoded
from orchestrator.llm.messages import Assistant, Call, Message, Result, System, ToolSpec, User


def body(model: str, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Json:
    """The request. Without tools it has no `tools` at all: some servers refuse an empty list."""
    request = streamed(model, [_message(message) for message in answered(messages)])
    if tools:
        request["tools"] = [_tool(tool) for tool in tools]
    return request


def streamed(model: str, messages: list[Json]) -> Json:
    """A request for an answer that streams."""
    return {
        "model": model,
        "messages": messages,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def answered(messages: Iterable[Message]) -> Iterator[Message]:
    """The messages, each call followed by a result: servers refuse a history with an unanswered call."""
    waiting: dict[str, Result] = {}
    for message in messages:
        if isinstance(message, Result):
            waiting.pop(message.id, None)
        else:
            yield from waiting.values()
            waiting = {}
        if isinstance(message, Assistant):
            waiting = {call.id: _unanswered(call) for call in message.calls}
        yield message
    yield from waiting.values()


def _unanswered(call: Call) -> Result:
    return Result(call.id, call.name, "error: cancelled", ok=False)


def _message(message: Message) -> Json:
    match message:
        case System(text):
            return {"role": "system", "content": text}
        case User(text):
            return {"role": "user", "content": text}
        case Assistant(text, ()):
            return {"role": "assistant", "content": text}
        case Assistant(text, calls):
            return {"role": "assistant", "content": text, "tool_calls": [_call(call) for call in calls]}
        case Result(ident, _, text):
            return {"role": "tool", "tool_call_id": ident, "content": text}
    assert_never(message)


def _call(call: Call) -> Json:
    # Servers answer 500 to arguments that are no object; the result tells the model what was wrong with them.
    arguments = call.arguments if isinstance(decoded(call.arguments), dict) else "{}"
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _tool(tool: ToolSpec) -> Json:
    function = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": function}
