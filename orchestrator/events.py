"""What happens in a turn, as one closed union of frozen values, each with the path of the agent it is about.

Facades draw events; agents emit them. Texts of other processes are raw here: each facade escapes what it
draws. Knows no facade, protocol or model.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from consent.call import Detail
from consent.key import Kind, Path
from mmconfigs.language import Text


class Level(StrEnum):
    """How much a note matters."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Said:
    """A piece of an agent's answer (markdown), in order."""

    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    """A piece of an agent's reasoning; never part of its answer."""

    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A tool call was announced. `call` is unique per path; `title` is its agent's own words for it."""

    path: Path
    call: str
    name: str | None
    kind: Kind | None
    title: str
    detail: Detail
    arguments: str


@dataclass(frozen=True, slots=True)
class CallEnded:
    """A tool call ended: `ok` is false when it failed or was refused; `text` is its result, maybe cut."""

    path: Path
    call: str
    ok: bool
    text: str


class State(StrEnum):
    """The life of an asked agent, as a person sees it."""

    STARTING = "starting"
    WORKING = "working"
    DONE = "done"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class AgentState:
    """An asked agent changed its state; facades show it as progress."""

    path: Path
    state: State


@dataclass(frozen=True, slots=True)
class Noted:
    """Something that mm itself has to say. `offers_stop`: the facade says how the turn is stopped."""

    path: Path
    text: Text
    level: Level = Level.INFO
    offers_stop: bool = False


class Phase(StrEnum):
    """Where one agent's part of a run stands."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Row:
    """One agent's part of a run: `says` is its verdict or why it is not done; `seconds` is its work so far.

    `tokens` is None where the agent does not say.
    """

    agent: str
    round: int
    phase: Phase
    says: Text = ""
    seconds: float | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class RunState:
    """A run of a pipeline went on: all its rows as they are now, in order."""

    path: Path
    run: str
    rows: tuple[Row, ...]


Event = Said | Thought | CallStarted | CallEnded | AgentState | Noted | RunState


class Sink(Protocol):
    """Where events go. A slow sink slows the agent down: nothing is dropped."""

    async def emit(self, event: Event) -> None:
        """Take the next event."""
        ...
