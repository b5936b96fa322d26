"""Moves of a run that only a person may allow: a question of the launched agent's own, once only.

It goes through the Desk like every call, so that it is asked where the person is, and has its line in the
audit. Knows no step and no engine. Source: consent.md, "The order", line 4.
"""

from __future__ import annotations

import json

import anyio

from consent.call import Move, Origin, Proposed, Tier, ToolCall
from consent.gate import Decision
from consent.key import Kind
from orchestrator.desk import Desk
from orchestrator.events import CallEnded, CallStarted, Sink
from orchestrator.tools.arguments import hidden

UNDECIDED = "the question was withdrawn"


def call_of(proposed: Proposed, number: int, folder: str) -> ToolCall:
    """The call that a person is asked about. No answer to it is remembered."""
    return ToolCall(
        id=f"move-{number}",
        path=(),
        origin=Origin.OWN,
        name=NAMES[proposed.move],
        kind=Kind.SWITCH_MODE,
        tier=Tier.EXEC,
        arguments=json.dumps({"about": proposed.about, "text": proposed.text}, ensure_ascii=False),
        detail=proposed,
        folder=folder,
        unrunnable=hidden(proposed.about, proposed.text),
    )


async def ask_about(proposed: Proposed, number: int, folder: str, desk: Desk, sink: Sink) -> Decision:
    """The person's decision about one move; `number` tells the questions of a conversation apart."""
    call = call_of(proposed, number, folder)
    await sink.emit(CallStarted((), call.id, call.name, call.kind, "", call.detail, call.arguments))
    allowed = False
    try:
        decision = await desk.decide(call)
        allowed = decision.allowed
        return decision
    finally:
        with anyio.CancelScope(shield=True):
            await sink.emit(CallEnded((), call.id, allowed, ""))


NAMES = {Move.HAND_OVER: "hand_over", Move.GO_ON: "go_on", Move.MERGE: "merge"}
