"""Bytes for a terminal that may take its time: what it does not take at once (a stalled line) is kept.

Nobody waits for it but whoever wants to. Knows no text, screen or question.
"""

from __future__ import annotations

import io
import os
import time
from contextlib import suppress
from typing import Any

import anyio

REST = 0.005
"""Seconds between two tries while the terminal takes nothing."""

MOST_BEHIND = 64 * 1024
"""Bytes that may be kept before those who speak have to wait."""


class Patient(io.RawIOBase):
    """Writes to the terminal `fd` by a way of its own, so that nobody else's reading or writing changes.

    Where the terminal cannot be opened once more, writing waits, as it does elsewhere.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._way = _open_again(fd)
        self._kept = bytearray()
        self._stalled = anyio.Event()

    def fileno(self) -> int:
        """The terminal, for those who ask what it is like."""
        return self._fd

    def isatty(self) -> bool:
        """Always."""
        return True

    def writable(self) -> bool:
        """Always."""
        return True

    @property
    def behind(self) -> int:
        """Bytes that the terminal has not taken yet."""
        return len(self._kept)

    def write(self, data: Any, /) -> int:
        """Write, or keep, all of `data` (bytes). Raises OSError where the terminal is gone."""
        self._kept += data
        self._push()
        if self._kept:
            self._stalled.set()
        return len(data)

    async def drained(self, most: int = 0) -> None:
        """Wait until at most so many bytes are kept; a terminal that is gone keeps none."""
        while self.behind > most:
            await anyio.sleep(REST)
            self._try()

    async def run(self) -> None:
        """Write what is kept as soon as it is taken, until cancelled."""
        while True:
            await self._stalled.wait()
            await self.drained()
            self._stalled = anyio.Event()

    def finish(self, seconds: float) -> None:
        """Wait for what is kept, but no longer than this: nothing else is left to do."""
        end = time.monotonic() + seconds
        while self.behind and time.monotonic() < end:
            time.sleep(REST)
            self._try()

    def close(self) -> None:
        """Close the way, not the terminal."""
        if not self.closed and self._way != self._fd:
            os.close(self._way)
        super().close()

    def _try(self) -> None:
        with suppress(OSError):
            self._push()

    def _push(self) -> None:
        try:
            while self._kept:
                del self._kept[: os.write(self._way, self._kept)]
        except BlockingIOError:
            return
        except OSError:
            self._kept.clear()
            raise


def _open_again(fd: int) -> int:
    """The same terminal, opened so that a write never waits; `fd` itself where that cannot be."""
    try:
        way = os.open(os.ttyname(fd), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return fd
    if os.fstat(way).st_rdev == os.fstat(fd).st_rdev:
        return way
    os.close(way)  # another terminal, in a container that names its own alike
    return fd
