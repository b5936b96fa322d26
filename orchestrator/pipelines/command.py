"""`mm pipeline list | show ID | resume ID | cancel ID | clean`: runs looked at from outside a conversation.

Resuming is a conversation's: here only the run is found.
"""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from json import dumps
from typing import TYPE_CHECKING, Any

import anyio

from consent.show import show, show_block
from mmconfigs.errors import hinted, nearest
from mmconfigs.language import Words, saying
from orchestrator.events import Row
from orchestrator.pipelines import sentences as say
from orchestrator.pipelines.engines import is_there, library
from orchestrator.pipelines.git import GitFailed
from orchestrator.pipelines.held import forget, held, is_held, sworn
from orchestrator.pipelines.outcome import from_json
from orchestrator.pipelines.places import DATABASE, HELD, SQLITE, trees_folder
from orchestrator.pipelines.repository import NoTree
from orchestrator.pipelines.runs import leave
from orchestrator.pipelines.sentences import RESUMABLE, State
from orchestrator.pipelines.table import row_of
from orchestrator.state import state_file
from orchestrator.words.party import one_line
from orchestrator.words.table import table

if TYPE_CHECKING:
    from orchestrator.pipelines.archive import Archive, Finished, Kept

LONGEST_TASK = 60
"""Characters of a task in a list."""


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
    if state is State.ELSEWHERE:
        there = {name: show(str(kept.order.get(name))) for name in ("host", "trees")}
        raise NoRun(words.say(say.ELSEWHERE, run=run, **there))
    if state not in RESUMABLE:
        raise NoRun(words.say(say.NOT_RESUMABLE, run=run, state=words.say(say.STATES[state])))
    return kept.order


def state_of(kept: Kept) -> State:
    """How a run stands: as the engine has it, and whether a process drives it."""
    match kept.fate:
        case "open" if not _is_of_here(kept):
            return State.ELSEWHERE
        case "open":
            return State.RUNNING if is_held(state_file(HELD), kept.run) else State.INTERRUPTED
        case "over":
            result = kept.result.get("result")
            return State(result) if result in list(State) else State.BROKEN
        case "cancelled":
            return State.CANCELLED
        case _:
            return State.BROKEN


def _is_of_here(kept: Kept) -> bool:
    """Whether its worktree is here; others see it in a database that is shared."""
    return (kept.order.get("host"), kept.order.get("trees")) == (socket.gethostname(), str(trees_folder()))


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
    heads = [(show(kept.run), words.say(say.STATES[state_of(kept)]), _when(kept.began)) for kept in runs]
    widths = [max(map(len, column)) for column in zip(*heads, strict=True)]
    for kept, cells in zip(runs, heads, strict=True):
        task = one_line(str(kept.order.get("task", "")), LONGEST_TASK)
        yield "  ".join((*map(str.ljust, cells, widths), task))
    if not runs:
        yield words.say(say.NO_RUNS)


def _show(found: Archive | None, kept: Kept, words: Words, *, json: bool) -> Iterator[str]:
    """One run: how it stands and what it did; its report where it is over, else what has been finished."""
    steps = found.steps(kept.run) if found else ()
    if json:
        yield dumps({**_as_json(kept), "steps": [{"name": step.name, "value": step.value} for step in steps]})
        return
    yield f"{show(kept.run)}: {words.say(say.STATES[state_of(kept)])}, {_when(kept.began)}"
    if base := kept.order.get("base"):
        yield words.say(say.BASED, repository=show(str(base["repository"])), commit=str(base["commit"])[:12])
    if report := kept.result.get("report"):
        yield from ("", *map(show, str(report).rstrip().split("\n")))
        return
    yield from show_block(str(kept.order.get("task", "")))
    if rows := tuple(_rows(steps)):
        yield from table(rows, words, shutil.get_terminal_size().columns)
    if state_of(kept) in RESUMABLE:
        yield f"mm pipeline resume {kept.run}"


def _rows(steps: Sequence[Finished]) -> Iterator[Row]:
    """The rows of the agents' parts among the steps, which are named `ROUND.STEP AGENT`."""
    for step in steps:
        number = step.name.partition(".")[0]
        if isinstance(step.value, dict) and "ended" in step.value and number.isdecimal():
            yield row_of(from_json(step.value), int(number))


def _cancel(found: Archive | None, kept: Kept, words: Words) -> Iterator[str]:
    state = state_of(kept)
    if found is None or state not in (*RESUMABLE, State.ELSEWHERE):
        sentence = say.STOP_IT_FIRST if state is State.RUNNING else say.NOT_CANCELLED
        raise NoRun(words.say(sentence, run=kept.run, state=words.say(say.STATES[state])))
    found.cancel(kept.run)
    yield words.say(say.CANCELLED, run=kept.run)


def _clean(found: Archive | None, words: Words) -> Iterator[str]:
    """Forget runs that are over, with their worktrees, unless those hold what is nowhere else."""
    runs = found.runs() if found else ()
    over = [kept for kept in runs if state_of(kept) not in (State.RUNNING, State.ELSEWHERE, *RESUMABLE)]
    for kept in over:
        stays = _stays(kept, words)
        if found and not stays:
            found.forget(kept.run)
            forget(state_file(HELD), kept.run)
        yield words.say(say.KEPT_TREE if stays else say.FORGOTTEN, run=kept.run, why=show(stays))
    if not over:
        yield words.say(say.NOTHING_OVER)


def _stays(kept: Kept, words: Words) -> str:
    """Take the worktree of a run away; why it stays where it does. What cannot be looked at stays."""
    if not _is_of_here(kept):
        return words.say(say.OF_ANOTHER, host=str(kept.order.get("host", "")))
    try:
        with held(state_file(HELD), kept.run) as mine:
            if not mine:
                return words.say(say.DRIVEN, run=show(kept.run))
            if kept.order.get("base") and not sworn(state_file(HELD), kept.run, kept.order):
                return words.say(say.NOT_AS_ASKED, run=show(kept.run))
            return anyio.run(leave, kept.order, trees_folder())
    except (NoTree, GitFailed, OSError) as error:
        return str(error)


def _kept(found: Archive | None, run: str, words: Words) -> Kept:
    kept = found.run(run) if found else None
    if kept is None:
        near = nearest(run, [each.run for each in found.runs()] if found else [])
        what = saying(say.UNKNOWN_RUN, run=show(run))
        raise NoRun(words.told(hinted(what, near)))
    return kept


@contextmanager
def opened(database: str) -> Iterator[Archive | None]:
    """The runs of a database; None where there never was any."""
    if not is_there(database):
        yield None
        return
    module = library("orchestrator.pipelines.archive")
    with module.archive(database) as found:
        yield found


def _as_json(kept: Kept) -> dict[str, Any]:
    base = kept.order.get("base") or {}
    return {
        "run": kept.run,
        "pipeline": kept.order.get("name", ""),
        "task": kept.order.get("task", ""),
        "state": state_of(kept).value,
        "began": _utc(kept.began),
        "changed": _utc(kept.touched),
        "host": kept.order.get("host", ""),
        "folder": kept.order.get("folder", ""),
        "repository": base.get("repository"),
        "commit": base.get("commit"),
        "branch": f"mm/{kept.run}" if base else None,
        "why": kept.result.get("why"),
        "report": kept.result.get("report"),
    }


def _utc(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")
