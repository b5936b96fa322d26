"""The calls of an asked agent: what is known of each, which are open, and which are being asked about.

The one place that sees each call announced and ended, and what was decided about it; the Watch hears of it
from here. Knows no Desk and no answer on the wire.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import anyio

from consent.call import Arguments, Detail, Origin, Task, ToolCall
from consent.circles import UNCHANGING, End, Made, same_call
from consent.gate import Decision
from consent.key import Kind, Path
from consent.rules import Why
from consent.unasked import Report, Unasked
from orchestrator.acp.details import detail_of
from orchestrator.acp.known import KnownCalls
from orchestrator.acp.permission import (
    OVER,
    Asking,
    arguments_of,
    kind_of,
    name_of,
    read_call,
    said_of,
    title_of,
)
from orchestrator.acp.profiles import Profile
from orchestrator.alarm import Alarm
from orchestrator.events import CallEnded, CallStarted
from orchestrator.listener.heard import Heard
from orchestrator.listener.speaker import Speaker
from orchestrator.listener.texts import result_of
from orchestrator.watch import Watch

REPORTS = {"in_progress": Report.RUNS, "completed": Report.DONE, "failed": Report.FAILED}
"""What the statuses of ACP say."""


@dataclass(eq=False, slots=True)
class Asked:
    """An open permission request: the call as it is shown, and the scope in which it waits.

    `said` is what else the agent gave that what is shown was made from; `profile` says what that is.
    """

    call_id: str
    call: ToolCall
    said: tuple[str | None, Kind | None, str]
    profile: Profile
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)

    def still_shows(self, fields: Mapping[str, Any]) -> bool:
        """Whether the call with these fields is the one that was shown."""
        call = self.call
        detail = detail_of(call.full_name, call.kind, fields, call.folder)
        said = said_of(fields, self.profile)
        return (self.said, call.arguments, call.detail) == (said, arguments_of(fields), detail)


@dataclass(slots=True)
class _Open:
    """A call that was announced and has not ended: whose it is, and whether it was refused."""

    path: Path
    refused: bool = False


class Calls:
    """The calls of one ACP session, by the ids that the agent gave them."""

    def __init__(self, speaker: Speaker, watch: Watch, alarm: Alarm) -> None:
        self.heard = Heard()
        self._speaker = speaker
        self._watch = watch
        self._alarm = alarm
        self._unasked = Unasked()
        self._known = KnownCalls()
        self._asked: set[Asked] = set()
        self._open: dict[str, _Open] = {}

    def known(self, call_id: str) -> Mapping[str, Any]:
        """What was said of a call so far, empty for one never seen."""
        return self._known.get(call_id)

    def first(self, call_id: str) -> Mapping[str, Any]:
        """What announced a call, empty where nothing did."""
        return self._known.first(call_id)

    def meant(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """The call of a request, as the agent's profile reads it."""
        return self._speaker.asking.profile.meant(asked, self.known, tuple(self._open))

    async def update(self, path: Path, update: Mapping[str, Any]) -> None:
        """A `tool_call` or a `tool_call_update`: it may announce a call, change it, or end it."""
        if not isinstance(call_id := update.get("toolCallId"), str):
            return
        seen_before = bool(self.known(call_id))
        merged = self.learn(call_id, update)
        if not seen_before:
            await self.start(path, call_id, merged)
        await self._look(call_id, merged, self._report(call_id, update.get("status")))
        if merged.get("status") in OVER:
            ok = merged["status"] == "completed"
            ended = await self._end(call_id, ok=ok, text=result_of(merged))
            if ended and not ended.refused:
                await self._watch.ended(self._made(ended.path, merged), End.DONE if ok else End.FAILED)

    def learn(self, call_id: str, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """Merge what is said of a call; open questions that showed it otherwise are withdrawn."""
        merged = self._known.update(fields)
        for asked in self._asked:
            if asked.call_id == call_id and not asked.still_shows(merged):
                asked.scope.cancel()
        return merged

    @contextmanager
    def asking(self, asked: Asked) -> Iterator[None]:
        """As long as this holds, a change of the call withdraws its question."""
        self._asked.add(asked)
        try:
            yield
        finally:
            self._asked.discard(asked)

    async def start(self, path: Path, call_id: str, call: Mapping[str, Any]) -> None:
        """Announce a call that was not announced before."""
        self._open[call_id] = _Open(path)
        asking = self._speaker.asking
        if path == asking.path:
            self.heard.called()
            self._unasked = self._unasked.begun(call_id, must_ask=self._alarm.must_ask(path))
        name, kind = name_of(call), kind_of(call)
        detail = detail_of(name, kind, call, asking.folder)
        await self._speaker.sink.emit(
            CallStarted(
                path, self._speaker.id_of(call_id), name, kind, title_of(call), detail, arguments_of(call)
            )
        )

    async def decided(self, asked: Asked, decision: Decision | None, *, announced: bool) -> None:
        """What was decided about a call; None where its agent changed it under the question.

        `announced`: the call was heard of before it was asked about.
        """
        path = asked.call.path
        self.answered(
            asked.call_id, asked.call, allowed=bool(decision and decision.allowed), announced=announced
        )
        if decision and decision.allowed:
            self._watch.allowed(path)
        elif not (decision and decision.why is Why.CANCELLED):
            if opened := self._open.get(asked.call_id):
                opened.refused = True
            await self._watch.ended(self._made(path, self.known(asked.call_id)), End.REFUSED)

    def answered(self, call_id: str, call: ToolCall, *, allowed: bool, announced: bool) -> None:
        """What a request is about to be answered, which the reports of the agent are held against."""
        if call.path == self._speaker.asking.path:
            self._unasked = self._unasked.decided(
                call_id, call.arguments, allowed=allowed, announced=announced
            )

    async def close(self, *, stopped: bool) -> None:
        """The turn is over: calls that the agent left open are closed here.

        Where the turn was `stopped`, one that "runs" may be one that it was about to ask for.
        """
        for call_id in tuple(self._open):
            if not stopped:
                await self._look(call_id, self.known(call_id), Report.LEFT)
            await self._end(call_id, ok=False, text="")

    async def _end(self, call_id: str, *, ok: bool, text: str) -> _Open | None:
        """Close a call; gives what was open."""
        ended = self._open.pop(call_id, None)
        if ended:
            await self._speaker.sink.emit(CallEnded(ended.path, self._speaker.id_of(call_id), ok, text))
        return ended

    def _report(self, call_id: str, status: object) -> Report:
        """What an update says of its call."""
        opened = self._open.get(call_id)
        if status == "completed" and opened and opened.refused:
            return Report.FAILED if self._speaker.asking.profile.refused_completes else Report.DONE
        return REPORTS.get(status, Report.ELSE) if isinstance(status, str) else Report.ELSE

    async def _look(self, call_id: str, fields: Mapping[str, Any], report: Report) -> None:
        """Hold what an agent reports against what was decided.

        Only calls of the agent that this process itself asks have begun there: those of agents below it are
        looked at by who asks them.
        """
        asking = self._speaker.asking
        self._unasked, finding = self._unasked.reported(
            call_id,
            arguments_of(fields),
            report,
            changing=_changing(asking, fields),
            must_ask=self._alarm.must_ask(asking.path),
        )
        if finding:
            call = read_call(fields, self.first(call_id), asking, {})
            await self._alarm.raised(replace(call, id=self._speaker.id_of(call_id)), finding)

    def _made(self, path: Path, call: Mapping[str, Any]) -> Made:
        """The call as it counts for circles. One that says nothing of itself is like no other."""
        name, kind, arguments = name_of(call), kind_of(call), arguments_of(call)
        says = arguments or _claim(title_of(call), detail_of(name, kind, call, self._speaker.asking.folder))
        same = same_call(name, kind, says) if says else b""
        return Made(path, same, kind not in UNCHANGING)


def _changing(asking: Asking, fields: Mapping[str, Any]) -> bool:
    """Whether a call may change anything. A hand-over by an agent of ours frees nothing, and asks nothing."""
    name, kind = name_of(fields), kind_of(fields)
    handed_over = isinstance(detail_of(name, kind, fields, asking.folder), Task)
    return kind not in UNCHANGING and not (asking.origin is Origin.OURS and handed_over)


def _claim(title: str, detail: Detail) -> str:
    """What a call without arguments says that it does."""
    return title if detail == Arguments("") else f"{title}\0{detail}"
