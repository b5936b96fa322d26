"""What an asked agent says: its updates become events, its permission requests go through the Desk.

The agent part of every key comes from the launched file's entry, never from the wire. Knows no process.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import anyio

from consent.call import Origin, ToolCall, Unrunnable
from consent.gate import Decision
from consent.key import Path
from consent.rules import Why
from orchestrator.acp import ext
from orchestrator.acp.details import detail_of
from orchestrator.acp.known import KnownCalls
from orchestrator.acp.options import CANCELLED, Options
from orchestrator.acp.permission import (
    OVER,
    Asking,
    BadRequest,
    arguments_of,
    kind_of,
    mm_meta,
    name_of,
    path_of,
    read_request,
    title_of,
)
from orchestrator.acp.schema import ErrorCode
from orchestrator.acp.wire import RpcError
from orchestrator.desk import Desk
from orchestrator.events import CallEnded, CallStarted, Level, Noted, Said, Sink, Thought
from orchestrator.quota import Quota

TOLD = {Why.INVALID: "was refused without a question", Why.POLICY: "was refused by a rule of the file"}
"""Refusals that no person saw a question for, and that the person is told of."""


@dataclass
class Heard:
    """What one turn brought: the text to hand over, and the calls that were refused.

    The text is everything said after the last tool call, else the last text before it.
    """

    refused: list[str] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    before: str = ""

    def called(self) -> None:
        """A tool call was announced: what was said so far is the answer only if nothing follows."""
        self.before = "".join(self.pieces) or self.before
        self.pieces.clear()

    @property
    def text(self) -> str:
        """The text to hand over if the turn ended now."""
        return "".join(self.pieces) or self.before


@dataclass(eq=False, slots=True)
class _Asked:
    """An open permission request: the call as it is shown, and the scope in which it waits."""

    call_id: str
    call: ToolCall
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)

    def still_shows(self, fields: Mapping[str, Any]) -> bool:
        """Whether the call with these fields is the one that was shown."""
        call = self.call
        detail = detail_of(call.name, call.kind, fields, call.folder)
        return (call.arguments, call.detail) == (arguments_of(fields), detail)


class Listener:
    """The client's side of one ACP session, without its process."""

    def __init__(self, asking: Asking, desk: Desk, sink: Sink, quota: Quota, run: int) -> None:
        self.session: str | None = None
        self.heard = Heard()
        self._asking = asking
        self._desk = desk
        self._sink = sink
        self._quota = quota
        self._run = run
        self._known = KnownCalls()
        self._asked: set[_Asked] = set()
        self._open: dict[str, Path] = {}
        self._in_turn = False
        self._flooded = False

    def begin(self) -> None:
        """A turn begins: from now on its questions are decided."""
        self.heard = Heard()
        self._in_turn = True

    def end(self) -> None:
        """The turn is over, or was stopped: whatever is asked from now on is cancelled."""
        self._in_turn = False

    async def on_notification(self, method: str, params: Mapping[str, Any]) -> None:
        """An update of the session; others are none of ours, and ignored as ACP demands."""
        if not self._in_session(params):
            return
        try:
            match method:
                case "session/update":
                    await self._updated(params.get("update"), mm_meta(params, self._asking.origin))
                case ext.AGENT_ENDED if self._asking.origin is Origin.OURS:
                    await self._quota.give_back(self._below(params))
                case _:
                    pass
        except BadRequest as error:
            await self._note(f"{self._name} sent an update that is not valid: {error}")

    async def _updated(self, update: Any, meta: Mapping[str, Any]) -> None:
        if not isinstance(update, dict):
            raise BadRequest("update must be an object")
        path = (*self._asking.path, *path_of(meta))
        note = meta.get("note")
        match update.get("sessionUpdate"):
            case "agent_message_chunk" if isinstance(note, str) and note in list(Level):
                await self._sink.emit(Noted(path, _text(update), Level(note)))
            case "agent_message_chunk":
                await self._said(path, _text(update))
            case "agent_thought_chunk":
                await self._sink.emit(Thought(path, _text(update)))
            case "tool_call" | "tool_call_update":
                await self._called(path, update)
            case _:
                pass  # kinds that are not known here are fine

    async def on_request(self, method: str, params: Mapping[str, Any]) -> Any:
        """A permission request, or an agent of ours that starts one. Everything else is a second door."""
        ours = self._asking.origin is Origin.OURS
        if method != "session/request_permission" and not (method == ext.AGENT_STARTS and ours):
            raise RpcError(ErrorCode.METHOD_NOT_FOUND, f"mm offers no {method}")
        if not self._in_session(params):
            await self._note(f"{self._name} asked for a session that it was never given: refused")
            raise RpcError(ErrorCode.INVALID_PARAMS, "unknown sessionId")
        try:
            if method == ext.AGENT_STARTS:
                return {"refused": await self._quota.take(self._below(params))}
            return await self._permission(params)
        except BadRequest as error:
            await self._note(f"{self._name} sent a permission request that is not valid: {error}")
            raise RpcError(ErrorCode.INVALID_PARAMS, str(error)) from None

    async def close_calls(self) -> None:
        """The turn is over: calls that the agent left open are closed here."""
        for call_id in tuple(self._open):
            await self._end(call_id, ok=False, text="")

    # --- updates

    async def _said(self, path: Path, text: str) -> None:
        if path == self._asking.path:
            self.heard.pieces.append(text)
        await self._sink.emit(Said(path, text))

    async def _called(self, path: Path, update: Mapping[str, Any]) -> None:
        if not isinstance(call_id := update.get("toolCallId"), str):
            return
        seen_before = bool(self._known.get(call_id))
        merged = self._learn(call_id, update)
        if not seen_before:
            await self._start(path, call_id, merged)
        if merged.get("status") in OVER:
            await self._end(call_id, ok=merged["status"] == "completed", text=_content(merged))

    def _learn(self, call_id: str, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """Merge what is said of a call; open questions that showed it otherwise are withdrawn."""
        merged = self._known.update(fields)
        for asked in self._asked:
            if asked.call_id == call_id and not asked.still_shows(merged):
                asked.scope.cancel()
        return merged

    async def _start(self, path: Path, call_id: str, call: Mapping[str, Any]) -> None:
        self._open[call_id] = path
        if path == self._asking.path:
            self.heard.called()
        name, kind = name_of(call), kind_of(call)
        detail = detail_of(name, kind, call, self._asking.folder)
        await self._sink.emit(
            CallStarted(path, self._id(call_id), name, kind, title_of(call), detail, arguments_of(call))
        )

    async def _end(self, call_id: str, *, ok: bool, text: str) -> None:
        path = self._open.pop(call_id, None)
        if path is not None:
            await self._sink.emit(CallEnded(path, self._id(call_id), ok, text))

    # --- requests

    async def _permission(self, params: Mapping[str, Any]) -> dict[str, Any]:
        if not self._in_turn:
            return CANCELLED
        asked_call = params.get("toolCall")
        fields = asked_call if isinstance(asked_call, dict) else {}
        call_id = str(fields.get("toolCallId"))
        before = self._known.get(call_id)
        request = read_request(params, before, self._asking)
        call = replace(request.call, id=self._id(call_id))
        merged = self._learn(call_id, fields)
        # From here on, before anything waits, a change of the call is noticed.
        asked = _Asked(call_id, call)
        self._asked.add(asked)
        try:
            decision = await self._decide(asked, None if before else merged)
        finally:
            self._asked.discard(asked)
        return await self._answer(call, decision, request.options)

    async def _decide(self, asked: _Asked, unannounced: Mapping[str, Any] | None) -> Decision | None:
        """The decision; None where the agent changed the call before it was answered."""
        decision = None
        with asked.scope:
            if unannounced is not None:
                await self._start(asked.call.path, asked.call_id, unannounced)
            decision = await self._desk.decide(asked.call)
        if not asked.scope.cancel_called:
            return decision
        await self._note(f"{self._name} changed a call while it was asked about: withdrawn")
        return None

    async def _answer(self, call: ToolCall, decision: Decision | None, options: Options) -> dict[str, Any]:
        if decision is None or decision.why is Why.CANCELLED:
            return CANCELLED
        if not decision.allowed:
            self.heard.refused.append(f"{call.key} ({decision.why.value})")
            await self._tell(call, decision)
        if decision.unrunnable is Unrunnable.TOO_MANY_WAITING:
            raise RpcError(ErrorCode.TOO_MANY, "too many questions wait")
        outcome = options.outcome(decision)
        # Our own agents tell their model why; for others the option says it all.
        ours = self._asking.origin is Origin.OURS and not decision.allowed
        return outcome | {"_meta": {"mm": {"why": decision.why.value}}} if ours else outcome

    async def _tell(self, call: ToolCall, refusal: Decision) -> None:
        """Tell the person of a refusal without a question; of a flood of questions only once."""
        flood = refusal.unrunnable is Unrunnable.TOO_MANY_WAITING
        if refusal.why in TOLD and not (flood and self._flooded):
            self._flooded = self._flooded or flood
            await self._note(f"{call.key} {TOLD[refusal.why]}: {_reason(refusal)}")

    def _below(self, params: Mapping[str, Any]) -> Path:
        """The agent below ours that a message names; it must name one."""
        path = path_of(params)
        if not path:
            raise BadRequest("path must name an agent")
        return (*self._asking.path, *path)

    async def _note(self, text: str) -> None:
        await self._sink.emit(Noted(self._asking.path, text, Level.WARNING))

    def _in_session(self, params: Mapping[str, Any]) -> bool:
        """Whether a message is about the one session that was opened."""
        return self.session is not None and params.get("sessionId") == self.session

    @property
    def _name(self) -> str:
        return " > ".join(self._asking.path)

    def _id(self, call_id: str) -> str:
        """The call's id among all runs of this agent: a new process may count from the start again."""
        return f"{self._run}:{call_id}"


def _reason(decision: Decision) -> str:
    if decision.unrunnable:
        return decision.unrunnable.value
    return decision.rule.where if decision.rule else decision.why.value


def _text(update: Mapping[str, Any]) -> str:
    content = update.get("content")
    text = content.get("text") if isinstance(content, dict) else None
    return text if isinstance(text, str) else ""


def _content(call: Mapping[str, Any]) -> str:
    """The text blocks of a call's content, where results stand."""
    content = call.get("content")
    blocks = [b.get("content") for b in content if isinstance(b, dict)] if isinstance(content, list) else []
    return "\n".join(_text({"content": block}) for block in blocks if block)
