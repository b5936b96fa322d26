"""Hooks: programs that the file names, which see a call before the Gate and may refuse it.

Which of them see a call, and what one of them had against it. Runs nothing. Source: consent.md, "The order".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from consent.call import ToolCall
from consent.matching import Effect, Match, Rule, narrows


class Broken(StrEnum):
    """Why a hook that gave no clear answer refuses all the same."""

    CHANGED = "changed"
    NOT_STARTED = "not-started"
    FAILED = "failed"
    TOO_LATE = "too-late"
    FLOOD = "flood"
    STAYED_OPEN = "stayed-open"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Objection:
    """That a hook refuses a call. `reason` is in its own words, or what is known of a hook that is `broken`.

    `rule` says which hook; None where the hook is one of an asking agent's file.
    """

    rule: Rule | None
    reason: str = ""
    broken: Broken | None = None


def hooks_of(rules: Iterable[Rule], call: ToolCall) -> Iterator[Rule]:
    """The hooks that see the call, in the order of the file: all that might mean it.

    A call that cannot run anyway (line 0) is seen by none.
    """
    for rule in rules:
        if rule.effect is Effect.HOOK and not call.unrunnable and narrows(rule.pattern, call) is not Match.NO:
            yield rule
