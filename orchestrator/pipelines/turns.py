"""One after the other, also among several processes. Knows nothing of what is done."""

from __future__ import annotations

import fcntl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from io import FileIO
from pathlib import Path

from anyio import move_on_after, sleep

AGAIN = 0.02
"""Seconds until it is tried again; a thread that waits for a lock could not be cancelled."""


LONGEST = 30.0
"""Seconds that programs of a dead mm are waited for: one of them may have left a daemon behind."""


@asynccontextmanager
async def in_turn(file: Path) -> AsyncIterator[None]:
    """Wait until no other process or task is in the context of this file. Raises OSError."""
    with FileIO(str(file), "a") as lock:
        while not _taken(lock):  # noqa: ASYNC110 - other processes set no event
            await sleep(AGAIN)
        yield


@contextmanager
def presence(file: Path) -> Iterator[FileIO]:
    """Be present at this file; who inherits the descriptor is so until its end. Raises OSError."""
    with FileIO(str(file), "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        yield lock


async def alone(file: Path) -> None:
    """Wait until nobody is present at this file. Raises OSError."""
    with move_on_after(LONGEST):
        async with in_turn(file):
            pass


def _taken(lock: FileIO) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
