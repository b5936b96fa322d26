"""`mm pipeline list | show ID | resume ID | cancel ID | clean`: runs looked at from outside a conversation.

Resuming is a conversation's: here only the run is found.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from json import dumps
from typing import TYPE_CHECKING, Any

import anyio

from consent.show import show
from mmconfigs.language import Words
from orchestrator.pipelines import sentences as say
from orchestrator.pipelines.engines import library
from orchestrator.pipelines.held import is_held
from orchestrator.pipelines.places import DATABASE, HELD, SQLITE, trees_folder
from orchestrator.pipelines.runs import leave
from orchestrator.pipelines.sentences import RESUMABLE, State
from orchestrator.state import state_file
from orchestrator.words.party import one_line

if TYPE_CHECKING:
    from orchestrator.pipelines.archive import Archive, Kept


class NoRun(Exception):
    """There is no such run, or nothing can be done with it now. Says why."""


def database_of(configured: str | None) -> str:
    """The address of the database: the file's, else a file of the user's own."""
    return configured or f"{SQLITE}{state_file(DATABASE)}"


def order_of(run: str, database: str, words: Words) -> Mapping[str, Any]:
    """What a run was asked for that can be taken up here. Raises NoRun and EngineError."""
    with opened(database) as found:
        kept = _kept(found, run, words)
    state = state_of(kept)
    if state not in RESUMABLE:
        raise NoRun(words.say(say.NOT_RESUMABLE, run=run, state=words.say(say.STATES[state])))
    if kept.order["host"] != socket.gethostname():
        raise NoRun(words.say(say.ELSEWHERE, run=run, host=show(str(kept.order["host"]))))
    return kept.order


def state_of(kept: Kept) -> State:
    """How a run stands: as the engine has it, and whether a process drives it."""
    match kept.fate:
        case "open":
            return State.RUNNING if is_held(state_file(HELD), kept.run) else State.INTERRUPTED
        case "over":
            return State(kept.result.get("result", "broken"))
        case "cancelled":
            return State.CANCELLED
        case _:
            return State.BROKEN


def pipeline_command(rest: Sequence[str], database: str, words: Words, *, json: bool) -> Iterator[str]:
    """The lines of `list`, `show`, `cancel` and `clean`. Raises NoRun and EngineError."""
    with opened(database) as found:
        match rest:
            case ["list"]:
                yield from _list(found, words, json=json)
            case ["show", run]:
                yield from _show(found, _kept(found, run, words), words, json=json)
            case ["cancel", run]:
                yield from _cancel(found, _kept(found, run, words), words)
            case _:
                yield from _clean(found, words)


def _list(found: Archive | None, words: Words, *, json: bool) -> Iterator[str]:
    runs = found.runs() if found else ()
    if json:
        yield from (dumps(_as_json(kept)) for kept in runs)
        return
    for kept in runs:
        state = words.say(say.STATES[state_of(kept)])
        yield f"{kept.run}  {state}  {_when(kept.began)}  {one_line(str(kept.order.get('task', '')), 60)}"
    if not runs:
        yield words.say(say.NO_RUNS)


def _show(found: Archive | None, kept: Kept, words: Words, *, json: bool) -> Iterator[str]:
    steps = found.steps(kept.run) if found else ()
    if json:
        yield dumps({**_as_json(kept), "steps": [{"name": step.name, "value": step.value} for step in steps]})
        return
    state = words.say(say.STATES[state_of(kept)])
    yield f"{kept.run}: {state}, {_when(kept.began)}"
    base = kept.order.get("base")
    if base:
        yield words.say(say.BASED, repository=show(str(base["repository"])), commit=str(base["commit"])[:12])
    if report := kept.result.get("report"):
        yield ""
        yield from map(show, str(report).rstrip().split("\n"))
        return
    yield from (f"  {step.name}{_ended(step.value)}" for step in steps)
    if state_of(kept) in RESUMABLE:
        yield f"mm pipeline resume {kept.run}"


def _ended(value: Any) -> str:
    return f": {value['ended']}" if isinstance(value, dict) and "ended" in value else ""


def _cancel(found: Archive | None, kept: Kept, words: Words) -> Iterator[str]:
    state = state_of(kept)
    if found is None or state not in RESUMABLE:
        raise NoRun(words.say(say.NOT_CANCELLED, run=kept.run, state=words.say(say.STATES[state])))
    found.cancel(kept.run)
    yield words.say(say.CANCELLED, run=kept.run)


def _clean(found: Archive | None, words: Words) -> Iterator[str]:
    """Forget runs that are over, with their worktrees, unless those hold what is nowhere else."""
    for kept in found.runs() if found else ():
        if found is None or state_of(kept) in (State.RUNNING, *RESUMABLE):
            continue
        stays = anyio.run(_remove, kept)
        if stays:
            yield words.say(say.KEPT_TREE, run=kept.run, why=show(stays))
            continue
        found.forget(kept.run)
        yield words.say(say.FORGOTTEN, run=kept.run)


async def _remove(kept: Kept) -> str:
    return await leave(kept.order, trees_folder())


def _kept(found: Archive | None, run: str, words: Words) -> Kept:
    kept = found.run(run) if found else None
    if kept is None:
        raise NoRun(words.say(say.UNKNOWN_RUN, run=show(run)))
    return kept


@contextmanager
def opened(database: str) -> Iterator[Archive | None]:
    """The runs of a database; None where there never was any."""
    module = library("orchestrator.pipelines.archive")
    with module.archive(database) as found:
        yield found


def _as_json(kept: Kept) -> dict[str, Any]:
    return {
        "run": kept.run,
        "state": state_of(kept).value,
        "began": datetime.fromtimestamp(kept.began, UTC).isoformat(timespec="seconds"),
        "task": kept.order.get("task", ""),
        "pipeline": kept.order.get("name", ""),
        "folder": kept.order.get("folder", ""),
        "host": kept.order.get("host", ""),
        "result": kept.result.get("result"),
        "why": kept.result.get("why"),
        "report": kept.result.get("report"),
    }


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")
