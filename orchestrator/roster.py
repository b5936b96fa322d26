"""The asked agents of one conversation: started when they are first asked, kept, ended together.

Knows neither the file nor the environment: how to start an agent is a function that it is given.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import anyio
from anyio.abc import TaskGroup, TaskStatus
from anyio.lowlevel import checkpoint_if_cancelled

from orchestrator.agent import Reason, Stop
from orchestrator.changed import Changed, Seal, ask_about
from orchestrator.child import AgentBroke, Child, Launch
from orchestrator.shared import Shared

MOST_QUESTIONS = 3
"""Questions about one file before one start: it changed again each time while the person was asked."""

Launching = Callable[[str, Seal], Launch | Changed]
"""How to start an agent under this seal, or what must be asked before. Raises CannotAsk."""


@dataclass(frozen=True, slots=True)
class Post:
    """Where an asked agent works, and which tools do not exist for it and for all below it.

    Without a `folder`: in its entry's, else in the conversation's.
    """

    folder: Path | None = None
    without: frozenset[str] = frozenset()


IN_ITS_FOLDER = Post()


class CannotAsk(Exception):
    """This agent may not or cannot be asked: an unknown name, a cycle, a fault in its file."""


class Roster:
    """Running agents by entry name. `seal` is what the files were at the start; a person's yes changes it."""

    def __init__(
        self,
        launch: Launching,
        seal: Seal,
        shared: Shared,
        tasks: TaskGroup,
    ) -> None:
        self._launch = launch
        self._seal = seal
        self._shared = shared
        self._tasks = tasks
        self._children: dict[str, Child] = {}
        self._order: defaultdict[str, anyio.Lock] = defaultdict(anyio.Lock)

    @property
    def running(self) -> frozenset[str]:
        """The names of the agents that run now."""
        return frozenset(name for name, child in self._children.items() if not child.gone)

    async def ask(self, name: str, text: str) -> Stop:
        """Hand `text` to the agent, which is started if it does not run. Tasks to one agent run in turn."""
        async with self._order[name]:
            try:
                child = await self._running(name)
            except (CannotAsk, AgentBroke) as error:
                return Stop(Reason.FAILED, detail=error.args[0])
            return await child.prompt(text)

    def stop(self, name: str) -> None:
        """Stop the turn of one agent; the others go on, and it can be asked again."""
        if child := self._children.get(name):
            child.stop()

    def stop_all(self) -> None:
        """Stop every turn. An agent that was told to stop before, and has not yet, is ended."""
        for child in self._children.values():
            child.hurry()
            child.stop()

    def end(self) -> None:
        """End all agents; the next question starts them afresh."""
        for child in self._children.values():
            child.end()
        self._children.clear()

    async def _running(self, name: str) -> Child:
        child = self._children.get(name)
        if child is None or child.gone:
            launch = await self._launched(name)
            child = Child(launch, self._shared, next(self._shared.numbers))
            await self._tasks.start(self._hold, name, child)
            self._children[name] = child
        return child

    async def _launched(self, name: str) -> Launch:
        """How to start the agent; a file that changed since the start counts only after the person's yes."""
        asked: Counter[str] = Counter()
        while isinstance(found := self._launch(name, self._seal), Changed):
            if asked[found.path] == MOST_QUESTIONS:
                raise CannotAsk(f"{name} is not started: {found.path} changes again and again")
            asked[found.path] += 1
            refused = await ask_about(found, next(self._shared.numbers), self._shared.desk, self._shared.sink)
            await checkpoint_if_cancelled()  # the person may have stopped the turn instead of answering
            if refused:
                raise CannotAsk(f"{name} is not started: {refused}")
            self._seal = found.accepted(self._seal)
        return found

    async def _hold(self, name: str, child: Child, *, task_status: TaskStatus[None]) -> None:
        """The life of one agent, counted as long as it lasts."""
        try:
            if refused := await self._shared.quota.take((name,)):
                raise CannotAsk(refused)
        except anyio.get_cancelled_exc_class():
            # The grant may be on its way: it is given back, counted or not.
            with anyio.CancelScope(shield=True):
                await self._shared.quota.regret((name,))
            raise
        try:
            await child.run(task_status=task_status)
        finally:
            with anyio.CancelScope(shield=True):
                await self._shared.quota.give_back((name,))
