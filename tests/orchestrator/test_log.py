"""The audit as a person reads it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from orchestrator.log import BadTime, Wanted, as_json, here, readable, since
from tests.orchestrator.words.calls import ENGLISH, FRENCH

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
LINE = {
    "time": "2026-12-01T09:30:00.000+00:00",
    "key": "jan/bash",
    "agent": "jan",
    "allowed": True,
    "why": "answer",
    "answer": "allow_once",
    "args": {"command": "ls\x1b[2J"},
}


def told(line: dict[str, Any], words: Any = ENGLISH, zone: Any = lambda at: at) -> str:
    return "\n".join(readable([line], words, zone))


def test_a_decision_is_one_line_in_the_language_of_the_reader() -> None:
    yes = r"2026-12-01 09:30:00+00:00  allowed  jan/bash  by you: allow once  ls\u{1b}[2J"
    assert told(LINE) == yes
    denied = {**LINE, "allowed": False, "why": "policy", "answer": None, "rule": "bash: deny (a:1:1)"}
    assert told(denied, FRENCH) == (
        "2026-12-01 09:30:00+00:00  refusé    jan/bash  "
        r"par une règle du fichier : bash: deny (a:1:1)  ls\u{1b}[2J"
    )


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"why": "nobody", "answer": None}, "refused  jan/bash  nobody could be asked  "),
        ({"why": "unasked", "answer": None, "acted": "refused"}, "ran      jan/bash  although refused  "),
        ({"why": "unasked", "answer": None, "acted": "in 2030"}, "ran      jan/bash  unasked  "),
        ({"why": "answer", "answer": "yes_2"}, "refused  jan/bash  by you: yes_2  "),
        ({"why": "in 2030", "answer": None}, "refused  jan/bash  in 2030  "),
        ({"why": "answer", "answer": ["a"]}, "refused  jan/bash  by you: ['a']  "),
        ({"why": "unasked", "answer": None, "acted": {}}, "ran      jan/bash  unasked  "),
    ],
)
def test_a_reason_is_told_in_words_and_one_that_is_not_known_as_it_is(
    fields: dict[str, Any], reason: str
) -> None:
    assert reason in told({**LINE, "allowed": False, **fields})


def test_a_mode_that_a_person_chose_is_no_call() -> None:
    chosen = {"key": "(mode)", "allowed": True, "why": "switched", "args": {"mode": "yolo", "by": "/yolo on"}}
    assert told(chosen) == "?  chosen   (mode)    by you  yolo (/yolo on)"


@pytest.mark.parametrize("args", [None, "text", {"path": "a"}, {"other": 1}, [1], 3])
def test_any_line_can_be_told(args: Any) -> None:
    assert "jan/bash" in told({**LINE, "args": args})
    assert told({"args": args}).startswith("?  refused")


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "", 7])
def test_a_time_that_is_none_costs_only_the_time(time: Any) -> None:
    assert told({**LINE, "time": time}, zone=here).startswith("?  allowed")
    assert not Wanted(since=NOW).includes({**LINE, "time": time})


def test_json_gives_the_lines_as_they_are_kept() -> None:
    assert [json.loads(text) for text in as_json([LINE])] == [LINE]


@pytest.mark.parametrize(
    ("wanted", "included"),
    [
        (Wanted(), True),
        (Wanted(agent="jan"), True),
        (Wanted(agent="ja"), False),
        (Wanted(agent="jan/homer"), False),
        (Wanted(key="jan/bash"), True),
        (Wanted(key="jan/*"), True),
        (Wanted(key="bash"), False),
        (Wanted(key="homer/*"), False),
        (Wanted(since=NOW - timedelta(hours=3)), True),
        (Wanted(since=NOW - timedelta(hours=2)), False),
    ],
)
def test_lines_are_chosen_by_agent_key_and_time(wanted: Wanted, included: bool) -> None:
    assert wanted.includes(LINE) is included


def test_the_lines_of_an_agent_are_also_those_below_it() -> None:
    assert Wanted(agent="jan").includes({**LINE, "agent": "jan/homer"})


@pytest.mark.parametrize(
    ("text", "hours"), [("30m", 0.5), ("2h", 2), ("1d", 24), ("1w", 168), ("2026-12-01T11:00:00+00:00", 1)]
)
def test_since_takes_a_span_or_a_time(text: str, hours: float) -> None:
    assert NOW - since(text, NOW) == timedelta(hours=hours)


@pytest.mark.parametrize("text", ["", "2", "h", "-2h", "yesterday", "999999w"])
def test_since_takes_nothing_else(text: str) -> None:
    with pytest.raises(BadTime, match="accepted"):
        since(text, NOW)
