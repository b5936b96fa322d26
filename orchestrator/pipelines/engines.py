"""The engine of this process, open as long as some run needs it; and where its database is.

Knows the engine only by name: it is imported when the first run begins.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from orchestrator.pipelines.places import SQLITE
from orchestrator.state import make_folder

if TYPE_CHECKING:
    from orchestrator.pipelines.engine import Engine


class Engines:
    """Opens the engine for the first of the runs that are driven here, and closes it after the last."""

    def __init__(self, database: str) -> None:
        """`database` is `postgresql://…` or `sqlite:///FILE`."""
        self._database = database
        self._lock = anyio.Lock()
        self._users = 0
        self._stack = AsyncExitStack()
        self._engine: Engine | None = None

    @asynccontextmanager
    async def one(self) -> AsyncIterator[Engine]:
        """The engine. Raises EngineError, and OSError where a file cannot be made."""
        async with self._lock:
            engine = self._engine or await self._open()
            self._users += 1
        try:
            yield engine
        finally:
            with anyio.CancelScope(shield=True):
                async with self._lock:
                    self._users -= 1
                    if not self._users:
                        self._engine = None
                        await self._stack.aclose()

    async def _open(self) -> Engine:
        # In a thread, since a server may take seconds to answer.
        await anyio.to_thread.run_sync(check, self._database)
        module = library("orchestrator.pipelines.engine")
        engine: Engine = await self._stack.enter_async_context(module.opened(self._database))
        self._engine = engine
        return engine


def library(name: str) -> Any:
    """A module that knows the engine, imported now. It sees no setting that is meant for another program."""
    hidden = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("DBOS_")}
    try:
        return importlib.import_module(name)
    finally:
        os.environ.update(hidden)


def is_there(address: str) -> bool:
    """Whether there can be runs: a file is made by the first one."""
    return not address.startswith(SQLITE) or Path(address.removeprefix(SQLITE)).exists()


def check(database: str) -> None:
    """Make sure that runs can be kept, before anything starts. Raises EngineError and OSError."""
    make(database)
    with library("orchestrator.pipelines.database").reached(database):
        pass


def make(database: str) -> None:
    """Make the file of a database, for its owner alone, and its folder. Raises OSError."""
    if database.startswith(SQLITE):
        file = Path(database.removeprefix(SQLITE))
        make_folder(file)
        file.touch(mode=0o600)
