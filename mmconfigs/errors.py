"""Faults of a configuration: where, what was found, what is accepted. Knows no YAML and no model.

A fault is told in the language of the person, and kept for programs in English.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from mmconfigs import sentences as say
from mmconfigs.language import Text, Words, saying

if TYPE_CHECKING:
    from collections.abc import Iterable


def escape(text: str) -> str:
    """Return `text` as one line without control, bidi, zero-width or surrogate characters."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def cut(text: str, most: int = 40) -> str:
    """Return `text` escaped and at most `most` characters long, with `…` where something is left out."""
    shown = escape(text[: most + 1])
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def similar(word: str, known: Iterable[str], most: int, cutoff: float) -> list[str]:
    """Return the known words that resemble `word` in at least `cutoff` of 1, at most `most`, best first."""
    folded = {each.lower(): each for each in known}
    return [folded[close] for close in get_close_matches(word.lower(), folded, most, cutoff)]


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that `word` was probably meant to be."""
    return next(iter(similar(word, known, 1, 0.65)), None)


def hinted(what: Text, near: str | None) -> Text:
    """Return what is wrong with the word that was probably meant, if there is one."""
    return saying(say.WITH_NEAR, what=what, near=near) if near else what


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault. Lines and columns count from 1; they are None where a fault has no line.

    `found`, `accepted` and `near` (the nearest known word) are the parts of `text` that programs use.
    """

    file: str
    line: int | None = None
    column: int | None = None
    key: str | None = None
    found: str | None = None
    accepted: str | None = None
    near: str | None = None
    text: Text

    @property
    def message(self) -> str:
        """What is wrong, in English."""
        return str(self.text)

    def __str__(self) -> str:
        """Return `FILE:LINE:COLUMN: dotted.key: message`, on one line and safe to print, in English."""
        return self.told(Words())

    def told(self, words: Words) -> str:
        """Return the same with the message in the language of the person."""
        place = self.file if self.line is None else f"{self.file}:{self.line}:{self.column}"
        key = [] if self.key is None else [cut(self.key, 200)]
        return escape(": ".join([place, *key, words.told(self.text)]))

    def as_json(self) -> dict[str, str | int | None]:
        """Return the object that `mm check --json` prints."""
        names = ("file", "line", "column", "key", "found", "accepted", "near", "message")
        values = {name: getattr(self, name) for name in names}
        return {name: escape(value) if isinstance(value, str) else value for name, value in values.items()}


class ConfigError(Exception):
    """The configuration cannot be used. Carries every fault that could be found, in order of lines."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults
