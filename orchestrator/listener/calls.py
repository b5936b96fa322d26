"""The calls of an asked agent: what is known of each, which are open, and which are being asked about.

The one place that sees each call announced and ended, and what was decided about it; the Watch hears of it
from here. Knows no Desk and no answer on the wire.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import anyio

from consent.call import Arguments, Detail, Origin, Task, ToolCall
from consent.circles import UNCHANGING, End, Made, same_call
from consent.claim import Claim, Ground, claim_of
from consent.gate import Decision
from consent.key import Kind, Path
from consent.rules import Why
from consent.unasked import Effect, Report, Told, Unasked
from orchestrator.acp.details import NOTHING, arguments_text, detail_of
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
from orchestrator.disk import real
from orchestrator.events import CallEnded, CallStarted
from orchestrator.listener.heard import Heard
from orchestrator.listener.speaker import Speaker
from orchestrator.listener.texts import result_of
from orchestrator.watch import Watch

REPORTS = {"in_progress": Report.RUNS, "completed": Report.DONE, "failed": Report.FAILED}
"""What the statuses of ACP say."""
CHANGING = (Kind.EXECUTE, Kind.EDIT, Kind.DELETE, Kind.MOVE)
"""The kinds that say that a call changes something. Any other may become one that only looks."""
EMPTY = frozenset(map(arguments_text, NOTHING))
"""Arguments that say nothing, as JSON texts."""


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
        folder = speaker.asking.folder
        self._ground = Ground(folder, real(folder, ""), speaker.asking.home)
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
        if path == self._speaker.asking.path:
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
        asking = self._speaker.asking
        if call.path == asking.path:
            self._unasked = self._unasked.decided(
                call_id,
                self._claim(call.arguments, call.title),
                _effect(asking, call.kind, call.detail),
                allowed=allowed,
                announced=announced,
                must_ask=self._alarm.must_ask(asking.path),
            )

    async def close(self, *, stopped: bool) -> None:
        """The turn is over: calls that the agent left open are closed here.

        Where the turn was `stopped`, one that "runs" may be one that it was about to ask for.
        """
        for call_id in () if stopped else self._unasked.running:
            await self._look(call_id, self.known(call_id), Report.LEFT)
        self._unasked = self._unasked.over(stopped=stopped)
        for call_id in tuple(self._open):
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

        Only calls of the agent that this process itself asks are looked at here: those of agents below it are
        looked at by who asks them.
        """
        asking = self._speaker.asking
        kind, title = kind_of(fields), title_of(fields)
        effect = _effect(asking, kind, detail_of(name_of(fields), kind, fields, asking.folder))
        told = Told(report, self._claim(arguments_of(fields), title), title, effect)
        must_ask = self._alarm.must_ask(asking.path)
        self._unasked, finding = self._unasked.reported(call_id, told, must_ask=must_ask)
        if finding:
            call = read_call(fields, self.first(call_id), asking, {})
            await self._alarm.raised(replace(call, id=self._speaker.id_of(call_id)), finding)

    def _claim(self, arguments: str, title: str) -> Claim:
        """What a call says that would run: its arguments, or the title where that is the command."""
        if self._speaker.asking.profile.title_is_command and arguments in EMPTY:
            arguments = json.dumps({"command": title})
        return claim_of(arguments, self._ground)

    def _made(self, path: Path, call: Mapping[str, Any]) -> Made:
        """The call as it counts for circles. One that says nothing of itself is like no other."""
        name, kind, arguments = name_of(call), kind_of(call), arguments_of(call)
        says = arguments or _says(title_of(call), detail_of(name, kind, call, self._speaker.asking.folder))
        same = same_call(name, kind, says) if says else b""
        return Made(path, same, kind not in UNCHANGING)


def _effect(asking: Asking, kind: Kind | None, detail: Detail) -> Effect:
    """Whether a call may change anything. A hand-over by an agent of ours frees nothing, and asks nothing."""
    if kind in UNCHANGING or (asking.origin is Origin.OURS and isinstance(detail, Task)):
        return Effect.LOOKS
    return Effect.CHANGES if kind in CHANGING else Effect.MAY_CHANGE


def _says(title: str, detail: Detail) -> str:
    """What a call without arguments says that it does."""
    return title if detail == Arguments("") else f"{title}\0{detail}"
