"""What an asked agent says: its updates become events, its permission requests go through the Desk.

    speaker   who is listened to
    calls     each call from its announcement to its end
    requests  each permission request from its question to its answer
    heard     what is handed over in the end

The agent part of every key comes from the launched file's entry, never from the wire. Knows no process.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from consent.call import Origin
from consent.key import Path
from consent.unasked import Finding
from mmconfigs.language import Sentence, saying
from orchestrator.acp import ext
from orchestrator.acp.permission import Asking, BadRequest, mm_meta, path_of, read_call
from orchestrator.acp.schema import ErrorCode
from orchestrator.acp.wire import RpcError
from orchestrator.events import Level, Noted, Said, Thought
from orchestrator.listener.calls import Calls
from orchestrator.listener.heard import Heard
from orchestrator.listener.requests import Requests
from orchestrator.listener.speaker import Speaker
from orchestrator.listener.texts import text_of
from orchestrator.shared import Shared
from orchestrator.words import notes as say


class Listener:
    """The client's side of one ACP session, without its process."""

    def __init__(self, asking: Asking, shared: Shared, run: int) -> None:
        self.session: str | None = None
        self._asking = asking
        self._sink = shared.sink
        self._quota = shared.quota
        self._alarm = shared.alarm
        self._speaker = Speaker(asking, shared.sink, run)
        self._calls = Calls(self._speaker, shared.watch, shared.alarm)
        self._requests = Requests(self._speaker, self._calls, shared.desk)

    @property
    def heard(self) -> Heard:
        """What this turn brought so far."""
        return self._calls.heard

    def begin(self) -> None:
        """A turn begins: from now on its questions are decided."""
        self._calls.heard = Heard()
        self._requests.in_turn = True

    def end(self) -> None:
        """The turn is over, or was stopped: whatever is asked from now on is cancelled."""
        self._requests.in_turn = False

    async def close_calls(self, *, stopped: bool) -> None:
        """The turn is over, or was stopped: calls that the agent left open are closed here."""
        await self._calls.close(stopped=stopped)

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
                case ext.ACTED if self._asking.origin is Origin.OURS:
                    await self._acted_below(params)
                case _:
                    pass
        except BadRequest as error:
            await self._note(say.INVALID_UPDATE, fault=str(error))

    async def on_request(self, method: str, params: Mapping[str, Any]) -> Any:
        """A permission request, or an agent of ours that starts one. Everything else is a second door."""
        ours = self._asking.origin is Origin.OURS
        if method != "session/request_permission" and not (method == ext.AGENT_STARTS and ours):
            raise RpcError(ErrorCode.METHOD_NOT_FOUND, f"mm offers no {method}")
        if not self._in_session(params):
            await self._note(say.STRANGE_SESSION)
            raise RpcError(ErrorCode.INVALID_PARAMS, "unknown sessionId")
        try:
            if method == ext.AGENT_STARTS:
                return {"refused": str(await self._quota.take(self._below(params)))}
            return await self._requests.answer(params)
        except BadRequest as error:
            await self._note(say.INVALID_REQUEST, fault=str(error))
            raise RpcError(ErrorCode.INVALID_PARAMS, str(error)) from None

    async def _updated(self, update: Any, meta: Mapping[str, Any]) -> None:
        if not isinstance(update, dict):
            raise BadRequest("update must be an object")
        path = (*self._asking.path, *path_of(meta))
        note = meta.get("note")
        match update.get("sessionUpdate"):
            case "agent_message_chunk" if isinstance(note, str) and note in list(Level):
                await self._sink.emit(Noted(path, text_of(update), Level(note)))
            case "agent_message_chunk":
                await self._said(path, text_of(update))
            case "agent_thought_chunk":
                await self._sink.emit(Thought(path, text_of(update)))
            case "tool_call" | "tool_call_update":
                await self._calls.update(path, update)
            case _:
                pass  # kinds that are not known here are fine

    async def _acted_below(self, params: Mapping[str, Any]) -> None:
        """Our agent found that one below it acted past the answers."""
        self._below(mm_meta(params, self._asking.origin))
        fields, finding = params.get("toolCall"), params.get("finding")
        if not isinstance(fields, dict) or finding not in list(Finding):
            raise BadRequest("toolCall must be an object, finding one of " + ", ".join(Finding))
        call = read_call(fields, {}, self._asking, mm_meta(params, self._asking.origin))
        await self._alarm.raised(call, Finding(finding))

    async def _said(self, path: Path, text: str) -> None:
        if path == self._asking.path:
            self.heard.pieces.append(text)
        await self._sink.emit(Said(path, text))

    async def _note(self, sentence: Sentence, **fields: str) -> None:
        await self._speaker.note(saying(sentence, agent=self._speaker.name, **fields))

    def _below(self, params: Mapping[str, Any]) -> Path:
        """The agent below ours that a message names; it must name one."""
        path = path_of(params)
        if not path:
            raise BadRequest("path must name an agent")
        return (*self._asking.path, *path)

    def _in_session(self, params: Mapping[str, Any]) -> bool:
        """Whether a message is about the one session that was opened."""
        return self.session is not None and params.get("sessionId") == self.session
