"""The words of a shell command: quotes removed, expansions noted, the commands inside them read.

Source: the Bash manual, "Quoting" and "Shell Expansions". Knows no grammar of commands: what stands inside
`$(…)`, backquotes and `<(…)` is read by whoever reads commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from consent.shell.cursor import Cursor
from consent.shell.syntax import HOME, UNKNOWN, Script, Trouble, Word

ENDS = r"(?=[ \t\n|&;()<>]|\Z)"
"""The pattern of what stands behind a word."""

_PLAIN_WORD = re.compile(rf"[^ \t\n|&;()<>\\'\"$`~#][^ \t\n|&;()<>\\'\"$`]*+{ENDS}")
_PLAIN_WORDS = re.compile(r"(?:[ \t]++[^ \t\n|&;()<>\\'\"$`~#][^ \t\n|&;()<>\\'\"$`]*+(?=[ \t\n|&;)]|\Z))++")
_UNBROKEN = re.compile(r"[^ \t]++")
_RUN = re.compile(r"[^ \t\n|&;()<>\\'\"$`]++")
_TILDE = re.compile(rf"([A-Za-z_]\w*=)?~[\w.+-]*+(?:(?=/)|{ENDS})")
_IN_DOUBLE = re.compile(r"[^\"\\$`]++")
_IN_BODY = re.compile(r"[^\\$`]++")
_IN_BRACES = re.compile(r"[^}'\"\\$`<>]++")
_IN_SUM = re.compile(r"(?:[\w \t\n+*/%=!^~?:,.#@<>&|{}-]|\"\$?\w+\")++")
_NAME = re.compile(r"\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])")
_BRACE_NAME = re.compile(r"[!#]?(?:[A-Za-z_]\w*|\d+|[@*#?$!-])")
_BACKQUOTED = re.compile(r"`((?:[^`\\]++|\\.)*+)`", re.DOTALL)
_ANSI = re.compile(r"\$'((?:[^'\\]++|\\.)*+)'", re.DOTALL)
_ANSI_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|[uU]([0-9A-Fa-f]{1,4})|(.))", re.DOTALL)
_ANSI_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}
_KNOWN = {"HOME": HOME, "PWD": "."}
_CLOSING = {"))": "(", "]": "["}


class Commands(Protocol):
    """Whoever reads commands."""

    def to_parenthesis(self) -> Script:
        """The commands from here to `)`, which is passed over."""
        ...

    def whole(self, cursor: Cursor) -> Script:
        """All commands of another text."""
        ...

    def body(self, cursor: Cursor, *, literal: bool) -> Word:
        """All of another text as the body of a here-document; `literal`: nothing in it expands."""
        ...


class Words:
    """Reads the words at a cursor. Where none begins, the cursor stays."""

    __slots__ = ("_commands", "_cursor")

    def __init__(self, cursor: Cursor, commands: Commands) -> None:
        self._cursor = cursor
        self._commands = commands

    def word(self) -> Word | None:
        """The word that begins here, if one does."""
        cursor = self._cursor
        cursor.step()
        start = cursor.at
        if plain := _PLAIN_WORD.match(cursor.text, start):
            cursor.at = plain.end()
            return Word(plain.group(), *cursor.place(start, cursor.at))
        if cursor.done or cursor.sees("#"):
            return None
        scripts, loose = list[Script](), list[tuple[int, int]]()
        text = "".join(self._pieces(scripts, loose))
        if cursor.at == start:
            return None
        bare = not scripts and _RUN.fullmatch(cursor.text, start, cursor.at) is not None
        return Word(text, *cursor.place(start, cursor.at), bare, tuple(scripts), tuple(loose))

    def plain(self) -> list[Word]:
        """The next words, as far as nothing in them and around them is special: most words are."""
        cursor = self._cursor
        run = _PLAIN_WORDS.match(cursor.text, cursor.at)
        if not run:
            return []
        base, pinned = cursor.offset, cursor.pinned
        cursor.at = run.end()
        found = _UNBROKEN.finditer(cursor.text, *run.span())
        if pinned:
            words = [Word(each.group(), *pinned) for each in found]
        else:
            words = [Word(each.group(), base + each.start(), base + each.end()) for each in found]
        if not cursor.effort.spend(len(words)):
            cursor.stop(Trouble.TOO_LONG)
        return words

    def body(self, *, literal: bool) -> Word:
        """All the text from here as the body of a here-document; `literal`: nothing in it expands."""
        cursor, start = self._cursor, self._cursor.at
        scripts: list[Script] = []
        text = cursor.text[start:] if literal else self._soft(scripts, _IN_BODY, "")
        return Word(text, *cursor.place(start, cursor.end), False, tuple(scripts))

    def sum(self, scripts: list[Script], closing: str, also: str = "") -> None:
        """Pass over arithmetic up to `closing`; what is no plain arithmetic is trouble.

        Bash takes `((…` for a subshell where it does not end like arithmetic: then nothing is sure.
        """
        cursor, depth, opening = self._cursor, 0, _CLOSING[closing]
        while not cursor.done:
            cursor.step()
            if cursor.take(_IN_SUM) or any(map(cursor.accept, also)):
                continue
            if not depth and cursor.accept(closing):
                return
            if cursor.sees("$") or cursor.sees("`"):
                self._expansion(scripts, quoted=True)
            elif cursor.accept(opening):
                depth += 1
            elif depth and cursor.accept(closing[0]):
                depth -= 1
            elif not any(map(cursor.accept, _others(closing))):
                cursor.stop()
        cursor.stop()

    def _pieces(self, scripts: list[Script], loose: list[tuple[int, int]]) -> Iterator[str]:
        cursor, length = self._cursor, 0
        if tilde := _TILDE.match(cursor.text, cursor.at):
            cursor.at = tilde.end()
            yield (home := (tilde.group(1) or "") + HOME)
            length = len(home)
        while not cursor.done:
            cursor.step()
            run = cursor.take(_RUN)
            if run:
                loose.append((length, length + len(run)))
            piece = run or self._marked(scripts)
            if piece is None:
                return
            length += len(piece)
            yield piece

    def _marked(self, scripts: list[Script]) -> str | None:
        """The piece that a special character begins; None where it ends the word."""
        cursor = self._cursor
        if cursor.done:
            return None
        match cursor.text[cursor.at]:
            case "\\":
                return self._escaped()
            case "'":
                return self._single()
            case '"':
                cursor.at += 1
                return self._soft(scripts, _IN_DOUBLE, '"')
            case "$" | "`":
                return self._expansion(scripts, quoted=False)
            case "<" | ">":
                return self._process(scripts)
            case _:
                return None

    def _escaped(self) -> str:
        cursor = self._cursor
        char = cursor.text[cursor.at + 1 : cursor.at + 2]
        cursor.at += 1 + len(char)
        return "" if char == "\n" else char or "\\"

    def _single(self) -> str:
        cursor = self._cursor
        end = cursor.text.find("'", cursor.at + 1)
        if end < 0:
            cursor.stop()
            return UNKNOWN
        start, cursor.at = cursor.at + 1, end + 1
        return cursor.text[start:end]

    def _soft(self, scripts: list[Script], plain: re.Pattern[str], closing: str) -> str:
        """Text in which only `$`, backquotes and some backslashes count: double quotes, here-documents."""
        cursor, pieces = self._cursor, []
        while not cursor.done:
            cursor.step()
            if run := cursor.take(plain):
                pieces.append(run)
            elif closing and cursor.accept(closing):
                return "".join(pieces)
            elif cursor.sees("\\"):
                pieces.append(self._softly_escaped(closing))
            else:
                pieces.append(self._expansion(scripts, quoted=True))
        if closing:
            cursor.stop()
        return "".join(pieces)

    def _softly_escaped(self, closing: str) -> str:
        char = self._escaped()
        return char if char in ("", "\\", "$", "`", closing) else "\\" + char

    def _process(self, scripts: list[Script]) -> str | None:
        cursor = self._cursor
        if not (cursor.accept("<(") or cursor.accept(">(")):
            return None
        scripts.append(self._commands.to_parenthesis())
        return UNKNOWN

    def _expansion(self, scripts: list[Script], *, quoted: bool) -> str:
        cursor, effort = self._cursor, self._cursor.effort
        if cursor.done:
            return ""
        if not effort.enter():
            cursor.stop(Trouble.TOO_DEEP)
        read = self._backquoted if cursor.sees("`") else self._dollar
        text = read(scripts, quoted=quoted)
        effort.leave()
        return text

    def _backquoted(self, scripts: list[Script], *, quoted: bool) -> str:
        cursor, start = self._cursor, self._cursor.at
        found = _BACKQUOTED.match(cursor.text, start)
        if not found:
            cursor.stop()
            return UNKNOWN
        cursor.at = found.end()
        inner = re.sub(r'\\([`\\$"])' if quoted else r"\\([`\\$])", r"\1", found.group(1))
        verbatim = inner == found.group(1)
        part = cursor.part(start + 1, cursor.at - 1) if verbatim else cursor.quoted(inner, start, cursor.at)
        scripts.append(self._commands.whole(part))
        return UNKNOWN

    def _dollar(self, scripts: list[Script], *, quoted: bool) -> str:
        cursor = self._cursor
        if cursor.accept("$(("):
            self.sum(scripts, "))")
        elif cursor.accept("$["):
            self.sum(scripts, "]")
        elif cursor.accept("$("):
            scripts.append(self._commands.to_parenthesis())
        elif cursor.accept("${"):
            return self._braces(scripts, quoted=quoted)
        elif not quoted and (cursor.sees("$'") or cursor.sees('$"')):
            return self._quoted_dollar(scripts)
        elif name := cursor.take(_NAME):
            return _KNOWN.get(name[1:], UNKNOWN)
        elif cursor.accept("$"):
            return "$"
        return UNKNOWN

    def _quoted_dollar(self, scripts: list[Script]) -> str:
        cursor = self._cursor
        if cursor.accept('$"'):
            return self._soft(scripts, _IN_DOUBLE, '"')
        text = cursor.take(_ANSI)
        if not text:
            cursor.stop()
        return _ANSI_ESCAPE.sub(_unescaped, text[2:-1])

    def _braces(self, scripts: list[Script], *, quoted: bool) -> str:
        """`${…}`. Whether a single quote counts inside double quotes depends on the operator: trouble."""
        cursor = self._cursor
        name = cursor.take(_BRACE_NAME)
        if not name:
            cursor.stop()
        while not cursor.done:
            cursor.step()
            if cursor.accept("}"):
                return _KNOWN.get(name, UNKNOWN)
            if cursor.take(_IN_BRACES):
                continue
            if quoted and cursor.sees("'"):
                cursor.stop()
            elif cursor.sees("$") or cursor.sees("`"):
                self._expansion(scripts, quoted=quoted)
            elif self._marked(scripts) is None:
                cursor.at += 1
        cursor.stop()
        return UNKNOWN


def _others(closing: str) -> str:
    return "[]" if closing == "))" else "()"


def _unescaped(escape: re.Match[str]) -> str:
    hexadecimal, octal, unicode, letter = escape.groups()
    if letter:
        return _ANSI_LETTERS.get(letter, UNKNOWN)
    return chr(int(hexadecimal or unicode, 16) if hexadecimal or unicode else int(octal, 8) & 0xFF)
