"""What a model is told, in English, when its call was not allowed.

Source: consent.md, "What the refused model is told". Where nobody could be asked, no person is said to
have refused.
"""

from __future__ import annotations

from typing import NamedTuple

from consent.answer import Answer
from consent.call import ToolCall, Unrunnable
from consent.gate import Decision
from consent.rules import Why
from consent.show import show
from orchestrator.words.objections import objection

ADVICE = (
    "It did not run. This is no crash, and the same call will not run if you try again: do not retry it, and"
    " do not look for a way around it. Say what could not be done, and go on without it."
)

_UNRUNNABLE = {
    Unrunnable.HIDDEN_CHARACTERS: "its command or path holds characters that nobody can see (NUL, DEL or half"
    " a surrogate pair)",
    Unrunnable.PATH_TOO_LONG: "its path is longer than the system can open",
    Unrunnable.NO_USABLE_OPTIONS: "the request offered no options with which it could be answered",
    Unrunnable.TOO_MANY_WAITING: "too many questions of this agent are waiting already",
}


class Refusal(NamedTuple):
    """The result of a call that was not allowed: all that the model is told, and what a person sees of it."""

    told: str
    shown: str


def refusal(call: ToolCall, decision: Decision) -> Refusal:
    """The reason, and for the model also not to try again."""
    shown = f"Not allowed: {_reason(call, decision)}."
    return Refusal(f"{shown} {ADVICE}", shown)


BRIEFLY = {
    Why.ANSWER: "the person refused",
    Why.MEMORY: "the person refused it for the session",
    Why.POLICY: "a rule of the file refused",
    Why.HOOK: "a hook refused",
    Why.NOBODY: "nobody could be asked",
    Why.CANCELLED: "cancelled",
    Why.INVALID: "it could not run or be answered",
}


def refused_call(call: ToolCall, decision: Decision) -> str:
    """A refused call of an asked agent, as its asker is told: the key, and who refused."""
    return f"{show(str(call.key))} ({BRIEFLY.get(decision.why, decision.why.value)})"


def _reason(call: ToolCall, decision: Decision) -> str:
    tool = show(call.full_name or "this tool")
    match decision.why:
        case Why.ANSWER if decision.answer is Answer.NEVER:
            return f"the person refused it, and every further call of {tool} in this session"
        case Why.ANSWER:
            return "the person refused this call"
        case Why.MEMORY:
            return f"the person said before that {tool} never runs in this session"
        case Why.POLICY:
            return f"a rule of {_where(decision, tool)}"
        case Why.HOOK:
            return _objected(decision)
        case Why.NOBODY:
            return f"{tool} needs a yes, and nobody could be asked; nobody has said no to it"
        case Why.CANCELLED:
            return "it was cancelled before it was decided"
        case Why.INVALID:
            return _invalid(decision)
        case Why.YOLO | Why.READ | Why.MODE:  # these only ever allow
            return "it was not allowed"


def _invalid(decision: Decision) -> str:
    if decision.unrunnable is None:
        return "the answer to the question about it could not be understood; nobody has said no to it"
    return f"the call cannot run or be answered: {_UNRUNNABLE[decision.unrunnable]}"


def _objected(decision: Decision) -> str:
    reason = f": {objection(decision.objection)}" if decision.objection else ""
    return f"a hook of the file refused this call{reason}"


def _where(decision: Decision, tool: str) -> str:
    """Whose rule it was: one that is not known here stands in the file of an agent that asked."""
    rule = decision.rule
    if rule is None:
        return f"an asking agent's file refuses {tool}"
    place = f", {rule.where}" if rule.where else ""
    return f"the agent's file refuses {tool} ({rule.pattern}: {rule.effect}{place})"
