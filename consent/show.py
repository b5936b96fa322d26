"""Text of another process, made safe to draw and read back: escaped, never stripped.

Source: consent.md, "A question". Knows no terminal, language or question. Letters that are written from
right to left stay as they are (what steers them is escaped), and letters that look alike stay alike: where
that matters, in names, `ascii_only` spells every letter beyond ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from unicodedata import category, east_asian_width

LOCK = "\U0001f510"
"""The sign of a question; no text of another process can draw it."""

BAR = "│ "
"""How each line of a block begins, so that no line of another process looks like one of ours."""

MOST_MARKS = 4
"""Combining marks that are drawn on one base; further ones are escaped."""

MOST_BLANKS = 40
"""A longer run of blanks could push what follows off the screen, and is counted instead."""

LONG_RUN = 8
"""From here on a run of one escaped character is written once, with its count."""

_BY_LETTER = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
_LETTERS = {char: f"\\{letter}" for letter, char in _BY_LETTER.items()}
_LONGEST_RUN = {" ": MOST_BLANKS, "\\": LONG_RUN - 1}
_RAW = "\0"
"""Stands for a backslash of the text until all is escaped; a NUL of the text never gets that far."""
_AMBIGUOUS = re.compile(rf"{_RAW}(?=[{_RAW}\\ntr]|u\{{)")

# Printable by their category, but drawn as nothing or as a blank (Default_Ignorable_Code_Point, blank glyphs,
# and the parts of Hangul syllables that join the one before); and the sign that has a meaning of its own.
_UNSEEN = re.compile(
    "[\u034f\u115f-\u11ff\ud7b0-\ud7c6\ud7cb-\ud7fb\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    f"\U00013441\U00013442\U0001d159\U000e0100-\U000e01ef{LOCK}]"
)
# Most text is nothing but this, and is left alone at once.
_PLAIN = re.compile(r"[ -\[\]-~]*")
_ESCAPE = re.compile(r"\\(?:([\\ntr])|u\{(10[0-9a-f]{4}|[0-9a-f]{1,5})(?:\*([0-9]+))?\})")


def show(text: str, *, ascii_only: bool = False) -> str:
    r"""`text` on one line, with everything invisible or misleading as `\n`, `\u{1b}` or `\u{20*2000}`.

    A backslash stays as it is, unless it would read like the beginning of an escape: then it is doubled.
    The ordinary blank is the only separator left as it is: no other one separates words for a shell.
    """
    if _PLAIN.fullmatch(text) and " " * (MOST_BLANKS + 1) not in text:
        return text
    shown = "".join(_pieces(text, ascii_only))
    return _AMBIGUOUS.sub(r"\\\\", shown).replace(_RAW, "\\")


def safe(text: str) -> str:
    """Text of a model for a terminal: what is invisible is escaped, line breaks and backslashes stay.

    Not reversible, unlike `show`: for answers, which hold code, never for what a person decides about.
    """
    lines = text.replace("\r\n", "\n").expandtabs(4).split("\n")
    return "\n".join(show(line).replace("\\\\", "\\") for line in lines)


def show_block(text: str) -> tuple[str, ...]:
    """The lines of `text`, each escaped and each behind a bar."""
    return tuple(BAR + show(line) for line in text.split("\n"))


def unescape(shown: str) -> str:
    """The text behind what `show` gave, and only that: `unescape(show(text)) == text` for every text."""
    return _ESCAPE.sub(_meant, shown)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The two ends of a text, and how much lies between them; `tail` is empty where nothing does."""

    head: str
    tail: str = ""
    characters: int = 0
    lines: int = 0


def cut(text: str, characters: int, lines: int = 0) -> Excerpt:
    """`text` within these limits as it is shown, cut in the middle: its end may be what counts.

    `characters` are columns in all; `lines`, 0 for any number, are rows of characters // lines columns, and
    each line of the text begins a row. Each is at least 2. The counts are those of the text itself.
    """
    width = max(characters // lines, 1) if lines else characters
    if _fits(text, characters, lines, width):
        return Excerpt(text)
    half = (characters // 2, lines // 2, width)
    head = text[: _most(lambda count: _fits(text[:count], *half), characters // 2)]
    rest = len(text) - len(head)
    end = _most(lambda count: _fits(text[len(text) - count :], *half), min(characters // 2, rest))
    tail = text[len(text) - end :]
    hidden = text[len(head) : len(text) - len(tail)]
    return Excerpt(head, tail, len(hidden), max(hidden.count("\n") - 1, 0))


def _fits(text: str, characters: int, lines: int, width: int) -> bool:
    if len(text) > characters:
        return False
    if not lines:
        return _columns(text) <= characters
    return sum(max(-(-_columns(line) // width), 1) for line in text.split("\n")) <= lines


def _columns(text: str) -> int:
    shown = show(text)
    return len(shown) + sum(east_asian_width(char) in "WF" for char in shown)


def _most(fits: Callable[[int], bool], limit: int) -> int:
    """The largest count up to the limit that fits, as far as halving finds it; nothing always does."""
    least, most = 0, limit
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if fits(middle) else (least, middle - 1)
    return least


def _pieces(text: str, ascii_only: bool) -> Iterator[str]:
    room = 0  # for marks: none at the start, where a mark would sit on something of ours
    for char, run in groupby(text):
        count = sum(1 for _ in run)
        if _hides(char, count) or (ascii_only and not char.isascii()):
            plain, room = 0, 0
        elif category(char).startswith("M"):
            plain = min(count, room)
            room -= plain
        else:
            plain, room = count, MOST_MARKS
        yield (_RAW if char == "\\" else char) * plain + _escaped(char, count - plain)


def _hides(char: str, count: int) -> bool:
    # Not printable: controls, formats, surrogates, private use, unassigned, and separators but for the blank.
    return not char.isprintable() or bool(_UNSEEN.match(char)) or count > _LONGEST_RUN.get(char, count)


def _escaped(char: str, count: int) -> str:
    if count >= LONG_RUN:
        return f"\\u{{{ord(char):x}*{count}}}"
    return count * _LETTERS.get(char, f"\\u{{{ord(char):x}}}")


def _meant(escape: re.Match[str]) -> str:
    letter, code, count = escape.groups()
    return _BY_LETTER[letter] if letter else chr(int(code, 16)) * int(count or 1)
