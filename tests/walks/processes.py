"""The processes of one walk: the one that it started, and all that came of it.

They are known by a mark in their environment, read from /proc: where there is none, nothing is found.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

PROC = Path("/proc")
DEADLINE = 60.0
REST = 0.01


def until(done: Callable[[], bool], deadline: float = DEADLINE) -> bool:
    """Wait until `done`; false when the deadline (seconds) came first."""
    end = time.monotonic() + deadline
    while not done():
        if time.monotonic() > end:
            return done()
        time.sleep(REST)
    return True


class Running:
    """A started process, whoever talks to it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def kills(self, number: signal.Signals = signal.SIGKILL) -> Self:
        """Send it a signal."""
        os.kill(self.pid, number)
        return self

    @property
    def has_ended(self) -> bool:
        """Whether it has ended."""
        return self._process.poll() is not None

    def ends(self, code: int | None = None) -> Self:
        """Wait until it has ended, with `code` if one is given."""
        try:
            found = self._process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            raise AssertionError(self._report("it does not end")) from None
        assert code is None or found == code, self._report(f"ended with {found}, not {code}")
        return self

    def _report(self, what: str) -> str:
        """The message of a failed walk, with what was seen so far."""
        return what


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
