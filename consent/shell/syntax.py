"""What a shell command consists of, as values: words, redirections, commands, pipelines, scripts.

Two characters stand for what is not written out: `UNKNOWN` for any expansion, `HOME` for the home folder. No
command holds them itself (such a call is refused); where one does, it is taken for the expansion.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

UNKNOWN = "\0"
"""Stands in a word for text that only the shell will know."""

HOME = "\1"
"""Stands in a word for the home folder of somebody: `~`, `$HOME`, `~ann`."""


class Trouble(StrEnum):
    """Why a text was not read to its end."""

    SYNTAX = "syntax"
    TOO_DEEP = "too-deep"
    TOO_LONG = "too-long"


class Word(NamedTuple):
    """One word without its quotes. `start` and `end` are places in the full text.

    `bare`: nothing in it was quoted or expanded. `scripts` are the commands that it runs: substitutions.
    `loose` are the parts of the text of another word in which braces count.
    """

    text: str
    start: int
    end: int
    bare: bool = True
    scripts: tuple[Script, ...] = ()
    loose: tuple[tuple[int, int], ...] = ()

    @property
    def known(self) -> bool:
        """Whether the text holds no expansion that only the shell will know."""
        return UNKNOWN not in self.text


class Feed:
    """The body of a here-document: the lines after its command, filled in once they are read."""

    __slots__ = ("word",)

    def __init__(self) -> None:
        self.word: Word | None = None


class Redirect(NamedTuple):
    """A redirection; a here-document has its body as `feed`, and its delimiter as target."""

    operator: str
    target: Word
    feed: Feed | None = None


class Simple(NamedTuple):
    """Words to run, after assignments; `words` may be empty."""

    assigned: tuple[Word, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]


class Compound(NamedTuple):
    """A loop, condition, group or subshell: the scripts in it, the words that it only looks at."""

    scripts: tuple[Script, ...]
    looked_at: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()


class Function(NamedTuple):
    """The definition of a function."""

    name: Word
    body: Command


class Pipeline(NamedTuple):
    """Commands whose output goes to the next one. `background`: it ends in `&`."""

    commands: tuple[Command, ...]
    background: bool = False


Command = Simple | Compound | Function
Script = tuple[Pipeline, ...]
