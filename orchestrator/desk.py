"""The Desk: the only door for own calls and for the calls of asked agents.

It holds one conversation's docket, waits for the person, and counts what was decided. It decides nothing:
the docket and the Gate do. Knows no facade, protocol or tool.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace

import anyio
from anyio.lowlevel import checkpoint_if_cancelled

from consent.answer import Answer, Response, Yes
from consent.asker import Asker
from consent.call import ToolCall, Unrunnable
from consent.docket import MOST_WAITING, Docket, Settled, Waiting
from consent.gate import Decision
from consent.hook import Objection
from consent.key import Key, Path
from consent.rules import Why
from consent.setting import Mode, Setting
from consent.tally import Tally
from consent.unasked import Finding

Record = Callable[[ToolCall, Decision, float, bool], None]
"""Takes down a decision, how many seconds it took, and whether it was asked for."""

Hooking = Callable[[ToolCall], Awaitable[Objection | None]]
"""Shows a call to the hooks that see it, and gives what one of them has against it."""


def unrecorded(call: ToolCall, decision: Decision, waited: float, asked: bool) -> None:
    """Takes down nothing."""


Look = Callable[[ToolCall], ToolCall]
"""Gives a call the mark of what it does."""


def unlooked(call: ToolCall) -> ToolCall:
    """Marks nothing."""
    return call


NOT_DECIDED = Decision(False, Why.CANCELLED, 0)
"""What becomes of a call that is taken back before the Gate has seen it."""


async def unhooked(call: ToolCall) -> None:
    """No hook sees the call."""


@dataclass(eq=False)
class _Slot:
    """One waiting question: the scope in which a person is asked, and the decision once there is one."""

    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    decision: Decision | None = None


@dataclass(eq=False)
class _AtHooks:
    """A call of the agent at `path` that hooks look at; the scope ends them."""

    path: Path
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)


class Desk:
    """One conversation's door. `on_stop` is told which agent a person stopped at its question.

    `record` is told each decision once; `hooks` see each call, then `look` marks it, then it is decided;
    `clock` gives seconds.
    """

    def __init__(
        self,
        setting: Setting,
        asker: Asker,
        on_stop: Callable[[Path], None],
        record: Record = unrecorded,
        hooks: Hooking = unhooked,
        clock: Callable[[], float] = time.monotonic,
        look: Look = unlooked,
    ) -> None:
        self._look = look
        self._record = record
        self._hooks = hooks
        self._clock = clock
        self._docket = Docket(setting)
        self._asker = asker
        self._on_stop = on_stop
        self._slots: dict[int, _Slot] = {}
        self._at_hooks: list[_AtHooks] = []
        self._unasked: Counter[Key] = Counter()
        self._tally = Tally()

    @property
    def setting(self) -> Setting:
        """The setting under which the next call is decided."""
        return self._docket.setting

    @property
    def grants(self) -> tuple[tuple[Key, Answer], ...]:
        """The keys that have a lasting answer, each with it."""
        return self._docket.policy.remembered

    @property
    def unasked(self) -> dict[Key, int]:
        """How many calls of each key were refused because nobody could be asked."""
        return dict(self._unasked)

    @property
    def tally(self) -> Tally:
        """What was decided so far, counted."""
        return self._tally

    async def decide(self, call: ToolCall) -> Decision:
        """Decide about one call, asking the person where the Gate says so.

        Exactly one decision comes out of every call. Being cancelled while it waits ends the hooks and
        withdraws the question; an error while asking, or of a hook, refuses the call and is raised.
        """
        began = self._clock()
        decision, asked = NOT_DECIDED, False
        try:
            call, outcome = await self._submitted(call)
            if isinstance(outcome, Waiting):
                decision, asked = outcome.question.cancelled, True
                outcome = await self._ask(outcome)
            decision = outcome
        finally:
            self._take_down(call, decision, self._clock() - began, asked=asked)
        if decision.why is Why.NOBODY:
            self._unasked[call.key] += 1
        return decision

    def turn_away(self, call: ToolCall) -> Decision:
        """Cancel a call that comes when nobody works for its agent any more."""
        self._take_down(call, NOT_DECIDED, 0, asked=False)
        return NOT_DECIDED

    def marked(self, call: ToolCall) -> ToolCall:
        """The call with the mark of what it does."""
        return self._look(call)

    def acted(self, call: ToolCall, finding: Finding, *, grave: bool) -> tuple[Key, ...]:
        """An agent acted past the answers: it is counted, and where that is grave its grants are dropped.

        Gives the keys of those.
        """
        self._tally = self._tally.acted(call.path, finding)
        before = self.grants
        if grave:
            self._docket = self._docket.alarm(call.path)
        return tuple(key for key, answer in before if (key, answer) not in self.grants)

    def waits(self, path: Path) -> bool:
        """Whether a question of the agent at `path`, or of one below it, is open."""
        return any(entry.question.call.path[: len(path)] == path for entry in self._docket.waiting)

    def stop(self, path: Path) -> None:
        """Cancel every waiting question of the agent at `path` and below, and what hooks look at."""
        for looked_at in self._at_hooks:
            if looked_at.path[: len(path)] == path:
                looked_at.scope.cancel()
        self._docket, settled = self._docket.stop(path)
        self._settle(settled)

    def revoke(self, keys: Iterable[Key]) -> None:
        """Take lasting answers back, from the next call on."""
        self._docket = self._docket.revoke(keys)

    def set_mode(self, mode: Mode) -> None:
        """Go on in another mode, from the next decision on; questions that wait are looked at again."""
        self._docket, settled = self._docket.recheck(self.setting.with_mode(mode))
        self._settle(settled)

    def _take_down(self, call: ToolCall, decision: Decision, waited: float, *, asked: bool) -> None:
        seen = asked and decision.why is not Why.NOBODY
        self._tally = self._tally.decided(call.path, decision, asked=seen)
        self._record(call, decision, waited, asked)

    async def _submitted(self, call: ToolCall) -> tuple[ToolCall, Decision | Waiting]:
        """The call that hooks saw, marked as it is after them, and what the Gate says of exactly that."""
        if sum(other.path == call.path for other in self._at_hooks) >= MOST_WAITING:
            call = replace(call, unrunnable=Unrunnable.TOO_MANY_WAITING)
        looked_at = _AtHooks(call.path)
        self._at_hooks.append(looked_at)
        try:
            with looked_at.scope:
                objection = await self._hooks(call)
                await checkpoint_if_cancelled()  # a Stop while a hook ended: nothing is asked or run any more
                marked = self._look(call)
                self._docket, outcome = self._docket.submit(marked, objection)
                return marked, outcome
        finally:
            self._at_hooks.remove(looked_at)
        return call, NOT_DECIDED

    async def _ask(self, waiting: Waiting) -> Decision:
        slot = self._slots[waiting.ticket] = _Slot()
        try:
            with slot.scope:
                answer = await self._asker.ask(waiting, lambda: self._behind(waiting.ticket))
                await checkpoint_if_cancelled()  # an answer that comes with the end of its question is none
                self._take(waiting, answer)
        finally:
            self._docket, left = self._docket.withdraw([waiting.ticket])
            self._settle(left)
            del self._slots[waiting.ticket]
        # An answer that was not on offer leaves the question open: it has just been withdrawn.
        return slot.decision or waiting.question.cancelled

    def _take(self, waiting: Waiting, answer: Response | Why | Objection) -> None:
        if answer is Why.CANCELLED:
            self.stop(waiting.question.call.path)
            self._on_stop(waiting.question.call.path)
            return
        if isinstance(answer, Answer | Yes):
            self._docket, settled = self._docket.answer(waiting.ticket, answer)
        else:
            self._docket, settled = self._docket.refuse(waiting.ticket, answer)
        self._settle(settled)

    def _settle(self, settled: Settled) -> None:
        for ticket, decision in settled:
            slot = self._slots[ticket]
            slot.decision = decision
            slot.scope.cancel()

    def _behind(self, ticket: int) -> int:
        """How many questions wait behind this one."""
        return sum(entry.ticket > ticket for entry in self._docket.waiting)
