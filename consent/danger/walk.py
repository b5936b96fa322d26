"""The walk over one command: where it stands, what it has used up, and the worst that it has met.

Knows neither commands nor programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from consent.danger.fetched import Fetched
from consent.danger.finding import QUIET, TROUBLES, Finding, Harm, Verdict, reason_of
from consent.danger.paths import Surroundings
from consent.danger.scene import Scene
from consent.shell.braces import spread
from consent.shell.cursor import Effort
from consent.shell.syntax import Trouble, Word

_RANK = {verdict: rank for rank, verdict in enumerate(Verdict)}


class Walk:
    """What all eyes on one command share; `full` is its text."""

    __slots__ = ("_worst", "effort", "fetched", "full", "scene")

    def __init__(self, full: str, around: Surroundings) -> None:
        self.full = full
        self.effort = Effort()
        self.scene = Scene(around, self.effort)
        self.fetched = Fetched(self.effort)
        self._worst: Harm | None = None

    def note(self, harms: Iterable[Harm]) -> None:
        """Keep the worst of these and of all before."""
        for harm in harms:
            if self._worst is None or _rank(harm) > _rank(self._worst):
                self._worst = harm

    def spread(self, words: Iterable[Word]) -> Iterator[Word]:
        """These words with their braces expanded."""
        return spread(words, self.effort)

    def is_harmful(self, look: Callable[[], None]) -> bool:
        """Whether this look meets any harm. Neither that nor where it went is kept."""
        worst, folders = self._worst, self.scene.folders
        self._worst = None
        look()
        found, self._worst, self.scene.folders = self._worst, worst, folders
        return found is not None

    def finding(self) -> Finding:
        """The worst of all that was noted."""
        if self.effort.spent:
            self.effort.stop(Trouble.TOO_LONG, 0)
        if self.effort.trouble:
            at = min(self.effort.at, len(self.full))
            self.note((Harm(reason_of(self.effort.trouble), Word("", at, len(self.full))),))
        if self._worst is None:
            return QUIET
        reason, (_, start, end, *_) = self._worst
        what = "" if reason in TROUBLES else self.full[start:end]
        return Finding(reason.verdict, reason, what, start, end)


def _rank(harm: Harm) -> int:
    return _RANK[harm.reason.verdict]
