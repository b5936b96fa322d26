"""Why a call was refused, as an asking agent of ours tells it to the agent that it asks (`_meta.mm`).

A reason of a refusal, never of anything else. Knows no options.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from consent.gate import Decision
from consent.hook import Broken, Objection
from consent.rules import Why

REFUSALS = frozenset({Why.INVALID, Why.HOOK, Why.POLICY, Why.MEMORY, Why.NOBODY})
"""Reasons that may be sent down, besides the answer of a person."""


def why_of(decision: Decision) -> dict[str, Any]:
    """The reason as it is sent."""
    against = decision.objection
    said = {"reason": against.reason, "broken": against.broken} if against else {}
    return {"why": decision.why.value, **{name: text for name, text in said.items() if text}}


def read_why(result: Mapping[str, Any]) -> Why | Objection | None:
    """The reason as it came, None where there is none that may be sent."""
    meta = result.get("_meta")
    match meta.get("mm") if isinstance(meta, dict) else None:
        case {"why": "hook", **said}:
            reason, broken = said.get("reason"), said.get("broken")
            known = Broken(broken) if isinstance(broken, str) and broken in list(Broken) else None
            return Objection(None, reason if isinstance(reason, str) else "", known)
        case {"why": str(why)} if why in list(REFUSALS):
            return Why(why)
        case _:
            return None
