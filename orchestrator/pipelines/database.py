"""The database of runs: how it is reached, how long one that went away is waited for, and how it is spoken of
without its password. Knows no run, and no engine; imported only where a pipeline is run or looked at.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from orchestrator.pipelines.places import SQLITE, EngineError, Unreachable

PATIENCE = 10.0
"""Seconds for which a server that went away in mid-run is waited for; a restart takes less."""
LONGEST_LOCK = 10.0
"""Seconds for which another process may keep the file of a database locked."""
SERVER = {
    "application_name": "mm",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 20_000,
}
"""So that a server that does not answer is known to be gone within seconds; an address may say otherwise."""
GONE = frozenset({"OperationalError", "InterfaceError", "ConnectionTimeout", "AdminShutdown"})
"""What drivers call it where the server, or its file, is not to be had at this moment."""


class Database:
    """A database that was reached. `patience` is for how many seconds it may be away while a run goes on."""

    def __init__(self, url: sqlalchemy.URL, clock: Callable[[], float] = time.monotonic) -> None:
        self.patience = 0.0
        self.pool = _pool(url)
        self._url = url
        self._clock = clock
        self._away: float | None = None
        event.listen(self.pool, "handle_error", self._failed)
        event.listen(self.pool, "connect", self._connected)

    @property
    def is_file(self) -> bool:
        """Whether it is a file of the user's own."""
        return self._url.drivername == "sqlite"

    def error(self, error: BaseException) -> Unreachable:
        """What to tell of an error of this database."""
        return Unreachable(f"{shown(self._url)} cannot be used: {self._reason(error)}. {self._advice()}")

    def check(self) -> None:
        """Reach it, and take for a moment what writing needs. Raises EngineError."""
        try:
            with self.pool.begin() as connection:
                connection.exec_driver_sql("BEGIN IMMEDIATE" if self.is_file else "SELECT 1")
        except (SQLAlchemyError, OSError) as error:
            raise self.error(error) from error

    def _connected(self, *_: Any) -> None:
        self._away = None

    def _failed(self, context: Any) -> None:
        """The engine would try for ever; what is raised here ends that."""
        found = context.original_exception
        if context.is_pre_ping or not (context.is_disconnect or type(found).__name__ in GONE):
            return
        now = self._clock()
        self._away = now if self._away is None else self._away
        if self.is_file or now - self._away >= self.patience:
            raise self.error(found)

    def _reason(self, error: BaseException) -> str:
        reason = reason_of(error)
        return reason.replace(str(self._url.password), "…") if self._url.password else reason

    def _advice(self) -> str:
        if self.is_file:
            return "End what uses it; or move it away, and a new one is made"
        return "Start the server and make the database, or put pipelinesDatabase right"


@contextmanager
def reached(address: str) -> Iterator[Database]:
    """A database that can be read and written: `postgresql://…` or `sqlite:///FILE`. Raises EngineError."""
    database = Database(url_of(address))
    try:
        database.check()
        yield database
    finally:
        database.pool.dispose()


def url_of(address: str) -> sqlalchemy.URL:
    """The parts of an address. Raises EngineError, which tells nothing of it: there may be a password."""
    if address.startswith(SQLITE):
        return sqlalchemy.URL.create("sqlite", database=address.removeprefix(SQLITE))
    try:
        url = sqlalchemy.make_url(address)
    except (SQLAlchemyError, ValueError):
        url = None
    if url is None or url.get_backend_name() != "postgresql" or not url.database:
        raise EngineError("pipelinesDatabase is no address of a database: write postgresql://USER@HOST/NAME")
    return url.set(drivername="postgresql+psycopg")


def shown(url: sqlalchemy.URL) -> str:
    """An address as it may be shown."""
    if url.drivername == "sqlite":
        return str(url.database)
    port = f":{url.port}" if url.port else ""
    return f"postgresql://{url.host or url.query.get('host') or ''}{port}/{url.database}"


def reason_of(error: BaseException) -> str:
    """The first line of what an error says."""
    found = error.orig if isinstance(error, DBAPIError) and error.orig else error
    if "database is locked" in str(found):  # by these words the engine knows what it tries for ever
        return "another program keeps it locked"
    return (str(found).strip().splitlines() or [type(found).__name__])[0].rstrip(".")


def _pool(url: sqlalchemy.URL) -> sqlalchemy.Engine:
    if url.drivername != "sqlite":
        given = {name: value for name, value in SERVER.items() if name not in url.query}
        return sqlalchemy.create_engine(
            url, connect_args=given, pool_pre_ping=True, pool_size=5, max_overflow=15
        )
    pool = sqlalchemy.create_engine(url, connect_args={"timeout": LONGEST_LOCK})
    event.listen(pool, "connect", _write_at_once)
    return pool


def _write_at_once(connection: Any, _: Any) -> None:
    """A transaction takes its lock when it begins, so that two of them never wait for each other."""
    connection.isolation_level = "IMMEDIATE"
    connection.execute("PRAGMA foreign_keys=ON")
