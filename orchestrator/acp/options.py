"""The options of a permission request: which one goes out for an allow, and which for a refusal.

Options are chosen by kind among those offered, never by position, id or label (consent.md, "Memory").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

MOST_OPTIONS = 16
REFUSALS = ("reject_once", "reject_always")
"""Kinds that carry a refusal, the best first."""

CANCELLED: dict[str, Any] = {"outcome": {"outcome": "cancelled"}}
"""The answer to a request that nobody decides any more."""


@dataclass(frozen=True, slots=True)
class Options:
    """`allow` is the one usable allow_once, None where there is none; `refuse` is None for `cancelled`."""

    allow: str | None
    refuse: str | None

    def outcome(self, allowed: bool) -> dict[str, Any]:
        """The answer to send: an allow without a usable option is `cancelled`, never another option."""
        chosen = self.allow if allowed else self.refuse
        return CANCELLED if chosen is None else {"outcome": {"outcome": "selected", "optionId": chosen}}


def read_options(offered: Sequence[dict[str, Any]]) -> Options:
    """Choose among the offered options, each with `optionId` and `kind` as text.

    Empty or repeated ids, or more than 16 options, leave no allow. Several yeses leave none either: which
    of them a plain yes means is not ours to guess. Unknown kinds are never chosen.
    """
    if len(offered) > MOST_OPTIONS:
        return Options(None, None)
    times = Counter(option["optionId"] for option in offered)
    sound = [option for option in offered if option["optionId"] and times[option["optionId"]] == 1]
    yeses = [option["optionId"] for option in offered if option["kind"] == "allow_once"]
    allow = yeses[0] if len(yeses) == 1 and len(sound) == len(offered) else None
    noes = [option["optionId"] for kind in REFUSALS for option in sound if option["kind"] == kind]
    return Options(allow, noes[0] if noes else None)
