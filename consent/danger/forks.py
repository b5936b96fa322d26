"""Fork bombs: functions that start themselves without end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from consent.shell.syntax import Command, Compound, Function, Pipeline, Simple


def multiplies(name: str, body: Command) -> bool:
    """Whether a function starts itself more than once, or starts itself and goes on: a fork bomb."""
    return any(
        _calls(name, pipeline) > 1 or (pipeline.background and _calls(name, pipeline))
        for pipeline in _pipelines(body)
    )


def _pipelines(command: Command) -> Iterator[Pipeline]:
    match command:
        case Compound(scripts=scripts):
            for pipeline in (pipeline for script in scripts for pipeline in script):
                yield pipeline
                for inner in pipeline.commands:
                    yield from _pipelines(inner)
        case Simple() | Function():
            return
        case _:
            assert_never(command)


def _calls(name: str, pipeline: Pipeline) -> int:
    """How often the commands of a pipeline call a function."""
    simple = (command for command in pipeline.commands if isinstance(command, Simple))
    direct = sum(bool(command.words) and command.words[0].text == name for command in simple)
    return direct + sum(_calls(name, inner) for command in pipeline.commands for inner in _pipelines(command))
