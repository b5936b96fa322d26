"""The order of decisions, as a table: the first line that applies decides.

Source: consent.md, "The order". Every line is a pure function of the same facts, so the table can be read,
printed and tested line by line. Line 1 (hooks) is not built yet; lines 12 and 13 are in `consent.gate`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from consent.call import Origin, Tier, ToolCall
from consent.key import BUILTIN_KINDS, Kind, Sort
from consent.matching import Effect, Match, Rule, narrows, never_matches, widens
from consent.policy import Policy
from consent.setting import Mode, Setting


class Outcome(StrEnum):
    """What a line does with a call."""

    ALLOW = "allow"
    ASK = "ask"
    ASK_ONCE = "ask_once"
    REFUSE = "refuse"


class Why(StrEnum):
    """The reason of a decision, as the audit spells it."""

    INVALID = "invalid"
    HOOK = "hook"
    POLICY = "policy"
    MEMORY = "memory"
    YOLO = "yolo"
    READ = "read"
    MODE = "mode"
    ANSWER = "answer"
    NOBODY = "nobody"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that a line may look at."""

    call: ToolCall
    setting: Setting
    policy: Policy

    def ruled(self, effect: Effect, least: Match) -> Rule | None:
        """The first narrowing rule of this effect that means the call at least this surely."""
        rules = (rule for rule in self.setting.rules if rule.effect is effect)
        return next((rule for rule in rules if narrows(rule.pattern, self.call) >= least), None)

    def never(self, least: Match) -> bool:
        """Whether a remembered "never" means the call at least this surely."""
        return any(never_matches(key, self.call) >= least for key in self.policy.nevers)

    @property
    def shaky(self) -> bool:
        """Whether the call is doubtful or critical: then an allow holds once only.

        A call without a clear name is doubtful even where nobody noted a doubt.
        """
        unclear = self.call.key.sort is Sort.UNCLEAR
        return unclear or bool(self.call.doubts or self.call.critical)


Verdict = tuple[Outcome, Rule | None]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: its number, what it says, and its test."""

    number: int
    text: str
    why: Why
    applies: Callable[[Facts], Verdict | None]


def _invalid(facts: Facts) -> Verdict | None:
    return (Outcome.REFUSE, None) if facts.call.unrunnable else None


def _denied(facts: Facts) -> Verdict | None:
    rule = facts.ruled(Effect.DENY, Match.YES)
    return (Outcome.REFUSE, rule) if rule else None


def _never(facts: Facts) -> Verdict | None:
    return (Outcome.REFUSE, None) if facts.never(Match.YES) else None


def _personal(facts: Facts) -> Verdict | None:
    """A choice that only a person can make, also when yolo is on."""
    if facts.call.choice or facts.call.kind is Kind.SWITCH_MODE:
        return Outcome.ASK_ONCE, None
    # A "sure" deny or never has refused before; a sure prompt is the next line's.
    rule = facts.ruled(Effect.DENY, Match.MIGHT) or _unsure_prompt(facts)
    return (Outcome.ASK_ONCE, rule) if rule or facts.never(Match.MIGHT) else None


def _unsure_prompt(facts: Facts) -> Rule | None:
    rules = (rule for rule in facts.setting.rules if rule.effect is Effect.PROMPT)
    return next((rule for rule in rules if narrows(rule.pattern, facts.call) is Match.MIGHT), None)


def _prompted(facts: Facts) -> Verdict | None:
    rule = facts.ruled(Effect.PROMPT, Match.YES)
    if not (rule or facts.call.marked):
        return None
    return (Outcome.ASK_ONCE if facts.shaky else Outcome.ASK), rule


def _yolo(facts: Facts) -> Verdict | None:
    return (Outcome.ALLOW, None) if facts.setting.yolo(facts.call.path) else None


def _shaky(facts: Facts) -> Verdict | None:
    return (Outcome.ASK_ONCE, None) if facts.shaky else None


def _read(facts: Facts) -> Verdict | None:
    own = facts.call.origin is Origin.OWN
    return (Outcome.ALLOW, None) if own and facts.call.tier is Tier.READ else None


def _allowed(facts: Facts) -> Verdict | None:
    if facts.setting.floor:
        return None
    rules = (rule for rule in facts.setting.rules if rule.effect is Effect.ALLOW)
    rule = next((rule for rule in rules if widens(rule.pattern, facts.call.key)), None)
    return (Outcome.ALLOW, rule) if rule else None


def _write_mode(facts: Facts) -> Verdict | None:
    call, setting = facts.call, facts.setting
    if setting.floor or setting.mode is not Mode.WRITE or call.origin is not Origin.OWN:
        return None
    inside = call.fenced and call.tier is Tier.WRITE and call.name in BUILTIN_KINDS
    return (Outcome.ALLOW, None) if inside else None


def _ask(_: Facts) -> Verdict:
    return Outcome.ASK, None


TABLE = (
    Line(0, "the call cannot run as shown, or cannot be answered", Why.INVALID, _invalid),
    Line(2, "a deny of tools.approval matches", Why.POLICY, _denied),
    Line(3, "the conversation remembers never", Why.MEMORY, _never),
    Line(4, "a choice that only a person can make", Why.ANSWER, _personal),
    Line(5, "a prompt matches, or a mark was sent along", Why.ANSWER, _prompted),
    Line(6, "yolo counts as on for this agent", Why.YOLO, _yolo),
    Line(7, "the call is doubtful or critical", Why.ANSWER, _shaky),
    Line(8, "an own call that only reads", Why.READ, _read),
    Line(9, "an allow of tools.approval matches", Why.POLICY, _allowed),
    Line(10, "mode write, an own built-in tool, inside the folder", Why.MODE, _write_mode),
    Line(11, "otherwise", Why.ANSWER, _ask),
)


def first_line(facts: Facts) -> tuple[Line, Verdict]:
    """The first line of the table that applies, and what it says. The last line always applies."""
    return next((line, verdict) for line in TABLE if (verdict := line.applies(facts)) is not None)
