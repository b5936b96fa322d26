"""What was found about one call: how bad, why, and where in its text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from consent.shell.syntax import Trouble, Word


class Verdict(StrEnum):
    """How a call is marked."""

    QUIET = "quiet"
    UNCLEAR = "unclear"
    DESTRUCTIVE = "destructive"
    CRITICAL = "critical"


class Reason(StrEnum):
    """Why a call is marked, as scripts read it; the catalogue has a sentence for each."""

    DELETES_ROOT = "deletes-root"
    DELETES_HOME = "deletes-home"
    FORK_BOMB = "fork-bomb"
    RUNS_FETCHED = "runs-fetched"
    PERMISSIONS = "permissions"
    KILLS_INIT = "kills-init"
    DISK = "disk"
    SHUTS_DOWN = "shuts-down"
    ACCOUNTS = "accounts"
    SSH = "ssh"
    STARTUP = "startup"
    GIT_INNER = "git-inner"
    CRONTAB = "crontab"
    DECIDES = "decides"

    DELETES = "deletes"
    MOVES = "moves"
    OVERWRITES = "overwrites"
    EDITS = "edits"
    GIT = "git"
    POWER = "power"

    COMPUTED = "computed"
    PIPED = "piped"
    UNKNOWN_PROGRAM = "unknown-program"
    SYNTAX = "syntax"
    TOO_DEEP = "too-deep"
    TOO_LONG = "too-long"
    TOO_MUCH = "too-much"

    @property
    def verdict(self) -> Verdict:
        """How bad it is."""
        if self in _UNCLEAR:
            return Verdict.UNCLEAR
        return Verdict.DESTRUCTIVE if self in _DESTRUCTIVE else Verdict.CRITICAL


_DESTRUCTIVE = frozenset(
    {Reason.DELETES, Reason.MOVES, Reason.OVERWRITES, Reason.EDITS, Reason.GIT, Reason.POWER}
)
_UNCLEAR = frozenset(
    {
        Reason.COMPUTED,
        Reason.PIPED,
        Reason.UNKNOWN_PROGRAM,
        Reason.SYNTAX,
        Reason.TOO_DEEP,
        Reason.TOO_LONG,
        Reason.TOO_MUCH,
    }
)


class Harm(NamedTuple):
    """One thing found, at the word that does it."""

    reason: Reason
    word: Word


@dataclass(frozen=True, slots=True)
class Finding:
    """The worst that was found. `start` and `end` bound the part of the text that is meant.

    `what` is that part: a program, a file, a text for a shell; empty where it is the rest that was not read.
    """

    verdict: Verdict = Verdict.QUIET
    reason: Reason | None = None
    what: str = ""
    start: int = 0
    end: int = 0


QUIET = Finding()

_TROUBLES = {
    Trouble.SYNTAX: Reason.SYNTAX,
    Trouble.TOO_DEEP: Reason.TOO_DEEP,
    Trouble.TOO_LONG: Reason.TOO_LONG,
}
TROUBLES = frozenset(_TROUBLES.values())
"""The reasons of a text that was not read to its end."""


def reason_of(trouble: Trouble) -> Reason:
    """Why a text that was not read to its end is unclear."""
    return _TROUBLES[trouble]
