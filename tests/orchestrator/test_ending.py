"""Signals: the first ends in order, a later one at once, also where something holds up the event loop."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from orchestrator.ending import ENDED_BY, ending_at_signals
from tests.walks.builder import CHECKOUT
from tests.walks.processes import DEADLINE, until

RUNS = """
import anyio, pathlib, sys
from orchestrator.ending import ending_at_signals

heard = []

def clock():
    heard.append(None)
    pathlib.Path(f"heard-{len(heard)}").touch()
    return len(heard) * float(sys.argv[1])

async def holds_up():
    pathlib.Path("began").touch()
    open("gate").read()
    await anyio.sleep_forever()

async def goes_on():
    try:
        pathlib.Path("began").touch()
        await anyio.sleep_forever()
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(open("gate").read)
        pathlib.Path("in order").touch()

sys.exit(anyio.run(ending_at_signals, globals()[sys.argv[2]], clock))
"""
NUMBERS = pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name
)


class Run:
    """A process that works in this folder until it is ended."""

    def __init__(self, process: subprocess.Popen[bytes], folder: Path) -> None:
        self.process = process
        self.folder = folder

    def made(self, name: str) -> bool:
        return until((self.folder / name).exists)

    def hears(self, number: signal.Signals, count: int) -> None:
        self.process.send_signal(number)
        assert self.made(f"heard-{count}")

    def opens_the_gate(self) -> None:
        (self.folder / "gate").write_text("")

    def ends(self) -> int:
        return self.process.wait(DEADLINE)


@contextmanager
def running(folder: Path, pace: float, work: str) -> Iterator[Run]:
    """Between two signals pass so many seconds of its clock."""
    os.mkfifo(folder / "gate")
    argv = [sys.executable, "-c", RUNS, str(pace), work]
    with subprocess.Popen(argv, cwd=folder, env={**os.environ, "PYTHONPATH": str(CHECKOUT)}) as process:
        run = Run(process, folder)
        try:
            assert run.made("began")
            yield run
        finally:
            process.kill()


@NUMBERS
@pytest.mark.parametrize("work", ["holds_up", "goes_on"])
def test_a_later_signal_ends_at_once_what_does_not_end(
    tmp_path: Path, number: signal.Signals, work: str
) -> None:
    with running(tmp_path, 1.0, work) as run:
        run.hears(number, 1)
        assert run.process.poll() is None
        run.hears(number, 2)
        assert run.ends() == -number
    assert not (tmp_path / "in order").exists()


@NUMBERS
def test_signals_that_come_together_end_in_order(tmp_path: Path, number: signal.Signals) -> None:
    """A terminal that closes sends several."""
    with running(tmp_path, 0.01, "goes_on") as run:
        for count in range(1, 6):
            run.hears(number, count)
        run.opens_the_gate()
        assert run.ends() == 128 + number
        assert run.made("in order")


def test_a_signal_counts_as_soon_as_the_event_loop_goes_on(tmp_path: Path) -> None:
    with running(tmp_path, 0.01, "holds_up") as run:
        run.hears(signal.SIGTERM, 1)
        run.opens_the_gate()
        assert run.ends() == 128 + signal.SIGTERM


async def test_afterwards_signals_do_what_they_did_before() -> None:
    before = [signal.getsignal(number) for number in ENDED_BY]

    async def work() -> int:
        assert all(signal.getsignal(number) not in before for number in ENDED_BY)
        return 7

    assert await ending_at_signals(work) == 7
    assert [signal.getsignal(number) for number in ENDED_BY] == before
