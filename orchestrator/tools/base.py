"""What a tool is: a value that can look at its arguments, and run. Knows no Gate, model or facade."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from consent.call import Detail, Doubt, Origin, Tier, ToolCall, Unrunnable
from consent.key import Kind
from orchestrator.scratch import Scratch

Arguments = Mapping[str, Any]
"""Parsed arguments: a JSON object that has passed the tool's schema."""


class BadArguments(Exception):
    """The arguments are not the tool's. The message tells the model what the tool takes."""


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where tools work: the conversation's folder (absolute) and the environment of started programs.

    `scratch` keeps what is too long to be shown whole. `floor` gives the variables that keep a nested mm from
    being freer than this one, as they are at that moment.
    """

    folder: Path
    environ: Mapping[str, str]
    scratch: Scratch = field(default_factory=Scratch)
    floor: Callable[[], Mapping[str, str]] = dict

    def inherited(self) -> dict[str, str]:
        """The environment that a program gets that is started now."""
        return {**self.environ, **self.floor()}


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look at the arguments shows, before anything runs.

    `paths` are the real files it would touch; `fenced` whether all of them lie in the folder; `doubts` are
    why it cannot be taken at its word.
    """

    detail: Detail
    tier: Tier
    paths: tuple[str, ...] = ()
    fenced: bool = False
    unrunnable: Unrunnable | None = None
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tool gave back to the model; `ok` is false when it failed.

    `shown` is what a person sees of it, where that is less than the whole text.
    """

    text: str
    ok: bool = True
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. `look` is quick and changes nothing; `run` does exactly what `look` showed, or fails.

    `look` raises BadArguments. `run` gets what `look` had seen, so that a file that changed since is not
    overwritten by an edit that nobody saw.
    """

    name: str
    description: str
    parameters: Mapping[str, object]
    kind: Kind
    look: Callable[[Arguments, Workplace], Seen]
    run: Callable[[Arguments, Seen, Workplace], Awaitable[Outcome]]


def call_of(tool: Tool, frozen: str, seen: Seen, folder: str, call_id: str = "") -> ToolCall:
    """The agent's own call for the Gate: `frozen` are the arguments as JSON text, exactly what will run."""
    return ToolCall(
        id=call_id,
        path=(),
        origin=Origin.OWN,
        name=tool.name,
        kind=tool.kind,
        tier=seen.tier,
        arguments=frozen,
        detail=seen.detail,
        folder=folder,
        doubts=seen.doubts,
        beside=seen.paths,
        unrunnable=seen.unrunnable,
        fenced=seen.fenced,
    )
