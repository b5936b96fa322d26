"""The agent loop: the model answers, its calls pass the Desk, run, and are answered; until it has no more.

No I/O of its own: the model, the tools and the Desk do all of it. Every call that a model makes gets exactly
one result, refused, failed and cancelled ones included.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, assert_never

import anyio
from anyio.lowlevel import checkpoint_if_cancelled

from consent.call import ToolCall
from consent.circles import End, Made, TooMany, made_by, same_call
from consent.gate import Decision
from consent.rules import Why
from mmconfigs.language import saying
from orchestrator.agent import Reason, Stop
from orchestrator.desk import Desk
from orchestrator.events import CallEnded, CallStarted, Level, Noted, Said, Sink, Thought
from orchestrator.llm.messages import (
    Assistant,
    Call,
    Message,
    Model,
    ModelError,
    Piece,
    Reply,
    Result,
    System,
    ToolSpec,
    User,
    Wait,
)
from orchestrator.llm.written import describes_call
from orchestrator.tools.base import BadArguments, Outcome, Seen, Tool, Workplace, call_of
from orchestrator.watch import Watch
from orchestrator.words import notes as say
from orchestrator.words.objections import objection

RUN_CALLS = "tool_calls"
"""The one finish with which calls are whole, and run: those of a reply that was cut never do."""
NOT_RUN = Outcome("error: cancelled before it ran", ok=False)
BROKEN_OFF = Outcome("error: cancelled while it ran; what it had done by then stays done", ok=False)
CUT = Outcome("error: not run, since the reply was cut; make the call again", ok=False)


class Loop:
    """The launched agent itself, or an asked agent in its own process: both run this."""

    def __init__(
        self,
        model: Model,
        tools: Sequence[Tool],
        desk: Desk,
        watch: Watch,
        place: Workplace,
        *,
        instructions: str = "",
        steps: int = 100,
        refusal: Callable[[ToolCall, Decision], Outcome],
    ) -> None:
        self._model = model
        self._tools: Mapping[str, Tool] = {tool.name: tool for tool in tools}
        self._specs = tuple(ToolSpec(t.name, t.description, t.parameters) for t in tools)
        self._desk = desk
        self._watch = watch
        self._place = place
        self._steps = steps
        self._refusal = refusal
        self._numbers = count(1)
        self._history: list[Message] = [System(instructions)] if instructions else []
        self._tokens: int | None = None

    async def prompt(self, text: str, sink: Sink) -> Stop:
        """One turn. A cancelled turn leaves a history in which every call has its result."""
        over: list[TooMany] = []
        self._tokens = None
        with self._watch.turn((), over.append):
            return replace(await self._turn(text, sink, over), tokens=self._tokens)

    async def _turn(self, text: str, sink: Sink, over: Sequence[TooMany]) -> Stop:
        """Step after step; `over` says from outside that the turn must end, and why."""
        self._history.append(User(text))
        for _ in range(self._steps):
            pieces: list[str] = []
            try:
                reply = await self._step(pieces, sink)
            except ModelError as error:
                return Stop(Reason.FAILED, "".join(pieces), str(error))
            if not reply.calls or reply.finish != RUN_CALLS:
                self._record(reply.calls, CUT)
                if not reply.calls and describes_call(reply.text):
                    await sink.emit(Noted((), saying(say.ONLY_TEXT), Level.WARNING))
                return Stop(_reason(reply.finish), reply.text)
            await self._run_calls(reply.calls, sink, over)
            if over:
                return Stop(Reason.FAILED, reply.text, saying(say.TOO_MANY[over[0]]))
        return Stop(Reason.MAX_TURN_REQUESTS, detail=saying(say.STEPS, steps=str(self._steps)))

    def overheard(self, question: str, answer: str) -> None:
        """What the person and another agent said to each other, so that the model knows of it."""
        self._history += [User(question), Assistant(answer)]

    async def _step(self, pieces: list[str], sink: Sink) -> Reply:
        """Ask the model once; what it says goes to `pieces`, and stays in the history also if it breaks."""

        async def on_piece(piece: Piece | Wait) -> None:
            if isinstance(piece, Piece) and not piece.thought:
                pieces.append(piece.text)
            await sink.emit(_event(piece))

        try:
            reply = await self._model.reply(self._history, self._specs, on_piece)
        except BaseException:
            if pieces:
                self._history.append(Assistant("".join(pieces)))
            raise
        self._history.append(Assistant(reply.text, reply.calls))
        if usage := reply.usage:
            self._tokens = (self._tokens or 0) + usage.prompt + usage.completion
        return reply

    async def _run_calls(self, calls: Iterable[Call], sink: Sink, over: Sequence[TooMany]) -> None:
        """Run the calls of one reply in order; once the turn must end the rest are recorded as not run."""
        left = deque(calls)
        try:
            while left and not over:
                await self._run_call(left.popleft(), sink)
                await checkpoint_if_cancelled()  # nothing more runs after a Stop, however quick it is
        finally:
            self._record(left, NOT_RUN)

    async def _run_call(self, call: Call, sink: Sink) -> None:
        """Take one call from its text to its result, which it gets in the history whatever happens."""
        try:
            tool = self._tool(call.name)
            arguments = _parse(call.arguments)
            frozen = json.dumps(arguments)
            seen = tool.look(arguments, self._place)
        except BadArguments as error:
            await self._fail(call, Outcome(f"error: {error}", ok=False))
        except Exception as error:  # noqa: BLE001 - a tool's run, its look included, is one of the four boundaries
            await self._fail(call, _broken(error))
        else:
            await self._submit(call, tool, self._tool_call(tool, frozen, seen), seen, sink)

    async def _fail(self, call: Call, outcome: Outcome) -> None:
        """A call that could not even be submitted."""
        self._record([call], outcome)
        await self._watch.ended(Made((), same_call(call.name, call.arguments), changing=False), End.FAILED)

    def _tool(self, name: str) -> Tool:
        tool = self._tools.get(name)
        if tool is None:
            names = ", ".join(self._tools) or "none"
            raise BadArguments(f"there is no tool {name!r}; the tools are: {names}")
        return tool

    async def _submit(self, call: Call, tool: Tool, submitted: ToolCall, seen: Seen, sink: Sink) -> None:
        """Announce the call, decide about it, run exactly what was shown, and tell how it ended."""
        outcome: Outcome = NOT_RUN
        end: End | None = None
        try:
            await sink.emit(
                CallStarted((), submitted.id, tool.name, tool.kind, "", seen.detail, submitted.arguments)
            )
            decision = await self._desk.decide(submitted)
            if decision.allowed:
                self._watch.allowed(())
                outcome = BROKEN_OFF  # unless the run comes to its end
                outcome = await self._run(tool, submitted, seen)
                end = End.DONE if outcome.ok else End.FAILED
            else:
                outcome = self._refusal(submitted, decision)
                await self._tell(submitted, decision, sink)
                end = None if decision.why is Why.CANCELLED else End.REFUSED
        finally:
            self._record([call], outcome)
            with anyio.CancelScope(shield=True):
                await sink.emit(CallEnded((), submitted.id, outcome.ok, outcome.shown or outcome.text))
        if end:
            await self._watch.ended(made_by(submitted), end)

    async def _tell(self, call: ToolCall, refusal: Decision, sink: Sink) -> None:
        """Tell the person what a hook of this file has against a call."""
        against = refusal.objection
        if against and against.rule:
            told = saying(say.UNASKED[Why.HOOK], key=str(call.key), reason=objection(against))
            await sink.emit(Noted((), told, Level.WARNING))

    async def _run(self, tool: Tool, submitted: ToolCall, seen: Seen) -> Outcome:
        """Run the frozen text, not the value that was looked at."""
        try:
            return await tool.run(json.loads(submitted.arguments), seen, self._place)
        except Exception as error:  # noqa: BLE001 - a tool's run is one of the four boundaries
            return _broken(error)

    def _record(self, calls: Iterable[Call], outcome: Outcome) -> None:
        self._history += [Result(call.id, call.name, outcome.text, outcome.ok) for call in calls]

    def _tool_call(self, tool: Tool, frozen: str, seen: Seen) -> ToolCall:
        return call_of(tool, frozen, seen, str(self._place.folder), str(next(self._numbers)))


def _event(piece: Piece | Wait) -> Said | Thought | Noted:
    match piece:
        case Wait(seconds, why):
            return Noted((), saying(say.AGAIN, why=why, seconds=f"{seconds:.0f}"), Level.WARNING)
        case Piece(text, thought):
            return (Thought if thought else Said)((), text)
    assert_never(piece)


def _broken(error: Exception) -> Outcome:
    return Outcome(f"error: the tool broke: {type(error).__name__}: {error}", ok=False)


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
