"""What comes from another computer. Knows no program but those that fetch."""

from __future__ import annotations

from enum import IntEnum
from typing import assert_never

from consent.danger.plain import FETCHERS
from consent.danger.wrappers import innermost
from consent.shell.cursor import Effort
from consent.shell.syntax import Command, Compound, Function, Script, Simple, Word


class Fed(IntEnum):
    """What standard input holds."""

    OTHER = 0
    PIPE = 1
    FETCHED = 2


class Fetched:
    """Looks for what is fetched, as long as the effort lasts."""

    __slots__ = ("_effort",)

    def __init__(self, effort: Effort) -> None:
        self._effort = effort

    def by(self, command: Command) -> bool:
        """Whether the output of a command is, or holds, what it fetched."""
        match command:
            case Simple(words=words):
                last = innermost(words)
                return bool(last and last.name in FETCHERS) or any(map(self.in_word, words))
            case Compound(scripts=scripts):
                return any(map(self._by_script, scripts))
            case Function():
                return False
            case _:
                assert_never(command)

    def in_word(self, word: Word) -> bool:
        """Whether a substitution in a word fetches."""
        return any(map(self._by_script, word.scripts))

    def _by_script(self, script: Script) -> bool:
        commands = (command for pipeline in script for command in pipeline.commands)
        return self._effort.spend(len(script)) and any(map(self.by, commands))
