"""Events that wait until there is room on the screen: while a question or the prompt stands there.

Knows no screen: what draws an event is given to it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import assert_never

import anyio

from orchestrator.events import AgentState, CallEnded, CallStarted, Event, Noted, RunState, Said, Thought

MOST = 1024 * 1024
"""Characters of events that are kept; then their agents wait."""


class Kept:
    """Events in their order, and how much they are."""

    def __init__(self) -> None:
        self._events: deque[Event] = deque()
        self._weight = 0
        self._drawn = anyio.Event()

    async def room(self) -> None:
        """Wait until there is room for one more."""
        while self._weight >= MOST:
            await self._drawn.wait()

    def add(self, event: Event) -> None:
        """Keep one."""
        self._events.append(event)
        self._weight += _weight(event)

    def draw(self, draw: Callable[[Event], None]) -> None:
        """Draw them all."""
        while self._events:
            draw(self._events.popleft())
        self._weight = 0
        self._drawn.set()
        self._drawn = anyio.Event()


def _weight(event: Event) -> int:
    """How much an event adds to what is kept: its text, and a little for itself."""
    match event:
        case Said(text=text) | Thought(text=text) | Noted(text=text) | CallEnded(text=text):
            return 64 + len(str(text))
        case CallStarted(arguments=arguments):
            return 64 + len(arguments)
        case AgentState() | RunState():
            return 64
        case _:
            assert_never(event)
