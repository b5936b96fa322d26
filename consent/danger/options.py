"""Options and operands of a program, as getopt reads them. Knows no program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from consent.shell.syntax import Word

Words = Sequence[Word]


class Options(NamedTuple):
    """Options by letter or `--name`, each with its value if it has one; the operands in order.

    `ended`: a `--` ended the options.
    """

    given: Mapping[str, Word | None]
    operands: tuple[Word, ...]
    ended: bool = False

    def has(self, *names: str) -> bool:
        """Whether any of these options is given; a long one may be cut short, as getopt takes it."""
        return any(is_short_for(given, name) for given in self.given for name in names)

    def surely(self, *names: str) -> bool:
        """Whether any of these options, which make a call harmless, is given and written out."""
        return any(name in self.given for name in names)

    def value(self, *names: str) -> Word | None:
        """The value of the first of these options that has one."""
        return next((word for name in names if (word := self.given.get(name))), None)


def options(args: Words, valued: str = "", *, first: bool = False) -> Options:
    """Options and operands among `args`.

    `valued` names the options that take a value, with blanks between (`n --max-args`). `first`: the first
    operand ends the options, as it does for programs that run another one.
    """
    takes, given, operands = _names(valued), dict[str, Word | None](), list[Word]()
    at = 0
    while at < len(args):
        word = args[at]
        at += 1
        if word.text == "--":
            return Options(given, (*operands, *args[at:]), ended=True)
        if not word.text.startswith("-") or word.text == "-":
            operands.append(word)
            if first:
                operands += args[at:]
                break
        elif (name := _option(word, given, takes)) and at < len(args):
            given[name] = args[at]
            at += 1
    return Options(given, tuple(operands))


@cache  # one for each text of names in this package
def _names(valued: str) -> frozenset[str]:
    return frozenset(valued.split())


def is_short_for(given: str, name: str) -> bool:
    """Whether this is an option, or the beginning of it, if it is a long one."""
    return given == name or (len(given) > len("--") and given.startswith("--") and name.startswith(given))


def _option(word: Word, given: dict[str, Word | None], takes: frozenset[str]) -> str:
    """Note one word of options; the name of the one whose value is the next word, if there is one."""
    if word.text.startswith("--"):
        name, equals, value = word.text.partition("=")
        given[name] = word._replace(text=value) if equals else None
        return name if not equals and any(is_short_for(name, each) for each in takes) else ""
    for place, letter in enumerate(word.text[1:], 2):
        given[letter] = None
        if letter in takes:
            rest = word.text[place:]
            given[letter] = word._replace(text=rest) if rest else None
            return "" if rest else letter
    return ""
