"""Options and operands of a program, as getopt reads them. Knows no program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from consent.shell.syntax import Word

Words = Sequence[Word]


class Options(NamedTuple):
    """Options by letter or `--name`, each with all its values in order; the operands in order.

    `ended`: a `--` ended the options.
    """

    given: Mapping[str, Sequence[Word]]
    operands: tuple[Word, ...]
    ended: bool = False

    def has(self, *names: str) -> bool:
        """Whether any of these options is given; a long one may be cut short, as getopt takes it."""
        return any(is_short_for(given, name) for given in self.given for name in names)

    def surely(self, *names: str) -> bool:
        """Whether any of these options, which make a call harmless, is given and written out."""
        return any(name in self.given for name in names)

    def value(self, *names: str) -> Word | None:
        """The last value of these options: where only one can count, programs take that."""
        return next(iter(self.values(*names)[::-1]), None)

    def values(self, *names: str) -> tuple[Word, ...]:
        """All values of these options, each of which may count; a long one may be cut short."""
        return tuple(
            word
            for given, words in self.given.items()
            if any(is_short_for(given, name) for name in names)
            for word in words
        )


def options(args: Words, valued: str = "", *, first: bool = False) -> Options:
    """Options and operands among `args`.

    `valued` names the options that take a value, with blanks between (`n --max-args`). `first`: the first
    operand ends the options, as it does for programs that run another one.
    """
    takes, given, operands = _names(valued), dict[str, list[Word]](), list[Word]()
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
            given[name].append(args[at])
            at += 1
    return Options(given, tuple(operands))


@cache  # one for each text of names in this package
def _names(valued: str) -> frozenset[str]:
    return frozenset(valued.split())


def is_short_for(given: str, name: str) -> bool:
    """Whether this is an option, or the beginning of it, if it is a long one."""
    return given == name or (len(given) > len("--") and given.startswith("--") and name.startswith(given))


def _option(word: Word, given: dict[str, list[Word]], takes: frozenset[str]) -> str:
    """Note one word of options; the name of the one whose value is the next word, if there is one."""
    if word.text.startswith("--"):
        name, equals, value = word.text.partition("=")
        given.setdefault(name, []).extend([word._replace(text=value)] if equals else [])
        return name if not equals and any(is_short_for(name, each) for each in takes) else ""
    for place, letter in enumerate(word.text[1:], 2):
        values = given.setdefault(letter, [])
        if letter in takes:
            rest = word.text[place:]
            values.extend([word._replace(text=rest)] if rest else [])
            return "" if rest else letter
    return ""
