"""Lines of a question as Markdown, which editors render, so that every sign is drawn as it is.

ACP has clients render text content as Markdown; titles and names of options are plain text. Nothing is
escaped here: an editor that draws plain text shows the same signs. Knows no call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain, groupby

from consent.show import BAR, LOCK

SHORTEST_FENCE = 3

_WORD = r"[^\W_]+"
# Words with single blanks and the points of a sentence between them: no Markdown makes anything else of that.
_PLAIN = re.compile(rf"(?:{LOCK} )?{_WORD}(?:(?:(?: ?[,;:])? (?:› )?|[-.]){_WORD})*(?: ?:)?")
_TICKS = re.compile("`+")


def as_markdown(lines: Iterable[str]) -> str:
    """The lines, those behind a bar as blocks of code, each other one as a paragraph of its own."""
    runs = [(barred, [*run]) for barred, run in groupby(lines, lambda line: line.startswith(BAR))]
    parts = ([fenced("\n".join(run))] if barred else [*map(_paragraph, run)] for barred, run in runs)
    return "\n\n".join(chain.from_iterable(parts))


def fenced(text: str) -> str:
    """A text as a block of code: its fence is longer than any run of the same sign in it."""
    fence = "`" * max(SHORTEST_FENCE, _longest(text) + 1)
    return f"{fence}\n{text}\n{fence}"


def _paragraph(line: str) -> str:
    """A line as it is where it holds nothing but plain words, else as a span of code."""
    if _PLAIN.fullmatch(line):
        return line
    ticks = "`" * (_longest(line) + 1)
    return f"{ticks} {line} {ticks}"


def _longest(text: str) -> int:
    return max(map(len, _TICKS.findall(text)), default=0)
