"""The order of decisions, as a table: the first line that applies decides.

Source: consent.md, "The order". Every line is a pure function of the same facts, so the table can be read,
printed (`consent.reference`) and tested line by line; what a line's function says of itself is its entry in
the reference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from consent.call import Origin, Tier, ToolCall
from consent.hook import Objection
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
    """Everything that a line may look at. `objection` is that of a hook, which saw exactly this call."""

    call: ToolCall
    setting: Setting
    policy: Policy
    objection: Objection | None = None

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
    """One line of the table: its number, when it applies, all that it may say, the reason, and its test."""

    number: int
    text: str
    outcomes: tuple[Outcome, ...]
    why: Why
    applies: Callable[[Facts], Verdict | None]


def _invalid(facts: Facts) -> Verdict | None:
    """What would be shown is not what would run, or a yes could not be sent. The person is told."""
    return (Outcome.REFUSE, None) if facts.call.unrunnable else None


def _hooked(facts: Facts) -> Verdict | None:
    """Hooks come first and can only refuse, in every mode. One that fails, hangs or is unclear refuses."""
    return (Outcome.REFUSE, facts.objection.rule) if facts.objection else None


def _denied(facts: Facts) -> Verdict | None:
    """In every mode. A rule that narrows is about every call that it might mean."""
    rule = facts.ruled(Effect.DENY, Match.YES)
    return (Outcome.REFUSE, rule) if rule else None


def _never(facts: Facts) -> Verdict | None:
    """Also where yolo is on. It is about every call of the same agent that it might mean."""
    return (Outcome.REFUSE, None) if facts.never(Match.YES) else None


def _personal(facts: Facts) -> Verdict | None:
    """Also where yolo is on: a switch of modes, several different yeses, or an unclear name that a `deny`, a
    `prompt` or a "never" could mean.
    """
    if facts.call.yeses or facts.call.kind is Kind.SWITCH_MODE:
        return Outcome.ASK_ONCE, None
    # A "sure" deny or never has refused before; a sure prompt is the next line's.
    rule = facts.ruled(Effect.DENY, Match.MIGHT) or _unsure_prompt(facts)
    return (Outcome.ASK_ONCE, rule) if rule or facts.never(Match.MIGHT) else None


def _unsure_prompt(facts: Facts) -> Rule | None:
    rules = (rule for rule in facts.setting.rules if rule.effect is Effect.PROMPT)
    return next((rule for rule in rules if narrows(rule.pattern, facts.call) is Match.MIGHT), None)


def _prompted(facts: Facts) -> Verdict | None:
    """Also where yolo is on. A mark is a `prompt` of an asked agent's own file. Once only as in line 7."""
    rule = facts.ruled(Effect.PROMPT, Match.YES)
    if not (rule or facts.call.marked):
        return None
    return (Outcome.ASK_ONCE if facts.shaky else Outcome.ASK), rule


def _yolo(facts: Facts) -> Verdict | None:
    """By the launched file: by the entry that leads to the agent, else by its top. Not under the floor."""
    return (Outcome.ALLOW, None) if facts.setting.yolo(facts.call.path) else None


def _shaky(facts: Facts) -> Verdict | None:
    """It cannot be taken at its word, or what it does cannot be undone. Each one is a question of its own."""
    return (Outcome.ASK_ONCE, None) if facts.shaky else None


def _read(facts: Facts) -> Verdict | None:
    """Own tools know what they do. What an asked agent says of its calls frees none of them."""
    own = facts.call.origin is Origin.OWN
    return (Outcome.ALLOW, None) if own and facts.call.tier is Tier.READ else None


def _allowed(facts: Facts) -> Verdict | None:
    """For exactly the tool that it names; without an agent, for own calls. Not under the floor."""
    if facts.setting.floor:
        return None
    rules = (rule for rule in facts.setting.rules if rule.effect is Effect.ALLOW)
    rule = next((rule for rule in rules if widens(rule.pattern, facts.call.key)), None)
    return (Outcome.ALLOW, rule) if rule else None


def _write_mode(facts: Facts) -> Verdict | None:
    """Links are followed before it is decided what lies inside. Not under the floor."""
    call, setting = facts.call, facts.setting
    if setting.floor or setting.mode is not Mode.WRITE or call.origin is not Origin.OWN:
        return None
    inside = call.fenced and call.tier is Tier.WRITE and call.full_name in BUILTIN_KINDS
    return (Outcome.ALLOW, None) if inside else None


def _ask(_: Facts) -> Verdict:
    """Whatever no line above is about."""
    return Outcome.ASK, None


def _remembered(facts: Facts) -> Verdict | None:
    """For exactly this agent and tool, and never for a question that counts once only."""
    return (Outcome.ALLOW, None) if facts.policy.allows(facts.call.key) else None


def _nobody(facts: Facts) -> Verdict | None:
    """Then nobody has said no, and the agent is told so."""
    return None if facts.setting.somebody else (Outcome.REFUSE, None)


_ALLOW, _REFUSE, _ONCE = (Outcome.ALLOW,), (Outcome.REFUSE,), (Outcome.ASK_ONCE,)
TABLE = (
    Line(0, "the call cannot run as shown, or cannot be answered", _REFUSE, Why.INVALID, _invalid),
    Line(1, "a hook of `hooks.preToolCall` refuses", _REFUSE, Why.HOOK, _hooked),
    Line(2, "a `deny` of `tools.approval` matches", _REFUSE, Why.POLICY, _denied),
    Line(3, 'the conversation remembers "never"', _REFUSE, Why.MEMORY, _never),
    Line(4, "a choice that only a person can make", _ONCE, Why.ANSWER, _personal),
    Line(5, "a `prompt` matches, or a mark was sent along", (Outcome.ASK, *_ONCE), Why.ANSWER, _prompted),
    Line(6, "yolo counts as on for this agent", _ALLOW, Why.YOLO, _yolo),
    Line(7, "the call is doubtful or critical", _ONCE, Why.ANSWER, _shaky),
    Line(8, "an own call that only reads", _ALLOW, Why.READ, _read),
    Line(9, "an `allow` of `tools.approval` matches", _ALLOW, Why.POLICY, _allowed),
    Line(10, "mode `write`, an own built-in tool, inside the folder", _ALLOW, Why.MODE, _write_mode),
    Line(11, "otherwise", (Outcome.ASK,), Why.ANSWER, _ask),
)
"""The lines that decide about every call, in order."""

REMEMBERED = Line(12, "asked, but it was allowed for the session", _ALLOW, Why.MEMORY, _remembered)
NOBODY = Line(13, "asked, but nobody can answer", _REFUSE, Why.NOBODY, _nobody)


def first_line(facts: Facts) -> tuple[Line, Verdict]:
    """The first line of the table that applies, and what it says. The last line always applies."""
    return next((line, verdict) for line in TABLE if (verdict := line.applies(facts)) is not None)
