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

from orchestrator.tools.base import BadArguments, Workplace

LARGEST = 4 * 1024 * 1024
"""Bytes of the largest file that is changed as a text."""


class Unusable(Exception):
    """This file cannot be used. The message says which, why, and what to do."""


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
    if path.startswith("~"):
        raise BadArguments(f"{path}: ~ is not expanded; write the whole path, or ./~ if the name begins so")
    target = Path(os.path.realpath(place.folder / path))
    return Named(path, target, target.is_relative_to(os.path.realpath(place.folder)))


def open_regular(path: Path) -> BinaryIO:
    """Open a file to read, after a look: to open a device can have effects. Raises Unusable and OSError."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise Unusable(f"{path} is a folder")
    if not stat.S_ISREG(mode):
        raise Unusable(f"{path} is no regular file but a device, pipe or socket")
    return path.open("rb")


def content(path: Path) -> str | None:
    """The text of a file with its line ends, None if there is none. Raises Unusable and OSError."""
    try:
        file = open_regular(path)
    except FileNotFoundError:
        return None
    with file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise Unusable(f"{path} is larger than {LARGEST} bytes, too large to be shown and changed as a text")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Unusable(f"{path} is no UTF-8 text; only such files are changed here") from None


def replace(path: Path, text: str) -> None:
    """Write a file in one step: a reader sees the old text or the new. Mode bits stay. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".mm-{token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(descriptor)
            _take_over(path, descriptor)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _take_over(path: Path, descriptor: int) -> None:
    """Give the draft the owner and the mode of the file that it replaces, if there is one."""
    with suppress(FileNotFoundError):
        old = path.stat()
        with suppress(PermissionError):  # only root gives files away
            os.fchown(descriptor, old.st_uid, old.st_gid)
        os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
