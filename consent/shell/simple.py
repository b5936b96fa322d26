"""Simple commands: assignments, words and redirections in any order that bash takes.

Source: the Bash manual, "Simple Commands". Knows no other command.
"""

from __future__ import annotations

import re

from consent.shell.line import BLANKS, Line
from consent.shell.syntax import Redirect, Script, Simple, Word

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*+(?:\[[^\]\s]*+\])?\+?=")
_SUBSCRIPT = re.compile(r"[A-Za-z_]\w*+\[")
_BEGINS_REDIRECT = frozenset("<>&{0123456789")


def read(line: Line) -> Simple:
    """The simple command that begins here; where nothing of one does, that is trouble."""
    assigned: list[Word] = []
    words: list[Word] = []
    redirects: list[Redirect] = []
    cursor, reader = line.cursor, line.words
    while True:
        cursor.skip(BLANKS)
        if cursor.text[cursor.at : cursor.at + 1] in _BEGINS_REDIRECT and line.redirect(redirects):
            continue
        start = cursor.at
        word = reader.word()
        if word is None:
            break
        if word.text.endswith("=") and cursor.accept("("):
            word = word._replace(scripts=word.scripts + _array(line))
        prefix = not words and _ASSIGNMENT.match(cursor.text, start, cursor.at)
        if not (words or prefix) and _SUBSCRIPT.match(cursor.text, start):
            cursor.stop()  # bash may read on to a bracket behind blanks and signs
        (assigned if prefix else words).append(word)
        if words:
            words += reader.plain()
    if not (assigned or words or redirects):
        cursor.stop()
    return Simple(tuple(assigned), tuple(words), tuple(redirects))


def _array(line: Line) -> tuple[Script, ...]:
    scripts: list[Script] = []
    line.skip_ends()
    while word := line.words.word():
        scripts += word.scripts
        line.skip_ends()
    line.cursor.expect(")")
    return tuple(scripts)
