"""A run that is ended before any of its calls of git goes on from there, and loses nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from orchestrator.pipelines.git import Git, Ran
from orchestrator.pipelines.history import commit, restart
from orchestrator.pipelines.merging import merge
from orchestrator.pipelines.trees import discard, remove, throwaway
from tests.orchestrator.pipelines.parts import Run, begin, new


class Crash(BaseException):
    """The end of the program; nothing catches it."""


class Ending:
    """Ends the program at one call of git, counted from 0."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch
        self._real = Git.run

    async def at(self, number: int, work: Callable[[], Awaitable[object]]) -> bool:
        """Whether the work had so many calls, and was ended."""
        calls = iter(range(number))

        async def run(git: Git, *arguments: Any, **more: Any) -> Ran:
            if next(calls, None) is None:
                raise Crash
            return await self._real(git, *arguments, **more)

        with self._patch.context() as patch:
            patch.setattr(Git, "run", run)
            try:
                await work()
            except Crash:
                return True
        return False


@pytest.fixture
def ending(monkeypatch: pytest.MonkeyPatch) -> Ending:
    return Ending(monkeypatch)


Work = Callable[[Run], Awaitable[object]]


async def opened_with_pruned_work(run: Run) -> None:
    (run.tree.folder / ".git").unlink(missing_ok=True)
    run.person.git("worktree", "prune")
    await run.again()


async def committed(run: Run) -> None:
    await commit(run.tree, "work")


async def started_again(run: Run) -> None:
    await restart(run.tree, run.base.commit)


async def reviewed(run: Run) -> None:
    await discard(await throwaway(run.tree, run.base.commit, "jan"))


async def removed(run: Run) -> None:
    await remove(run.tree)


async def merged(run: Run) -> None:
    await merge(run.base, run.tree, run.person.git("rev-parse", "mm/r1"))


@pytest.mark.parametrize(
    "work",
    [opened_with_pruned_work, committed, started_again, reviewed, removed, merged],
    ids=lambda work: work.__name__,
)
async def test_work_survives_an_end_at_every_call_of_git(tmp_path: Path, ending: Ending, work: Work) -> None:
    number, ended = 0, True
    while ended:
        run = await begin(new(tmp_path / f"repo{number}"), tmp_path / f"state{number}")
        run.agent.git("switch", "--quiet", "--detach")
        run.agent.commit(agents="work")
        run.agent.write(half="work")
        run.person.commit(side="work")
        ended = await ending.at(number, partial(work, run))
        await work(Run(run.person, run.base, await run.again(), run.home))
        everything = run.person.git("log", "--all", "--format=%T").split()
        lies = await commit(await run.again(), "what is left")
        assert any(run.person.files(tree) == ["agents", "code", "half"] for tree in [*everything, lies])
        assert run.person.git("status", "--porcelain", "--branch") == "## main"
        assert run.agent.git("status", "--porcelain", "--branch") == "## mm/r1"
        number += 1
    assert number >= 3


async def test_it_is_opened_whatever_there_was(tmp_path: Path, ending: Ending) -> None:
    number, ended = 0, True
    while ended:
        person = new(tmp_path / f"repo{number}")
        ended = await ending.at(number, partial(begin, person, tmp_path / f"state{number}"))
        agent = (await begin(person, tmp_path / f"state{number}")).agent
        assert agent.git("status", "--porcelain", "--branch") == "## mm/r1"
        assert agent.text("code") == (agent.folder / "code").read_text().rstrip("\n")
        number += 1
    assert number > 15
