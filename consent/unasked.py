"""Acting without asking: what an asked agent reports of its calls, held against what was decided.

Source: consent.md. Pure: decisions and reports in, a finding out. It prevents nothing, and sees only what is
reported. An agent that says "it runs" before it asks is no liar, since several real ones do: without a
decision only the end of a call, or of its turn, tells. What is remembered is bounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

from consent.claim import NOTHING, Claim, alike, contradicts, covers, titled

MOST_CALLS = 1000
"""Calls that are remembered for each agent; one that was forgotten is new when it is heard of again."""


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


class Effect(StrEnum):
    """What a call does, by what its agent says of it: it only looks, it may change something, it does."""

    LOOKS = "looks"
    MAY_CHANGE = "may-change"
    CHANGES = "changes"


@dataclass(frozen=True, slots=True)
class Told:
    """One report of a call: what became of it, and all that is known of it by then."""

    report: Report
    claim: Claim = NOTHING
    title: str = ""
    effect: Effect = Effect.MAY_CHANGE

    @property
    def deed(self) -> Claim:
        """What tells one act from another. A title is shown, but says nothing sure."""
        return titled(self.claim, self.title)


@dataclass(frozen=True, slots=True)
class _Call:
    """One act under an id. `must_ask`: yolo did not count for it when it began.

    `allowed` is None without a decision, `shown` the arguments that were decided about, `told` those last
    reported; `spent`: another act used the decision. `loose`: a request of an id that nothing had announced,
    which may stand for a call that is still to come. `ended` is what it was at its end, `past` once that turn
    is over; `found` what it was when something was found.
    """

    must_ask: bool = False
    open: bool = True
    allowed: bool | None = None
    shown: Claim = NOTHING
    spent: bool = False
    loose: bool = False
    runs: bool = False
    changing: bool = False
    told: Claim = NOTHING
    ended: Claim | None = None
    past: bool = False
    found: Claim | None = None

    def decided(self, shown: Claim, effect: Effect, *, allowed: bool, must_ask: bool) -> _Call:
        """What is asked about is a change from then on, whatever its agent calls it later."""
        return _Call(
            must_ask=self.must_ask or must_ask,
            allowed=allowed,
            shown=shown,
            changing=self.changing or effect is not Effect.LOOKS,
            told=self.told,
        )

    def begins_anew(self, told: Told) -> bool:
        """Whether a report is about another act than the one that ended under this id."""
        if self.ended is None or told.report not in (Report.RUNS, Report.DONE):
            return False
        free = not self.must_ask and not covers(self.ended, told.deed)
        return told.report is Report.RUNS or self.past or free

    def anew(self, *, must_ask: bool) -> _Call:
        """The next act under this id. It may still be asked about, and no answer from before covers it."""
        spent = self.allowed is not None
        return _Call(must_ask=must_ask, allowed=self.allowed, shown=self.shown, spent=spent, told=self.told)

    def reported(self, told: Told) -> _Call:
        """With what it says of itself; what changed something when it ran stays a change."""
        acts = told.report in (Report.RUNS, Report.DONE)
        ends = told.report in (Report.DONE, Report.FAILED)
        changes = told.effect is Effect.CHANGES or (acts and told.effect is Effect.MAY_CHANGE)
        return replace(
            self,
            open=told.report is Report.RUNS or (self.open and told.report is Report.ELSE),
            loose=False,  # the agent uses this id for a call of its own
            runs=self.runs or acts,
            changing=self.changing or changes,
            told=told.claim,
            ended=told.deed if ends else self.ended,
            past=self.past and not (ends and self.ended is None),
        )

    def over(self, *, stopped: bool) -> _Call:
        """After its turn. Where that was stopped, what "runs" may have been about to ask."""
        return replace(self, open=False, past=self.ended is not None, runs=self.runs and not stopped)

    def ran(self, report: Report) -> bool:
        """Whether it surely ran, after this report."""
        if report is Report.DONE:
            return True
        if report in (Report.FAILED, Report.LEFT):
            return self.runs
        return self.runs and not self.undecided

    @property
    def undecided(self) -> bool:
        """Whether no decision is about this act."""
        return self.allowed is None or self.spent

    def finding(self, *, must_ask: bool) -> Finding | None:
        """What shows where it ran and changed something. What was refused counts whatever yolo says."""
        if self.allowed is False and not (self.spent and self._other):
            return Finding.REFUSED
        if not (must_ask and self.must_ask):
            return None
        if self.allowed and contradicts(self.shown, self.told):
            return Finding.OTHER
        return Finding.UNASKED if self.undecided else None

    @property
    def _other(self) -> bool:
        """Whether it is not plainly what was decided about."""
        return not (self.shown and self.told) or contradicts(self.shown, self.told)


@dataclass(frozen=True, slots=True)
class Unasked:
    """The calls of one run of an asked agent: what was decided of each, and what it says of it."""

    calls: Mapping[str, _Call] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def running(self) -> tuple[str, ...]:
        """The calls that were said to run, and have no end."""
        return tuple(name for name, call in self.calls.items() if call.open and call.runs)

    def begun(self, call: str, *, must_ask: bool) -> Unasked:
        """A call is heard of for the first time; `must_ask` unless yolo counts for its agent."""
        return self if call in self.calls else self._know(call, _Call(must_ask=must_ask))

    def decided(
        self, call: str, shown: Claim, effect: Effect, *, allowed: bool, announced: bool, must_ask: bool
    ) -> Unasked:
        """A request with these arguments was allowed, or was not. `announced`: its id was heard of before.

        One that was not may be about another call: the oldest open one with the same arguments, or the only
        open one where it shows nothing. It covers no call under its own id then.
        """

        def decide(known: _Call) -> _Call:
            return known.decided(shown, effect, allowed=allowed, must_ask=must_ask)

        known = decide(self.calls.get(call, _Call()))
        meant = None if announced else self._meant(call, shown)
        if meant is None:
            return self._know(call, replace(known, loose=not announced))
        return self._know(call, replace(known, spent=True))._know(meant, decide(self.calls[meant]))

    def reported(self, call: str, told: Told, *, must_ask: bool) -> tuple[Unasked, Finding | None]:
        """What the agent says of a call, and what that shows, once for each act. An unknown call begins."""
        known = self.calls.get(call, _Call(must_ask=must_ask))
        if known.begins_anew(told):
            known = known.anew(must_ask=must_ask)
        now = known.reported(told)
        ran = now.ran(told.report)
        ledger, now = self._matched(call, now) if ran else (self, now)
        finding = now.finding(must_ask=must_ask) if now.changing and ran else None
        if finding and now.found is not None and covers(now.found, told.deed):
            finding = None
        return ledger._know(call, replace(now, found=told.deed) if finding else now), finding

    def over(self, *, stopped: bool) -> Unasked:
        """The turn is over, by itself or not: whatever is reported of ended calls from now on is new."""
        return Unasked({name: call.over(stopped=stopped) for name, call in self.calls.items()})

    def _matched(self, call: str, now: _Call) -> tuple[Unasked, _Call]:
        """Where a call ran that was not asked about, a request that came before it may stand for it, once."""
        if not now.undecided or not now.told:
            return self, now
        for other, slip in self.calls.items():
            if slip.loose and other != call and alike(slip.shown, now.told):
                used = self._know(other, replace(slip, loose=False, spent=True))
                return used, replace(now, allowed=slip.allowed, shown=slip.shown, spent=False)
        return self, now

    def _meant(self, request: str, shown: Claim) -> str | None:
        """The call that a request of an id of its own is about, if that is clear."""
        undecided = [
            name
            for name, known in self.calls.items()
            if known.open and known.undecided and name != request and (not shown or alike(known.told, shown))
        ]
        return undecided[0] if undecided and (shown or len(undecided) == 1) else None

    def _know(self, call: str, known: _Call) -> Unasked:
        """With this call as the newest. Where there are too many, those that are over go first."""
        others = {name: other for name, other in self.calls.items() if name != call}
        while len(others) >= MOST_CALLS:
            del others[next((name for name, other in others.items() if not other.open), next(iter(others)))]
        return Unasked({**others, call: known})
