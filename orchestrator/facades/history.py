"""What was entered at the prompt, kept across runs in the state folder. Knows no prompt and no question."""

from __future__ import annotations

import datetime
import os
import re
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TypeVar

from prompt_toolkit.history import History

from orchestrator.state import make_folder, opened

MOST = 1000
"""Entries that are kept from one run to the next."""

MOST_BYTES = 2**20
"""Bytes of the file that are kept from one run to the next."""

LONGEST = 2**14
"""Characters of an entry; a longer one was pasted, and is not worth the others' room."""

_BEGIN = (
    b"\n# "  # of an entry, as prompt_toolkit's FileHistory writes it; each line of the text follows a "+"
)
_ENTRY = re.compile(rb"^# \d{4}[^\n]*\n\+", re.MULTILINE)

T = TypeVar("T")


class KeptHistory(History):
    """The history in `file`, which only its owner reads.

    No link is followed, and a file that holds anything else is left alone. A file that cannot be used costs
    the history and nothing else; `lost` is told why, once.
    """

    def __init__(self, file: Path, lost: Callable[[str], None]) -> None:
        super().__init__()
        self._file = file
        self._lost = lost
        self._usable = True
        self._attempt(partial(_prepare, file))

    def append_string(self, string: str) -> None:
        """Keep what was entered, unless it begins with a blank or is very long."""
        if not string[:1].isspace() and len(string) <= LONGEST:
            super().append_string(string)

    def load_history_strings(self) -> Iterable[str]:
        """What the file holds, the newest first."""
        return self._attempt(partial(_load, self._file)) or ()

    def store_string(self, string: str) -> None:
        """Append an entry to the file."""
        self._attempt(partial(_store, self._file, string))

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
    make_folder(file)
    with opened(file, os.O_RDONLY | os.O_CREAT) as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(size - MOST_BYTES, 0))
        newest = stream.read(MOST_BYTES)
        if size and not _ENTRY.search(newest):
            raise OSError(f"{file} is not a history, and is left as it is")
        os.fchmod(stream.fileno(), 0o600)
    entries = newest.split(_BEGIN)[1:]
    if size > MOST_BYTES or len(entries) > MOST:
        _replace(file, b"".join(_BEGIN + entry for entry in entries[-MOST:]))


def _replace(file: Path, content: bytes) -> None:
    """Put a new file, which only its owner reads, in the place of the old one, whole or not at all."""
    handle, beside = tempfile.mkstemp(prefix=f".{file.name}-", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        Path(beside).replace(file)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def _load(file: Path) -> list[str]:
    """The texts of all entries, the newest first."""
    texts: list[list[bytes]] = []
    goes_on = False
    with opened(file, os.O_RDONLY) as stream:
        for line in stream:
            if line.startswith(b"+"):
                texts += [] if goes_on else [[]]
                texts[-1].append(line[1:])
            goes_on = line.startswith(b"+")
    return [b"".join(lines).decode(errors="replace").removesuffix("\n") for lines in reversed(texts)]


def _store(file: Path, text: str) -> None:
    lines = "".join(f"+{line}\n" for line in text.split("\n"))
    with opened(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT) as stream:
        stream.write(f"\n# {datetime.datetime.now()}\n{lines}".encode(errors="replace"))
