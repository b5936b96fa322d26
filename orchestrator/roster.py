"""The asked agents of one conversation: started when they are first asked, kept, ended together.

Knows neither the file nor the environment: how to start an agent is a function that it is given.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import count

import anyio
from anyio.abc import TaskGroup, TaskStatus

from orchestrator.agent import Reason, Stop
from orchestrator.child import AgentBroke, Child, Launch
from orchestrator.desk import Desk
from orchestrator.events import Sink
from orchestrator.quota import Quota
from orchestrator.watch import Watch


class CannotAsk(Exception):
    """This agent may not or cannot be asked: an unknown name, a cycle, a fault in its file."""


class Roster:
    """Running agents by entry name. `launch` says how to start one, or raises CannotAsk."""

    def __init__(
        self,
        launch: Callable[[str], Launch],
        quota: Quota,
        desk: Desk,
        watch: Watch,
        sink: Sink,
        tasks: TaskGroup,
    ) -> None:
        self._launch = launch
        self._quota = quota
        self._desk = desk
        self._watch = watch
        self._sink = sink
        self._tasks = tasks
        self._children: dict[str, Child] = {}
        self._order: defaultdict[str, anyio.Lock] = defaultdict(anyio.Lock)
        self._runs = count(1)

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
                return Stop(Reason.FAILED, detail=str(error))
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
            launch = self._launch(name)
            child = Child(launch, self._desk, self._watch, self._sink, self._quota, next(self._runs))
            await self._tasks.start(self._hold, name, child)
            self._children[name] = child
        return child

    async def _hold(self, name: str, child: Child, *, task_status: TaskStatus[None]) -> None:
        """The life of one agent, counted as long as it lasts."""
        try:
            if refused := await self._quota.take((name,)):
                raise CannotAsk(refused)
        except anyio.get_cancelled_exc_class():
            # The grant may be on its way: it is given back, counted or not.
            with anyio.CancelScope(shield=True):
                await self._quota.regret((name,))
            raise
        try:
            await child.run(task_status=task_status)
        finally:
            with anyio.CancelScope(shield=True):
                await self._quota.give_back((name,))
