"""One conversation: the launched agent's loop, the agents that it asks, and the one Desk between them.

Knows no facade: it has a Sink and an Asker. Everything that it starts ends with it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol

import anyio
from anyio.abc import TaskGroup

from consent.asker import Asker
from consent.call import ToolCall
from consent.gate import Decision
from consent.key import Path
from consent.setting import Mode, Setting
from mmconfigs.language import saying
from mmconfigs.model import Pipeline
from orchestrator import alarm, quota
from orchestrator.agent import Reason, Stop
from orchestrator.alarm import Alarm
from orchestrator.audit import Audit
from orchestrator.changed import Seal
from orchestrator.desk import Desk, unlooked, unrecorded
from orchestrator.events import Level, Noted, Sink
from orchestrator.handover import ask_tool, handover_text
from orchestrator.hooks import Hook, Hooks
from orchestrator.llm.messages import Model
from orchestrator.loop import Loop
from orchestrator.marks import Eyes
from orchestrator.quota import Quota
from orchestrator.roster import CannotAsk, Launching, Post, Roster
from orchestrator.shared import Shared
from orchestrator.tools.base import Outcome, Tool, Workplace
from orchestrator.watch import Watch
from orchestrator.words import notes as say
from orchestrator.words.banner import Launched


class Above(quota.Above, alarm.Above, Protocol):
    """The agent of ours that asks this one: it counts the living agents, and hears of the alarm."""


def _no_posts(_: Post) -> Launching:
    raise CannotAsk("agents of this conversation are started in its folder only")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a conversation is made of. `entries` maps the agents that may be asked to their descriptions.

    `steps` and `agents` limit a turn and the running agents; `launch` says how to start an agent under the
    `seal` of the files that decide; `hooks` see calls before the Gate; `refusal` is what a refused model is
    told. `floor` are the variables that programs get as long as own calls ask or may be refused. `launched`
    is what the conversation says of itself at its start. `audit` is where decisions are written, if anywhere;
    `eyes` look at every call, if any do; `at` says how agents are started at a post, for `pipelines`.
    """

    launched: Launched
    setting: Setting
    model: Model
    tools: tuple[Tool, ...]
    place: Workplace
    floor: Mapping[str, str]
    instructions: str
    steps: int
    agents: int
    entries: Mapping[str, str]
    launch: Launching
    seal: Seal
    refusal: Callable[[ToolCall, Decision], Outcome]
    hooks: tuple[Hook, ...] = ()
    audit: Audit | None = None
    eyes: Eyes | None = None
    at: Callable[[Post], Launching] = _no_posts
    pipelines: Mapping[str, Pipeline] = field(default_factory=dict)


class Session:
    """A conversation that runs. Made by `open_session`. `launched` is what it says of itself now."""

    def __init__(
        self, plan: Plan, sink: Sink, asker: Asker, tasks: TaskGroup, above: Above | None = None
    ) -> None:
        self.launched = plan.launched
        self.entries = plan.entries
        self.pipelines = plan.pipelines
        audit = self._audit = replace(plan.audit, lost=self._lose_audit) if plan.audit else None
        record = audit.record if audit else unrecorded
        look = plan.eyes.marked if plan.eyes else unlooked
        self.place = replace(plan.place, floor=self._floor)
        hooks = Hooks(plan.hooks, self.place)
        self.desk = Desk(plan.setting, asker, self._stopped, record, hooks, look=look)
        self.sink = sink
        self._tasks = tasks
        # An asking agent of ours sees the same calls; it tells its person, who does not see this process.
        self._watch = Watch(None if above else sink, watched=plan.setting.somebody and not above)
        shared = self._shared = Shared(
            self.desk,
            self._watch,
            Alarm(self.desk, sink, above, audit.acted if audit else alarm.unrecorded),
            Quota(plan.agents, above),
            sink,
        )
        self._roster = Roster(plan.launch, plan.seal, shared, tasks)
        self._hired: list[Roster] = []
        self._turns: set[anyio.CancelScope] = set()
        self._plan = plan
        self._loop = self._new_loop()

    def _lose_audit(self, reason: str) -> None:
        note = Noted((), saying(say.NO_AUDIT, reason=reason), Level.WARNING)
        self._tasks.start_soon(self.sink.emit, note)

    @property
    def running(self) -> frozenset[str]:
        """The names of the asked agents that run now."""
        return self._roster.running

    async def prompt(self, text: str) -> Stop:
        """One turn of the launched agent."""
        return await self._turn(self._loop.prompt(text, self.sink))

    async def ask(self, name: str, text: str) -> Stop:
        """Hand a task to an asked agent, as the person typed it; the launched agent learns of the answer."""
        loop = self._loop  # after /new there is another one, which must not hear of this
        stop = await self._turn(self._roster.ask(name, text))
        answer = handover_text(name, stop, self.place.scratch)
        loop.overheard(f"/ask-{name} {text}", f"{name} answered:\n\n{answer}")
        return stop

    def hire(self, post: Post, sink: Sink) -> Roster:
        """Agents at another post, until they are dismissed; their events go to `sink`."""
        roster = Roster(self._plan.at(post), self._plan.seal, replace(self._shared, sink=sink), self._tasks)
        self._hired.append(roster)
        return roster

    def dismiss(self, roster: Roster) -> None:
        """End agents that were hired."""
        roster.end()
        self._hired.remove(roster)

    async def turn(self, work: Awaitable[Stop]) -> Stop:
        """A turn of this conversation that is somebody else's work; Stop ends it."""
        return await self._turn(work)

    def stop(self) -> None:
        """Stop everything that runs in this conversation, the whole chain below included.

        A second call ends the asked agents that have not stopped yet.
        """
        for roster in (self._roster, *self._hired):
            roster.stop_all()
        for scope in self._turns:
            scope.cancel()

    def set_mode(self, mode: Mode, origin: str) -> bool:
        """Go on in another mode, from the next decision on; `origin` names who said so.

        Questions that wait are looked at again. False where the floor forbids it: then nothing changes.
        """
        if mode not in self.desk.setting.offered:
            return False
        self.desk.set_mode(mode)
        if self._audit:
            self._audit.switched(mode, origin)
        self.launched = replace(self.launched, setting=self.desk.setting, origin=origin)
        return True

    def new(self) -> None:
        """Start afresh: an empty conversation, fresh agents. What was remembered stays."""
        self.stop()
        self._roster.end()
        self._loop = self._new_loop()

    async def _turn(self, work: Awaitable[Stop]) -> Stop:
        with anyio.CancelScope() as scope:
            self._turns.add(scope)
            try:
                return await work
            finally:
                self._turns.discard(scope)
        return Stop(Reason.CANCELLED)

    def _stopped(self, path: Path) -> None:
        """The person pressed Stop at a question: an asked agent's turn ends, or this conversation's."""
        match path:
            case ():
                self.stop()
            case (name,):
                for roster in (self._roster, *self._hired):
                    roster.stop(name)
            case _:
                pass  # the agent between passes the cancelled answer on, and stops its own agent

    def _new_loop(self) -> Loop:
        plan = self._plan
        return Loop(
            plan.model,
            (*plan.tools, *(self._ask_tool(name) for name in plan.entries)),
            self.desk,
            self._watch,
            self.place,
            instructions=plan.instructions,
            steps=plan.steps,
            refusal=plan.refusal,
        )

    def _floor(self) -> Mapping[str, str]:
        """What a nested mm is told at this moment."""
        return self._plan.floor if self.desk.setting.own_calls_ask else {}

    def _ask_tool(self, name: str) -> Tool:
        return ask_tool(
            name,
            self._plan.entries[name],
            lambda: self.desk.setting.frees((name,)),
            lambda text: self._roster.ask(name, text),
        )


@asynccontextmanager
async def open_session(
    plan: Plan, sink: Sink, asker: Asker, above: Above | None = None
) -> AsyncIterator[Session]:
    """A conversation, with everything that it starts ended when the context is left."""
    try:
        async with anyio.create_task_group() as tasks:
            session = Session(plan, sink, asker, tasks, above)
            try:
                yield session
            finally:
                session.stop()
                tasks.cancel_scope.cancel()
    finally:
        plan.place.scratch.remove()
