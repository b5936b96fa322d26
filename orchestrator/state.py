"""Files of mm's own in the state folder: no link is followed, and only their owner reads them.

Knows nothing of what they hold.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

import platformdirs


def state_file(name: str) -> Path:
    """Where the file of this name lies, or would lie."""
    return platformdirs.user_state_path("mm") / name


def make_folder(file: Path) -> None:
    """Make the folder of a state file, for its owner alone; raises OSError where there is no home for it."""
    if not file.is_absolute():
        raise OSError(f"there is no home folder for {file}")
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)


def opened(file: Path, flags: int) -> BinaryIO:
    """The regular file itself; a link is refused, and a pipe does not keep one waiting. Raises OSError."""
    handle = os.open(file, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(f"{file} is not a regular file")
        return os.fdopen(handle, "ab" if flags & os.O_APPEND else "rb")
    except BaseException:
        os.close(handle)
        raise
