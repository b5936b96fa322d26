"""Brace expansion: the words that one word with braces stands for.

Source: the Bash manual, "Brace Expansion". Knows no command. Of a row of numbers only the ends are made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product

from consent.shell.cursor import DEEPEST, Effort
from consent.shell.syntax import HOME, Trouble, Word

CHARS_PER_STEP = 16
"""How much text is put together or looked at for one step."""


_SIGNS = re.compile(r"[{},]")
_ROW = re.compile(r"(?:(-?\d+)\.\.(-?\d+)|([A-Za-z])\.\.([A-Za-z]))(?:\.\.-?\d+)?")
_TILDE = re.compile(r"~[\w.+-]*+(?=/|\Z)")

_Parts = list["str | _Choice"]


class _Choice:
    """What stands between two braces: one of these."""

    __slots__ = ("all",)

    def __init__(self, alternatives: list[_Parts]) -> None:
        self.all = alternatives


def spread(words: Iterable[Word], effort: Effort) -> Iterator[Word]:
    """These words, and in place of each with braces all that it stands for, as long as the effort lasts."""
    for word in words:
        spans = ((0, len(word.text)),) if word.bare else word.loose
        if not spans or "{" not in word.text or not effort.spend(2 + _signs(word.text)):
            yield word
            continue
        for text in _texts(_read(word.text, spans, effort), effort):
            home = _TILDE.match(text)
            whole = HOME + text[home.end() :] if home else text
            yield word._replace(text=whole, bare=False, loose=())


def _signs(text: str) -> int:
    return sum(map(text.count, "{},"))


def _read(text: str, spans: Iterable[tuple[int, int]], effort: Effort) -> _Parts:
    """The parts of a text; only signs within these spans count."""
    open_: list[list[_Parts]] = [[[]]]
    done = 0
    for sign in (sign for span in spans for sign in _SIGNS.finditer(text, *span)):
        at, char = sign.start(), sign.group()
        if char == "{":
            open_[-1][-1].append(text[done:at])
            open_.append([[]])
            if len(open_) > DEEPEST:
                effort.stop(Trouble.TOO_DEEP, 0)
                return [text]
        elif len(open_) > 1:
            open_[-1][-1].append(text[done:at])
            if char == ",":
                open_[-1].append([])
            else:
                inner = open_.pop()
                open_[-1][-1] += _closed(inner)
        else:
            continue
        done = at + 1
    open_[-1][-1].append(text[done:])
    whole = open_[0][0]
    for inner in open_[1:]:
        whole += _literal(inner)
    return whole


def _closed(alternatives: list[_Parts]) -> _Parts:
    if len(alternatives) > 1:
        return [_Choice(alternatives)]
    match alternatives[0]:
        case [str(text)] if row := _ROW.fullmatch(text):
            return [_Choice([[each] for each in _row(row)])]
        case _:
            return [*_literal(alternatives), "}"]


def _row(row: re.Match[str]) -> Iterable[str]:
    first, last, begin, end = row.groups()
    if first:
        return first, last
    return map(chr, range(min(ord(begin), ord(end)), max(ord(begin), ord(end)) + 1))


def _literal(alternatives: list[_Parts]) -> _Parts:
    """Braces that mean themselves."""
    parts: _Parts = ["{", *alternatives[0]]
    for alternative in alternatives[1:]:
        parts += [",", *alternative]
    return parts


def _texts(parts: _Parts, effort: Effort) -> Iterator[str]:
    pools = [[part] if isinstance(part, str) else _any_of(part, effort) for part in parts]
    for chosen in product(*pools):
        text = "".join(chosen)
        yield text
        if not effort.spend(2 + (len(pools) + len(text)) // CHARS_PER_STEP):
            return


def _any_of(choice: _Choice, effort: Effort) -> list[str]:
    return [text for alternative in choice.all for text in _texts(alternative, effort)]
