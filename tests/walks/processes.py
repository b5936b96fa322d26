"""Finding and ending the processes of one walk, by a mark in their environment. It reads /proc."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

PROC = Path("/proc")
DEADLINE = 20.0
REST = 0.01


def until(done: Callable[[], bool], deadline: float = DEADLINE) -> bool:
    """Wait until `done`; false when the deadline (seconds) came first."""
    end = time.monotonic() + deadline
    while not done():
        if time.monotonic() > end:
            return done()
        time.sleep(REST)
    return True


def marked(mark: str) -> dict[int, str]:
    """The live processes whose environment holds `mark`, with their command lines."""
    found = {}
    for process in PROC.glob("[0-9]*"):
        try:
            if mark.encode() in (process / "environ").read_bytes():
                found[int(process.name)] = _command(process)
        except OSError:
            continue  # it ended, or it belongs to somebody else
    return found


def _command(process: Path) -> str:
    return (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()


def kill(pids: dict[int, str]) -> None:
    """End what is left over, so that one failed walk does not disturb the next."""
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
