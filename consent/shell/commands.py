"""The commands of a shell text: lists, pipelines, compound commands, functions, here-documents.

Source: the Bash manual, "Shell Commands". It reads no more loosely than it must: what bash would refuse may
be read, but what bash would run otherwise must not be, so whatever is not sure is trouble.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from consent.shell.cursor import Cursor
from consent.shell.documents import Due, extent
from consent.shell.syntax import (
    HOME,
    UNKNOWN,
    Command,
    Compound,
    Feed,
    Function,
    Pipeline,
    Redirect,
    Script,
    Simple,
    Trouble,
    Word,
)
from consent.shell.words import Words

_ENDS = r"(?=[ \t\n|&;()<>]|\Z)"
_BLANKS = re.compile(r"(?:[ \t]++|\\\n)*+")
_LINES = re.compile(r"(?:[ \t\n]++|\\\n|#[^\n]*+)*+")
_LINE = re.compile(r"(?:[ \t]++|\\\n)*+(?:#[^\n]*+)?")
_RESERVED = re.compile(
    r"(?:if|then|else|elif|fi|do|done|case|esac|while|until|for|select|function|coproc|in|\{|\}|\[\[)" + _ENDS
)
_PREFIX = re.compile(rf"(?:!|time(?:[ \t]++-p)?(?:[ \t]++--)?){_ENDS}[ \t]*+")
_COPROC_NAME = re.compile(r"[A-Za-z_]\w*+[ \t]++(?=[({]|(?:if|while|until|for|case|select|\[\[)[ \t\n(])")
_REDIRECT = re.compile(r"(?:[0-9]++|\{[A-Za-z_]\w*+\})?(<<<|<<-?|<>|<&|<(?!\()|>>|>\||>&|&>>|&>|>(?!\())")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*+(?:\[[^\]\s]*+\])?\+?=")
_BEGINS_REDIRECT = frozenset("<>&{0123456789")
_TEST_SIGNS = re.compile(r"[ \t\n()<>&|!]++")
_NOTHING: frozenset[str] = frozenset()


def read(cursor: Cursor) -> Iterator[Pipeline]:
    """All commands of a text, as they are read. What stopped it stands in the cursor's effort.

    Each comes once it is whole, its here-documents included: so much was understood, whatever follows.
    """
    return _Commands(cursor).all()


class _Commands:
    __slots__ = ("_cursor", "_due", "_words")

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._words = Words(cursor, self)
        self._due: list[Due] = []

    def all(self) -> Iterator[Pipeline]:
        waiting: list[Pipeline] = []
        for pipeline in self._pipelines(_NOTHING):
            waiting.append(pipeline)
            if not self._due:
                yield from waiting
                waiting.clear()
        yield from waiting
        if not self._cursor.done or self._due:
            self._cursor.stop()

    def body(self, *, literal: bool) -> Word:
        return self._words.body(literal=literal)

    def whole(self, cursor: Cursor) -> Script:
        return tuple(read(cursor))

    def to_parenthesis(self) -> Script:
        due, self._due = self._due, []  # the here-documents of the outer command wait for its own line's end
        script = self._subshell()
        if self._due:
            self._cursor.stop()
        self._due = due
        return script

    # Lists and pipelines.

    def _list(self, until: frozenset[str]) -> Script:
        return tuple(self._pipelines(until))

    def _pipelines(self, until: frozenset[str]) -> Iterator[Pipeline]:
        self._lines()
        more = False
        while not self._cursor.done and not self._ends(until):
            pipeline = self._pipeline()
            background = self._cursor.sees("&") and not self._cursor.sees("&&")
            more = self._joined()
            separated = more or self._separated()
            if separated:
                self._lines()
            yield pipeline._replace(background=True) if background else pipeline
            if not separated:
                return
        if more:
            self._cursor.stop()

    def _ends(self, until: frozenset[str]) -> bool:
        cursor = self._cursor
        found = _RESERVED.match(cursor.text, cursor.at)
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
        commands = [self._command()]
        cursor.skip(_LINE)
        while cursor.sees("|") and not cursor.sees("||"):
            cursor.at += 2 if cursor.sees("|&") else 1
            self._lines()
            commands.append(self._command())
            cursor.skip(_LINE)
        return Pipeline(tuple(commands))

    # One command.

    def _command(self) -> Command:
        effort = self._cursor.effort
        if not effort.enter():
            self._cursor.stop(Trouble.TOO_DEEP)
        command = self._compound() or self._simple()
        effort.leave()
        return command

    def _compound(self) -> Command | None:
        cursor = self._cursor
        if cursor.accept("(("):
            return self._with_redirects((), [self._arithmetic()])
        if cursor.accept("("):
            return self._with_redirects((self._subshell(),))
        word = cursor.take(_RESERVED)
        if not word:
            return None
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

    def _group(self) -> Command:
        return self._with_redirects((self._until("}"),))

    def _loop(self) -> Command:
        return self._with_redirects((self._until("do"), self._until("done")))

    def _function_word(self) -> Command:
        return self._function(self._next_word())

    def _coproc(self) -> Command:
        self._cursor.skip(_BLANKS)
        self._cursor.skip(_COPROC_NAME)
        return self._command()

    def _subshell(self) -> Script:
        script = self._list(_NOTHING)
        self._cursor.expect(")")
        return script

    def _until(self, *words: str) -> Script:
        """A list up to one of these words; the only one is passed over."""
        script = self._list(frozenset(words))
        if len(words) == 1:
            self._keyword(words[0])
        return script

    def _keyword(self, word: str) -> None:
        self._lines()
        if self._cursor.take(_RESERVED) != word:
            self._cursor.stop()

    def _takes(self, word: str) -> bool:
        found = _RESERVED.match(self._cursor.text, self._cursor.at)
        return bool(found and found.group() == word and self._cursor.accept(word))

    def _if(self) -> Command:
        scripts: list[Script] = []
        while True:
            scripts += self._until("then"), self._until("elif", "else", "fi")
            if not self._takes("elif"):
                break
        if self._takes("else"):
            scripts.append(self._list(frozenset({"fi"})))
        self._keyword("fi")
        return self._with_redirects(tuple(scripts))

    def _for(self) -> Command:
        words: list[Word] = []
        self._cursor.skip(_BLANKS)
        if self._cursor.accept("(("):
            words.append(self._arithmetic(";"))
        else:
            self._next_word()
            self._lines()
            if self._takes("in"):
                words = self._words_to_end()
        self._cursor.skip(_BLANKS)
        self._cursor.accept(";")
        self._lines()
        if self._takes("{"):
            return self._with_redirects((self._until("}"),), words)
        self._keyword("do")
        return self._with_redirects((self._until("done"),), words)

    def _case(self) -> Command:
        words, scripts = [self._next_word()], []
        self._keyword("in")
        self._lines()
        while not self._cursor.done and not self._takes("esac"):
            words += self._patterns()
            scripts.append(self._list(frozenset({"esac"})))
            if not any(map(self._cursor.accept, (";;&", ";;", ";&"))):
                self._keyword("esac")
                break
            self._lines()
        return self._with_redirects(tuple(scripts), words)

    def _patterns(self) -> list[Word]:
        self._cursor.accept("(")
        words = [self._next_word()]
        self._cursor.skip(_BLANKS)
        while self._cursor.accept("|"):
            words.append(self._next_word())
            self._cursor.skip(_BLANKS)
        self._cursor.expect(")")
        return words

    def _test(self) -> Command:
        """`[[ … ]]`: its words are only looked at."""
        words: list[Word] = []
        while not self._cursor.done:
            word = self._words.word()
            if word and word.bare and word.text == "]]":
                return self._with_redirects((), words)
            if word:
                words.append(word)
            elif not self._cursor.take(_TEST_SIGNS):
                self._cursor.stop()
        self._cursor.stop()
        return Compound((), tuple(words))

    def _function(self, name: Word) -> Command:
        cursor = self._cursor
        cursor.skip(_BLANKS)
        if cursor.accept("("):
            cursor.skip(_BLANKS)
            cursor.expect(")")
        self._lines()
        return Function(name, self._command())

    def _arithmetic(self, also: str = "") -> Word:
        start, scripts = self._cursor.at, list[Script]()
        self._words.sum(scripts, "))", also)
        return Word(UNKNOWN, *self._cursor.place(start, self._cursor.at), False, tuple(scripts))

    def _with_redirects(self, scripts: tuple[Script, ...], words: list[Word] | None = None) -> Compound:
        redirects: list[Redirect] = []
        self._cursor.skip(_BLANKS)
        while self._redirect(redirects):
            self._cursor.skip(_BLANKS)
        return Compound(scripts, tuple(words or ()), tuple(redirects))

    # Simple commands.

    def _simple(self) -> Command:
        assigned: list[Word] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        cursor = self._cursor
        while True:
            cursor.skip(_BLANKS)
            if cursor.text[cursor.at : cursor.at + 1] in _BEGINS_REDIRECT and self._redirect(redirects):
                continue
            start = cursor.at
            word = self._words.word()
            if word is None:
                break
            if word.text.endswith("=") and cursor.accept("("):
                word = word._replace(scripts=word.scripts + self._array())
            prefix = not words and _ASSIGNMENT.match(cursor.text, start)
            (assigned if prefix else words).append(word)
            if words:
                words += self._words.plain()
        if len(words) == 1 and cursor.sees("("):
            return self._function(words[0])
        if not (assigned or words or redirects):
            cursor.stop()
        return Simple(tuple(assigned), tuple(words), tuple(redirects))

    def _array(self) -> tuple[Script, ...]:
        scripts: list[Script] = []
        self._lines()
        while word := self._words.word():
            scripts += word.scripts
            self._lines()
        self._cursor.expect(")")
        return tuple(scripts)

    def _next_word(self) -> Word:
        self._cursor.skip(_BLANKS)
        word = self._words.word()
        if word is None:
            self._cursor.stop()
        return word or Word(UNKNOWN, *self._cursor.place(self._cursor.at, self._cursor.at))

    def _words_to_end(self) -> list[Word]:
        words: list[Word] = []
        self._cursor.skip(_BLANKS)
        while word := self._words.word():
            words.append(word)
            self._cursor.skip(_BLANKS)
        return words

    # Redirections and here-documents.

    def _redirect(self, redirects: list[Redirect]) -> bool:
        cursor = self._cursor
        found = _REDIRECT.match(cursor.text, cursor.at)
        if not found:
            return False
        cursor.at = found.end()
        target, operator = self._next_word(), found.group(1)
        feed = self._expect_body(target, operator == "<<-") if operator in ("<<", "<<-") else None
        redirects.append(Redirect(operator, target, feed))
        return True

    def _expect_body(self, delimiter: Word, tabs: bool) -> Feed:
        if delimiter.scripts or UNKNOWN in delimiter.text or HOME in delimiter.text or "\n" in delimiter.text:
            self._cursor.stop()
        feed = Feed()
        self._due.append(Due(feed, delimiter.text, tabs, not delimiter.bare))
        return feed

    def _lines(self) -> None:
        """Pass over blanks, comments and the ends of lines, and what lies between as a here-document."""
        cursor = self._cursor
        while self._due and not cursor.done:
            cursor.skip(_LINE)
            if not cursor.accept("\n"):
                return
            due, self._due = self._due, []
            for document in due:
                self._body(document)
        cursor.skip(_LINES)

    def _body(self, due: Due) -> None:
        cursor, start = self._cursor, self._cursor.at
        end, after = extent(due, cursor.text, start, cursor.effort)
        due.feed.word = _Commands(cursor.part(start, end)).body(literal=due.literal)
        if end == cursor.end:
            cursor.stop()  # bash takes the end of the text for it, and warns
        else:
            cursor.at = after
