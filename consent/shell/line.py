"""What commands are made of: words, redirections, the ends of lines and the here-documents behind them.

Source: the Bash manual, "Redirections". Knows no grammar of commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from consent.shell.cursor import Cursor
from consent.shell.documents import Due, extent
from consent.shell.syntax import HOME, UNKNOWN, Feed, Redirect, Word
from consent.shell.words import Commands, Words

BLANKS = re.compile(r"(?:[ \t]++|\\\n)*+")
"""What may stand between two words."""

COMMENT = re.compile(r"(?:[ \t]++|\\\n)*+(?:#[^\n]*+)?")
"""What may stand between the last word of a line and its end."""

_LINES = re.compile(r"(?:[ \t\n]++|\\\n|#[^\n]*+)*+")
_REDIRECT = re.compile(r"(?:[0-9]++|\{[A-Za-z_]\w*+\})?(<<<|<<-?|<>|<&|<(?!\()|>>|>\||>&|&>>|&>|>(?!\())")

_REDIRECTING = 3
"""Steps that a redirection costs beside its word."""


class Line:
    """The words and redirections at a cursor; `due` are the here-documents whose bodies are still to come."""

    __slots__ = ("_commands", "cursor", "due", "words")

    def __init__(self, cursor: Cursor, commands: Commands) -> None:
        self.cursor = cursor
        self.words = Words(cursor, commands)
        self._commands = commands
        self.due: list[Due] = []

    def next_word(self) -> Word:
        """The word that must come next."""
        cursor = self.cursor
        cursor.skip(BLANKS)
        word = self.words.word()
        if word is None:
            cursor.stop()
        return word or Word(UNKNOWN, *cursor.place(cursor.at, cursor.at))

    def rest(self) -> list[Word]:
        """All words up to the end of the command."""
        words: list[Word] = []
        self.cursor.skip(BLANKS)
        while word := self.words.word():
            words.append(word)
            self.cursor.skip(BLANKS)
        return words

    def redirects(self) -> tuple[Redirect, ...]:
        """The redirections behind a compound command."""
        redirects: list[Redirect] = []
        self.cursor.skip(BLANKS)
        while self.redirect(redirects):
            self.cursor.skip(BLANKS)
        return tuple(redirects)

    def redirect(self, redirects: list[Redirect]) -> bool:
        """Put the redirection that begins here to the others; False where none does."""
        cursor = self.cursor
        found = _REDIRECT.match(cursor.text, cursor.at)
        if not found:
            return False
        cursor.at = found.end()
        cursor.effort.spend(_REDIRECTING)
        target, operator = self.next_word(), found.group(1)
        feed = self._expect_body(target, operator == "<<-") if operator in ("<<", "<<-") else None
        redirects.append(Redirect(operator, target, feed))
        return True

    def skip_ends(self) -> None:
        """Pass over blanks, comments and the ends of lines, and what lies between as a here-document."""
        cursor = self.cursor
        while self.due and not cursor.done:
            cursor.skip(COMMENT)
            if not cursor.accept("\n"):
                return
            due, self.due = self.due, []
            for document in due:
                self._body(document)
        cursor.skip(_LINES)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Read what has here-documents of its own: those that are due wait for the end of their own line."""
        due, self.due = self.due, []
        yield
        if self.due:
            self.cursor.stop()
        self.due = due

    def _expect_body(self, delimiter: Word, tabs: bool) -> Feed:
        if delimiter.scripts or UNKNOWN in delimiter.text or HOME in delimiter.text or "\n" in delimiter.text:
            self.cursor.stop()
        feed = Feed()
        self.due.append(Due(feed, delimiter.text, tabs, not delimiter.bare))
        return feed

    def _body(self, due: Due) -> None:
        cursor, start = self.cursor, self.cursor.at
        end, after = extent(due, cursor.text, start, cursor.effort)
        due.feed.word = self._commands.body(cursor.part(start, end), literal=due.literal)
        if end == cursor.end:
            cursor.stop()  # bash takes the end of the text for it, and warns
        else:
            cursor.at = after
