"""How many asked agents live at once: `limits.agents`, counted over the whole tree by the launched agent.

An asked agent asks the asking one before it starts another, and so on up; each file on the way may allow
fewer.
"""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from consent.key import Path
from mmconfigs.language import Text, saying
from orchestrator.words.notes import FULL


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
        self._living: Counter[Path] = Counter()

    async def take(self, path: Path) -> Text:
        """Count the agent at `path`; gives the reason where it may not be started."""
        if self._living.total() >= self._most:
            running = ", ".join(sorted("/".join(living) for living in self._living))
            return saying(FULL, agent=path[-1], most=str(self._most), running=running)
        self._living[path] += 1
        refused: Text = "cancelled"
        try:
            refused = await self._above.agent_starts(path) if self._above else ""
        finally:
            if refused:
                self._lives_no_more(path)
        return refused

    async def regret(self, path: Path) -> None:
        """The start of an agent was cancelled while it was asked for further up."""
        if self._above:
            await self._above.agent_ended(path)

    async def give_back(self, path: Path) -> None:
        """The agent at `path` ended, and with it all below."""
        self._lives_no_more(path)
        for below in [living for living in self._living if living[: len(path)] == path and living != path]:
            del self._living[below]
        if self._above:
            await self._above.agent_ended(path)

    def _lives_no_more(self, path: Path) -> None:
        """One of this path fewer: an old one may still be ending while a new one has started."""
        self._living[path] -= 1
        if self._living[path] <= 0:
            del self._living[path]
