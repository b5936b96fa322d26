"""What the engine keeps of runs, looked at from outside: listed, shown, cancelled, forgotten. Drives none.

With `engine` the only module that knows DBOS.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dbos import DBOSClient, error
from sqlalchemy import inspect
from sqlalchemy.exc import SQLAlchemyError

from orchestrator.pipelines.database import Database, reached
from orchestrator.pipelines.engine import APPLICATION, SCHEMA, WORKFLOW, Json
from orchestrator.pipelines.trees import NAME

OURS: Mapping[str, Any] = {"application_name": APPLICATION, "name": WORKFLOW}
"""A server may hold what other programs keep in the same way: it is none of ours."""


class Fate(StrEnum):
    """What the engine knows of a run."""

    OPEN = "open"
    OVER = "over"
    CANCELLED = "cancelled"
    BROKEN = "broken"


_FATES = {"SUCCESS": Fate.OVER, "ERROR": Fate.BROKEN, "CANCELLED": Fate.CANCELLED}


@dataclass(frozen=True, slots=True)
class Kept:
    """One run: what it was given and what came of it; times are seconds since 1970."""

    run: str
    fate: Fate
    order: Mapping[str, Any]
    result: Mapping[str, Any]
    began: float
    touched: float


@dataclass(frozen=True, slots=True)
class Finished:
    """One step of a run that is finished: its name and its value."""

    name: str
    value: Any


class Archive:
    """All runs of one database. Made by `archive`."""

    def __init__(self, client: DBOSClient) -> None:
        self._client = client

    def runs(self) -> tuple[Kept, ...]:
        """Every run, the youngest first."""
        found = map(_kept, self._client.list_workflows(sort_desc=True, **OURS))
        return tuple(kept for kept in found if NAME.fullmatch(kept.run))

    def run(self, run: str) -> Kept | None:
        """One run by its id."""
        if not NAME.fullmatch(run):
            return None
        found = self._client.list_workflows(workflow_ids=[run], **OURS)
        return _kept(found[0]) if found else None

    def steps(self, run: str) -> tuple[Finished, ...]:
        """What a run has finished, in order."""
        steps = self._client.list_workflow_steps(run)
        return tuple(Finished(step["function_name"], step["output"]) for step in steps)

    def cancel(self, run: str) -> None:
        """End a run for good."""
        self._client.cancel_workflow(run)

    def forget(self, run: str) -> None:
        """Keep nothing of a run any more."""
        self._client.delete_workflow(run)


@contextmanager
def archive(address: str) -> Iterator[Archive | None]:
    """The runs of a database; None where there never was any. Raises EngineError."""
    with reached(address) as database:
        try:
            yield _archive(database)
        except (SQLAlchemyError, error.DBOSException) as found:
            raise database.error(found) from found


def _archive(database: Database) -> Archive | None:
    if not inspect(database.pool).get_table_names(None if database.is_file else SCHEMA):
        return None
    return Archive(
        DBOSClient(
            system_database_engine=database.pool,
            serializer=Json(),
            dbos_system_schema=SCHEMA,
            application_name=APPLICATION,
            retry_connection_errors=False,
        )
    )


def _kept(status: Any) -> Kept:
    """A row, of which others may have written any part: what is not of its type is nothing."""
    given = status.input.get("args") if isinstance(status.input, dict) else None
    order = given[0] if isinstance(given, list | tuple) and given else {}
    sound = isinstance(order, dict) and order.get("run") == status.workflow_id
    output = status.output if isinstance(status.output, dict) else {}
    return Kept(
        run=status.workflow_id,
        fate=_FATES.get(status.status, Fate.OPEN) if sound else Fate.BROKEN,
        order=order if sound else {},
        result=output,
        began=(status.created_at or 0) / 1000,
        touched=(status.updated_at or 0) / 1000,
    )
