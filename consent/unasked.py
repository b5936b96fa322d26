"""Acting without asking: what an asked agent reports of its calls, held against what was decided.

Source: consent.md. Pure: decisions and reports in, a finding out. It prevents nothing, and sees only what is
reported. An agent that says "it runs" before it asks is no liar, since several real ones do: without a
decision only the end of a call, or of its turn, tells. What is remembered is bounded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from types import MappingProxyType

MOST_CALLS = 1000
"""Calls that are remembered for each agent; of those that were forgotten nothing is found any more."""


class Finding(StrEnum):
    """How an agent acted past the answers."""

    UNASKED = "unasked"
    REFUSED = "refused"
    OTHER = "other"


class Report(StrEnum):
    """What an agent says of a call: that it runs, how it ended, or anything else.

    LEFT is said for it: its turn is over, and the call has no end.
    """

    RUNS = "runs"
    DONE = "done"
    FAILED = "failed"
    LEFT = "left"
    ELSE = "else"


Claim = frozenset[tuple[str, bytes]]
"""The arguments of a call, each by its name and a digest. Empty where nothing is said."""
NOTHING: Claim = frozenset()


def claim_of(arguments: str) -> Claim:
    """What these frozen arguments say would run; the values are taken as they are, nothing is squeezed."""
    try:
        value = json.loads(arguments or "null")
    except (ValueError, RecursionError):
        value = arguments
    fields = value if isinstance(value, dict) else {} if value is None else {"": value}
    return frozenset((_plain(name), _digest(part)) for name, part in fields.items())


def _plain(name: str) -> str:
    """A field's name as it is compared: agents spell theirs `filePath` here and `file_path` there."""
    return name.replace("_", "").lower()


def _digest(value: object) -> bytes:
    return sha256(json.dumps(value, sort_keys=True).encode()).digest()


def contradicts(shown: Claim, told: Claim) -> bool:
    """Whether what is told is something other than what was shown.

    Fields that only one of them has are no contradiction, for requests of honest agents say less or more
    than their reports; but something must be common to both.
    """
    if not shown or not told:
        return False
    ours, theirs = dict(shown), dict(told)
    common = ours.keys() & theirs.keys()
    return not common or any(ours[name] != theirs[name] for name in common)


@dataclass(frozen=True, slots=True)
class _Call:
    """One call. `must_ask`: yolo did not count for it when it began; `allowed` is None without a decision.

    `told` are its arguments as last reported, `shown` those that were decided about. `loose`: a request of an
    id that nothing had announced, and may stand for a call that is still to come. `found`: something was.
    """

    must_ask: bool = False
    open: bool = True
    allowed: bool | None = None
    shown: Claim = NOTHING
    loose: bool = False
    runs: bool = False
    changing: bool = False
    told: Claim = NOTHING
    found: bool = False

    def decided(self, shown: Claim, *, allowed: bool) -> _Call:
        return replace(self, allowed=allowed, shown=shown, runs=False)

    def reported(self, report: Report, told: Claim, *, changing: bool) -> _Call:
        """With what it says of itself; what changed something when it ran stays a change."""
        acts = report is Report.RUNS or report is Report.DONE
        return replace(
            self,
            open=self.open and report in (Report.RUNS, Report.ELSE),
            loose=False,  # the agent uses this id for a call of its own
            runs=self.runs or report is Report.RUNS,
            changing=self.changing or (acts and changing),
            told=told,
        )

    def ran(self, report: Report) -> bool:
        """Whether it surely ran, after this report."""
        if report is Report.DONE:
            return True
        if report in (Report.FAILED, Report.LEFT):
            return self.runs
        return self.runs and self.allowed is not None


@dataclass(frozen=True, slots=True)
class Unasked:
    """The calls of one run of an asked agent: what was decided of each, and what it says of it."""

    calls: Mapping[str, _Call] = field(default_factory=lambda: MappingProxyType({}))

    def begun(self, call: str, *, must_ask: bool) -> Unasked:
        """A call is heard of for the first time; `must_ask` unless yolo counts for its agent."""
        return self if call in self.calls else self._know(call, _Call(must_ask=must_ask))

    def decided(self, call: str, arguments: str, *, allowed: bool, announced: bool) -> Unasked:
        """A request with these arguments was allowed, or was not. `announced`: its id was heard of before.

        One that was not may be about another call: the oldest open one with the same arguments, or the only
        open one where it shows nothing.
        """
        shown = claim_of(arguments)
        known = self.calls.get(call, _Call(must_ask=True)).decided(shown, allowed=allowed)
        meant = None if announced else self._meant(call, shown)
        if meant is None:
            return self._know(call, replace(known, loose=not announced))
        return self._know(call, known)._know(meant, self.calls[meant].decided(shown, allowed=allowed))

    def reported(
        self, call: str, arguments: str, report: Report, *, changing: bool, must_ask: bool
    ) -> tuple[Unasked, Finding | None]:
        """What the agent says of a call that was heard of, and what that shows, once for each call."""
        known = self.calls.get(call)
        if known is None or known.found:
            return self, None
        now = known.reported(report, claim_of(arguments), changing=changing)
        ledger, now = self._matched(call, now) if now.ran(report) else (self, now)
        finding = _finding(now, must_ask=must_ask) if now.changing and now.ran(report) else None
        now = replace(now, found=finding is not None)
        return (ledger if now == ledger.calls[call] else ledger._know(call, now)), finding

    def _matched(self, call: str, now: _Call) -> tuple[Unasked, _Call]:
        """Where a call ran that was not asked about, a request that came before it may stand for it, once."""
        if now.allowed is not None or not now.told:
            return self, now
        for other, slip in self.calls.items():
            if slip.loose and slip.shown == now.told and other != call:
                used = self._know(other, replace(slip, loose=False))
                return used, replace(now, allowed=slip.allowed, shown=slip.shown)
        return self, now

    def _meant(self, request: str, shown: Claim) -> str | None:
        """The call that a request of an id of its own is about, if that is clear."""
        undecided = [
            name
            for name, known in self.calls.items()
            if known.open and known.allowed is None and name != request and (not shown or known.told == shown)
        ]
        return undecided[0] if undecided and (shown or len(undecided) == 1) else None

    def _know(self, call: str, known: _Call) -> Unasked:
        others = {name: other for name, other in self.calls.items() if name != call}
        while len(others) >= MOST_CALLS:
            del others[next(iter(others))]
        return Unasked({**others, call: known})


def _finding(call: _Call, *, must_ask: bool) -> Finding | None:
    """What a changing call that ran shows. What was refused counts whatever yolo says."""
    if call.allowed is False:
        return Finding.REFUSED
    if not (must_ask and call.must_ask):
        return None
    if call.allowed is None:
        return Finding.UNASKED
    return Finding.OTHER if contradicts(call.shown, call.told) else None
