"""Lines as rows that no terminal breaks again: each sign is as wide as the widest table of widths says.

Terminals disagree about single signs: a skin tone alone is drawn in two columns by some, in none by others.
"""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import category

from prompt_toolkit.utils import get_cwidth
from rich.cells import cell_len


def width(char: str) -> int:
    """The most columns that this sign takes. A mark may sit on the sign before it, or beside that."""
    return max(cell_len(char), get_cwidth(char), category(char).startswith("M"))


def chopped(line: str, columns: int) -> Iterator[str]:
    """The line in rows of at most so many columns, but for one sign that is wider."""
    while line:
        end = _fit(line, columns)
        yield line[:end]
        line = line[end:]


def wrapped(line: str, columns: int) -> Iterator[str]:
    """The same, broken behind blanks where there are some; a blank that would begin a row is left out."""
    while (end := _fit(line, columns)) < len(line):
        if line[end] != " ":
            end = line.rfind(" ", 1, end) + 1 or end
        yield line[:end]
        line = line[end:].removeprefix(" ")
    yield line


def _fit(line: str, columns: int) -> int:
    """How many signs of the line fit, at least one."""
    used = 0
    for number, char in enumerate(line):
        used += width(char)
        if used > columns and number:
            return number
    return len(line)
