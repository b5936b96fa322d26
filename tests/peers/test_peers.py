"""Clients that others wrote understand mm, and mm them, through a turn with a question."""

from __future__ import annotations

import json
import signal

import pytest

from tests.peers.driving import Json, Peer, acpx
from tests.walks.builder import Walk

KINDS = ["allow_once", "allow_always", "reject_always", "reject_once"]
EVERYTHING = "run touch made then write note.txt: hello then read note.txt then ask jan: run touch other"
"""Calls with a command, with a diff and a place, one that is not asked for, and those of an asked agent."""
UNKNOWN: dict[str, set[str]] = {"typescript": set(), "official": {"name"}}
"""The clients with types, and the fields of a tool call that these do not have yet."""


def test_an_allowed_call_runs(peer: Peer) -> None:
    seen = peer.takes_a_turn("run touch made", "allow_once")
    assert peer.walk.made("made")
    assert seen.stop_reason == "end_turn"
    assert seen.hello["protocolVersion"] == 1
    assert seen.hello["agentInfo"]["name"] == "mm"
    (question,) = seen.questions
    assert question["toolCall"]["title"] == "bash: touch made"
    assert question["toolCall"]["rawInput"] == {"command": "touch made"}
    assert [option["kind"] for option in question["options"]] == KINDS
    assert question["_meta"] == {"mm": {"path": []}}
    assert statuses(seen.updates) == ["pending", "completed"]


def test_a_refused_call_does_not_run(peer: Peer) -> None:
    seen = peer.takes_a_turn("run touch made", "reject_once")
    assert not peer.walk.made("made")
    assert seen.stop_reason == "end_turn"
    assert statuses(seen.updates) == ["pending", "failed"]
    assert "Not allowed: the person refused this call." in json.dumps(seen.updates)


def test_a_turn_can_be_stopped_while_its_question_is_open(peer: Peer) -> None:
    """One client waits until the question is taken back, one answers `cancelled`, one never answers."""
    seen = peer.takes_a_turn("run touch made", "cancel")
    assert not peer.walk.made("made")
    assert seen.stop_reason == "cancelled"
    assert statuses(seen.updates) == ["pending", "failed"]


@pytest.mark.parametrize("peer", ["typescript"], indirect=True)
def test_a_question_of_an_asked_agent_says_whose_it_is(peer: Peer) -> None:
    seen = peer.takes_a_turn("/ask-jan run touch made", "allow_once")
    assert peer.walk.made("made")
    assert [question["toolCall"]["title"] for question in seen.questions] == ["jan › bash: touch made"]
    assert seen.questions[0]["_meta"] == {"mm": {"path": ["jan"]}}


@pytest.mark.parametrize("peer", UNKNOWN, indirect=True)
def test_the_types_of_a_client_lose_nothing(peer: Peer) -> None:
    """Both are lenient: what they do not accept they drop. So what they hold must be what mm sent."""
    seen = peer.takes_a_turn(EVERYTHING, "allow_once")
    sent = peer.walk.frames("sent")
    assert seen.hello == sent[0]["result"]
    assert seen.updates == [known(peer, params["update"]) for params in of("session/update", sent)]
    asked = of("session/request_permission", sent)
    assert len(asked) == 3
    assert seen.questions == [{**params, "toolCall": known(peer, params["toolCall"])} for params in asked]


def test_acpx_lets_a_person_allow(walk: Walk) -> None:
    with acpx(walk, "run touch made") as person:
        person.sees("Allow bash: touch made [execute]?").sends(b"y\r").sees("[done] end_turn").ends(0)
    assert walk.made("made")


def test_acpx_lets_a_person_refuse(walk: Walk) -> None:
    with acpx(walk, "run touch made") as person:
        person.sees("Allow bash: touch made [execute]?").sends(b"n\r").sees("[done] end_turn").ends(5)
    assert not walk.made("made")


def test_acpx_lets_a_person_stop(walk: Walk) -> None:
    with acpx(walk, "run touch made") as person:
        person.sees("Allow bash: touch made [execute]?").kills(signal.SIGINT).sees("[done] cancelled").ends()
    assert not walk.made("made")


def statuses(updates: list[Json]) -> list[str]:
    """The status of each update that tells of the only call."""
    return [update["status"] for update in updates if "toolCallId" in update]


def of(method: str, frames: list[Json]) -> list[Json]:
    """The params of each frame of this method."""
    return [frame["params"] for frame in frames if frame.get("method") == method]


def known(peer: Peer, value: Json) -> Json:
    """The object without the fields that the client's types do not have."""
    return {name: part for name, part in value.items() if name not in UNKNOWN[peer.name]}
