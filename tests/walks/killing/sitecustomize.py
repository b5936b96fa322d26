"""Ends the launched mm by signal 9 at a named point of a run, and writes down every point that it passes.

Python imports this by its name where the folder is on PYTHONPATH. `WALK_POINTS` is the file of the points,
`WALK_KILL_AT` the one at which it ends. The agents that are asked inherit both, and run no pipelines.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
from pathlib import Path
from typing import Any


def point(name: str) -> None:
    """The run is here."""
    with Path(os.environ["WALK_POINTS"]).open("a", encoding="utf-8") as file:
        file.write(f"{name}\n")
    if name == os.environ.get("WALK_KILL_AT"):
        os.kill(os.getpid(), signal.SIGKILL)


def watched(name: str, work: Any) -> Any:
    """A step, or the whole run, with points at its begin and at its end."""

    async def whole(*arguments: Any) -> Any:
        point(f"{name} begins")
        value = await work(*arguments)
        point(f"{name} ends")
        return value

    return whole


def watch(engine: Any) -> None:
    """Give every step that the engine keeps three points: it begins, it ends, it is kept."""
    start, resume, step, steps = engine.start, engine.resume, engine.step, engine.steps

    async def stepped(self: Any, name: str, work: Any) -> Any:
        value = await step(self, name, watched(name, work))
        point(f"{name} kept")
        return value

    async def stepped_together(self: Any, works: Any, most: int) -> Any:
        values = await steps(self, [(name, watched(name, work)) for name, work in works], most)
        point(f"{works[-1][0]} kept")
        return values

    async def started(self: Any, run: str, order: Any, body: Any) -> Any:
        return await start(self, run, order, watched("run", body))

    async def resumed(self: Any, run: str, body: Any) -> Any:
        return await resume(self, run, watched("run", body))

    engine.start, engine.resume, engine.step, engine.steps = started, resumed, stepped, stepped_together


if "WALK_POINTS" in os.environ and {"--pipeline", "resume"} & set(sys.orig_argv):
    library = importlib.import_module("orchestrator.pipelines.engines").library
    watch(library("orchestrator.pipelines.engine").Engine)
