"""The files that tools name: where they really are, what they hold, and their replacement in one step.

Knows no tool. Everything here may block: `look` calls what is quick, `run` calls the rest in a thread.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from orchestrator.paths import LONGEST, LONGEST_NAME, Unusable, exact_folder, open_exact, open_regular, usable
from orchestrator.tools.base import BadArguments, Workplace

LARGEST = 4 * 1024 * 1024
"""Bytes of the largest file that is changed as a text."""


@dataclass(frozen=True, slots=True)
class Named:
    """A file as it was named, and the real file behind links, which may not exist yet."""

    path: str
    target: Path
    fenced: bool


def locate(path: str, place: Workplace) -> Named:
    """Follow all links. Relative paths start in the conversation's folder. Raises BadArguments."""
    if not path:
        raise BadArguments("path is empty")
    if not usable(path):
        raise BadArguments(f"no path is longer than {LONGEST} bytes, and no name in it than {LONGEST_NAME}")
    if path.startswith("~"):
        raise BadArguments(f"{path}: ~ is not expanded; write the whole path, or ./~ if the name begins so")
    target = Path(os.path.realpath(place.folder / path))
    return Named(path, target, target.is_relative_to(os.path.realpath(place.folder)))


def content(path: Path) -> str | None:
    """The text of a file with its line ends, None if there is none. Raises Unusable and OSError."""
    try:
        with open_exact(path) as file:
            return _text(file, path)
    except FileNotFoundError:
        return None


def replace(path: Path, before: str | None, after: str) -> bool:
    """Write a file in one step, so that a reader sees the old text or the new; false if it is not `before`.

    Owner and mode stay. What is changed lies at exactly this path, also when others turn links meanwhile.
    Raises Unusable and OSError.
    """
    now, old = None, None
    with exact_folder(path.parent, make=before is None) as folder:
        with suppress(FileNotFoundError), open_regular(path, folder) as file:
            now, old = _text(file, path), os.fstat(file.fileno())
        if now != before:
            return False
        _put(path.name, after.encode(), old, folder)
    return True


def _text(file: BinaryIO, path: Path) -> str:
    data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise Unusable(f"{path} is larger than {LARGEST} bytes, too large to be shown and changed as a text")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Unusable(f"{path} is no UTF-8 text; only such files are changed here") from None


def _put(name: str, data: bytes, old: os.stat_result | None, folder: int) -> None:
    """Put a new file in the place of the `old` one, by way of a draft beside it that never stays behind."""
    draft = f".mm-{token_hex(8)}"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
            if old:
                _take_over(old, descriptor)
        os.replace(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        with suppress(FileNotFoundError):  # as it should be
            os.unlink(draft, dir_fd=folder)


def _take_over(old: os.stat_result, descriptor: int) -> None:
    """Give the draft the owner and the mode of the file that it replaces."""
    with suppress(PermissionError):  # only root gives files away
        os.fchown(descriptor, old.st_uid, old.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
