"""One after the other, also among several processes. Knows nothing of what is done."""

from __future__ import annotations

import fcntl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import FileIO
from pathlib import Path

from anyio import sleep

AGAIN = 0.02
"""Seconds until it is tried again; a thread that waits for a lock could not be cancelled."""


@asynccontextmanager
async def in_turn(file: Path) -> AsyncIterator[None]:
    """Wait until no other process or task is in the context of this file. Raises OSError."""
    with FileIO(str(file), "a") as lock:
        while not _taken(lock):  # noqa: ASYNC110 - other processes set no event
            await sleep(AGAIN)
        yield


def _taken(lock: FileIO) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
