"""This computer's files, as one look at one call sees them: bounded, whatever links somebody has made.

The library follows links without end. Knows no call and no rule.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from orchestrator.paths import LONGEST, usable

MOST_LINKS = 40
"""Links on one way that a system follows (Linux; others follow fewer)."""
MOST_NAMES = 10_000
"""Names that are looked up for one call: some 30 ms where nothing is slow."""


class Disk:
    """What cannot be looked at is there, and leads nowhere else.

    `tired` once more was to be looked at than is: then what it says of more paths is not sure.
    """

    def __init__(self, names: int = MOST_NAMES) -> None:
        self._left = names
        self._known: dict[str, str] = {}
        self.tired = False

    def exists(self, path: str) -> bool:
        """Whether something is at this path, a link that leads nowhere included."""
        if not self._may_look(path.count("/") + 1):
            return True
        try:
            os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            return False
        except (OSError, ValueError):
            return True
        return True

    def real(self, path: str) -> str:
        """Where an absolute path leads: links followed before `..` is taken, as the system does."""
        if path not in self._known:
            self._known[path] = self._followed(path)
        return self._known[path]

    def _followed(self, path: str) -> str:
        there, links, rest = "", 0, path.split("/")[::-1]
        while rest:
            name = rest.pop()
            if name in ("", "."):
                continue
            if name == "..":
                there = there.rpartition("/")[0]
                continue
            here = f"{there}/{name}"
            if len(here) > LONGEST or not self._may_look():
                self.tired = True
                return os.path.normpath(path)
            try:
                target = os.readlink(here)  # noqa: PTH115 - a Path takes longer than the system
            except (FileNotFoundError, NotADirectoryError):
                return os.path.normpath("/".join((here, *rest[::-1])))  # nothing further can be a link
            except (OSError, ValueError):
                there = here
                continue
            links += 1
            if links > MOST_LINKS:
                return os.path.normpath(path)
            there = "" if target.startswith("/") else there
            rest += target.split("/")[::-1]
        return there or "/"

    def _may_look(self, names: int = 1) -> bool:
        self._left -= names
        self.tired = self.tired or self._left < 0
        return not self.tired


def real(folder: str, path: str) -> str:
    """The real file behind a path, taken from the folder, links followed; one that is too long as it is."""
    return Disk().real(os.path.join(folder, path)) if usable(path) else path  # noqa: PTH118 - Path() folds


def one_file(folder: str, paths: Iterable[str]) -> bool:
    """Whether paths lead to one file at most; more than can be looked at do not."""
    disk, found = Disk(), set[str]()
    for path in dict.fromkeys(paths):
        found.add(disk.real(os.path.join(folder, path)) if usable(path) else path)  # noqa: PTH118 - as above
        if len(found) > 1 or disk.tired:
            return False
    return True
