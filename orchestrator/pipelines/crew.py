"""The agents of a run at work: each in its tree, with the tools that its step leaves it. What comes of a turn
is an Outcome. Knows no course, engine or git.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import anyio

from consent.call import Command
from consent.key import Kind
from consent.rules import Why
from consent.tally import Count, Tally
from orchestrator.agent import Reason, Stop
from orchestrator.events import CallEnded, CallStarted, Event, Sink
from orchestrator.pipelines.outcome import Counted, Ended, Outcome, Ran
from orchestrator.pipelines.stopwatch import Stopwatch
from orchestrator.roster import Post, Roster
from orchestrator.session import Session
from orchestrator.tools import BUILTIN

WRITING = frozenset(builtin.tool.name for builtin in BUILTIN if builtin.key == "editTools")
"""The tools that a reading step leaves out."""
TESTS = re.compile(r"\b(pytest|tox|nox|unittest|ctest|jest|vitest|mocha|rspec|phpunit)\b|\btest\b")
"""Commands that look as if they tested something."""
MOST_COMMANDS = 50
LONGEST_COMMAND = 500

_ENDED = {
    Reason.END_TURN: Ended.DONE,
    Reason.MAX_TOKENS: Ended.CUT,
    Reason.MAX_TURN_REQUESTS: Ended.CUT,
    Reason.REFUSAL: Ended.REFUSED,
    Reason.CANCELLED: Ended.STOPPED,
}


@dataclass
class _Seen:
    """A sink that passes everything on, and keeps the commands that ran."""

    sink: Sink
    open: dict[tuple[str, ...], str] = field(default_factory=dict)
    ran: list[Ran] = field(default_factory=list)

    async def emit(self, event: Event) -> None:
        """Pass it on."""
        match event:
            case CallStarted(path, call, _, kind, title, detail):
                if isinstance(detail, Command):
                    self.open[*path, call] = detail.text
                elif kind is Kind.EXECUTE:
                    self.open[*path, call] = title
            case CallEnded(path, call, ok) if text := self.open.pop((*path, call), ""):
                self.ran.append(Ran(text[:LONGEST_COMMAND], ok, bool(TESTS.search(text))))
            case _:
                pass
        await self.sink.emit(event)


class Member:
    """One agent at its post. It keeps its conversation until the post is left."""

    def __init__(self, name: str, roster: Roster, seen: _Seen, session: Session) -> None:
        self.name = name
        self._roster = roster
        self._seen = seen
        self._session = session

    async def turn(self, prompt: str, seconds: float, clock: Callable[[], float] = time.monotonic) -> Outcome:
        """One task, which is stopped when it took so many seconds of work."""
        desk = self._session.desk
        before, self._seen.ran = desk.tally, []
        stopwatch = Stopwatch(lambda: desk.waits((self.name,)), clock)
        stop = Stop(Reason.CANCELLED)  # what it is if the time is over before the agent has started
        async with anyio.create_task_group() as tasks:
            with anyio.CancelScope() as scope:
                tasks.start_soon(_cancel_late, stopwatch, seconds, scope)
                stop = await self._roster.ask(self.name, prompt)
            tasks.cancel_scope.cancel()
        found = _outcome(self.name, stop, desk.tally.since(before))
        if scope.cancel_called:
            found = replace(found, ended=Ended.LATE, detail="the time of the run was over")
        return replace(found, commands=tuple(self._seen.ran[:MOST_COMMANDS]), seconds=stopwatch.seconds)


async def _cancel_late(stopwatch: Stopwatch, seconds: float, scope: anyio.CancelScope) -> None:
    await stopwatch.reaches(seconds)
    scope.cancel()


@asynccontextmanager
async def at_post(session: Session, name: str, folder: Path | None, *, writes: bool) -> AsyncIterator[Member]:
    """An agent at its post; it ends when the post is left."""
    seen = _Seen(session.sink)
    roster = session.hire(Post(folder, frozenset() if writes else WRITING), seen)
    try:
        yield Member(name, roster, seen, session)
    finally:
        session.dismiss(roster)


def _outcome(name: str, stop: Stop, tally: Tally) -> Outcome:
    ended = _ENDED.get(stop.reason, Ended.FAILED)
    counts = Tally({path: count for path, count in tally.agents.items() if path[:1] == (name,)}).whole
    # What was refused may be just what the task needed: such a step is never simply done.
    if ended is Ended.DONE and (stop.refused or counts.refused):
        ended = Ended.REFUSED
    return Outcome(
        agent=name,
        ended=ended,
        stop=stop.reason.value,
        text=stop.text,
        detail=str(stop.detail),
        refused=stop.refused,
        counted=_counted(counts),
        tokens=stop.tokens,
    )


def _counted(count: Count) -> Counted:
    allowed, refused, unasked = (
        sum(counts.values()) for counts in (count.allowed, count.refused, count.unasked)
    )
    return Counted(count.asked, allowed, refused, unasked, count.refused.get(Why.NOBODY, 0))
