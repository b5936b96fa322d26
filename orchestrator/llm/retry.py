"""Tries again what may pass by itself: a server that loads, is busy, or lost the connection before it began.

Knows no HTTP but the Retry-After header (RFC 9110, section 10.2.3). A wait is told, and can be cancelled.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TypeVar

import anyio

from orchestrator.llm.messages import ModelError, Wait

T = TypeVar("T")

_DAY = 86_400.0


class Passing(ModelError):
    """A failure that may pass: `what` happened. The server wants to be asked again `after` these seconds."""

    def __init__(self, what: str, advice: str, after: float = 0) -> None:
        super().__init__(f"{what} {advice}")
        self.what = what
        self.after = after


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait before each further try, in seconds.

    A server that wants a longer pause than `longest` is not waited for. `clock` gives the time of day.
    """

    waits: tuple[float, ...] = (1, 4, 10)
    longest: float = 20
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    clock: Callable[[], float] = time.time


PATIENCE = Patience()


async def patiently(
    attempt: Callable[[], Awaitable[T]], patience: Patience, on_wait: Callable[[Wait], Awaitable[None]]
) -> T:
    """What `attempt` gives, which is tried once more after each wait; raises what the last try raises."""
    for shortest in patience.waits:
        try:
            return await attempt()
        except Passing as failure:
            seconds = max(shortest, failure.after)
            if seconds > patience.longest:
                raise
            await on_wait(Wait(seconds, failure.what))
            await patience.sleep(seconds)
    return await attempt()


def wanted_pause(header: str, now: float) -> float:
    """The seconds of a Retry-After header, which holds a number or a date; 0 where it holds neither."""
    if header.strip().isdecimal():
        return min(float(header), _DAY)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - now)
    except (ValueError, OverflowError):
        return 0.0
