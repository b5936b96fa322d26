"""The permission requests of an asked agent: read, shown, decided at the Desk, and answered.

Knows no process, and of the turn only whether there is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from consent.call import Origin, ToolCall, Unrunnable
from consent.gate import Decision
from consent.rules import Why
from mmconfigs.language import Text, saying
from orchestrator.acp.options import CANCELLED, Options
from orchestrator.acp.permission import read_request, said_of
from orchestrator.acp.refused import why_of
from orchestrator.acp.schema import ErrorCode
from orchestrator.acp.wire import RpcError
from orchestrator.desk import Desk
from orchestrator.listener.calls import Asked, Calls
from orchestrator.listener.speaker import Speaker
from orchestrator.words import notes as say
from orchestrator.words.objections import objection
from orchestrator.words.refusals import refused_call


class Requests:
    """What becomes of each `session/request_permission`. Outside of a turn all are cancelled."""

    def __init__(self, speaker: Speaker, calls: Calls, desk: Desk) -> None:
        self.in_turn = False
        self._speaker = speaker
        self._calls = calls
        self._desk = desk
        self._flooded = False

    async def answer(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to send; raises BadRequest, and RpcError where too many questions wait."""
        asked_call = params.get("toolCall")
        fields = self._calls.meant(asked_call) if isinstance(asked_call, dict) else {}
        call_id = str(fields.get("toolCallId"))
        before, asking = self._calls.known(call_id), self._speaker.asking
        request = read_request(_with(params, fields), before, asking, self._calls.first(call_id))
        call = replace(request.call, id=self._speaker.id_of(call_id))
        if not self.in_turn:
            self._desk.turn_away(call)
            self._calls.answered(call_id, call, allowed=False, announced=bool(before))
            return CANCELLED
        merged = self._calls.learn(call_id, fields)
        asked = Asked(call_id, call, said_of(merged, asking.profile), asking.profile)
        # From here on, before anything waits, a change of the call is noticed.
        with self._calls.asking(asked):
            decision = await self._decide(asked, None if before else merged)
        await self._calls.decided(asked, decision, announced=bool(before))
        return await self._outcome(call, decision, request.options)

    async def _decide(self, asked: Asked, unannounced: Mapping[str, Any] | None) -> Decision | None:
        """The decision; None where the agent changed the call before it was answered."""
        decision = None
        await self._announce(asked, unannounced)
        with asked.scope:
            decision = await self._desk.decide(asked.call)
        if decision is not None:
            return decision
        await self._speaker.note(saying(say.CHANGED, agent=self._speaker.name))
        return None

    async def _announce(self, asked: Asked, unannounced: Mapping[str, Any] | None) -> None:
        if unannounced is None:
            return
        try:
            await self._calls.start(asked.call.path, asked.call_id, unannounced)
        except BaseException:
            self._desk.turn_away(asked.call)
            raise

    async def _outcome(self, call: ToolCall, decision: Decision | None, options: Options) -> dict[str, Any]:
        if decision is None or decision.why is Why.CANCELLED:
            return CANCELLED
        if not decision.allowed:
            self._calls.heard.refused.append(refused_call(call, decision))
            await self._tell(call, decision)
        if decision.unrunnable is Unrunnable.TOO_MANY_WAITING:
            raise RpcError(ErrorCode.TOO_MANY, "too many questions wait")
        outcome = options.outcome(decision)
        # Our own agents tell their model why; for others the option says it all.
        ours = self._speaker.asking.origin is Origin.OURS and not decision.allowed
        return outcome | {"_meta": {"mm": why_of(decision)}} if ours else outcome

    async def _tell(self, call: ToolCall, refusal: Decision) -> None:
        """Tell the person of a refusal without a question; of a flood of questions only once."""
        flood = refusal.unrunnable is Unrunnable.TOO_MANY_WAITING
        told = say.UNASKED.get(refusal.why)
        if told and not _told_above(refusal) and not (flood and self._flooded):
            self._flooded = self._flooded or flood
            await self._speaker.note(saying(told, key=str(call.key), reason=_reason(refusal)))


def _with(params: Mapping[str, Any], fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """The request with its call as it is meant; one that has no call is left for its reader to refuse."""
    return {**params, "toolCall": fields} if fields else params


def _told_above(refusal: Decision) -> bool:
    """Whether a hook refused, or an answer was not understood, where the question was asked."""
    if refusal.why is Why.INVALID:
        return refusal.unrunnable is None
    return refusal.objection is not None and refusal.objection.rule is None


def _reason(decision: Decision) -> Text:
    if decision.unrunnable:
        return saying(say.UNRUNNABLE[decision.unrunnable], id=decision.unrunnable.value)
    if decision.objection:
        return objection(decision.objection)
    return decision.rule.where if decision.rule else decision.why.value
