"""A place in a text, moved on by patterns, and what all readers of one command share."""

from __future__ import annotations

import re

from consent.shell.syntax import Trouble, Word

MOST_STEPS = 20_000
"""Words and other pieces of one command that are looked at: a count, no clock, so the verdict stays."""

DEEPEST = 30
"""Commands inside commands; it keeps the reader within the stack of Python."""


class Effort:
    """What the reading of one command has used up, and the first thing that stopped it."""

    __slots__ = ("at", "depth", "steps", "trouble")

    def __init__(self) -> None:
        self.steps = MOST_STEPS
        self.depth = 0
        self.trouble: Trouble | None = None
        self.at = 0

    def stop(self, trouble: Trouble, at: int) -> None:
        """Note what stopped the reading, and at which place of the full text; the first one counts."""
        if self.trouble is None:
            self.trouble, self.at = trouble, at

    def spend(self, steps: int) -> bool:
        """Use up some steps; False once too many were used."""
        self.steps -= steps
        return self.steps >= 0

    @property
    def spent(self) -> bool:
        """Whether too many steps were used."""
        return self.steps < 0

    def enter(self) -> bool:
        """Go one command deeper; False where that is too deep. Each entering is left again."""
        self.depth += 1
        self.steps -= 4
        return self.depth <= DEEPEST

    def leave(self) -> None:
        """Come back from one command inside."""
        self.depth -= 1


class Cursor:
    """A text and a place in it. In trouble the place is the end: every loop over it ends by itself.

    `offset` is where the text begins in the full one; `pinned` is the place of all of it, where the text does
    not stand in the full one letter by letter.
    """

    __slots__ = ("at", "effort", "end", "offset", "pinned", "text")

    def __init__(
        self, text: str, effort: Effort, offset: int = 0, pinned: tuple[int, int] | None = None
    ) -> None:
        self.text = text
        self.effort = effort
        self.at = 0
        self.end = len(text)
        self.offset = offset
        self.pinned = pinned

    @property
    def done(self) -> bool:
        """Whether nothing is left."""
        return self.at >= self.end

    def stop(self, trouble: Trouble = Trouble.SYNTAX) -> None:
        """Read no further, and say why."""
        self.effort.stop(trouble, self.place(self.at, self.at)[0])
        self.at = self.end

    def step(self) -> None:
        """Use up one step of the effort."""
        self.effort.steps -= 1
        if self.effort.steps < 0:
            self.stop(Trouble.TOO_LONG)

    def take(self, pattern: re.Pattern[str]) -> str:
        """What matches here, passed over; empty where nothing does."""
        found = pattern.match(self.text, self.at)
        if not found:
            return ""
        self.at = found.end()
        return found.group()

    def skip(self, pattern: re.Pattern[str]) -> None:
        """Pass over what matches here, if anything does."""
        if found := pattern.match(self.text, self.at):
            self.at = found.end()

    def sees(self, text: str) -> bool:
        """Whether this text comes next."""
        return self.text.startswith(text, self.at)

    def accept(self, text: str) -> bool:
        """Pass over this text if it comes next."""
        if not self.text.startswith(text, self.at):
            return False
        self.at += len(text)
        return True

    def expect(self, text: str) -> None:
        """Pass over this text, which must come next."""
        if not self.accept(text):
            self.stop()

    def place(self, start: int, end: int) -> tuple[int, int]:
        """A part of this text as a part of the full one."""
        return self.pinned or (self.offset + start, self.offset + end)

    def part(self, start: int, end: int) -> Cursor:
        """A reader's cursor over a part of this text."""
        return Cursor(self.text[start:end], self.effort, self.offset + start, self.pinned)

    def quoted(self, text: str, start: int, end: int) -> Cursor:
        """A cursor over text that stands between these places in another spelling."""
        return Cursor(text, self.effort, pinned=self.place(start, end))


def inside(word: Word, full: str, effort: Effort) -> Cursor:
    """A cursor over a word that is itself a command; its places are exact where it stands verbatim."""
    at = full.find(word.text, word.start, word.end)
    return Cursor(word.text, effort, at) if at >= 0 else Cursor(word.text, effort, 0, (word.start, word.end))
