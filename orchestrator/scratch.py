"""A private folder for what is too long to be shown whole. Knows nothing of what it keeps."""

from __future__ import annotations

import shutil
from itertools import count
from pathlib import Path
from tempfile import mkdtemp


class Scratch:
    """Files that a conversation may read as long as it lasts. The folder is made when it is first needed."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._numbers = count(1)

    def file(self, stem: str) -> Path:
        """A new path for a file, whose name begins with `stem`; raises OSError where none can be made."""
        self._folder = self._folder or Path(mkdtemp(prefix="mm-"))
        return self._folder / f"{stem}-{next(self._numbers)}.txt"

    def remove(self) -> None:
        """Take everything away; what cannot be taken away stays for the system to clean."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
