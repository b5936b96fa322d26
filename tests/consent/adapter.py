"""The oracle's plain values as the Gate's, so that both can decide about the same call."""

from __future__ import annotations

from consent.answer import Answer
from consent.call import Arguments, Doubt, Origin, Tier, ToolCall, Unrunnable
from consent.danger.finding import QUIET, Finding, Reason
from consent.gate import Decision, Question, check
from consent.hook import Objection
from consent.key import Key, Kind, Sort
from consent.matching import Effect, Rule, parse_pattern
from consent.policy import Policy
from consent.setting import Mode, Setting
from tests.consent.oracle import UNCLEAR, Call, Path, Verdict, World

REMEMBERED = {"allow": Answer.ALLOW_SESSION, "never": Answer.NEVER}


def call_of(call: Call) -> ToolCall:
    """The call as the Gate sees it."""
    return ToolCall(
        path=call.path,
        origin=Origin(call.child),
        name=call.name,
        kind=Kind(call.kind) if call.kind is not None else None,
        tier=Tier(call.tier),
        arguments="{}",
        detail=Arguments("{}"),
        folder="/w",
        doubts=(Doubt.NO_ARGUMENTS,) if call.doubtful else (),
        mark=Finding(Reason.DELETES_ROOT.verdict, Reason.DELETES_ROOT, "/") if call.critical else QUIET,
        unrunnable=Unrunnable.NO_USABLE_OPTIONS if call.invalid else None,
        yeses=("Yes", "Yes, and do not ask again") if call.several_yes else (),
        marked=call.marked,
        fenced=call.fence_holds,
    )


def setting_of(world: World) -> Setting:
    """The world's standing part. An agent that the world does not know at all never runs free here."""
    return Setting(
        mode=Mode(world.mode),
        entries={name: own for name, own in world.entries.items() if own is not None},
        rules=tuple(Rule(parse_pattern(text), Effect(effect)) for text, effect in world.rules),
        floor=world.floor,
        somebody=world.somebody,
    )


def policy_of(world: World) -> Policy:
    """The world's memory."""
    return Policy(tuple((key_of_text(path, tool), REMEMBERED[kept]) for path, tool, kept in world.remembered))


def key_of_text(path: Path, tool: str) -> Key:
    """The key that the oracle writes as `tool`: `bash`, `(execute)` or `(unclear)`."""
    if tool == UNCLEAR:
        return Key(path, "unclear", Sort.UNCLEAR)
    if tool.startswith("("):
        return Key(path, tool.strip("()"), Sort.KIND)
    return Key(path, tool)


def objection_of(call: Call) -> Objection | None:
    """What a hook has against the call."""
    rule = Rule(parse_pattern("bash"), Effect.HOOK, "agents.yaml:7:5")
    return Objection(rule, "not on a Friday") if call.hook_refuses else None


def decide(call: Call, world: World) -> Verdict:
    """What the Gate says, in the oracle's words."""
    return verdict_of(check(call_of(call), setting_of(world), policy_of(world), objection_of(call)))


def verdict_of(outcome: Decision | Question) -> Verdict:
    """What came out, in the oracle's words."""
    if isinstance(outcome, Decision):
        return Verdict("allow" if outcome.allowed else "refuse", outcome.line, outcome.why.value)
    return Verdict("ask_once" if outcome.once_only else "ask", outcome.line)
