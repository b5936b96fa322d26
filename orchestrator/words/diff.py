"""What a change does to a text, as a unified diff. Bounded in time: it is drawn while everything waits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

CONTEXT = 3
MOST_COMPARED = 40_000
"""Pairs of lines that are compared; a larger change is drawn as everything out, everything in."""

_NO_END = "\n(no newline at end of file)"  # git's words; a line of a file never begins like this

Opcode = tuple[str, int, int, int, int]


def diff(before: str, after: str) -> Iterator[str]:
    """The lines of a unified diff without file names; none where nothing changes."""
    old, new = _split(before, after), _split(after, before)
    first = max(_same(old, new) - CONTEXT, 0)
    old, new = old[first:], new[first:]
    last = max(_same(old[::-1], new[::-1]) - CONTEXT, 0)
    old, new = old[: len(old) - last], new[: len(new) - last]
    for group in _groups(old, new):
        (_, old_from, _, new_from, _), (_, _, old_to, _, new_to) = group[0], group[-1]
        yield f"@@ -{_range(first, old_from, old_to)} +{_range(first, new_from, new_to)} @@"
        for code in group:
            yield from _lines(code, old, new)


def _split(text: str, other: str) -> list[str]:
    """The lines of `text`; its last one says so where `text` alone lacks the final line end."""
    lines = text.removesuffix("\n").split("\n") if text else []
    if lines and other.endswith("\n") and not text.endswith("\n"):
        lines[-1] += _NO_END
    return lines


def _same(old: Sequence[str], new: Sequence[str]) -> int:
    """How many lines are the same at the start."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((number for number, (a, b) in pairs if a != b), min(len(old), len(new)))


def _groups(old: list[str], new: list[str]) -> Iterable[list[Opcode]]:
    if len(old) * len(new) > MOST_COMPARED:
        return [[("replace", 0, len(old), 0, len(new))]]
    return SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT)


def _range(first: int, start: int, end: int) -> str:
    return f"{first + start + (end > start)},{end - start}"


def _lines(code: Opcode, old: list[str], new: list[str]) -> Iterator[str]:
    tag, old_from, old_to, new_from, new_to = code
    if tag == "equal":
        yield from (f" {line}" for line in old[old_from:old_to])
        return
    yield from (f"-{line}" for line in old[old_from:old_to])
    yield from (f"+{line}" for line in new[new_from:new_to])
