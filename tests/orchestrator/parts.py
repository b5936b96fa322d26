"""What the tests of the middle share: a person to ask, a place for events, a model that is listened to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import TaskGroup

from consent.answer import Response
from consent.call import Command, Origin, Tier, ToolCall
from consent.docket import Waiting
from consent.gate import Decision
from consent.key import Kind, Path
from consent.rules import Why
from orchestrator.events import AgentState, CallEnded, CallStarted, Event, Noted, Said, State
from orchestrator.llm.messages import Message, Piece, Reply, Result, ToolSpec
from orchestrator.llm.scripted import ScriptedModel, Turn
from orchestrator.tools.base import Outcome

DEADLINE = 60


@asynccontextmanager
async def running() -> AsyncIterator[TaskGroup]:
    """A task group with a deadline, cancelled at the end."""
    with anyio.fail_after(DEADLINE):
        async with anyio.create_task_group() as tasks:
            yield tasks
            tasks.cancel_scope.cancel()


def bash_call(command: str = "ls", path: Path = (), **more: Any) -> ToolCall:
    """A submitted bash call."""
    return ToolCall(
        path=path,
        origin=Origin.OURS if path else Origin.OWN,
        name=more.pop("name", "bash"),
        kind=Kind.EXECUTE,
        tier=Tier.EXEC,
        arguments="{}",
        detail=Command(command),
        folder="/work",
        **more,
    )


class Changing:
    """Something that can be waited for."""

    def __init__(self) -> None:
        self._changed = anyio.Event()

    def change(self) -> None:
        """Wake whoever waits, since something is new."""
        self._changed.set()
        self._changed = anyio.Event()

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait until `done` holds."""
        while not done():
            await self._changed.wait()


class Person(Changing):
    """An Asker: gives the prepared answers in order, then waits for `says`."""

    def __init__(self, *answers: Response | Why) -> None:
        super().__init__()
        self.questions: list[Waiting] = []
        self.behind: list[Callable[[], int]] = []
        self.withdrawn: list[int] = []
        self._prepared = list(answers)
        self._said: dict[int, Response | Why] = {}

    @property
    def commands(self) -> list[str]:
        """The commands that were asked about, in order."""
        details = [waiting.question.call.detail for waiting in self.questions]
        return [detail.text for detail in details if isinstance(detail, Command)]

    async def ask(self, waiting: Waiting, behind: Callable[[], int]) -> Response | Why:
        self.questions.append(waiting)
        self.behind.append(behind)
        self.change()
        if self._prepared:
            return self._prepared.pop(0)
        try:
            await self.until(lambda: waiting.ticket in self._said)
        except anyio.get_cancelled_exc_class():
            self.withdrawn.append(waiting.ticket)
            raise
        return self._said[waiting.ticket]

    def says(self, ticket: int, answer: Response | Why) -> None:
        """Answer the question with this ticket."""
        self._said[ticket] = answer
        self.change()

    async def asked(self, count: int) -> None:
        """Wait until so many questions were asked."""
        await self.until(lambda: len(self.questions) >= count)


class Events(Changing):
    """A Sink that keeps everything, and can be waited on."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[Event] = []

    async def emit(self, event: Event) -> None:
        self.all.append(event)
        self.change()

    async def said(self, text: str) -> None:
        """Wait until an agent has said `text`."""
        await self.until(lambda: text in self.text)

    @property
    def text(self) -> str:
        """Everything that agents said."""
        return "".join(event.text for event in self.all if isinstance(event, Said))

    @property
    def notes(self) -> list[str]:
        return [str(event.text) for event in self.all if isinstance(event, Noted)]

    @property
    def started(self) -> list[str]:
        return [event.call for event in self.all if isinstance(event, CallStarted)]

    @property
    def ended(self) -> list[tuple[str, bool]]:
        return [(event.call, event.ok) for event in self.all if isinstance(event, CallEnded)]

    def states(self, name: str) -> list[State]:
        """What an asked agent went through."""
        return [e.state for e in self.all if isinstance(e, AgentState) and e.path == (name,)]


class HeardModel(ScriptedModel):
    """The scripted model, which remembers what it was told each time."""

    def __init__(self, *turns: Turn) -> None:
        super().__init__(turns)
        self.heard: list[tuple[Message, ...]] = []

    async def reply(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        on_piece: Callable[[Piece], Awaitable[None]],
    ) -> Reply:
        self.heard.append(tuple(messages))
        return await super().reply(messages, tools, on_piece)

    @property
    def results(self) -> list[Result]:
        """The results that it was told of at last."""
        return [message for message in self.heard[-1] if isinstance(message, Result)]


class Outcomes:
    """What became of things that run beside each other, by name."""

    def __init__(self, tasks: TaskGroup) -> None:
        self.of: dict[str, Any] = {}
        self._tasks = tasks
        self._done: defaultdict[str, anyio.Event] = defaultdict(anyio.Event)

    def start(self, name: str, work: Awaitable[Any]) -> None:
        """Run `work` in a task of its own."""
        self._tasks.start_soon(self._run, name, work)

    async def result(self, name: str) -> Any:
        """Wait for what came of it; an exception is a value."""
        await self._done[name].wait()
        return self.of[name]

    async def _run(self, name: str, work: Awaitable[Any]) -> None:
        try:
            self.of[name] = await work
        except Exception as error:  # noqa: BLE001 - the test looks at it
            self.of[name] = error
        finally:
            self._done[name].set()


def refused(call: ToolCall, decision: Decision) -> Outcome:
    """A short refusal, for loops."""
    return Outcome(f"refused {call.name}: {decision.why.value}", ok=False)
