"""What the engine keeps of runs, looked at from outside: listed, shown, cancelled, forgotten. Drives none.

With `engine` the only module that knows DBOS.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from dbos import DBOSClient

from orchestrator.pipelines.engine import APPLICATION, Json, reason_of, without_password
from orchestrator.pipelines.places import EngineError

SQLITE = "sqlite:///"
LONGEST_WAIT = 10.0


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
        return tuple(map(_kept, self._client.list_workflows(sort_desc=True)))

    def run(self, run: str) -> Kept | None:
        """One run by its id."""
        return next((_kept(found) for found in self._client.list_workflows(workflow_ids=[run])), None)

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
def archive(database: str) -> Iterator[Archive | None]:
    """The runs of a database; None where there never was any. Raises EngineError."""
    if database.startswith(SQLITE) and not Path(database.removeprefix(SQLITE)).exists():
        yield None
        return
    try:
        client = DBOSClient(
            system_database_url=database,
            serializer=Json(),
            application_name=APPLICATION,
            retry_connection_errors=False,
        )
    except Exception as error:
        raise EngineError(f"{without_password(database)} cannot be used: {reason_of(error)}") from error
    try:
        yield Archive(client)
    finally:
        client.destroy()


def _kept(status: Any) -> Kept:
    arguments: tuple[Any, ...] = (status.input or {}).get("args") or ({},)
    output = status.output if isinstance(status.output, dict) else {}
    return Kept(
        run=status.workflow_id,
        fate=_FATES.get(status.status, Fate.OPEN),
        order=arguments[0],
        result=output,
        began=(status.created_at or 0) / 1000,
        touched=(status.updated_at or 0) / 1000,
    )
