"""Which runs are driven at this moment: each by the one process that holds its file. Knows no run."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from consent.show import show
from orchestrator.pipelines.trees import NAME
from orchestrator.state import make_folder


@contextmanager
def held(folder: Path, run: str) -> Iterator[bool]:
    """Whether the run is this process's until the context ends: false where another one holds it.

    The system lets go of it when the process ends, however it ends. Raises OSError.
    """
    file = _file(folder, run)
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


def swear(folder: Path, run: str, order: Mapping[str, Any]) -> None:
    """Note what a run was asked for, so that nobody who writes into a database can ask for more."""
    file = _order(folder, run)
    make_folder(file)
    file.write_text(_digest(order), encoding="ascii")


def sworn(folder: Path, run: str, order: Mapping[str, Any]) -> bool:
    """Whether this is what the run was asked for here."""
    try:
        return _order(folder, run).read_text(encoding="ascii") == _digest(order)
    except (OSError, ValueError):
        return False


def _digest(order: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(order, sort_keys=True).encode()).hexdigest()


def _file(folder: Path, run: str) -> Path:
    return folder / f"{_plain(run)}.lock"


def _order(folder: Path, run: str) -> Path:
    return folder / f"{_plain(run)}.order"


def _plain(run: str) -> str:
    if not NAME.fullmatch(run):
        raise OSError(f"{show(run)} is no name of a run")
    return run


def forget(folder: Path, run: str) -> None:
    """Take the file of a run away that nobody can drive any more. Raises OSError."""
    with held(folder, run) as mine:
        if mine:
            _file(folder, run).unlink(missing_ok=True)
            _order(folder, run).unlink(missing_ok=True)


def is_held(folder: Path, run: str) -> bool:
    """Whether some process drives the run now."""
    if not _file(folder, run).exists():
        return False
    with held(folder, run) as free:
        return not free
