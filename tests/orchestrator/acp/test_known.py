"""What is known of calls, merged from updates in order."""

from __future__ import annotations

import pytest

from orchestrator.acp.known import MOST_CALLS, KnownCalls


def test_a_present_field_replaces_and_an_absent_or_null_one_keeps() -> None:
    known = KnownCalls()
    known.update({"toolCallId": "1", "name": "bash", "rawInput": {}, "status": "pending"})
    known.update({"toolCallId": "1", "name": None, "rawInput": {"command": "ls"}})
    assert known.get("1") == {
        "toolCallId": "1",
        "name": "bash",
        "rawInput": {"command": "ls"},
        "status": "pending",
    }


def test_calls_are_told_apart_and_unknown_ones_are_empty() -> None:
    known = KnownCalls()
    known.update({"toolCallId": "1", "name": "bash"})
    known.update({"toolCallId": "2", "title": "x"})
    assert "name" not in known.get("2")
    assert known.get("3") == {}


def test_fields_of_no_meaning_are_not_kept() -> None:
    assert KnownCalls().update({"toolCallId": "1", "sessionUpdate": "tool_call", "_meta": {"mm": {}}}) == {
        "toolCallId": "1"
    }


@pytest.mark.parametrize("call_id", [None, 1, ["1"], {}])
def test_a_call_needs_an_id(call_id: object) -> None:
    with pytest.raises(ValueError):
        KnownCalls().update({"toolCallId": call_id})


def test_what_is_known_before_an_update_stays_as_it_was() -> None:
    known = KnownCalls()
    known.update({"toolCallId": "1", "name": "bash"})
    before = known.get("1")
    known.update({"toolCallId": "1", "name": "other"})
    assert before["name"] == "bash"


def test_the_oldest_calls_are_forgotten() -> None:
    known = KnownCalls()
    for number in range(MOST_CALLS):
        known.update({"toolCallId": str(number)})
    known.update({"toolCallId": "0", "title": "still of interest"})
    known.update({"toolCallId": "one more"})
    assert known.get("1") == {}
    assert known.get("0")
    assert known.get("one more")


def test_what_calls_hold_is_bounded_by_its_size_and_the_newest_is_always_known() -> None:
    known = KnownCalls()
    for number in range(100):
        known.update({"toolCallId": str(number), "rawInput": {"text": "x" * 1024**2}})
    kept = [number for number in range(100) if known.get(str(number))]
    assert 20 < len(kept) < 40
    assert kept[-1] == 99
    known.update({"toolCallId": "large", "rawInput": "x" * 64 * 1024**2})
    assert known.get("large")
    assert not known.get("99")
