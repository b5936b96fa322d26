"""An asked agent's side of a real connection, with a Listener, a Desk and a person who does as told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio

from consent.answer import Response
from consent.call import Origin
from consent.docket import Waiting
from consent.gate import Decision
from consent.key import Path
from consent.rules import Why
from consent.setting import Mode, Setting
from orchestrator.acp.permission import Asking
from orchestrator.acp.wire import Connection
from orchestrator.alarm import Alarm
from orchestrator.desk import Desk
from orchestrator.events import Event, Noted
from orchestrator.listener import Listener
from orchestrator.quota import Quota
from orchestrator.shared import Shared
from orchestrator.watch import Watch
from tests.orchestrator.acp.peers import Raw, pipes
from tests.orchestrator.parts import Changing, running

SESSION = "sess_jan"
JAN = Asking(("jan",), Origin.OURS, "/home/me/project")
GEM = Asking(("gem",), Origin.FOREIGN, "/home/me/project")
PROTECTED = Setting(somebody=True)
FREE = Setting(mode=Mode.YOLO, somebody=True)

OPTIONS = [
    {"optionId": "yes", "name": "Allow once", "kind": "allow_once"},
    {"optionId": "yes-always", "name": "Always allow", "kind": "allow_always"},
    {"optionId": "no", "name": "Reject", "kind": "reject_once"},
    {"optionId": "no-always", "name": "Never", "kind": "reject_always"},
]
BASH: dict[str, Any] = {"toolCallId": "1", "name": "bash", "kind": "execute", "rawInput": {"command": "ls"}}
CANCELLED = {"outcome": {"outcome": "cancelled"}}


def chosen(option: str) -> dict[str, Any]:
    return {"outcome": {"outcome": "selected", "optionId": option}}


class Person(Changing):
    """Asked one question at a time, as in a facade. Gives `answer`, or waits for one if it is None."""

    def __init__(self, answer: Response | Why | None) -> None:
        super().__init__()
        self.answer = answer
        self.asked: list[Waiting] = []
        self.behind: list[int] = []
        self.withdrawn: list[Waiting] = []
        self._one = anyio.Lock()

    async def ask(self, waiting: Waiting, behind: Callable[[], int]) -> Response | Why:
        async with self._one:
            self.asked.append(waiting)
            self.behind.append(behind())
            self.change()
            with self._noticing(waiting):
                await self.until(lambda: self.answer is not None)
        assert self.answer is not None
        return self.answer

    @contextmanager
    def _noticing(self, waiting: Waiting) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.withdrawn.append(waiting)
            self.change()
            raise

    def decides(self, answer: Response | Why) -> None:
        self.answer = answer
        self.change()

    async def sees(self, questions: int) -> None:
        await self.until(lambda: len(self.asked) >= questions)


class Page(Changing):
    """A sink that keeps everything."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[Event] = []
        self.gate: anyio.Event | None = None

    async def emit(self, event: Event) -> None:
        self.events.append(event)
        self.change()
        if self.gate is not None:
            await self.gate.wait()

    @property
    def notes(self) -> list[str]:
        return [str(event.text) for event in self.events if isinstance(event, Noted)]

    def of(self, *sorts: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, sorts)]


@dataclass
class Scene:
    """Everything that a test looks at. `agent` is the asked agent, whose lines the test writes."""

    agent: Raw
    listener: Listener
    desk: Desk
    person: Person
    page: Page
    connection: Connection
    shared: Shared
    stopped: list[Path] = field(default_factory=list)
    reports: list[str] = field(default_factory=list)
    written: list[Decision] = field(default_factory=list)

    async def requests(self, id_: object, call: dict[str, Any] = BASH, **more: Any) -> None:
        params = {"sessionId": SESSION, "toolCall": call, "options": OPTIONS, **more}
        await self.agent.ask(id_, "session/request_permission", **params)

    async def updates(self, sort: str, session: str = SESSION, **fields: Any) -> None:
        meta = {"_meta": fields.pop("_meta")} if "_meta" in fields else {}
        update = {"sessionUpdate": sort, **fields}
        params = {"sessionId": session, "update": update, **meta}
        await self.agent.say({"jsonrpc": "2.0", "method": "session/update", "params": params})

    async def all_is_read(self) -> None:
        """A fence: what was sent before has been taken when its answer is there."""
        await self.agent.ask("fence", "no/such/method")
        assert (await self.agent.hear())["id"] == "fence"

    async def outcome(self) -> Any:
        """The next answer's outcome, without what mm says beside it."""
        return {"outcome": (await self.agent.hear())["result"]["outcome"]}


@asynccontextmanager
async def asked_agent(
    answer: Response | Why | None = None, asking: Asking = JAN, setting: Setting = PROTECTED
) -> AsyncIterator[Scene]:
    """A running connection to an asked agent whose session has been opened."""
    here, there = pipes()
    async with there, running() as tasks:
        person, page = Person(answer), Page()
        stopped: list[Path] = []
        reports: list[str] = []
        written: list[Decision] = []
        desk = Desk(
            setting, person, stopped.append, lambda call, decision, waited, asked: written.append(decision)
        )
        watch = Watch(page, watched=True)
        shared = Shared(desk, watch, Alarm(desk, page, None), Quota(8, None), page)
        listener = Listener(asking, shared, 1)
        listener.session = SESSION
        listener.begin()
        connection = Connection(here, listener, "client", reports.append)
        tasks.start_soon(connection.run)
        yield Scene(Raw(there), listener, desk, person, page, connection, shared, stopped, reports, written)
        assert not [report for report in reports if "Traceback" in report]
