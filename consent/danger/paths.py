"""Paths that matter beyond a project: the root, homes, disks, and files that decide what later runs.

Pure: what a file system knows is asked of `Looks`. Letter case, invisible signs and how accents are written
are ignored, as some disks do.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cache
from posixpath import dirname, normpath
from typing import Protocol
from unicodedata import normalize

from consent.danger.finding import Reason

_OTHER_HOMES = r"/(?:(?:home|users)/[^/]+|root|var/root)"
_SYSTEM = re.compile(
    r"/(?:bin|boot|dev|etc|home|lib(?:32|64)?|opt|private(?:/etc)?|proc|root|sbin|sys|usr|users|var"
    r"|system|library|applications|volumes)?"
)
_DISK = re.compile(
    r"/(?:dev/(?:[hsv]d[a-z]|xvd[a-z]|nvme\d|mmcblk\d|r?disk\d|mapper/|dm-\d|md\d|loop\d|nbd\d|block/|disk/)"
    r"|proc/sysrq-trigger$)"
)
_IN_ETC = (
    (
        Reason.ACCOUNTS,
        (
            r"(?:passwd|shadow|group|gshadow|master\.passwd|sub[ug]id|spwd\.db)-?|sudoers(?:\.d)?(?:/.*)?"
            r"|doas\.conf|pam\.d(?:/.*)?|pam\.conf|security(?:/.*)?"
        ),
    ),
    (
        Reason.STARTUP,
        (
            r"profile(?:\.d)?(?:/.*)?|bash\.bashrc|bashrc|bash(?:/.*)?|z(?:sh(?:rc|env|/.*)?|profile|login)"
            r"|zlogout|csh\.\w+|ksh\.kshrc|environment|fish(?:/.*)?|rc\.local"
        ),
    ),
    (Reason.CRONTAB, r"crontab|anacrontab|cron\.[a-z]+(?:/.*)?|at\.(?:allow|deny)"),
)
_IN_HOME = (
    (Reason.SSH, r"\.ssh(?:/.*)?"),
    (
        Reason.STARTUP,
        (
            r"\.(?:bash_?(?:rc|profile|login|logout|aliases|env)|profile|z(?:shrc|shenv|profile|login|logout)"
            r"|[kct]?shrc|cshrc|tcshrc|login|logout|inputrc|pam_environment|xprofile|xsession|xinitrc|envrc)"
            r"|\.config/(?:fish|environment\.d|zsh)(?:/.*)?|\.zsh(?:/.*)?|library/launchagents(?:/.*)?"
        ),
    ),
    (Reason.GIT_INNER, r"\.gitconfig|\.config/git/(?:config|hooks.*)"),
)
_ANYWHERE = (
    (
        Reason.GIT_INNER,  # the first .git is kept, so that a long path of them takes no quadratic time
        r"(?>.*?/\.git(?![^/]))(?:/(?:.*/)?(?:\.git|hooks(?:/.*)?|config(?:\.worktree)?))?",
    ),
    (
        Reason.CRONTAB,
        r"(?:/private)?/(?:var/spool/(?:cron|anacron|at)|var/at)(?:/.*)?|/usr/lib/cron/tabs(?:/.*)?",
    ),
)
_Patterns = tuple[tuple[Reason, re.Pattern[str]], ...]
_HOME = re.compile(_OTHER_HOMES)
_INVISIBLE = re.compile(r"[\u00ad\u034f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
_EVERYTHING = re.compile(r"(?=.*\*)(?:[.?*{},^!]|\[[^\]]*\])+")


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

    `whole`: everything in it goes as well, when it is a folder.
    """
    home = folded(home)
    for each in map(folded, paths):
        if reason := _named(each, home) or _decides(each, deciding, whole=whole):
            return reason
    return None


def folded(path: str) -> str:
    """A path as disks compare it that ignore letter case, invisible signs and how accents are written."""
    if path.isascii():
        return path.lower()
    return normalize("NFC", normalize("NFD", _INVISIBLE.sub("", path)).casefold())


def root_or_home(path: str, home: str) -> Reason | None:
    """Whether deleting `path` deletes the root or a home: itself, all in it, or a folder above it."""
    base, last = path, path.rsplit("/", 1)[-1]
    while _EVERYTHING.fullmatch(last):
        base = dirname(base)
        last = base.rsplit("/", 1)[-1]
    base, home = base.lower(), home.lower()
    above = base != "/" and home.startswith(base + "/")
    if base == home or above or _HOME.fullmatch(base):
        return Reason.DELETES_HOME
    return Reason.DELETES_ROOT if _SYSTEM.fullmatch(base) else None


@cache  # compiled when the first path is looked at: most runs never do
def _of_home() -> _Patterns:
    return tuple((reason, re.compile(pattern)) for reason, pattern in _IN_HOME)


@cache
def _anywhere() -> _Patterns:
    patterns = (
        *_ANYWHERE,
        *((reason, rf"(?:/private)?/etc/(?:{pattern})") for reason, pattern in _IN_ETC),
        *((reason, rf"{_OTHER_HOMES}/(?:{pattern})") for reason, pattern in _IN_HOME),
    )
    return tuple((reason, re.compile(pattern)) for reason, pattern in patterns)


def is_disk(path: str) -> bool:
    """Whether writing there writes past every file system, or restarts the machine."""
    return _DISK.match(folded(path)) is not None


def normal(path: str) -> str:
    """An absolute path without `.`, `..` and doubled slashes."""
    return normpath("/" + path.lstrip("/"))


def _named(path: str, home: str) -> Reason | None:
    if path.startswith(home + "/"):
        inner = path[len(home) + 1 :]
        if reason := next((reason for reason, pattern in _of_home() if pattern.fullmatch(inner)), None):
            return reason
    return next((reason for reason, pattern in _anywhere() if pattern.fullmatch(path)), None)


def _decides(path: str, deciding: Collection[str], *, whole: bool) -> Reason | None:
    for each in map(folded, deciding):
        if _within(path, each) or (whole and _within(each, path)):
            return Reason.DECIDES
    return None


def _within(path: str, folder: str) -> bool:
    """Whether a path is this folder (or file), or lies in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")
