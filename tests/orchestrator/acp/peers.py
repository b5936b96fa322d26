"""Both ends of real pipes, a handler that does what it is told, and a raw other side."""

import json
import os
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import ByteStream, TaskGroup
from anyio.streams.buffered import BufferedByteReceiveStream

from orchestrator.acp.frames import FRAME_LIMIT
from orchestrator.acp.streams import FdStream
from orchestrator.acp.wire import Connection, ConnectionLost, Role, RpcError
from tests.orchestrator.parts import running


def pipes() -> tuple[FdStream, FdStream]:
    here_in, there_out = os.pipe()
    there_in, here_out = os.pipe()
    return FdStream(here_in, here_out), FdStream(there_in, there_out)


class Told:
    """Echoes, waits, fails or breaks, by the method's name; keeps what it saw, in order."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.happened: defaultdict[str, anyio.Event] = defaultdict(anyio.Event)

    def note(self, what: str) -> None:
        self.seen.append(what)
        self.happened[what].set()

    async def on_request(self, method: str, params: dict[str, Any]) -> Any:
        self.note(f"{method} begins")
        match method:
            case "echo":
                return params
            case "wait":
                try:
                    await anyio.sleep_forever()
                finally:
                    self.note("wait ends")
            case "open":
                await self.happened["opened"].wait()
                return "done"
            case "fail":
                raise RpcError(-32002, "not here", {"uri": "x"})
            case "break":
                raise ZeroDivisionError("a fault of ours")
            case "infinite":
                return float("inf")
            case _:
                raise RpcError(-32601, method)

    async def on_notification(self, method: str, params: dict[str, Any]) -> None:
        if method == "break":
            raise ZeroDivisionError("a fault of ours")
        self.note(method)


class Raw:
    """The other side without any rules: what it says and hears are lines."""

    def __init__(self, stream: FdStream) -> None:
        self.stream = stream
        self.buffered = BufferedByteReceiveStream(stream)

    async def say(self, *lines: bytes | dict[str, Any]) -> None:
        frames = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
        await self.stream.send(b"".join(frame + b"\n" for frame in frames))

    async def ask(self, id_: object, method: str, **params: object) -> None:
        await self.say({"jsonrpc": "2.0", "id": id_, "method": method, "params": params})

    async def hear(self) -> Any:
        return json.loads(await self.buffered.receive_until(b"\n", FRAME_LIMIT))

    async def say_for_ever(self, line: bytes) -> None:
        while True:
            await self.stream.send(line + b"\n")

    async def heard_until_the_end(self) -> list[Any]:
        heard = []
        try:
            while True:
                heard.append(await self.hear())
        except anyio.IncompleteRead:
            return heard


class Pending:
    """A request that runs in a task of its own."""

    def __init__(self) -> None:
        self.done = anyio.Event()
        self.outcome: Any = None

    async def run(self, wire: Connection, method: str) -> None:
        try:
            self.outcome = await wire.request(method, {})
        except (RpcError, ConnectionLost) as error:
            self.outcome = error
        self.done.set()

    async def result(self) -> Any:
        """The result, or the error as a value."""
        await self.done.wait()
        return self.outcome


class Side:
    """A running connection with what its handler and its reports saw."""

    def __init__(
        self,
        tasks: TaskGroup,
        stream: ByteStream,
        role: Role,
        clock: Callable[[], float] = lambda: 0.0,
        grace: float = 1.0,
    ) -> None:
        self.told = Told()
        self.reports: list[str] = []
        self.wire = Connection(stream, self.told, role, self.reports.append, clock=clock, grace=grace)
        self.tasks = tasks
        tasks.start_soon(self.run)

    async def run(self) -> None:
        await self.wire.run()
        self.told.note("connection ends")

    def ask(self, method: str) -> Pending:
        pending = Pending()
        self.tasks.start_soon(pending.run, self.wire, method)
        return pending

    async def until(self, what: str) -> None:
        await self.told.happened[what].wait()

    async def notify_for_ever(self) -> None:
        while True:
            await self.wire.notify("m", {})


@asynccontextmanager
async def served(
    role: Role = "agent", clock: Callable[[], float] = lambda: 0.0, grace: float = 1.0
) -> AsyncIterator[tuple[Side, Raw]]:
    """A connection, and a raw other side."""
    here, there = pipes()
    async with there, running() as tasks:
        yield Side(tasks, here, role, clock, grace), Raw(there)


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[Side, Side]]:
    """A client and an agent over the same pipes."""
    here, there = pipes()
    async with running() as tasks:
        yield Side(tasks, here, "client"), Side(tasks, there, "agent")
