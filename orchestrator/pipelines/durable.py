"""What a run needs of an engine: steps that are kept. Knows no engine; importing it costs nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

Work = Callable[[], Awaitable[Any]]
"""A step. Gives a JSON value."""


class Suspended(BaseException):
    """The run ends here and is not over: it can be resumed, and the step that raised this starts again.

    No error, so that an engine keeps nothing of the step. `why` tells the reason.
    """

    def __init__(self, why: Any) -> None:
        super().__init__(str(why))
        self.why = why


class Durable(Protocol):
    """Keeps the steps of the run that calls it."""

    async def step(self, name: str, work: Work) -> Any:
        """One step: its value is kept, and it never runs again once it has one."""
        ...

    async def steps(self, works: Sequence[tuple[str, Work]], most: int) -> list[Any]:
        """Several steps side by side, at most so many at a time; their values in order."""
        ...
