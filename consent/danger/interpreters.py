"""Shells and other interpreters: where the program that they run comes from.

Only shells are read; the program of another interpreter is not looked into (a documented limit).
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import NamedTuple

from consent.danger.options import Words
from consent.danger.plain import names
from consent.danger.wrappers import Program
from consent.shell.syntax import Word

_SHELLS = names("sh ash bash csh dash fish ksh mksh pdksh pwsh rbash rksh tcsh yash zsh")
_OTHERS = names(
    "python pypy perl ruby php lua luajit tclsh node nodejs deno bun Rscript julia osascript guile"
)
STDIN = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
"""Names of standard input."""
_SHELL_VALUES = ("--rcfile", "--init-file")
_LETTERS = re.compile(r"-[ncevxsul]+")
"""Options of a shell that leave `-n` as it is."""
_CODE = re.compile(r"-[a-zA-Z]*[cer]|--eval|--command|-m")


class Source(NamedTuple):
    """Where the program of an interpreter comes from: a text, a file, or (neither) its standard input."""

    text: Word | None = None
    file: Word | None = None


def is_shell(name: str) -> bool:
    """Whether a program of this name reads shell commands."""
    return name in _SHELLS


def is_interpreter(name: str) -> bool:
    """Whether a program of this name runs what it is given, in any language."""
    return is_shell(name) or name.rstrip("0123456789.") in _OTHERS


def source(program: Program) -> Source:
    """Where the interpreter takes its program from."""
    return _of_shell(program.args) if is_shell(program.name) else _of_other(program.args)


def only_reads(program: Program) -> bool:
    """Whether a shell is told to read its commands and to run none: `-n`, if nothing else unsays it."""
    given = takewhile(lambda text: text[:1] in ("-", "+") and len(text) > 1, (w.text for w in program.args))
    letters = {letter for text in given for letter in (text[1:] if _LETTERS.fullmatch(text) else "+")}
    return is_shell(program.name) and "n" in letters and "+" not in letters


def _of_shell(args: Words) -> Source:
    at, text, stdin = 0, False, False
    while at < len(args) and args[at].text[:1] in ("-", "+") and args[at].text not in ("-", "--"):
        letters = args[at].text
        if not letters.startswith("--"):
            text, stdin = text or "c" in letters[1:], stdin or "s" in letters[1:]
        at += 2 if letters in _SHELL_VALUES or (letters[-1:] in ("o", "O") and letters[:2] != "--") else 1
    if args[at : at + 1] and args[at].text in ("-", "--"):
        at += 1
    first = args[at] if at < len(args) else None
    if text:
        return Source(text=first)
    return Source() if stdin else _file(first)


def _of_other(args: Words) -> Source:
    for at, word in enumerate(args):
        if _CODE.fullmatch(word.text):
            return Source(text=args[at + 1] if at + 1 < len(args) else word)
        if not word.text.startswith("-") and word.text != "run":
            return _file(word)
    return Source()


def _file(word: Word | None) -> Source:
    return Source() if word is None or word.text in STDIN else Source(file=word)
