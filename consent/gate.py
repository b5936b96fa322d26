"""The Gate: a call in, a Decision or a Question out. Pure; it waits for nobody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from consent.answer import Answer, Response, Yes
from consent.call import ToolCall, Unrunnable
from consent.hook import Objection
from consent.matching import Rule
from consent.policy import Policy
from consent.rules import NOBODY, REMEMBERED, Facts, Outcome, Why, first_line
from consent.setting import Setting


@dataclass(frozen=True, slots=True)
class Decision:
    """The only thing anyone acts on, and the only thing audited. `line` is the line of the table."""

    allowed: bool
    why: Why
    line: int
    rule: Rule | None = None
    answer: Response | None = None
    unrunnable: Unrunnable | None = None
    objection: Objection | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What a person must be asked. `once_only`: no allow is remembered, "for the session" is not offered."""

    call: ToolCall
    line: int
    once_only: bool
    rule: Rule | None = None

    @property
    def answers(self) -> tuple[Response, ...]:
        """The answers on offer, in order; several yeses stand in place of the plain one."""
        if yeses := self.call.yeses:
            return (*map(Yes, range(len(yeses))), Answer.NEVER, Answer.REFUSE_ONCE)
        return tuple(a for a in Answer if not (self.once_only and a is Answer.ALLOW_SESSION))

    def decide(self, answer: Response) -> Decision:
        """The decision that `answer` makes; an answer that is not on offer refuses."""
        allowed = answer.allows and answer in self.answers
        return Decision(allowed, Why.ANSWER, self.line, self.rule, answer)

    def refuse(self, why: Why | Objection) -> Decision:
        """The decision where no person answered here, and why.

        The rule that made the call ask is not the one that refused it further up.
        """
        if isinstance(why, Objection):
            return Decision(False, Why.HOOK, self.line, objection=why)
        rule = self.rule if why in (Why.NOBODY, Why.CANCELLED) else None
        return Decision(False, why, NOBODY.number if why is Why.NOBODY else self.line, rule)

    @property
    def cancelled(self) -> Decision:
        """The decision when nobody is left to ask or to be answered: Stop, death, withdrawal."""
        return self.refuse(Why.CANCELLED)


def check(
    call: ToolCall, setting: Setting, policy: Policy, objection: Objection | None = None
) -> Decision | Question:
    """Decide about one call (consent.md, "The order"), or say what must be asked."""
    facts = Facts(call, setting, policy, objection)
    line, (outcome, rule) = first_line(facts)
    match outcome:
        case Outcome.ALLOW | Outcome.REFUSE:
            allowed = outcome is Outcome.ALLOW
            return Decision(
                allowed, line.why, line.number, rule, unrunnable=call.unrunnable, objection=objection
            )
        case Outcome.ASK | Outcome.ASK_ONCE:
            question = Question(call, line.number, outcome is Outcome.ASK_ONCE, rule)
            return _without_asking(question, facts) or question
        case _:
            assert_never(outcome)


def _without_asking(question: Question, facts: Facts) -> Decision | None:
    """Lines 12 and 13: what memory answers, and what nobody can."""
    if not question.once_only and REMEMBERED.applies(facts):
        return Decision(True, REMEMBERED.why, REMEMBERED.number)
    if NOBODY.applies(facts):
        return Decision(False, NOBODY.why, NOBODY.number, question.rule)
    return None
