"""Paths that matter beyond a project: the root, homes, disks, and files that decide what later runs.

Pure: what a file system knows is asked of `Looks`; wildcards mean all that they fit. Letter case, invisible
signs and how accents are written are ignored, as some disks do.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from posixpath import normpath
from typing import Protocol
from unicodedata import normalize

from consent.danger.finding import Reason
from consent.danger.places import base, written
from consent.danger.wild import Pattern

_DISK = re.compile(
    r"/(?:dev/(?:[hsv]d[a-z]|xvd[a-z]|nvme\d|mmcblk\d|r?disk\d|mapper/|dm-\d|md\d|loop\d|nbd\d|block/|disk/)"
    r"|proc/sysrq-trigger$)"
)
_INVISIBLE = re.compile(r"[\u00ad\u034f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
_EVERYTHING = re.compile(r"(?=.*\*)(?:[.?*{},^!]|\[[^\]]*\])++")


class Looks(Protocol):
    """What a file system knows of an absolute path."""

    def exists(self, path: str) -> bool:
        """Whether something is there; where it cannot be known, it is."""
        ...

    def real(self, path: str) -> str:
        """The path behind links, of a path in which `..` may stand behind one."""
        ...


class Blind:
    """Looks at nothing: everything may be there, nothing is a link."""

    def exists(self, path: str) -> bool:  # noqa: ARG002
        """It cannot be known."""
        return True

    def real(self, path: str) -> str:
        """The path itself."""
        return path


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a call would run, and what must not change unasked.

    `folder` and `home` are absolute and normal; `deciding` are the absolute real paths of the files that
    decide here: the launched file, all that it names, the state folder.
    """

    folder: str
    home: str
    deciding: Collection[str] = ()
    looks: Looks = field(default_factory=Blind)


def readings(path: str, home: str, looks: Looks) -> tuple[str, ...]:
    """All that an absolute path may mean, as normal paths: as it is written, and where it leads.

    The system takes `..` after it has followed a link, many programs take it before. What lies where the home
    really is lies at home, however the home is written.
    """
    plain = normal(path)
    found = (plain, normal(looks.real(path)), normal(looks.real(plain)))
    moved = normal(looks.real(home))
    at_home = (home + each[len(moved) :] for each in found if moved != "/" and _within(each, moved))
    return tuple(dict.fromkeys((*found, *at_home)))


def critical_path(
    paths: Iterable[str], home: str, deciding: Collection[str], *, whole: bool = False
) -> Reason | None:
    """Why writing to a path is critical that may mean any of `paths`; None where it is not.

    They may hold wildcards. `whole`: everything in it goes as well, when it is a folder.
    """
    home = folded(home)
    for each in map(folded, paths):
        names = _names(each)
        reason = written(names, home) or (Reason.GIT_INNER if _inside_git(names) else None)
        if reason or _decides(each, names, deciding, whole=whole):
            return reason or Reason.DECIDES
    return None


def folded(path: str) -> str:
    """A path as disks compare it that ignore letter case, invisible signs and how accents are written."""
    if path.isascii():
        return path.lower()
    return normalize("NFC", _INVISIBLE.sub("", path).casefold())


def root_or_home(path: str, home: str) -> Reason | None:
    """Whether deleting `path` deletes the root or a home: itself, all in it, or a folder above it."""
    names = folded(path).split("/")
    while _EVERYTHING.fullmatch(names[-1]):
        names.pop()
    return base(_names("/".join(names)), folded(home))


def is_disk(path: str) -> bool:
    """Whether writing there writes past every file system, or restarts the machine."""
    return _DISK.match(folded(path)) is not None


def normal(path: str) -> str:
    """An absolute path without `.`, `..` and doubled slashes."""
    return normpath("/" + path.lstrip("/"))


def _names(path: str) -> list[Pattern]:
    return [Pattern(name) for name in path.split("/") if name]


def _inside_git(names: Sequence[Pattern]) -> bool:
    """Whether this is a folder of git as a whole, or what makes git run something."""
    at = next((at for at, name in enumerate(names) if name.fits(".git")), None)
    if at is None:
        return False
    last, inner = names[-1], names[at + 1 :]
    named = any(last.fits(name) for name in (".git", "config", "config.worktree", "commondir"))
    return named or any(name.fits("hooks") for name in inner)


def _decides(path: str, names: Sequence[Pattern], deciding: Collection[str], *, whole: bool) -> bool:
    others = map(folded, deciding)
    if any(name.wild for name in names):
        return any(_fit(names, each.strip("/").split("/"), whole=whole) for each in others)
    return any(_within(path, each) or (whole and _within(each, path)) for each in others)


def _fit(names: Sequence[Pattern], others: Sequence[str], *, whole: bool) -> bool:
    return (whole or len(names) >= len(others)) and all(
        name.fits(other) for name, other in zip(names, others, strict=False)
    )


def _within(path: str, folder: str) -> bool:
    """Whether a path is this folder (or file), or lies in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")
