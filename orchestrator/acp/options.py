"""The options of a permission request: which one goes out for an allow, and which for a refusal.

Options are chosen by kind among those offered, never by position, id or label (consent.md, "Memory").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from consent.answer import MOST_YESES, Answer, Yes
from consent.gate import Decision
from orchestrator.words.party import yes_name

MOST_OPTIONS = 16
REFUSALS = ("reject_once", "reject_always")
"""Kinds that carry a refusal, the best first."""

CANCELLED: dict[str, Any] = {"outcome": {"outcome": "cancelled"}}
"""The answer to a request that nobody decides any more."""


@dataclass(frozen=True, slots=True)
class Options:
    """`allow` are the ids of the usable yeses, none where there is none; `refuse` is None for `cancelled`.

    `names` are the yeses' own names, where there are several.
    """

    allow: tuple[str, ...]
    refuse: str | None
    names: tuple[str, ...] = ()

    def outcome(self, decision: Decision) -> dict[str, Any]:
        """The answer to send: an allow without a usable option is `cancelled`, never another option."""
        chosen = self._yes(decision) if decision.allowed else self.refuse
        return CANCELLED if chosen is None else {"outcome": {"outcome": "selected", "optionId": chosen}}

    def _yes(self, decision: Decision) -> str | None:
        """The one yes, or that of several which the person chose."""
        match decision.answer, self.allow:
            case Yes(number), _ if number < len(self.allow):
                return self.allow[number]
            case None | Answer(), (plain,):
                return plain
            case _:
                return None


def read_options(offered: Sequence[dict[str, Any]], plain: str = "") -> Options:
    """Choose among the offered options, each with `optionId` and `kind` as text.

    Empty or repeated ids, or more than 16 options, leave no yes; so do more yeses than can be shown, and two
    that are shown alike. Which of several a plain yes means is not ours to guess, but `plain` may name one of
    two. Unknown kinds are never chosen.
    """
    if len(offered) > MOST_OPTIONS:
        return Options((), None)
    times = Counter(option["optionId"] for option in offered)
    sound = [option for option in offered if option["optionId"] and times[option["optionId"]] == 1]
    yeses = [option for option in offered if option["kind"] == "allow_once"]
    if len(yeses) == 2 and plain:
        yeses = [option for option in yeses if option["optionId"] == plain] or yeses
    names = tuple(map(_name, yeses)) if len(yeses) > 1 else ()
    apart = len(yeses) <= MOST_YESES and len(set(map(yes_name, names))) == len(names)
    usable = yeses if len(sound) == len(offered) and apart else []
    noes = [option["optionId"] for kind in REFUSALS for option in sound if option["kind"] == kind]
    return Options(
        tuple(option["optionId"] for option in usable), noes[0] if noes else None, names if usable else ()
    )


def _name(option: dict[str, Any]) -> str:
    name = option.get("name")
    return name if isinstance(name, str) else ""
