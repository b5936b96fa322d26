"""The commands of a shell text: lists and pipelines, and which kind of command stands where.

Source: the Bash manual, "Shell Commands". It reads no more loosely than it must: what bash would refuse may
be read, but what bash would run otherwise must not be, so whatever is not sure is trouble.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from consent.shell import simple
from consent.shell.compound import Compounds
from consent.shell.cursor import Cursor
from consent.shell.keywords import RESERVED
from consent.shell.line import COMMENT, Line
from consent.shell.syntax import Command, Pipeline, Script, Trouble, Word
from consent.shell.words import ENDS

_PREFIX = re.compile(rf"(?:!|time(?:[ \t]++-p)?(?:[ \t]++--)?){ENDS}[ \t]*+")
_NOTHING: frozenset[str] = frozenset()


def read(cursor: Cursor) -> Iterator[Pipeline]:
    """All commands of a text, as they are read. What stopped it stands in the cursor's effort.

    Each comes once it is whole, its here-documents included: so much was understood, whatever follows.
    """
    return _Commands(cursor).all()


class _Commands:
    __slots__ = ("_compounds", "_cursor", "_line")

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._line = Line(cursor, self)
        self._compounds = Compounds(self._line, self)

    def all(self) -> Iterator[Pipeline]:
        waiting: list[Pipeline] = []
        for pipeline in self._pipelines(_NOTHING):
            waiting.append(pipeline)
            if not self._line.due:
                yield from waiting
                waiting.clear()
        yield from waiting
        if not self._cursor.done or self._line.due:
            self._cursor.stop()

    # What stands inside words and here-documents.

    def to_parenthesis(self) -> Script:
        with self._line.apart():
            return self._compounds.subshell()

    def whole(self, cursor: Cursor) -> Script:
        return tuple(read(cursor))

    def body(self, cursor: Cursor, *, literal: bool) -> Word:
        return _Commands(cursor)._line.words.body(literal=literal)

    # Lists and pipelines.

    def up_to(self, words: frozenset[str]) -> Script:
        return tuple(self._pipelines(words))

    def _pipelines(self, until: frozenset[str]) -> Iterator[Pipeline]:
        self._line.skip_ends()
        more = False
        while not self._cursor.done and not self._ends(until):
            pipeline = self._pipeline()
            background = self._cursor.sees("&") and not self._cursor.sees("&&")
            more = self._joined()
            separated = more or self._separated()
            if separated:
                self._line.skip_ends()
            yield pipeline._replace(background=True) if background else pipeline
            if not separated:
                return
        if more:
            self._cursor.stop()

    def _ends(self, until: frozenset[str]) -> bool:
        cursor = self._cursor
        found = RESERVED.match(cursor.text, cursor.at)
        return bool(found and found.group() in until) or cursor.sees(")") or cursor.sees(";")

    def _joined(self) -> bool:
        return self._cursor.accept("&&") or self._cursor.accept("||")

    def _separated(self) -> bool:
        cursor = self._cursor
        if cursor.sees(";;") or cursor.sees(";&"):
            return False
        return cursor.accept(";") or cursor.accept("&") or cursor.sees("\n")

    def _pipeline(self) -> Pipeline:
        cursor = self._cursor
        while cursor.take(_PREFIX):
            cursor.step()
        commands = [self.command()]
        cursor.skip(COMMENT)
        while cursor.sees("|") and not cursor.sees("||"):
            cursor.at += 2 if cursor.sees("|&") else 1
            self._line.skip_ends()
            commands.append(self.command())
            cursor.skip(COMMENT)
        return Pipeline(tuple(commands))

    # One command.

    def command(self) -> Command:
        effort = self._cursor.effort
        if not effort.enter():
            self._cursor.stop(Trouble.TOO_DEEP)
        command = self._compounds.read() or self._simple()
        effort.leave()
        return command

    def _simple(self) -> Command:
        command = simple.read(self._line)
        if len(command.words) == 1 and self._cursor.sees("("):
            return self._compounds.function(command.words[0])
        return command
