"""Events and questions as ACP objects: what the editor facade sends. Knows no connection and no session.

Source: acp.md, "As an agent"; interface.md, "A question sent to an editor". Everything that a person must
see stands in `title` and `content`, escaped, since editors draw only that, and content as Markdown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from posixpath import isabs
from typing import Any, assert_never

from consent.answer import Answer, Response, Yes
from consent.call import Altered, Arguments, Change, Detail, Origin, Place, Tier, ToolCall
from consent.docket import Waiting
from consent.hook import Objection
from consent.key import Kind, Path
from consent.matching import Effect
from consent.rules import Why
from consent.show import LOCK, show
from consent.unasked import Finding
from mmconfigs.language import Words
from orchestrator.acp.details import NOTHING
from orchestrator.acp.markdown import as_markdown, fenced
from orchestrator.acp.permission import to_meta
from orchestrator.acp.refused import read_why
from orchestrator.events import (
    AgentState,
    CallEnded,
    CallStarted,
    Event,
    Noted,
    Phase,
    Row,
    RunState,
    Said,
    State,
    Thought,
)
from orchestrator.words.card import Card, Choice, card, title
from orchestrator.words.party import BETWEEN
from orchestrator.words.shown import LONGEST
from orchestrator.words.table import entry

KINDS = {
    Answer.ALLOW_ONCE: "allow_once",
    Answer.ALLOW_SESSION: "allow_always",
    Answer.NEVER: "reject_always",
    Answer.REFUSE_ONCE: "reject_once",
}


def update_of(event: Event, words: Words, *, to_ours: bool) -> dict[str, Any] | None:
    """The `update` of a session/update that tells of this event; None where an editor is told nothing.

    `words`: in the language of whoever reads it. `to_ours`: an asking agent of ours, which escapes what it
    draws itself.
    """
    match event:
        case Said(_, text) | Noted(_, text):
            return _chunk("agent_message_chunk", str(text))
        case Thought(_, text):
            return _chunk("agent_thought_chunk", text)
        case CallStarted():
            return _tool_call(event, to_ours=to_ours)
        case CallEnded(path, call, ok, text):
            # Content replaces content: without a text the diff that was announced stays.
            content = [_text_block(text, to_ours=to_ours)]
            return {
                "sessionUpdate": "tool_call_update",
                "toolCallId": wire_id(path, call),
                "status": "completed" if ok else "failed",
                **({"content": content} if text else {}),
            }
        case AgentState(path, State.STARTING):
            return _chunk("agent_thought_chunk", f"starting {BETWEEN.join(path)} …\n")
        case RunState(rows=rows):
            return {"sessionUpdate": "plan", "entries": [_planned(row, words) for row in rows]}
        case AgentState():
            return None
        case _:
            assert_never(event)


def _planned(row: Row, words: Words) -> dict[str, Any]:
    return {"content": as_markdown([entry(row, words)]), "priority": "medium", "status": _STATUS[row.phase]}


_STATUS = {
    Phase.WAITING: "pending",
    Phase.WORKING: "in_progress",
    Phase.DONE: "completed",
    Phase.FAILED: "completed",
}


def meta_of(event: Event) -> dict[str, Any]:
    """What an asking agent of ours reads beside an update: the agent below, and whether mm itself speaks."""
    path = {"path": list(event.path)}
    return {"mm": {**path, "note": event.level.value} if isinstance(event, Noted) else path}


def request_of(waiting: Waiting, words: Words, behind: int, folder: str, *, to_ours: bool) -> dict[str, Any]:
    """The params of a session/request_permission, without the session: everything that a person must see.

    `folder` is the session's. `to_ours`: an asking agent of ours, which draws the question itself.
    """
    question = waiting.question
    call = question.call
    drawn = card(waiting, words, behind, whole=LONGEST)
    rule = question.rule
    marked = call.marked or bool(rule and rule.effect is Effect.PROMPT and not rule.inherited)
    return {
        "toolCall": {
            **_named(call.full_name),
            **_shown(call.path, call.id, call.detail, call.arguments, call.beside if to_ours else ()),
            "title": drawn.title,
            **_of_kind(call.kind),
            "status": "pending",
            "content": [
                *([] if to_ours else [_block(_text_of(drawn))]),
                *_diff(call.detail),
                *(_said(call.detail, call.arguments, to_ours=True) if to_ours else []),
            ],
        },
        "options": [_option(choice, call, to_ours=to_ours) for choice in drawn.choices],
        "_meta": {"mm": to_meta(call, folder, marked=marked)},
    }


def acted_of(call: ToolCall, finding: Finding, folder: str) -> dict[str, Any]:
    """The params of an `ext.ACTED`, without the session: a call that ran past the answers, and how."""
    return {
        "finding": finding.value,
        "toolCall": {
            **_named(call.full_name),
            **_shown(call.path, call.id, call.detail, call.arguments, call.beside),
            "title": call.title,
            **_of_kind(call.kind),
            "content": [*_diff(call.detail), *_said(call.detail, call.arguments, to_ours=True)],
        },
        "_meta": {"mm": to_meta(call, folder, marked=False)},
    }


def _option(choice: Choice, call: ToolCall, *, to_ours: bool) -> dict[str, Any]:
    name = f"{choice.label} ({choice.covers})"
    if to_ours and isinstance(choice.answer, Yes):
        name = call.yeses[choice.answer.number]  # as the agent below words it: the agent above draws it
    return {"optionId": option_id(choice.answer), "name": name, "kind": _kind_of(choice.answer)}


def option_id(answer: Response) -> str:
    """The id of the option that carries this answer."""
    return f"{KINDS[Answer.ALLOW_ONCE]}_{answer.number}" if isinstance(answer, Yes) else answer.value


def _kind_of(answer: Response) -> str:
    return KINDS[Answer.ALLOW_ONCE if isinstance(answer, Yes) else answer]


def answer_of(result: Any, offered: Mapping[str, Response], *, from_ours: bool) -> Response | Why | Objection:
    """What the other side answered. Anything but an offered option, or `cancelled`, is no valid answer.

    `from_ours`: the other side is an agent of ours, and its reason for a refusal is taken over.
    """
    outcome = result.get("outcome") if isinstance(result, dict) else None
    match outcome:
        case {"outcome": "cancelled"}:
            return Why.CANCELLED
        case {"outcome": "selected", "optionId": str(option)} if option in offered:
            answer = offered[option]
            return answer if answer.allows or not from_ours else read_why(result) or answer
        case _:
            return Why.INVALID


def wire_id(path: Path, call: str) -> str:
    """A call's id on the wire, unique in the session: agents below count for themselves."""
    return ":".join((*path, call))


def _tool_call(event: CallStarted, *, to_ours: bool) -> dict[str, Any]:
    call = ToolCall(
        path=event.path,
        origin=Origin.OWN,
        name=event.name,
        kind=event.kind,
        tier=Tier.EXEC,
        arguments=event.arguments,
        detail=event.detail,
        folder="",
    )
    return {
        "sessionUpdate": "tool_call",
        **_named(event.name),
        **_shown(event.path, event.call, event.detail, event.arguments),
        "title": title(call),
        **_of_kind(event.kind),
        "status": "pending",
        "content": [*_diff(event.detail), *_said(event.detail, event.arguments, to_ours=to_ours)],
    }


def _named(name: str | None) -> dict[str, Any]:
    return {} if name is None else {"name": name}


def _of_kind(kind: Kind | None) -> dict[str, Any]:
    return {} if kind is None else {"kind": kind.value}


def _shown(
    path: Path, call: str, detail: Detail, arguments: str, beside: Iterable[str] = ()
) -> dict[str, Any]:
    match detail:
        case Change(target=place) | Place(place) | Altered(file=place) if isabs(place):
            places = [place]
        case _:
            places = []
    return {
        "toolCallId": wire_id(path, call),
        **({"rawInput": json.loads(arguments)} if arguments else {}),
        "locations": [{"path": place} for place in dict.fromkeys((*places, *beside))],
    }


def _diff(detail: Detail) -> list[dict[str, Any]]:
    if not isinstance(detail, Change):
        return []
    return [{"type": "diff", "path": detail.target, "oldText": detail.before, "newText": detail.after}]


def _said(detail: Detail, arguments: str, *, to_ours: bool) -> list[dict[str, Any]]:
    """The text that a call consists of whose arguments say nothing."""
    if not isinstance(detail, Arguments) or not detail.text or json.loads(arguments or "null") not in NOTHING:
        return []
    return [_text_block(detail.text, to_ours=to_ours)]


def _text_of(drawn: Card) -> str:
    return as_markdown((f"{LOCK} {drawn.who}", *drawn.body, *filter(None, (drawn.behind,))))


def _text_block(text: str, *, to_ours: bool) -> dict[str, Any]:
    """A text of another process: an asking agent of ours escapes it itself, an editor renders Markdown."""
    return _block(text if to_ours else fenced("\n".join(map(show, text.split("\n")))))


def _chunk(kind: str, text: str) -> dict[str, Any]:
    return {"sessionUpdate": kind, "content": {"type": "text", "text": text}}


def _block(text: str) -> dict[str, Any]:
    return {"type": "content", "content": {"type": "text", "text": text}}
