"""The agent loop: the model answers, its calls pass the Desk, run, and are answered; until it has no more.

No I/O of its own: the model, the tools and the Desk do all of it. Every call that a model makes gets exactly
one result, refused, failed and cancelled ones included.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import anyio

from consent.call import Origin, ToolCall
from consent.gate import Decision
from orchestrator.agent import Reason, Stop
from orchestrator.desk import Desk
from orchestrator.events import CallEnded, CallStarted, Said, Sink, Thought
from orchestrator.llm.messages import (
    Assistant,
    Call,
    Message,
    Model,
    ModelError,
    Piece,
    Result,
    System,
    ToolSpec,
    User,
)
from orchestrator.tools.base import BadArguments, Outcome, Seen, Tool, Workplace

RUN_CALLS = "tool_calls"
"""The one finish with which calls are whole, and run: those of a reply that was cut never do."""
NOT_RUN = "error: cancelled before it ran"


class Loop:
    """The launched agent itself, or an asked agent in its own process: both run this."""

    def __init__(
        self,
        model: Model,
        tools: Sequence[Tool],
        desk: Desk,
        place: Workplace,
        *,
        instructions: str = "",
        steps: int = 100,
        refusal: Callable[[ToolCall, Decision], str],
    ) -> None:
        self._model = model
        self._tools: Mapping[str, Tool] = {tool.name: tool for tool in tools}
        self._specs = tuple(ToolSpec(t.name, t.description, t.parameters) for t in tools)
        self._desk = desk
        self._place = place
        self._steps = steps
        self._refusal = refusal
        self._numbers = count(1)
        self._history: list[Message] = [System(instructions)] if instructions else []

    async def prompt(self, text: str, sink: Sink) -> Stop:
        """One turn. A cancelled turn leaves a history in which every call has its result."""
        self._history.append(User(text))
        for _ in range(self._steps):
            try:
                reply = await self._step(sink)
            except ModelError as error:
                return Stop(Reason.FAILED, detail=str(error))
            if not reply.calls or reply.finish != RUN_CALLS:
                return Stop(_reason(reply.finish), reply.text)
            await self._run_calls(reply.calls, sink)
        return Stop(Reason.MAX_TURN_REQUESTS, detail=f"the turn reached its limit of {self._steps} steps")

    def overheard(self, question: str, answer: str) -> None:
        """What the person and another agent said to each other, so that the model knows of it."""
        self._history += [User(question), Assistant(answer)]

    async def _step(self, sink: Sink) -> _Step:
        """Ask the model once; what had arrived when it broke or was cancelled stays in the history."""
        pieces: list[str] = []

        async def on_piece(piece: Piece) -> None:
            if not piece.thought:
                pieces.append(piece.text)
            await sink.emit((Thought if piece.thought else Said)((), piece.text))

        try:
            reply = await self._model.reply(self._history, self._specs, on_piece)
        except BaseException:
            if pieces:
                self._history.append(Assistant("".join(pieces)))
            raise
        self._history.append(Assistant(reply.text, reply.calls))
        return _Step(reply.text, reply.calls, reply.finish)

    async def _run_calls(self, calls: Sequence[Call], sink: Sink) -> None:
        """Run the calls of one reply in order; after a cancel the rest are recorded as not run."""
        left = list(calls)
        try:
            while left:
                outcome = await self._run_call(left[0], sink)
                done = left.pop(0)
                self._history.append(Result(done.id, done.name, outcome.text, outcome.ok))
        finally:
            self._history.extend(Result(call.id, call.name, NOT_RUN, ok=False) for call in left)

    async def _run_call(self, call: Call, sink: Sink) -> Outcome:
        tool = self._tools.get(call.name)
        if tool is None:
            names = ", ".join(self._tools) or "none"
            return Outcome(f"error: there is no tool {call.name!r}; the tools are: {names}", ok=False)
        try:
            arguments = _parse(call.arguments)
            seen = tool.look(arguments, self._place)
        except BadArguments as error:
            return Outcome(f"error: {error}", ok=False)
        return await self._submit(tool, arguments, seen, sink)

    async def _submit(self, tool: Tool, arguments: dict[str, Any], seen: Seen, sink: Sink) -> Outcome:
        """Announce the call, decide about it, run exactly what was shown, and tell how it ended."""
        submitted = self._tool_call(tool, arguments, seen)
        await sink.emit(
            CallStarted((), submitted.id, tool.name, tool.kind, "", seen.detail, submitted.arguments)
        )
        outcome = Outcome(NOT_RUN, ok=False)
        try:
            decision = await self._desk.decide(submitted)
            if decision.allowed:
                # The frozen text runs, not the value that was looked at.
                outcome = await tool.run(json.loads(submitted.arguments), seen, self._place)
            else:
                outcome = Outcome(self._refusal(submitted, decision), ok=False)
        finally:
            with anyio.CancelScope(shield=True):
                await sink.emit(CallEnded((), submitted.id, outcome.ok, outcome.text))
        return outcome

    def _tool_call(self, tool: Tool, arguments: dict[str, Any], seen: Seen) -> ToolCall:
        return ToolCall(
            id=str(next(self._numbers)),
            path=(),
            origin=Origin.OWN,
            name=tool.name,
            kind=tool.kind,
            tier=seen.tier,
            arguments=json.dumps(arguments),
            detail=seen.detail,
            folder=str(self._place.folder),
            unrunnable=seen.unrunnable,
            fenced=seen.fenced,
        )


@dataclass(frozen=True, slots=True)
class _Step:
    text: str
    calls: tuple[Call, ...]
    finish: str


def _parse(text: str) -> dict[str, Any]:
    """The arguments that the model wrote. What does not parse is never run as an empty object."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadArguments(f"the arguments are not JSON ({error}); write one JSON object") from None
    if not isinstance(value, dict):
        raise BadArguments("the arguments must be one JSON object")
    return value


def _reason(finish: str) -> Reason:
    match finish:
        case "stop" | "":
            return Reason.END_TURN
        case "length" | "truncated":
            return Reason.MAX_TOKENS
        case "content_filter":
            return Reason.REFUSAL
        case _:
            return Reason.UNKNOWN
