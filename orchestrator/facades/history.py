"""What was entered at the prompt, kept across runs in the state folder. Knows no prompt and no question."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeVar

from prompt_toolkit.history import FileHistory

MOST = 1000
"""Entries that are kept from one run to the next."""

MOST_BYTES = 2**20
"""Bytes of the file that are kept from one run to the next."""

LONGEST = 2**14
"""Characters of an entry; a longer one was pasted, and is not worth the others' room."""

_BEGIN = b"\n# "  # of an entry, as FileHistory writes it; each line of the text follows a "+"

T = TypeVar("T")


class KeptHistory(FileHistory):
    """The history in `file`, which only its owner reads.

    A file that cannot be used costs the history and nothing else; `lost` is told why, once.
    """

    def __init__(self, file: Path, lost: Callable[[str], None]) -> None:
        super().__init__(file)
        self._lost = lost
        self._usable = True
        self._attempt(partial(_prepare, file))

    def append_string(self, string: str) -> None:
        """Keep what was entered, unless it begins with a blank or is very long."""
        if not string[:1].isspace() and len(string) <= LONGEST:
            super().append_string(string)

    def load_history_strings(self) -> Iterable[str]:
        """What the file holds, the newest first."""
        return self._attempt(super().load_history_strings) or ()

    def store_string(self, string: str) -> None:
        """Append an entry to the file."""
        self._attempt(partial(super().store_string, string))

    def _attempt(self, work: Callable[[], T]) -> T | None:
        if not self._usable:
            return None
        try:
            return work()
        except OSError as error:
            self._usable = False
            self._lost(str(error))
        return None


def _prepare(file: Path) -> None:
    if not file.is_absolute():
        raise OSError(f"there is no home folder for {file}")
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(file, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0) as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise OSError(f"{file} is not a regular file")
        os.fchmod(stream.fileno(), 0o600)
        _trim(stream)


def _trim(stream: BinaryIO) -> None:
    """Keep the newest entries."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(size - MOST_BYTES, 0))
    entries = stream.read().split(_BEGIN)[1:]
    if size > MOST_BYTES or len(entries) > MOST:
        stream.seek(0)
        stream.truncate()
        stream.write(b"".join(_BEGIN + entry for entry in entries[-MOST:]))
