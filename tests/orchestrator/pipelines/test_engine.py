"""Runs on the engine: what is kept, what is not, and what the engine leaves alone."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from orchestrator.pipelines import engine as engines_module
from orchestrator.pipelines.archive import Fate, archive
from orchestrator.pipelines.durable import Durable, Suspended
from orchestrator.pipelines.engine import opened
from orchestrator.pipelines.engines import Engines
from orchestrator.pipelines.places import EngineError


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/runs?x%20y.sqlite"


class Steps:
    """Counts how often each step ran."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def one(self, name: str, raises: BaseException | None = None) -> Callable[[], Awaitable[str]]:
        async def work() -> str:
            self.ran.append(name)
            if raises:
                raise raises
            return name.upper()

        return work


async def begin(address: str, body: Callable[[Durable], Awaitable[Any]], run: str = "r1") -> Any:
    async with opened(address) as engine:
        return await engine.start(run, {"task": "t"}, body)


async def again(address: str, body: Callable[[Durable], Awaitable[Any]], run: str = "r1") -> Any:
    async with opened(address) as engine:
        return await engine.resume(run, body)


@pytest.mark.parametrize("why", [Suspended("a stop"), OSError("no space"), EngineError("gone")], ids=repr)
async def test_a_step_that_has_no_value_runs_again_and_no_other(address: str, why: BaseException) -> None:
    steps = Steps()

    async def first(engine: Durable) -> Any:
        await engine.step("a", steps.one("a"))
        return await engine.steps([("b", steps.one("b")), ("c", steps.one("c", why))], 1)

    async def second(engine: Durable) -> Any:
        await engine.step("a", steps.one("a"))
        return await engine.steps([("b", steps.one("b")), ("c", steps.one("c"))], 1)

    with pytest.raises(type(why)) as raised:
        await begin(address, first)
    assert raised.value is why
    with archive(address) as found:
        assert found
        assert [step.name for step in found.steps("r1")] == ["a", "b"]
    assert await again(address, second) == ["B", "C"]
    assert steps.ran == ["a", "b", "c", "c"]


async def test_the_end_of_a_run_is_kept_before_it_is_told(address: str) -> None:
    async def body(engine: Durable) -> Any:
        return {"result": "accepted"}

    for number in range(5):
        async with opened(address) as engine:
            await engine.start(f"r{number}", {}, body)
            with archive(address) as found:
                assert found
                kept = found.run(f"r{number}")
            assert kept
            assert (kept.fate, kept.result) == (Fate.OVER, {"result": "accepted"})


async def suspended(engine: Durable) -> Any:
    raise Suspended("for now")


async def test_a_run_of_other_steps_is_refused_at_once(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Suspended):
        await begin(address, suspended)
    monkeypatch.setattr(engines_module, "SHAPE", "2")
    with pytest.raises(EngineError, match="another version of mm began the run r1"):
        await again(address, suspended)
    monkeypatch.undo()
    with pytest.raises(Suspended):  # it is still where it was
        await again(address, suspended)


async def test_a_run_that_nobody_takes_up_is_not_waited_for(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Suspended):
        await begin(address, suspended)
    monkeypatch.setattr(engines_module, "LONGEST", 0.01)
    monkeypatch.setattr(engines_module, "POLL", 30.0)
    with pytest.raises(EngineError, match="did not take the run r1 up within 0 seconds"):
        await again(address, suspended)
    monkeypatch.undo()
    with pytest.raises(Suspended):  # nor is it lost where it was left
        await again(address, suspended)


async def test_a_run_that_is_over_is_not_resumed(address: str) -> None:
    async def body(engine: Durable) -> Any:
        return 1

    assert await begin(address, body) == 1
    with pytest.raises(EngineError, match="the run r1 is over"):
        await again(address, body)


async def test_a_run_that_is_cancelled_meanwhile_ends_at_its_next_step(address: str) -> None:
    steps = Steps()

    async def body(engine: Durable) -> Any:
        await engine.step("a", steps.one("a"))
        with archive(address) as found:
            assert found
            found.cancel("r1")
        await engine.step("b", steps.one("b"))

    with pytest.raises(EngineError, match="the run r1 was cancelled"):
        await begin(address, body)
    assert steps.ran == ["a"]


async def test_what_other_programs_keep_is_not_looked_at(address: str, tmp_path: Path) -> None:
    for run in ("ours", "theirs"):
        with pytest.raises(Suspended):
            await begin(address, suspended, run)
    with sqlite3.connect(tmp_path / "runs?x%20y.sqlite") as other:
        other.execute("UPDATE workflow_status SET application_name = 'x' WHERE workflow_uuid = 'theirs'")
    other.close()
    with archive(address) as found:
        assert found
        assert [kept.run for kept in found.runs()] == ["ours"]
        assert found.run("theirs") is None
        assert found.run("ours")


async def test_runs_side_by_side_share_one_engine(address: str) -> None:
    both = anyio.Event()
    seen = []

    async def body(engine: Durable) -> Any:
        seen.append(engine)
        if len(seen) == 2:
            both.set()
        await both.wait()
        return len(seen)

    engines = Engines(address)

    async def one(run: str) -> None:
        async with engines.one() as engine:
            assert await engine.start(run, {}, body) == 2

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(one, "r1")
        tasks.start_soon(one, "r2")
    assert seen[0] is seen[1]


async def test_the_engine_leaves_threads_loop_and_streams_as_they_were(
    address: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    async def body(engine: Durable) -> Any:
        return await anyio.to_thread.run_sync(lambda: 1)

    await anyio.to_thread.run_sync(lambda: None)
    before = set(threading.enumerate())
    with caplog.at_level(logging.DEBUG):
        assert await begin(address, body) == 1
        with pytest.raises(Suspended):
            await begin(address, suspended, "r2")
    for thread in set(threading.enumerate()) - before:
        if not thread.name.startswith("AnyIO"):
            await anyio.to_thread.run_sync(thread.join, 20.0)  # the last of them is on its way out
            assert not thread.is_alive(), thread
    assert await anyio.to_thread.run_sync(lambda: 2) == 2
    assert await anyio.to_thread.run_sync(threading.get_ident) != threading.get_ident()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda file: file.write_text("no database" * 1000), "file is not a database"),
        (lambda file: file.mkdir(), "unable to open database file"),
    ],
)
async def test_a_file_that_is_no_database_is_said_at_once(
    address: str, tmp_path: Path, make: Callable[[Path], Any], why: str
) -> None:
    make(tmp_path / "runs?x%20y.sqlite")
    with pytest.raises(EngineError, match=why) as raised:
        await begin(address, suspended)
    assert str(tmp_path) in str(raised.value)
    with pytest.raises(EngineError, match=why), archive(address):
        pass


async def test_a_file_that_another_process_keeps_locked_is_waited_for_and_then_said(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orchestrator.pipelines.database.LONGEST_LOCK", 0.05)
    other = sqlite3.connect(tmp_path / "runs?x%20y.sqlite", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(EngineError, match="another program keeps it locked"):
        await begin(address, suspended)
    other.close()
    with pytest.raises(Suspended):
        await begin(address, suspended)


async def test_a_file_that_becomes_locked_in_mid_run_ends_it_resumable(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orchestrator.pipelines.database.LONGEST_LOCK", 0.05)
    steps = Steps()
    others: list[sqlite3.Connection] = []

    async def body(engine: Durable) -> Any:
        await engine.step("a", steps.one("a"))
        if not others:
            others.append(sqlite3.connect(tmp_path / "runs?x%20y.sqlite", isolation_level=None))
            others[0].execute("BEGIN EXCLUSIVE")
        return await engine.step("b", steps.one("b"))

    with pytest.raises(EngineError, match="another program keeps it locked"):
        await begin(address, body)
    others[0].close()
    assert await again(address, body) == "B"
    assert steps.ran[0] == "a"
    assert set(steps.ran[1:]) == {"b"}
