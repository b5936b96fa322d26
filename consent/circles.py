"""Going in circles: whether an agent repeats itself, and whether its turn must end (consent.md).

Pure: calls in, what they show out. Knows no Gate, and decides about no call. What it remembers is bounded,
however many calls a turn has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from types import MappingProxyType
from typing import Any, TypeVar

from consent.call import Task, Tier, ToolCall
from consent.key import Kind, Path

FAILED_IN_A_ROW = 3
"""Failed or refused calls in a row that show a circle."""
SAME_CALLS = 4
"""Identical calls, with no successful changing call between, that show a circle."""
REFUSED_IN_A_ROW = 5
REFUSED_IN_A_TURN = 12
"""Refusals that end a turn where nobody can press Stop, or of an asked agent."""

MOST_CALLS = 1000
"""Different calls that are remembered for each agent; those that were not made for longest are forgotten."""
MOST_AGENTS = 100

UNCHANGING = frozenset({Kind.READ, Kind.SEARCH, Kind.FETCH, Kind.THINK})
"""The kinds of calls that change nothing. A call without a kind may change anything."""

K = TypeVar("K")
V = TypeVar("V")


class Circle(StrEnum):
    """What shows that an agent goes in circles."""

    FAILING = "failing"
    REPEATING = "repeating"


class TooMany(StrEnum):
    """Why a turn ends: too many of its calls were refused, in a row or altogether."""

    IN_A_ROW = "in-a-row"
    IN_A_TURN = "in-a-turn"


class End(StrEnum):
    """What became of a call."""

    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Made:
    """A call as far as it counts here. Calls are identical where `same` is equal; empty equals nothing."""

    path: Path
    same: bytes
    changing: bool


@dataclass(frozen=True, slots=True)
class _Agent:
    """The streaks of one agent: failed or refused, refused, and how often it made each call."""

    failed: int = 0
    refused: int = 0
    times: Mapping[bytes, int] = field(default_factory=lambda: MappingProxyType({}))

    def after(self, made: Made, end: End) -> _Agent:
        return _Agent(
            failed=0 if end is End.DONE else self.failed + 1,
            refused=self.refused + (end is End.REFUSED),
            times=self._times(made, end),
        )

    def _times(self, made: Made, end: End) -> Mapping[bytes, int]:
        """A successful change makes every call but itself a new one: it may repeat for ever."""
        changed = made.changing and end is End.DONE
        kept = {} if changed else self.times
        if not made.same:
            return kept
        return _with(kept, made.same, self.times.get(made.same, 0) + 1, MOST_CALLS)

    def shows(self, made: Made) -> Circle | None:
        """What this last call shows for the first time in its streak."""
        if self.failed == FAILED_IN_A_ROW:
            return Circle.FAILING
        if self.failed < FAILED_IN_A_ROW and self.times.get(made.same) == SAME_CALLS:
            return Circle.REPEATING
        return None


@dataclass(frozen=True, slots=True)
class Circles:
    """The streaks of all agents of one conversation, and the refusals in the turns that run.

    The turns of this process alone are counted: its own, and those of the agents that it asks itself.
    """

    agents: Mapping[Path, _Agent] = field(default_factory=lambda: MappingProxyType({}))
    turns: Mapping[Path, int] = field(default_factory=lambda: MappingProxyType({}))

    def begin(self, turn: Path) -> Circles:
        """A turn of the agent at `turn` begins: of it, and of all below, everything is forgotten."""
        agents = {path: agent for path, agent in self.agents.items() if not _within(path, turn)}
        return Circles(agents, {**self.turns, turn: 0})

    def allowed(self, path: Path) -> Circles:
        """A call of the agent at `path` was allowed: its refusals are in a row no more."""
        return self._know(path, replace(self._agent(path), refused=0))

    def ended(self, made: Made, end: End) -> tuple[Circles, Circle | None]:
        """A call came to its end, or was refused; and what that shows, once in each streak."""
        agent = self._agent(made.path).after(made, end)
        after = self._know(made.path, agent)
        if end is End.REFUSED:
            turns = {turn: refused + _within(made.path, turn) for turn, refused in self.turns.items()}
            after = replace(after, turns=turns)
        return after, agent.shows(made)

    def too_many(self, turn: Path) -> TooMany | None:
        """Why the turn at `turn` must end: the row of its agent, or what it and those below met in all."""
        if self._agent(turn).refused >= REFUSED_IN_A_ROW:
            return TooMany.IN_A_ROW
        return TooMany.IN_A_TURN if self.turns.get(turn, 0) >= REFUSED_IN_A_TURN else None

    def _agent(self, path: Path) -> _Agent:
        return self.agents.get(path, _Agent())

    def _know(self, path: Path, agent: _Agent) -> Circles:
        return replace(self, agents=_with(self.agents, path, agent, MOST_AGENTS))


def made_by(call: ToolCall) -> Made:
    """An own call. Handing a task over counts as a change: whoever is asked may make some."""
    changing = call.tier is not Tier.READ or isinstance(call.detail, Task)
    return Made(call.path, same_call(call.key, call.arguments), changing)


def same_call(*parts: object) -> bytes:
    """Equal for calls that are the same: texts that hold JSON are compared without idle white space."""
    folded = [_folded(part) if isinstance(part, str) else repr(part) for part in parts]
    return sha256("\0".join(map(repr, folded)).encode()).digest()


def _folded(text: str) -> str:
    try:
        return json.dumps(_squeezed(json.loads(text)), sort_keys=True)
    except (ValueError, RecursionError):
        return str(_squeezed(text))


def _squeezed(value: Any) -> Any:
    """Without white space at the ends of texts, and with one blank for each run of blanks."""
    match value:
        case str():
            return re.sub(r"[ \t]+", " ", value.strip())
        case list():
            return [_squeezed(part) for part in value]
        case dict():
            return {name: _squeezed(part) for name, part in value.items()}
        case _:
            return value


def _within(path: Path, turn: Path) -> bool:
    return path[: len(turn)] == turn


def _with(entries: Mapping[K, V], key: K, value: V, most: int) -> Mapping[K, V]:
    """The entries with this one as the newest; the oldest goes where there are too many."""
    others = {k: v for k, v in entries.items() if k != key}
    while len(others) >= most:
        del others[next(iter(others))]
    return {**others, key: value}
