"""Clients that others wrote understand mm, and mm them, through a turn with a question."""

from __future__ import annotations

import signal

import pytest

from tests.peers.driving import Json, Peer, acpx
from tests.walks.builder import Walk

KINDS = ["allow_once", "allow_always", "reject_always", "reject_once"]
EVERYTHING = "/ask-jan run touch made then write note.txt: hello then read note.txt"
"""A start, and calls with a command, with a diff and a place, and one that is not asked for."""


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


@pytest.mark.parametrize(
    ("peer", "unknown"), [("typescript", set()), ("official", {"name"})], indirect=["peer"]
)
def test_the_types_of_a_client_lose_nothing(peer: Peer, unknown: set[str]) -> None:
    """Both are lenient: what they do not accept they drop. So what they hold must be what mm sent."""
    seen = peer.takes_a_turn(EVERYTHING, "allow_once")
    sent = peer.walk.frames("sent")
    assert seen.updates == [without(unknown, update) for update in updates(sent)]
    asked = [frame["params"] for frame in sent if frame.get("method") == "session/request_permission"]
    assert seen.questions == [{**q, "toolCall": without(unknown, q["toolCall"])} for q in asked]
    assert seen.hello == sent[0]["result"]


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


def updates(frames: list[Json]) -> list[Json]:
    """The updates among the frames that mm sent."""
    return [frame["params"]["update"] for frame in frames if frame.get("method") == "session/update"]


def statuses(updates: list[Json]) -> list[str]:
    """The status of each update that tells of the only call."""
    return [update["status"] for update in updates if "toolCallId" in update]


def without(fields: set[str], value: Json) -> Json:
    """The object without these fields of it."""
    return {name: part for name, part in value.items() if name not in fields}
