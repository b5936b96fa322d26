"""Which runs are driven at this moment: each by the one process that holds its file. Knows no run."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from orchestrator.state import make_folder


@contextmanager
def held(folder: Path, run: str) -> Iterator[bool]:
    """Whether the run is this process's until the context ends: false where another one holds it.

    The system lets go of it when the process ends, however it ends. Raises OSError.
    """
    file = folder / f"{run}.lock"
    make_folder(file)
    handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
    finally:
        os.close(handle)


def forget(folder: Path, run: str) -> None:
    """Take the file of a run away that nobody can drive any more. Raises OSError."""
    with held(folder, run) as mine:
        if mine:
            (folder / f"{run}.lock").unlink(missing_ok=True)


def is_held(folder: Path, run: str) -> bool:
    """Whether some process drives the run now."""
    if not (folder / f"{run}.lock").exists():
        return False
    with held(folder, run) as free:
        return not free
