"""Durable execution, by DBOS: what was finished is kept, and a run goes on where it was. The only module that
knows DBOS, imported only where a pipeline is run or looked at.

A run is a workflow whose id is the run's. It is driven by one process; another process takes it over only by
`resume`, never by itself: each listens to a queue of its own alone. Knows no agent, consent or git.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import uuid4

import anyio
from dbos import DBOS, Serializer, SetWorkflowID

from orchestrator.pipelines.durable import Durable, Suspended, Work
from orchestrator.pipelines.places import EngineError

APPLICATION = "mm-pipelines"
WORKFLOW = "pipeline"
SHAPE = "1"
"""The order of a run's steps, as the engine counts them; a run of another shape cannot go on here."""
POLL = 0.1
"""Seconds between two looks at the queue on which runs are taken over."""

Body = Callable[[Durable], Awaitable[Any]]
"""What a run does; called again from the beginning when it is resumed. Gives a JSON value."""


class Json(Serializer):
    """What is kept is JSON: a database that others can write must not hold programs."""

    def serialize(self, data: Any) -> str:
        """The value as JSON text."""
        return json.dumps(data, ensure_ascii=True)

    def deserialize(self, serialized_data: str) -> Any:
        """The value again."""
        return json.loads(serialized_data)

    def name(self) -> str:
        """What rows are marked with."""
        return "mm-json"


@dataclass(eq=False)
class _Run:
    """A run in this process: what it does, the scope in which it does it, and how it ended here."""

    body: Body
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    begun: bool = False
    over: anyio.Event = field(default_factory=anyio.Event)
    result: Any = None
    raised: BaseException | None = None


class Engine:
    """Runs that live in this process. Made by `opened`; there is one in a process at a time."""

    def __init__(self, queue: str) -> None:
        self._queue = queue
        self._runs: dict[str, _Run] = {}

    async def start(self, run: str, order: Mapping[str, Any], body: Body) -> Any:
        """Begin a run, keep its `order`, and wait for its end. Raises Suspended, or the body's error."""
        with SetWorkflowID(run):
            return await self._wait(
                run, body, DBOS.start_workflow_async(self._workflow, {**order, "run": run})
            )

    async def resume(self, run: str, body: Body) -> Any:
        """Go on with a run that no process drives; as `start`."""
        await DBOS.register_queue_async(self._queue, polling_interval_sec=POLL)
        return await self._wait(run, body, DBOS.resume_workflow_async(run, queue_name=self._queue))

    async def step(self, name: str, work: Work) -> Any:
        """One step of the run that calls this: its value is kept, and it never runs again once it has one."""
        return await DBOS.run_step_async({"name": name}, work)

    async def steps(self, works: Sequence[tuple[str, Work]], most: int) -> list[Any]:
        """Several steps side by side, at most so many at a time; their values in order."""
        found: list[Any] = [None] * len(works)
        room = anyio.Semaphore(most)

        async def one(at: int, reserved: Any) -> None:
            name, work = works[at]
            async with room:
                found[at] = await reserved.run_async({"name": name}, work)

        async with anyio.create_task_group() as tasks:
            for at in range(len(works)):
                # Their numbers are fixed by the order here, whichever of them begins first.
                tasks.start_soon(one, at, DBOS.reserve_step())
        return found

    def register(self) -> None:
        """Make the workflow known, before the engine runs."""

        async def drive(order: Mapping[str, Any]) -> Any:
            return await self._drive(order)

        self._workflow = DBOS.workflow(name=WORKFLOW)(drive)

    async def _wait(self, run: str, body: Body, begin: Awaitable[Any]) -> Any:
        """The end of a run. A Stop meanwhile ends it, which is waited for: its task is not one of ours."""
        found = self._runs[run] = _Run(body)
        try:
            await begin
            await found.over.wait()
        finally:
            if found.begun and not found.over.is_set():
                found.scope.cancel()
                with anyio.CancelScope(shield=True):
                    await found.over.wait()
            del self._runs[run]
        if found.raised is not None:
            raise found.raised
        return found.result

    async def _drive(self, order: Mapping[str, Any]) -> Any:
        """The workflow. Whatever ends it but its result leaves it as it is, to be resumed."""
        found = self._runs.get(order["run"])
        if found is None or found.begun:  # nobody here waits for it
            raise asyncio.CancelledError
        found.begun = True
        try:
            with found.scope:
                found.result = await found.body(self)
                return found.result
        except BaseException as error:  # noqa: BLE001 - told to whoever waits for the run
            found.raised = _first(error)
        finally:
            found.over.set()
        raise asyncio.CancelledError


def _first(error: BaseException) -> BaseException:
    """What ended steps that ran side by side: the one that says how the run stands, else the first."""
    if not isinstance(error, BaseExceptionGroup):
        return error
    suspended = error.subgroup(Suspended)
    return _first((suspended or error).exceptions[0])


@asynccontextmanager
async def opened(database: str) -> AsyncIterator[Engine]:
    """An engine on a database: `sqlite:///FILE` or `postgresql://…`. Raises EngineError."""
    queue = f"mm-{uuid4().hex}"
    engine = Engine(queue)
    DBOS(
        config={
            "name": APPLICATION,
            "system_database_url": database,
            "executor_id": queue,
            "application_version": SHAPE,
            "serializer": Json(),
            "log_level": "CRITICAL",
        }
    )
    try:
        engine.register()
        DBOS.listen_queues([queue])
        _launch(database)
        yield engine
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(partial(_close, queue))
        # The engine's threads have become those of the event loop, and are gone now.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())


def _launch(database: str) -> None:
    """In the thread of the event loop, so that workflows run in it."""
    try:
        DBOS.launch()
    except Exception as error:
        raise EngineError(f"{without_password(database)} cannot be used: {reason_of(error)}") from error


def _close(queue: str) -> None:
    with suppress(Exception):  # a database that is gone must not hold up the end
        DBOS.delete_queue(queue)
    DBOS.destroy()


def without_password(database: str) -> str:
    """An address as it may be shown."""
    return re.sub(r"://[^@/]*@", "://…@", database)


def reason_of(error: BaseException) -> str:
    """The first line of what an error says."""
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
