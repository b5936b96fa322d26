"""Seconds of work: those in which a question is open do not count. Knows no agent and no question."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

import anyio

TICK = 1.0
"""Seconds between two looks at whether a question is open."""


class Stopwatch:
    """Runs from the moment when it is made. `waits` says whether a question is open."""

    def __init__(
        self,
        waits: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._waits = waits
        self._clock = clock
        self._sleep = sleep
        self._since = clock()
        self._paused = 0.0

    @property
    def seconds(self) -> float:
        """How long it was worked."""
        return round(self._clock() - self._since - self._paused, 3)

    async def reaches(self, seconds: float) -> None:
        """Wait until so many seconds were worked."""
        while (left := seconds - self.seconds) > 0:
            before, waited = self._clock(), self._waits()
            await self._sleep(min(TICK, left))
            if waited and self._waits():
                self._paused += self._clock() - before
