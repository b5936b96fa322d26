"""Finds the tool calls that a model wrote into its answer as text, and holds them back from it. Pure.

A call in text counts only where it is no quotation: as the whole answer (bare JSON or one fence), or between
the tags that models are trained on, outside code and reasoning. Its tool is declared, and the answer whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from orchestrator.llm.loose import as_object, as_text, decoded
from orchestrator.llm.thinking import CLOSE, OPEN

WrittenCall = tuple[str, str]
"""A tool, and its arguments as JSON text."""

_TAGS = "tool_call|tools"
_TAG = re.compile(f"<(?:{_TAGS})>")
_BEGUN_TAG = re.compile("<[a-z_]*")
_BLOCK = re.compile(rf"<({_TAGS})>((?:(?!</?\1>).)*)</\1>", re.DOTALL)
_WHOLE = re.compile(r"\s*(?:```\w*\s*)?(?:\[\s*)?\{")
_BEGUN_WHOLE = re.compile(r"\s*(?:`{0,3}|```\w*\s*)(?:\[\s*)?")
_FENCE = re.compile(r"```\w*(.*)```", re.DOTALL)
_CODE_MARK = re.compile("`+|~~~+")
_STRING_OR_DOUBLE = re.compile(r'"(?:[^"\\]|\\.)*"|\{\{|\}\}', re.DOTALL)
_KEYS = {"name", "arguments", "parameters", "id", "type"}
_DESCRIBED = re.compile(
    r"<(?:tool_call|tools|function_call)>|<function=|\[TOOL_CALLS\]"
    r'|"name"\s*:\s*"[^"]*"\s*,\s*"(?:arguments|parameters)"\s*:'
)


def describes_call(text: str) -> bool:
    """Whether an answer without calls looks as if one had been meant."""
    return _DESCRIBED.search(text) is not None


class TextReader(Protocol):
    """Reads the text of one answer while it streams."""

    def feed(self, text: str) -> str:
        """Take the next piece; gives what can be shown by now."""
        ...

    def end(self, *, whole: bool) -> tuple[str, tuple[WrittenCall, ...]]:
        """The rest to show, and the calls. `whole`: the answer was not cut."""
        ...


class WrittenCalls(TextReader):
    """The reader of free text. What may be a call is held back until the end decides."""

    def __init__(self, declared: Iterable[str]) -> None:
        self._declared = frozenset(declared)
        self._text = ""
        self._shown = 0  # so much of the text
        self._holds = False

    def feed(self, text: str) -> str:
        """Take the next piece; gives what can be shown by now."""
        self._text += text
        if self._holds or (not self._shown and _may_be_whole(self._text)):
            return ""
        start = self._shown
        self._shown = self._sure()
        return self._text[start : self._shown]

    def end(self, *, whole: bool) -> tuple[str, tuple[WrittenCall, ...]]:
        """The rest to show, and the calls; of an answer that was cut all is text."""
        held = self._text[self._shown :]
        if not whole:
            return held, ()
        if not self._shown and (calls := self._calls(_unfenced(held))):
            return "", calls
        return self._without_blocks(held)

    def _sure(self) -> int:
        """Where the text ends that stands before any tag, without the blanks before it."""
        for tag in _TAG.finditer(self._text, self._shown):
            if not _quotes(self._text[: tag.start()]):
                self._holds = True
                return max(self._shown, len(self._text[: tag.start()].rstrip()))
        begun = self._text.rfind("<")
        sure = self._text[:begun] if begun >= 0 and _BEGUN_TAG.fullmatch(self._text, begun) else self._text
        return max(self._shown, len(sure.rstrip()))

    def _without_blocks(self, held: str) -> tuple[str, tuple[WrittenCall, ...]]:
        """The text without those tagged blocks that are calls, and these."""
        calls: list[WrittenCall] = []
        kept, at = "", 0
        for block in _BLOCK.finditer(held):
            before = kept + held[at : block.start()]
            quoted = _quotes(self._text[: self._shown] + before) or CLOSE in held[block.end() :]
            if not quoted and (found := self._calls(block[2])):
                calls += found
                kept, at = before, block.end()
        rest = kept + held[at:]
        return (rest.rstrip() if calls else rest), tuple(calls)

    def _calls(self, text: str) -> tuple[WrittenCall, ...]:
        """The calls that a text is, which is one object or a list; none unless all of it is calls."""
        value = next((v for reading in _readings(text.strip()) if (v := decoded(reading)) is not None), None)
        calls = [self._call(item) for item in (value if isinstance(value, list) else [value])]
        return tuple(call for call in calls if call) if all(calls) else ()

    def _call(self, value: object) -> WrittenCall | None:
        call = as_object(value)
        name, given = as_text(call.get("name")), call.get("arguments", call.get("parameters"))
        arguments = decoded(given) if isinstance(given, str) else given
        if name not in self._declared or not call.keys() <= _KEYS or not isinstance(arguments, dict):
            return None
        return name, json.dumps(arguments, ensure_ascii=False)


def _may_be_whole(text: str) -> bool:
    """Whether the answer is, or can still become, nothing but JSON."""
    return bool(_WHOLE.match(text) or _BEGUN_WHOLE.fullmatch(text))


def _unfenced(text: str) -> str:
    fence = _FENCE.fullmatch(text.strip())
    return fence[1] if fence else text


def _quotes(before: str) -> bool:
    """Whether what follows `before` stands in code or in reasoning."""
    opened = ""
    for mark in _CODE_MARK.findall(before):
        opened = mark if not opened else "" if mark == opened else opened
    return bool(opened) or before.rfind(OPEN) > before.rfind(CLOSE)


def _readings(text: str) -> Iterator[str]:
    """The text, then what small models mean by it: braces doubled as in a template, or forgotten."""
    yield text
    if text.startswith("{{"):
        yield _STRING_OR_DOUBLE.sub(lambda found: found[0] if found[0][0] == '"' else found[0][0], text)
    yield text + "}"
    yield text + "}}"
