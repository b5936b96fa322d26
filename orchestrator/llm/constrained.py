"""`toolProtocol: json`: each answer is one JSON object by a schema, for models whose own calls do not work.

The tools stand in the system text, calls and results in plain messages. An answer to the person is a call
of `final_answer`, whose text streams. Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import assert_never

from orchestrator.llm.loose import Json, as_object, as_text, decoded
from orchestrator.llm.messages import Assistant, Call, Message, Result, System, ToolSpec, User
from orchestrator.llm.request import answered, streamed
from orchestrator.llm.written import TextReader, WrittenCall, WrittenCalls

FINAL = "final_answer"

_HOW = """\
Answer with one JSON object and nothing else.
To use a tool: {"name": TOOL, "arguments": {…}}. Its result comes with the next message.
To answer when you are done: {"name": "final_answer", "arguments": {"text": "…"}}.
Tools, each with the schema of its arguments:"""

_ANSWER: Json = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
_HEAD = re.compile(r'\s*\{\s*"name"\s*:\s*"final_answer"\s*,\s*"arguments"\s*:\s*\{\s*"text"\s*:\s*"')
_CHARACTERS = re.compile(
    r'(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u(?![dD][89abAB])[0-9a-fA-F]{4}'
    r"|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4})*"
)


def body(model: str, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Json:
    """The request, which declares no tools but constrains the answer."""
    schema = {"anyOf": [*(_form(tool.name, tool.parameters) for tool in tools), _form(FINAL, _ANSWER)]}
    lines = [_HOW, *(f"{tool.name} {json.dumps(tool.parameters)}: {tool.description}" for tool in tools)]
    # Some templates insist that user and assistant alternate, so neighbours of one role are joined.
    said = groupby(_plain((System("\n".join(lines)), *answered(messages))), lambda message: message[0])
    wire = [{"role": role, "content": "\n\n".join(text for _, text in same)} for role, same in said]
    response_format = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
    return {**streamed(model, wire), "response_format": response_format}


class Constrained(TextReader):
    """Reads such an answer. One of a server that does not know schemas is read as free text."""

    def __init__(self, declared: Iterable[str]) -> None:
        self._written = WrittenCalls((*declared, FINAL))
        self._answer = _AnswerText()

    def feed(self, text: str) -> str:
        """Take the next piece; gives what of the final answer, or of free text, can be shown by now."""
        return self._answer.feed(text) + self._written.feed(text)

    def end(self, *, whole: bool) -> tuple[str, tuple[WrittenCall, ...]]:
        """The rest to show, and the calls that are no answer."""
        rest, calls = self._written.end(whole=whole)
        said = [as_text(as_object(decoded(given)).get("text")) for name, given in calls if name == FINAL]
        text = ("" if self._answer.begun else rest) + "\n\n".join(said)
        return text.removeprefix(self._answer.text), tuple(call for call in calls if call[0] != FINAL)


class _AnswerText:
    """The text of a final answer, decoded while its JSON is still incomplete."""

    def __init__(self) -> None:
        self.begun = False
        self.text = ""
        self._held = ""

    def feed(self, text: str) -> str:
        """Take the next piece of JSON; gives the characters of the answer that became whole."""
        self._held += text
        if not self.begun and (head := _HEAD.match(self._held)):
            self.begun = True
            self._held = self._held[head.end() :]
        found = _CHARACTERS.match(self._held) if self.begun else None
        if found is None:
            return ""
        self._held = self._held[found.end() :]
        characters = as_text(decoded(f'"{found[0]}"'))
        self.text += characters
        return characters


def _form(name: str, parameters: object) -> Json:
    return {
        "type": "object",
        "properties": {"name": {"const": name}, "arguments": parameters},
        "required": ["name", "arguments"],
        "additionalProperties": False,
    }


def _plain(messages: Iterable[Message]) -> Iterator[tuple[str, str]]:
    """Role and text of each message."""
    for message in messages:
        match message:
            case System(text):
                yield "system", text
            case User(text):
                yield "user", text
            case Assistant(text, ()):
                yield "assistant", _object(FINAL, {"text": text})
            case Assistant(text, calls):
                yield "assistant", "\n".join(filter(None, (text, *map(_call, calls))))
            case Result(_, name, text):
                yield "user", f"Result of {name}:\n{text}"
            case _:
                assert_never(message)


def _call(call: Call) -> str:
    return _object(call.name, as_object(decoded(call.arguments)))


def _object(name: str, arguments: Json) -> str:
    return json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)
