"""Watches the calls of one conversation: tells a person of circles, and ends turns that meet only refusals.

What shows a circle, and how many refusals are too many, says `consent.circles`. Knows no agent and no Desk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from consent.circles import Circles, End, Made, TooMany
from consent.key import Path
from orchestrator.events import Level, Noted, Sink
from orchestrator.words.notes import circling


class Watch:
    """Sees what became of each call, the launched agent's own and those of all agents below.

    `told` is where circles are told of; None in an asked agent of ours, whose asker sees the same calls.
    `watched`: whether a person sees this process's own turns, and can stop them. Those are never ended here.
    """

    def __init__(self, told: Sink | None, *, watched: bool) -> None:
        self._told = told
        self._watched = watched
        self._circles = Circles()
        self._turns: dict[Path, Callable[[TooMany], None]] = {}

    @contextmanager
    def turn(self, path: Path, end: Callable[[TooMany], None]) -> Iterator[None]:
        """A turn of this process itself, or of an agent that it asks; `end` is called at most once."""
        self._circles = self._circles.begin(path)
        self._turns[path] = end
        try:
            yield
        finally:
            if self._turns.get(path) is end:
                del self._turns[path]

    def allowed(self, path: Path) -> None:
        """A call of the agent at `path` was allowed; how it ends is told later."""
        self._circles = self._circles.allowed(path)

    async def ended(self, made: Made, end: End) -> None:
        """A call came to its end, or was refused."""
        self._circles, circle = self._circles.ended(made, end)
        if end is End.REFUSED:
            self._end_turns()
        if circle and self._told:
            note = circling(made.path, circle)
            await self._told.emit(Noted(made.path, note, Level.WARNING, offers_stop=True))

    def _end_turns(self) -> None:
        for path, end in tuple(self._turns.items()):
            why = self._circles.too_many(path)
            if why and not (path == () and self._watched):
                del self._turns[path]
                end(why)
