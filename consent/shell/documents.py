"""Here-documents: where the lines that belong to one end. Knows no command."""

from __future__ import annotations

from typing import NamedTuple

from consent.shell.cursor import Effort
from consent.shell.syntax import Feed


class Due(NamedTuple):
    """A here-document whose body is still to come. `literal`: nothing in it expands."""

    feed: Feed
    delimiter: str
    tabs: bool
    literal: bool


def extent(due: Due, text: str, start: int, effort: Effort) -> tuple[int, int]:
    """Where the line of the delimiter begins and where the next line does; the end of the text without one.

    As bash does it, lines that a backslash joins are compared as one, unless the document is literal.
    """
    at = start
    while at < len(text) and effort.spend(1):
        end = _end_of_line(text, at)
        while not due.literal and _continues(text, at, end):
            end = _end_of_line(text, end + 1)
        line = text[at:end] if due.literal else text[at:end].replace("\\\n", "")
        if (line.lstrip("\t") if due.tabs else line) == due.delimiter:
            return at, min(end + 1, len(text))
        at = end + 1
    return len(text), len(text)


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _continues(text: str, start: int, end: int) -> bool:
    """Whether the line that ends here is joined to the next one by its last backslash."""
    at = end
    while at > start and text[at - 1] == "\\":
        at -= 1
    return end < len(text) and (end - at) % 2 == 1
