"""Compound commands: groups, conditions, loops, choices, tests, functions.

Source: the Bash manual, "Compound Commands" and "Shell Functions". The lists inside them are read by whoever
reads lists.
"""

from __future__ import annotations

import re
from typing import Protocol

from consent.shell.keywords import RESERVED, takes
from consent.shell.line import BLANKS, Line
from consent.shell.syntax import UNKNOWN, Command, Compound, Function, Script, Word

_COPROC_NAME = re.compile(r"[A-Za-z_]\w*+[ \t]++(?=[({]|(?:if|while|until|for|case|select|\[\[)[ \t\n(])")
_COMPOUND = 3
"""Steps that a compound command costs beside what is in it."""

_TEST_SIGNS = re.compile(r"(?:[ \t\n()&|!]++|[<>](?!\())++")


class Lists(Protocol):
    """Whoever reads lists of commands."""

    def up_to(self, words: frozenset[str]) -> Script:
        """The commands from here to one of these reserved words, or to what ends any list."""
        ...

    def command(self) -> Command:
        """The one command that begins here."""
        ...


class Compounds:
    """Reads the compound commands at the cursor of a line."""

    __slots__ = ("_cursor", "_line", "_lists")

    def __init__(self, line: Line, lists: Lists) -> None:
        self._cursor = line.cursor
        self._line = line
        self._lists = lists

    def read(self) -> Command | None:
        """The compound command that begins here; None where a simple one does."""
        cursor = self._cursor
        if cursor.accept("(("):
            return self._with_redirects((), [self._arithmetic()])
        if cursor.accept("("):
            return self._with_redirects((self.subshell(),))
        word = cursor.take(RESERVED)
        if not word:
            return None
        cursor.effort.spend(_COMPOUND)
        begins = {
            "{": self._group,
            "if": self._if,
            "while": self._loop,
            "until": self._loop,
            "for": self._for,
            "select": self._for,
            "case": self._case,
            "[[": self._test,
            "function": self._function_word,
            "coproc": self._coproc,
        }
        if word not in begins:
            cursor.stop()
            return None
        return begins[word]()

    def subshell(self) -> Script:
        """A list up to `)`, which is passed over."""
        script = self._lists.up_to(frozenset())
        self._cursor.expect(")")
        return script

    def function(self, name: Word) -> Command:
        """The function of this name, whose parentheses or body come next."""
        cursor = self._cursor
        cursor.skip(BLANKS)
        if cursor.accept("("):
            cursor.skip(BLANKS)
            cursor.expect(")")
        self._line.skip_ends()
        return Function(name, self._lists.command())

    def _group(self) -> Command:
        return self._with_redirects((self._until("}"),))

    def _loop(self) -> Command:
        return self._with_redirects((self._until("do"), self._until("done")))

    def _if(self) -> Command:
        scripts: list[Script] = []
        while True:
            scripts += self._until("then"), self._until("elif", "else", "fi")
            if not takes(self._cursor, "elif"):
                break
        if takes(self._cursor, "else"):
            scripts.append(self._lists.up_to(frozenset({"fi"})))
        self._keyword("fi")
        return self._with_redirects(tuple(scripts))

    def _for(self) -> Command:
        words: list[Word] = []
        self._cursor.skip(BLANKS)
        if self._cursor.accept("(("):
            words.append(self._arithmetic(";"))
        else:
            self._line.next_word()
            self._line.skip_ends()
            if takes(self._cursor, "in"):
                words = self._line.rest()
        self._cursor.skip(BLANKS)
        self._cursor.accept(";")
        self._line.skip_ends()
        if takes(self._cursor, "{"):
            return self._with_redirects((self._until("}"),), words)
        self._keyword("do")
        return self._with_redirects((self._until("done"),), words)

    def _case(self) -> Command:
        words, scripts = [self._line.next_word()], []
        self._keyword("in")
        self._line.skip_ends()
        while not self._cursor.done and not takes(self._cursor, "esac"):
            words += self._patterns()
            scripts.append(self._lists.up_to(frozenset({"esac"})))
            if not any(map(self._cursor.accept, (";;&", ";;", ";&"))):
                self._keyword("esac")
                break
            self._line.skip_ends()
        return self._with_redirects(tuple(scripts), words)

    def _patterns(self) -> list[Word]:
        self._cursor.accept("(")
        words = [self._line.next_word()]
        self._cursor.skip(BLANKS)
        while self._cursor.accept("|"):
            words.append(self._line.next_word())
            self._cursor.skip(BLANKS)
        self._cursor.expect(")")
        return words

    def _test(self) -> Command:
        """`[[ … ]]`: its words are only looked at."""
        words: list[Word] = []
        while not self._cursor.done:
            word = self._line.words.word()
            if word and word.bare and word.text == "]]":
                return self._with_redirects((), words)
            if word:
                words.append(word)
            elif not self._cursor.take(_TEST_SIGNS):
                self._cursor.stop()
        self._cursor.stop()
        return Compound((), tuple(words))

    def _function_word(self) -> Command:
        return self.function(self._line.next_word())

    def _coproc(self) -> Command:
        self._cursor.skip(BLANKS)
        self._cursor.skip(_COPROC_NAME)
        return self._lists.command()

    def _arithmetic(self, also: str = "") -> Word:
        start, scripts = self._cursor.at, list[Script]()
        self._line.words.sum(scripts, "))", also)
        return Word(UNKNOWN, *self._cursor.place(start, self._cursor.at), False, tuple(scripts))

    def _with_redirects(self, scripts: tuple[Script, ...], words: list[Word] | None = None) -> Compound:
        return Compound(scripts, tuple(words or ()), self._line.redirects())

    def _until(self, *words: str) -> Script:
        """A list up to one of these words; the only one is passed over."""
        script = self._lists.up_to(frozenset(words))
        if len(words) == 1:
            self._keyword(words[0])
        return script

    def _keyword(self, word: str) -> None:
        self._line.skip_ends()
        if self._cursor.take(RESERVED) != word:
            self._cursor.stop()
