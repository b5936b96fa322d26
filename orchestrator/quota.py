"""How many asked agents live at once: `limits.agents`, counted over the whole tree by the launched agent.

An asked agent asks the asking one before it starts another, and so on up; each file on the way may allow
fewer.
"""

from __future__ import annotations

from typing import Protocol

from consent.key import Path


class Above(Protocol):
    """The agent that asks this one, as far as it counts agents."""

    async def agent_starts(self, path: Path) -> str:
        """Why the agent at `path`, seen from here, may not be started; empty if it may, and is counted."""
        ...

    async def agent_ended(self, path: Path) -> None:
        """The agent at `path`, and all below it, live no more."""
        ...


class Quota:
    """The living agents below this process, `most` of them at a time, also where more are allowed above."""

    def __init__(self, most: int, above: Above | None) -> None:
        self._most = most
        self._above = above
        self._living: set[Path] = set()

    async def take(self, path: Path) -> str:
        """Count the agent at `path`; gives the reason where it may not be started."""
        if len(self._living) >= self._most:
            running = ", ".join(sorted("/".join(living) for living in self._living))
            return f"{path[-1]} is not started: limits.agents is {self._most}, running: {running}"
        self._living.add(path)
        refused = await self._above.agent_starts(path) if self._above else ""
        if refused:
            self._living.discard(path)
        return refused

    async def give_back(self, path: Path) -> None:
        """The agent at `path` ended, and with it all below."""
        self._living = {living for living in self._living if living[: len(path)] != path}
        if self._above:
            await self._above.agent_ended(path)
