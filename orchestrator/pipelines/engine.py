"""Durable execution, by DBOS: what was finished is kept, and a run goes on where it was. The only module that
knows DBOS, imported only where a pipeline is run or looked at.

A run is a workflow whose id is the run's. It is driven by one process; another process takes it over only by
`resume`, never by itself: each listens to a queue of its own alone. Knows no agent, consent or git.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import uuid4

import anyio
from dbos import DBOS, Serializer, SetWorkflowID, _serialization
from dbos import error as dbos_error
from sqlalchemy.exc import SQLAlchemyError

from orchestrator.pipelines.database import PATIENCE, Database, reached
from orchestrator.pipelines.durable import Durable, Suspended, Work
from orchestrator.pipelines.places import EngineError

APPLICATION = "mm-pipelines"
WORKFLOW = "pipeline"
SCHEMA = "mm"
"""Where the tables lie on a server."""
SHAPE = "1"
"""The order of a run's steps, as the engine counts them; a run of another shape cannot go on here."""
POLL = 0.1
"""Seconds between two looks at the queue on which runs are taken over."""
LONGEST = 30.0
"""Seconds for which the engine may take a run up, or write its end down."""

T = TypeVar("T")

Body = Callable[[Durable], Awaitable[Any]]
"""What a run does; called again from the beginning when it is resumed. Gives a JSON value."""


class Json(Serializer):
    """What is kept is JSON: a database that others can write must not hold programs."""

    def serialize(self, data: Any) -> str:
        """The value as JSON text. An error stays what it is, and its step has no value: it runs again."""
        if isinstance(data, BaseException):
            raise data
        return json.dumps(data, ensure_ascii=True)

    def deserialize(self, serialized_data: str) -> Any:
        """The value again."""
        return json.loads(serialized_data)

    def name(self) -> str:
        """What rows are marked with."""
        return "mm-json"


def _refuse_program(_: Serializer, __: str) -> Any:
    raise ValueError("the row holds a program, and not JSON; it is not read")


# DBOS reads each row as the row itself says, whatever serializer it is given: one that says "pickle" would
# run what somebody else wrote into the database. There is no setting for it.
_serialization.DefaultSerializer.deserialize = _refuse_program  # type: ignore[method-assign,assignment]


@dataclass(eq=False)
class _Run:
    """A run in this process: what it does, the scope in which it does it, and how it ended here."""

    body: Body
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    begun: anyio.Event = field(default_factory=anyio.Event)
    over: anyio.Event = field(default_factory=anyio.Event)
    result: Any = None
    raised: BaseException | None = None


class Engine:
    """Runs that live in this process. Made by `opened`; there is one in a process at a time."""

    def __init__(self, queue: str, database: Database) -> None:
        self._queue = queue
        self._database = database
        self._runs: dict[str, _Run] = {}

    async def start(self, run: str, order: Mapping[str, Any], body: Body) -> Any:
        """Begin a run, keep its `order`, and wait for its end. Raises Suspended, or the body's error."""
        with SetWorkflowID(run):
            return await self._wait(
                run, body, DBOS.start_workflow_async(self._workflow, {**order, "run": run})
            )

    async def resume(self, run: str, body: Body) -> Any:
        """Go on with a run that no process drives; as `start`."""
        await self._check(run)
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

    async def _check(self, run: str) -> None:
        """Make sure that the run can go on here: nothing would ever take it up otherwise."""
        found = await DBOS.get_workflow_status_async(run)
        if found is None or found.status in ("SUCCESS", "ERROR", "CANCELLED"):
            raise EngineError(f"the run {run} is over: see mm pipeline show {run}")
        if found.app_version != SHAPE:
            raise EngineError(
                f"another version of mm began the run {run}, with other steps: resume it with that version"
            )

    async def _wait(self, run: str, body: Body, begin: Awaitable[Any]) -> Any:
        """The end of a run. A Stop meanwhile ends it, which is waited for: its task is not one of ours."""
        found = self._runs[run] = _Run(body)
        try:
            handle = await begin
            await _within(found.begun.wait(), f"the engine did not take the run {run} up")
            await found.over.wait()
            if found.raised is None:  # it is over when that is written down
                await _within(handle.get_result(polling_interval_sec=POLL), "the end could not be kept")
        except (SQLAlchemyError, dbos_error.DBOSException) as error:
            raise self._told(run, error) from error
        finally:
            if found.begun.is_set() and not found.over.is_set():
                found.scope.cancel()
                with anyio.CancelScope(shield=True):
                    await found.over.wait()
            del self._runs[run]
        if found.raised is not None:
            raise self._told(run, found.raised)
        return found.result

    def _told(self, run: str, error: BaseException) -> BaseException:
        """What ended a run, in words of ours."""
        match error:
            case dbos_error.DBOSBaseException() | dbos_error.DBOSAwaitedWorkflowCancelledError():
                # What is kept of it was changed by somebody else
                return EngineError(f"the run {run} was cancelled, or taken up by another mm")
            case SQLAlchemyError() | dbos_error.DBOSException():
                return self._database.error(error)
            case _:
                return error

    async def _drive(self, order: Mapping[str, Any]) -> Any:
        """The workflow. Whatever ends it but its result leaves it as it is, to be resumed."""
        found = self._runs.get(order["run"])
        if found is None or found.begun.is_set():  # nobody here waits for it
            raise asyncio.CancelledError
        found.begun.set()
        try:
            with found.scope:
                found.result = await found.body(self)
                return found.result
        except BaseException as error:  # noqa: BLE001 - told to whoever waits for the run
            found.raised = _first(error)
        finally:
            found.over.set()
        raise asyncio.CancelledError


async def _within(work: Awaitable[T], otherwise: str) -> T:
    with anyio.move_on_after(LONGEST):
        return await work
    raise EngineError(f"{otherwise} within {LONGEST:.0f} seconds; try again")


def _first(error: BaseException) -> BaseException:
    """What ended steps that ran side by side: the one that says how the run stands, else the first."""
    if not isinstance(error, BaseExceptionGroup):
        return error
    suspended = error.subgroup(Suspended)
    return _first((suspended or error).exceptions[0])


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[Engine]:
    """An engine on a database: `sqlite:///FILE` or `postgresql://…`. Raises EngineError."""
    with reached(address) as database:
        queue = f"mm-{uuid4().hex}"
        engine = Engine(queue, database)
        DBOS(
            config={
                "name": APPLICATION,
                "system_database_engine": database.pool,
                "dbos_system_schema": SCHEMA,
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
            database.patience = PATIENCE
            yield engine
        finally:
            database.patience = 0
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(_close, queue)
            # The engine's threads have become those of the event loop, and are gone now.
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())


def _launch(database: Database) -> None:
    """In the thread of the event loop, so that workflows run in it."""
    try:
        DBOS.launch()
    except (SQLAlchemyError, dbos_error.DBOSException) as error:
        raise database.error(error) from error


def _close(queue: str) -> None:
    with suppress(Exception):  # a database that is gone must not hold up the end
        DBOS.delete_queue(queue)
    DBOS.destroy()
