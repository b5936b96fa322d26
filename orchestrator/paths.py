"""Which texts can be paths, and files opened as what they were taken for, whoever swaps them meanwhile.

Knows no tool and no protocol.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

LONGEST, LONGEST_NAME = 4096, 255
"""Bytes of the longest path and of the longest name in it that a system takes (PATH_MAX, NAME_MAX)."""

FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW | getattr(os, "O_PATH", os.O_RDONLY)
"""How a folder is opened on the way to a file. With O_PATH it need not be readable."""


class Unusable(ValueError):
    """This file cannot be used. The message says which, why, and what to do."""


def usable(path: str) -> bool:
    """Whether a path is short enough to be one. Ask before links are followed: that takes quadratic time."""
    data = path.encode(errors="surrogatepass")
    return len(data) <= LONGEST and all(len(name) <= LONGEST_NAME for name in data.split(b"/"))


def open_regular(path: Path, folder: int | None = None) -> BinaryIO:
    """Open a file to read, never a device or a pipe. Raises Unusable and OSError.

    With a descriptor of the file's `folder`, it is opened there, and not if it is a link.
    """
    name, follow = (path, 0) if folder is None else (path.name or ".", os.O_NOFOLLOW)
    _check(path, os.stat(name, dir_fd=folder))  # before it is opened, which can have effects on a device

    def opener(name: str, flags: int) -> int:  # a pipe that took the file's place would wait for a writer
        return os.open(name, flags | follow | os.O_NONBLOCK | os.O_NOCTTY, dir_fd=folder)

    file = open(name, "rb", opener=opener)  # noqa: SIM115 - whoever called closes it
    try:
        _check(path, os.fstat(file.fileno()))
    except Unusable:
        file.close()
        raise
    return file


def open_exact(path: Path) -> BinaryIO:
    """Open a regular file at exactly this path (absolute); no link is followed. Raises like open_regular."""
    with exact_folder(path.parent) as folder:
        return open_regular(path, folder)


@contextmanager
def exact_folder(path: Path, *, make: bool = False) -> Iterator[int]:
    """A descriptor of the folder at exactly this path (absolute); no link on the way is followed.

    It stays the same folder, whatever takes its place. `make` makes folders that are missing. Raises OSError.
    """
    folder = os.open(path.anchor, FOLDER)
    try:
        for name in path.parts[1:]:
            above, folder = folder, _below(folder, name, make=make)
            os.close(above)
        yield folder
    finally:
        os.close(folder)


def _below(folder: int, name: str, *, make: bool) -> int:
    try:
        return os.open(name, FOLDER, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            raise
    with suppress(FileExistsError):
        os.mkdir(name, dir_fd=folder)
    return os.open(name, FOLDER, dir_fd=folder)


def _check(path: Path, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise Unusable(f"{path} is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise Unusable(f"{path} is no regular file but a device, pipe or socket")
