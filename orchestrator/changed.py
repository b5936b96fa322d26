"""A file that decides what an asked agent does and that changed since the start: the question about it.

Which file changed is found by `orchestrator.seal`; here it becomes a call that only a person may allow.
Knows no configuration and no process. Source: consent.md, "The order".
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

import anyio

from consent.call import Altered, Origin, Tier, ToolCall
from consent.gate import Decision
from consent.key import Kind
from consent.rules import Why
from orchestrator.desk import Desk
from orchestrator.events import CallEnded, CallStarted, Sink
from orchestrator.tools.arguments import hidden
from orchestrator.words.refusals import refusal

Seal = Mapping[str, str]
"""Paths as the files name them, each with the Mark of what was found there, as text.

A path behind which nothing could be read has an empty text.
"""

UNDECIDED = "the question was withdrawn"
USED = "used as it is now"


@dataclass(frozen=True, slots=True)
class Mark:
    """What was found behind a path: `content` stands for the bytes, `file` is the real path."""

    content: str
    file: str

    def __str__(self) -> str:
        return f"{self.content} {self.file}"


@dataclass(frozen=True, slots=True)
class Changed:
    """Behind `path`, which decides what `agent` does, `mark` was found; the seal says otherwise.

    `folder` is the conversation's.
    """

    agent: str
    path: str
    mark: Mark
    folder: str

    def accepted(self, seal: Seal) -> Seal:
        """The seal after a yes: with exactly what was asked about."""
        return {**seal, self.path: str(self.mark)}

    def call(self, number: int) -> ToolCall:
        """The call of the asking agent that only a person may allow (line 4: a change of mode)."""
        file = self.mark.file
        about = {"agent": self.agent, "path": self.path, "file": file, "content": self.mark.content}
        return ToolCall(
            id=f"changed-{number}",
            path=(),
            origin=Origin.OWN,
            name=f"ask_{self.agent}",
            kind=Kind.SWITCH_MODE,
            tier=Tier.EXEC,
            arguments=json.dumps(about),
            detail=Altered(self.agent, self.path, file),
            folder=self.folder,
            unrunnable=hidden(self.path, file),
        )

    def refused(self, call: ToolCall, decision: Decision) -> str:
        """Why the file is not used. Where nobody could be asked this is an error, and nobody has said no."""
        if decision.why is Why.NOBODY:
            return f"{self.path} is not what it was when mm was started: start mm anew to use it"
        said = refusal(call, decision).shown
        return f"{self.path} changed since mm was started. {said} This is no crash; do not try again."


async def ask_about(changed: Changed, number: int, desk: Desk, sink: Sink) -> str:
    """Ask whether the file is used as it is now. Gives why it is not, empty after a yes.

    `number` tells the questions of a conversation apart.
    """
    call = changed.call(number)
    await sink.emit(CallStarted((), call.id, call.name, call.kind, "", call.detail, call.arguments))
    refused = UNDECIDED
    try:
        decision = await desk.decide(call)
        refused = "" if decision.allowed else changed.refused(call, decision)
    finally:
        with anyio.CancelScope(shield=True):
            await sink.emit(CallEnded((), call.id, not refused, refused or USED))
    return refused
