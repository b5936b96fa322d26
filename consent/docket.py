"""The open questions of one conversation, as a value: who waits, in which order, and what settles them.

Pure: no lock, no clock, no event loop. Every operation gives the next docket and what was settled by it;
a question that is settled leaves the docket, so it can be settled only once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from consent.answer import Answer, Response
from consent.call import ToolCall, Unrunnable
from consent.gate import Decision, Question, check
from consent.hook import Objection
from consent.key import Key, Path
from consent.policy import Policy
from consent.rules import Why
from consent.setting import Setting

MOST_WAITING = 1000
"""Questions that may wait for one agent (consent.md, "A question")."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A question in the docket; `ticket` numbers the questions of a conversation."""

    ticket: int
    question: Question


Settled = tuple[tuple[int, Decision], ...]
"""Tickets that left the docket, each with its decision, in order."""


@dataclass(frozen=True, slots=True)
class Docket:
    """One conversation's questions and memory, under the setting that decides."""

    setting: Setting
    policy: Policy = field(default_factory=Policy)
    waiting: tuple[Waiting, ...] = ()
    issued: int = 0

    def submit(self, call: ToolCall, objection: Objection | None = None) -> tuple[Docket, Decision | Waiting]:
        """Put one call to the Gate: decided at once, or a question that now waits, last in order."""
        if self._crowded(call.path):
            call = replace(call, unrunnable=Unrunnable.TOO_MANY_WAITING)
        outcome = check(call, self.setting, self.policy, objection)
        if isinstance(outcome, Decision):
            return self, outcome
        entry = Waiting(self.issued, outcome)
        return replace(self, waiting=(*self.waiting, entry), issued=self.issued + 1), entry

    def answer(self, ticket: int, answer: Response) -> tuple[Docket, Settled]:
        """Settle one question; a lasting answer settles the others of its key too.

        "For the session" settles those that are not once-only, "never" all. An answer to a question that
        is no longer open, or that was not on offer, changes nothing.
        """
        entry = self._find(ticket)
        if entry is None or answer not in entry.question.answers:
            return self, ()
        key = entry.question.call.key

        def decide(other: Waiting) -> Decision | None:
            same = answer.lasts and other.question.call.key == key and answer in other.question.answers
            return other.question.decide(answer) if same or other is entry else None

        return replace(self, policy=self.policy.remember(key, answer))._settle(decide)

    def refuse(self, ticket: int, why: Why | Objection) -> tuple[Docket, Settled]:
        """Settle one question that no person answered: it is refused, and nothing is remembered."""
        return self._settle(lambda entry: entry.question.refuse(why) if entry.ticket == ticket else None)

    def withdraw(self, tickets: Iterable[int]) -> tuple[Docket, Settled]:
        """Cancel these questions: their request was cancelled, or their arguments changed."""
        gone = frozenset(tickets)
        return self._settle(lambda entry: entry.question.cancelled if entry.ticket in gone else None)

    def stop(self, path: Path) -> tuple[Docket, Settled]:
        """Cancel every question of the agent at `path` and of the agents below it."""
        below = [entry.ticket for entry in self.waiting if entry.question.call.path[: len(path)] == path]
        return self.withdraw(below)

    def revoke(self, keys: Iterable[Key]) -> Docket:
        """Take lasting answers back, from the next call on."""
        return replace(self, policy=self.policy.forget(keys))

    def alarm(self, path: Path) -> Docket:
        """Drop what was allowed for the session to the agent at `path` and below: it acted past the answers.

        What was refused stays refused (consent.md, "Acting without asking").
        """
        allowed = (key for key, answer in self.policy.remembered if answer is Answer.ALLOW_SESSION)
        return self.revoke(key for key in allowed if key.path[: len(path)] == path)

    def recheck(self, setting: Setting) -> tuple[Docket, Settled]:
        """Go on under another setting (`/yolo`), and look at the waiting questions again."""
        return replace(self, setting=setting)._settle(lambda entry: _decided(entry, setting, self.policy))

    def _settle(self, decide: Callable[[Waiting], Decision | None]) -> tuple[Docket, Settled]:
        decided = [(entry, decide(entry)) for entry in self.waiting]
        settled = tuple((entry.ticket, decision) for entry, decision in decided if decision)
        waiting = tuple(entry for entry, decision in decided if decision is None)
        return replace(self, waiting=waiting), settled

    def _find(self, ticket: int) -> Waiting | None:
        return next((entry for entry in self.waiting if entry.ticket == ticket), None)

    def _crowded(self, path: Path) -> bool:
        return sum(entry.question.call.path == path for entry in self.waiting) >= MOST_WAITING


def _decided(entry: Waiting, setting: Setting, policy: Policy) -> Decision | None:
    outcome = check(entry.question.call, setting, policy)
    return outcome if isinstance(outcome, Decision) else None
