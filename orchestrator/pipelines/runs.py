"""Runs of a conversation's pipelines: begun, taken up again, and how each ended, as a turn.

Knows the engine only by name: it is imported when a run begins.
"""

from __future__ import annotations

import hashlib
import secrets
import socket
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
from pydantic import TypeAdapter

from mmconfigs.language import Text, Words, saying
from mmconfigs.model import Pipeline
from orchestrator.agent import Reason, Stop
from orchestrator.events import Said
from orchestrator.pipelines import sentences as say
from orchestrator.pipelines.course import Result
from orchestrator.pipelines.durable import Suspended
from orchestrator.pipelines.engines import Engines
from orchestrator.pipelines.git import GitFailed
from orchestrator.pipelines.held import held, swear, sworn
from orchestrator.pipelines.notes import Notes
from orchestrator.pipelines.places import EngineError, Unreachable
from orchestrator.pipelines.repository import Base, NoTree, base_of
from orchestrator.pipelines.run import Order, Pause, Run
from orchestrator.pipelines.table import Table
from orchestrator.pipelines.trees import open_tree, remove
from orchestrator.session import Session

if TYPE_CHECKING:
    from orchestrator.pipelines.engine import Engine

_BASE = TypeAdapter(Base)


@dataclass(frozen=True, slots=True)
class Places:
    """Where runs live: the worktrees below `trees`, and what says which run is driven below `held`."""

    trees: Path
    held: Path


class Runs:
    """The runs of one conversation."""

    def __init__(self, session: Session, engines: Engines, places: Places, words: Words) -> None:
        """`words` are those of the person, for whom reports and questions are."""
        self._session = session
        self._engines = engines
        self._places = places
        self._words = words

    async def begin(self, name: str, task: str) -> Stop:
        """Begin a run of a pipeline of this conversation, and wait for its end."""
        pipeline = self._session.pipelines[name]
        folder = self._session.place.folder
        try:
            base = await base_of(folder) if pipeline.worktree else None
        except NoTree as error:
            return Stop(Reason.FAILED, detail=str(error))
        order = Order(
            f"{name}-{secrets.token_hex(3)}", name, pipeline, task, folder, self._places.trees, base
        )

        async def begun(engine: Engine, run: Run) -> Any:
            await Notes(self._session.sink).begins(base)
            swear(self._places.held, order.run, kept_of(order))
            return await engine.start(order.run, kept_of(order), run.body)

        return await self._driven(order, begun)

    async def resume(self, kept: Mapping[str, Any]) -> Stop:
        """Go on with a run, of which `kept` is what the engine keeps."""
        run, name = kept["run"], kept["name"]
        pipeline = self._session.pipelines.get(name)
        if pipeline is None or digest_of(pipeline) != kept["digest"]:
            return Stop(Reason.FAILED, detail=saying(say.CHANGED, run=run, name=name))
        if not sworn(self._places.held, run, kept):
            return Stop(Reason.FAILED, detail=saying(say.NOT_AS_ASKED, run=run))
        base = _BASE.validate_python(kept["base"]) if kept["base"] else None
        if base is None and Path(kept["folder"]) != self._session.place.folder:
            return Stop(Reason.FAILED, detail=saying(say.ANOTHER_FOLDER, run=run, folder=kept["folder"]))
        order = Order(run, name, pipeline, kept["task"], Path(kept["folder"]), self._places.trees, base)
        return await self._driven(order, lambda engine, it: engine.resume(run, it.body))

    async def _driven(self, order: Order, drive: Callable[[Engine, Run], Awaitable[Any]]) -> Stop:
        with held(self._places.held, order.run) as mine:
            if not mine:
                return Stop(Reason.FAILED, detail=saying(say.DRIVEN, run=order.run))
            return await self._session.turn(self._drive(order, drive))

    async def _drive(self, order: Order, drive: Callable[[Engine, Run], Awaitable[Any]]) -> Stop:
        run = Run(order, self._session, Table(order.run, self._session.sink), self._words)
        try:
            async with self._engines.one() as engine:
                try:
                    kept = await drive(engine, run)
                except (Unreachable, NoTree, GitFailed, OSError) as error:
                    return _paused(order, Pause(str(error)))
        except Suspended as suspended:
            return _paused(order, suspended.why)
        except anyio.get_cancelled_exc_class():
            if run.begun:
                with anyio.CancelScope(shield=True):
                    await Notes(self._session.sink).stopped(order.run)
            raise
        except (EngineError, OSError) as error:
            return Stop(Reason.FAILED, detail=str(error))
        await self._session.sink.emit(Said((), kept["report"]))
        accepted = kept["result"] == Result.ACCEPTED
        return Stop(Reason.END_TURN if accepted else Reason.FAILED, kept["report"], kept["why"])


def kept_of(order: Order) -> dict[str, Any]:
    """What the engine keeps of an order, as JSON."""
    return {
        "run": order.run,
        "name": order.name,
        "task": order.task,
        "folder": str(order.folder),
        "host": socket.gethostname(),
        "trees": str(order.home),
        "digest": digest_of(order.pipeline),
        "base": _BASE.dump_python(order.base, mode="json") if order.base else None,
    }


async def leave(kept: Mapping[str, Any], trees: Path) -> str:
    """Take away the worktree of a run that is over; why it stays, where it holds what is nowhere else."""
    if not kept.get("base") or not (trees / kept["run"]).exists():
        return ""
    base = _BASE.validate_python(kept["base"])
    found = await remove(await open_tree(base, kept["run"], trees))
    return found.reason if found else ""


def digest_of(pipeline: Pipeline) -> str:
    """What stands for a pipeline as it is written now."""
    return hashlib.sha256(pipeline.model_dump_json().encode()).hexdigest()


def _paused(order: Order, pause: Pause) -> Stop:
    why: Text = saying(say.PAUSED, why=pause.why, run=order.run)
    reason = Reason.CANCELLED if pause.stopped else Reason.FAILED
    return Stop(reason, detail=why, unasked=pause.unasked)
