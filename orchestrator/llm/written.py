"""Finds the tool calls that a model wrote into its answer as text, and holds them back from it. Pure.

A call in text counts only where it is no quotation: as the whole answer (bare JSON or one fence), or between
the tags that models are trained on, at the beginning of a line, as long as nothing in the answer looks like
quoting. Its tool is declared, and the answer whole. Every character is looked at a bounded number of times.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from orchestrator.llm.loose import as_object, as_text, decoded
from orchestrator.llm.thinking import CLOSE

WrittenCall = tuple[str, str]
"""A tool, and its arguments as JSON text."""

MOST_BLOCKS = 32
"""Tagged blocks of one answer that may be calls; what follows them is text."""

MOST_READ = 2**18
"""Characters of one answer that are read for calls; what follows them is text."""

_HEAD = 1024  # characters, in which an answer that is nothing but JSON has begun it
_TAGS = "tool_call|tools"
_BLOCK = re.compile(rf" *<({_TAGS})>((?:(?!</?\1>).)*)</\1>", re.DOTALL)
_SIGN = (
    r"`|~~~|(?i:<pre|<code|<!--|<think)"
    r"|^[^\S\n]{0,3}[\t>]|^[^\S\n]{4}"
    r"|\s{64}"  # no quotation, but a stream holds blanks back, and they shall be few
)
_QUOTING = re.compile(_SIGN, re.MULTILINE)
_MARK = re.compile(rf"(?P<tag>^ {{0,3}}<(?:{_TAGS})>)|{_SIGN}|<(?:{_TAGS})>", re.MULTILINE)
_BEGUN_MARK = re.compile(r"(?:<[a-z_!-]{0,9}|~{0,2})\Z", re.IGNORECASE)
_LONGEST_BEGUN = len("<tool_call")
_WHOLE = re.compile(r"\s*(?:```\w*\s*)?(?:\[\s*)?\{")
_BEGUN_WHOLE = re.compile(r"\s*(?:`{0,3}|```\w*\s*)(?:\[\s*)?")
_LANGUAGE = re.compile(r"\w*")
_STRING_OR_DOUBLE = re.compile(r'"(?:[^"\\]|\\.)*"?|\{\{|\}\}', re.DOTALL)
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
        self._held: list[str] = []
        self._shown = 0  # characters
        self._last = "\n"  # the last one that was shown: a text begins as a line does
        self._holds = False
        self._plain = False  # from here on all is text

    def feed(self, text: str) -> str:
        """Take the next piece; gives what can be shown by now."""
        if self._plain:
            return text
        self._held.append(text)
        if self._holds:
            return ""
        held = "".join(self._held)
        if not self._shown and _may_be_whole(held):
            self._holds = _WHOLE.match(held[:_HEAD]) is not None
            sure = 0
        else:
            sure = self._sure(held)
        self._held = [held[sure:]]
        self._shown += sure
        self._last = held[sure - 1] if sure else self._last
        return held[:sure]

    def end(self, *, whole: bool) -> tuple[str, tuple[WrittenCall, ...]]:
        """The rest to show, and the calls; of an answer that was cut all is text."""
        held = "".join(self._held)
        if not whole or self._plain:
            return held, ()
        if not self._shown and len(held) <= MOST_READ and (calls := self._calls(_unfenced(held))):
            return "", calls
        return self._without_blocks(held)

    def _sure(self, held: str) -> int:
        """How much stands before anything that may be a call, without the blanks before that."""
        text = self._last + held
        mark = _MARK.search(text, 1)
        if mark and mark["tag"]:
            self._holds = True
            end = mark.start()
        elif mark or self._shown + len(held) > MOST_READ:
            self._plain = True
            return len(held)
        else:
            begun = _BEGUN_MARK.search(text, max(1, len(text) - _LONGEST_BEGUN))
            end = begun.start() if begun else len(text)
        return max(len(text[:end].rstrip()) - 1, 0)

    def _without_blocks(self, held: str) -> tuple[str, tuple[WrittenCall, ...]]:
        """The text without those tagged blocks that are calls, and these."""
        text = self._last + held
        calls: list[WrittenCall] = []
        kept, at = [], 1
        for block in self._blocks(text):
            if found := self._calls(block[2]):
                calls += found
                kept.append(text[at : block.start()])
                at = block.end()
            elif _QUOTING.search(text, block.start(), block.end()):
                break
        rest = "".join(kept) + text[at:]
        return (rest.rstrip() if calls else rest), tuple(calls)

    def _blocks(self, text: str) -> Iterator[re.Match[str]]:
        """The blocks before the first sign of quoting; what stands inside one is not looked at."""
        thought = text.rfind(CLOSE)
        at, given = 1, 0
        while given < MOST_BLOCKS and (mark := _MARK.search(text, at)) and mark["tag"]:
            block = _BLOCK.match(text, mark.start(), MOST_READ + 1 - self._shown)
            at = mark.end()
            if block and block.end() > thought:
                given += 1
                at = block.end()
                yield block

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
    head = text[:_HEAD]
    return bool(_WHOLE.match(head) or (len(text) < _HEAD and _BEGUN_WHOLE.fullmatch(head)))


def _unfenced(text: str) -> str:
    fence = text.strip()
    if len(fence) < 6 or not (fence.startswith("```") and fence.endswith("```")):
        return text
    return _LANGUAGE.sub("", fence[3:-3], count=1)


def _readings(text: str) -> Iterator[str]:
    """The text, then what small models mean by it: braces doubled as in a template, or forgotten."""
    yield text
    if text.startswith("{{"):
        yield _STRING_OR_DOUBLE.sub(lambda found: found[0] if found[0][0] == '"' else found[0][0], text)
    yield text + "}"
    yield text + "}}"
