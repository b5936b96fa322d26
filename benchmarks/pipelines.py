"""Prints what a run of a pipeline costs beside asking its agents by hand: `python benchmarks/pipelines.py`.

Every figure is the median of this one run, what is compared by turns; read the ratios, not the times. The
agents say one word, so that what is left is the work of mm. Needs git.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.client import OF_A_PERSON
from benchmarks.processes import machine

MM = (sys.executable, "-m", "orchestrator", "-c", "riker.yaml")
ROOT = Path(__file__).parents[1]
STEPS = 5
FULL, QUICK = 3, 1
GIT = ("git", "-c", "user.name=mm", "-c", "user.email=mm@localhost")
HEAD = f"{'':<52}{'s':>8}{'÷ by hand':>12}"


def main(rounds: int) -> None:
    """Measure and print."""
    print(machine(), flush=True)
    print(HEAD)
    with TemporaryDirectory() as folder:
        for what, seconds, ratio in rows(rounds, _Place(Path(folder))):
            print(f"{what:<52}{seconds:>8.3f}{ratio:>12.2f}", flush=True)


def rows(rounds: int, place: _Place) -> Iterator[tuple[str, float, float]]:
    """What was done, its seconds, and how many times that is of asking one agent by hand."""
    measured = [place.measure() for _ in range(rounds)]
    later = measured[1:] or measured  # the first fills caches
    found = {name: median(each[name] for each in later) for name in measured[0]}
    hand = found["hand"]
    yield "one agent asked by hand, mm --ask", hand, 1
    for kind, what in (("plain", "without a worktree"), ("trees", "with a worktree")):
        one, several = found[f"{kind}1"], found[f"{kind}{STEPS}"]
        further = (several - one) / (STEPS - 1)
        yield f"a run of one step {what}", one, one / hand
        yield f"each further step {what}", further, further / hand
    yield "a run resumed, until its question", found["resumed"], found["resumed"] / hand


class _Place:
    """A repository with agents and pipelines, and a home of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "work"
        self._folder.mkdir()
        kept = {name: value for name, value in os.environ.items() if name not in OF_A_PERSON}
        xdg = {f"XDG_{kind}_HOME": str(folder / kind) for kind in ("CONFIG", "STATE", "DATA", "CACHE")}
        self._environ = {**kept, **xdg, "HOME": str(folder), "PYTHONPATH": str(ROOT)}
        (self._folder / "script.yaml").write_text("- {say: done}\n", encoding="utf-8")
        (self._folder / "riker.yaml").write_text(json.dumps(_file()), encoding="utf-8")
        for words in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--message", "first")):
            subprocess.run((*GIT, *words), cwd=self._folder, check=True)
        self._paused = self._pause()

    def measure(self) -> Mapping[str, float]:
        """Everything once, in seconds."""
        runs = {
            f"{kind}{steps}": _run(f"{kind}{steps}") for kind in ("plain", "trees") for steps in (1, STEPS)
        }
        done = {"hand": ("--ask", "a0", "go"), **runs}
        found = {name: _timed(partial(self._mm, *words)) for name, words in done.items()}
        return {**found, "resumed": _timed(partial(self._mm, "pipeline", "resume", self._paused, code=3))}

    def _pause(self) -> str:
        """A run that waits before its last step for somebody who can be asked."""
        self._mm(*_run("paused"), code=3)
        found: str = json.loads(self._mm("pipeline", "list", "--json"))["run"]
        return found

    def _mm(self, *words: str, code: int = 0) -> str:
        ran = subprocess.run(
            (*MM, *words), cwd=self._folder, env=self._environ, capture_output=True, text=True, check=False
        )
        if ran.returncode != code:
            raise SystemExit(f"mm {' '.join(words)} failed: {ran.stderr}")
        return ran.stdout


def _run(name: str) -> tuple[str, ...]:
    return ("--pipeline", name, "go")


def _timed(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def _file() -> dict[str, object]:
    """The launched file: agents that say one word, and pipelines that ask one after the other."""
    agent = {"config": {"model": "script:./script.yaml"}}
    pipelines = {
        f"{kind}{steps}": {"worktree": kind == "trees", "steps": _steps(steps), "finish": {"merge": "branch"}}
        for kind in ("plain", "trees")
        for steps in (1, STEPS)
    }
    approved = [*_steps(1), {**_step(1), "handover": "approve"}]
    pipelines["paused"] = {"worktree": False, "steps": approved, "finish": {"merge": "branch"}}
    agents = {f"a{number}": agent for number in range(STEPS)}
    return {"model": "demo", "yolo": True, "mmConfigs": agents, "pipelines": pipelines}


def _steps(number: int) -> list[dict[str, object]]:
    return [_step(at) for at in range(number)]


def _step(at: int) -> dict[str, object]:
    return {"ask": f"a{at}", "prompt": "{task}", "handover": "auto"}


if __name__ == "__main__":
    main(QUICK if "--quick" in sys.argv[1:] else FULL)
