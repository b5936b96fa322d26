"""Fork bombs: functions that start themselves without end."""

from __future__ import annotations

from typing import assert_never

from consent.shell.syntax import Command, Compound, Function, Pipeline, Simple


def multiplies(name: str, body: Command) -> bool:
    """Whether a function starts itself more than once, or starts itself and goes on: a fork bomb."""
    return _multiplies(name, body)[1]


def _multiplies(name: str, command: Command) -> tuple[int, bool]:
    """How often a command calls a function, and whether one pipeline in it does so more than once."""
    match command:
        case Simple(words=words):
            return int(bool(words) and words[0].text == name), False
        case Compound(scripts=scripts):
            found = [_of(name, pipeline) for script in scripts for pipeline in script]
            return sum(calls for calls, _ in found), any(bomb for _, bomb in found)
        case Function():
            return 0, False
        case _:
            assert_never(command)


def _of(name: str, pipeline: Pipeline) -> tuple[int, bool]:
    found = [_multiplies(name, command) for command in pipeline.commands]
    calls = sum(calls for calls, _ in found)
    return calls, calls > 1 or (pipeline.background and calls > 0) or any(bomb for _, bomb in found)
