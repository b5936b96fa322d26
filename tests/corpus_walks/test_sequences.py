"""Attacks that take several messages, at a terminal and in an editor, with a real agent that makes them.

Sequences 2 to 4 (acting past the answer) cannot be prevented, only told.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from consent.show import LOCK
from tests.walks.builder import Walk
from tests.walks.editor import Editor
from tests.walks.processes import until
from tests.walks.terminal import INVITATION

Steps = list[dict[str, Any]]
CANCELLED = {"outcome": "cancelled"}
SEQUENCES = json.loads((Path(__file__).parents[1] / "corpus" / "permission_sequences.json").read_text())


@pytest.fixture
def walk(tmp_path: Path) -> Iterator[Walk]:
    walk = Walk(tmp_path)
    yield walk
    walk.leaves_nothing()


def jan_does(walk: Walk, steps: Steps) -> None:
    """riker asks jan, which does these steps and keeps what it hears."""
    entry = walk.child("jan", json.dumps({"log": "heard", "prompts": [steps]}))
    walk.agent("riker", "yolo: false", f"mmConfigs: {{jan: {entry}}}")


def command(text: str, call: str) -> dict[str, Any]:
    return {"toolCallId": call, "name": "bash", "kind": "execute", "rawInput": {"command": text}}


def asks(text: str, call: str = "call_1") -> dict[str, Any]:
    return {"ask_no_wait": {"toolCall": command(text, call)}}


FENCE = {"raw": '{"jsonrpc": "2.0", "id": "fence", "method": "no/such/method"}\n'}
"""Refused at once: when its answer is there, all that was sent before it has been taken."""


def heard(walk: Walk) -> list[dict[str, Any]]:
    """The answers to jan's requests so far."""
    if not walk.made("heard"):
        return []
    # The last line may be half written.
    lines = walk.read("heard").splitlines(keepends=True)
    frames = [json.loads(line) for line in lines if line.endswith("\n")]
    return [frame for frame in frames if "method" not in frame]


def all_is_taken(walk: Walk) -> None:
    """Wait until mm has taken everything that jan sent before the fence."""
    assert until(lambda: any(frame["id"] == "fence" for frame in heard(walk)))


def answers(walk: Walk, number: int) -> list[dict[str, Any]]:
    """Wait for so many answers to jan's requests, and look that there are no more."""

    def to_requests() -> list[dict[str, Any]]:
        return [frame for frame in heard(walk) if frame["id"] != "fence"]

    assert until(lambda: len(to_requests()) >= number)
    assert len(to_requests()) == number
    return to_requests()


def outcomes(walk: Walk, number: int) -> list[Mapping[str, Any]]:
    return [answer["result"]["outcome"] for answer in answers(walk, number)]


def chosen(kind: str) -> dict[str, str]:
    return {"outcome": "selected", "optionId": f"{kind}-id"}


def editor(walk: Walk) -> Editor:
    return walk.editor().opens()


def text_of(question: Mapping[str, Any]) -> str:
    return json.dumps(question["params"]["toolCall"], ensure_ascii=False)


def grants(mm: Editor) -> str:
    before = len(mm.text())
    assert mm.says("/grants").stop_reason == "end_turn"
    return mm.text()[before:]


# --- seq-01: the arguments change after the question was drawn

CHANGES: Steps = [
    asks("ls"),
    {"wait_for": "drawn"},
    {
        "update": {
            "sessionUpdate": "tool_call_update",
            "toolCallId": "call_1",
            "rawInput": {"command": "rm -rf ~"},
        }
    },
    {"wait_for": "again"},
    {"ask": {"toolCall": command("rm -rf ~", "call_1")}},
]


def test_seq_01_a_changed_call_takes_its_question_from_the_terminal(walk: Walk) -> None:
    jan_does(walk, CHANGES)
    with walk.line() as mm:
        mm.types("/ask-jan go").sees(f"{LOCK} jan", "│ ls", INVITATION)
        walk.file("drawn", "")
        mm.sees("withdrawn").never_saw("rm -rf ~")
        assert outcomes(walk, 1) == [CANCELLED]
        mm.from_now()
        walk.file("again", "")
        mm.sees("│ rm -rf ~").answers("4").waits_for_prompt()
        assert mm.count(f"{LOCK} jan") == 2
        mm.types("/quit").ends(0)
    assert outcomes(walk, 2) == [CANCELLED, chosen("reject_once")]


def test_seq_01_a_changed_call_takes_its_question_from_the_editor(walk: Walk) -> None:
    jan_does(walk, CHANGES)
    with editor(walk) as mm:
        first = mm.says("/ask-jan go").question()
        walk.file("drawn", "")
        assert until(lambda: mm.received("$/cancel_request") != [])
        assert mm.received("$/cancel_request")[0]["params"]["requestId"] == first["id"]
        mm.answers(first, "allow_once")  # the person pressed the key a moment too late
        assert outcomes(walk, 1) == [CANCELLED]
        walk.file("again", "")
        second = mm.question()
        assert "rm -rf ~" not in text_of(first)
        assert "rm -rf ~" in text_of(second)
        assert mm.answers(second, "reject_once").stop_reason == "end_turn"
    assert outcomes(walk, 2) == [CANCELLED, chosen("reject_once")]


# --- seq-02 to seq-04: past the answer


def report(call: str, **fields: Any) -> dict[str, Any]:
    return {"update": {"sessionUpdate": "tool_call_update", "toolCallId": call, **fields}}


ASK: Steps = [{"ask": {"toolCall": command("ls", "call_1")}}]
PAST: dict[str, tuple[Steps, str, str]] = {
    "seq-02": (
        [*ASK, report("call_1", status="in_progress", rawInput={"command": "rm -rf ~"})],
        "allow_always",
        "jan ran something other than what you allowed: rm -rf ~",
    ),
    "seq-03": (
        [
            {"update": {"sessionUpdate": "tool_call", **command("ls", "call_1"), "status": "in_progress"}},
            report("call_1", status="completed"),
        ],
        "",
        "jan ran bash without asking: ls",
    ),
    "seq-04": (
        [*ASK, report("call_1", status="completed")],
        "reject_once",
        "jan ran bash although refused: ls",
    ),
}
DIGITS = {"allow_always": "2", "reject_once": "4"}


def jan_writes_and_then(walk: Walk, steps: Steps) -> None:
    """jan has a grant for its notes before it acts past the answers."""
    notes = {"toolCallId": "call_0", "name": "write_file", "rawInput": {"path": "a", "content": ""}}
    jan_does(walk, [{"ask": {"toolCall": notes}}, *steps, FENCE])


@pytest.mark.parametrize("sequence", PAST)
def test_seq_02_to_04_at_the_terminal_it_is_told_and_costs_the_grants(walk: Walk, sequence: str) -> None:
    steps, answer, told = PAST[sequence]
    jan_writes_and_then(walk, steps)
    grave = sequence != "seq-03"
    with walk.line() as mm:
        mm.types("/ask-jan go").answers("2")
        if answer:
            mm.sees("│ ls").answers(DIGITS[answer])
        mm.sees(f"mm: warning: {told}").waits_for_prompt()
        assert mm.count(told) == 1
        assert mm.count("(Ctrl-C stops)") == grave
        mm.types("/grants").sees("nothing is remembered" if grave else "jan/write_file")
        mm.types("/quit").ends(0)


@pytest.mark.parametrize("sequence", PAST)
def test_seq_02_to_04_the_editor_says_so_and_the_grants_are_gone(walk: Walk, sequence: str) -> None:
    steps, answer, told = PAST[sequence]
    jan_writes_and_then(walk, steps)
    grave = sequence != "seq-03"
    with editor(walk) as mm:
        mm.answers(mm.says("/ask-jan go").question(), "allow_always")
        if answer:
            mm.answers(mm.question(), answer)
        assert mm.stop_reason == "end_turn"
        assert mm.text().count(f"mm: warning: {told}") == 1
        assert mm.text().count("(Stop ends the turn)") == grave
        assert ("jan/write_file" in grants(mm)) is not grave


# --- seq-05, seq-06: a second door

DOORS = {
    "seq-05": ("fs/write_text_file", {"path": "{folder}/bashrc", "content": "x"}),
    "seq-06": ("terminal/create", {"command": "touch", "args": ["{folder}/bashrc"]}),
}


def jan_tries(walk: Walk, door: str) -> None:
    method, params = DOORS[door]
    text = json.dumps(params).replace("{folder}", str(walk.folder))
    frame = (
        f'{{"jsonrpc": "2.0", "id": 1, "method": "{method}", "params": {{"sessionId": "s1", {text[1:-1]}}}}}'
    )
    jan_does(walk, [{"raw": f"{frame}\n"}])


def is_shut(walk: Walk) -> None:
    (answer,) = answers(walk, 1)
    assert (answer["id"], answer["error"]["code"]) == (1, -32601)
    assert not walk.made("bashrc")


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("yolo", [False, True])
def test_seq_05_and_06_at_the_terminal_nothing_is_asked_and_nothing_done(
    walk: Walk, door: str, yolo: bool
) -> None:
    jan_tries(walk, door)
    with walk.line(*(["--yolo"] if yolo else [])) as mm:
        mm.types("/ask-jan go").waits_for_prompt().never_saw(LOCK)
        is_shut(walk)
        mm.types("/quit").ends(0)


@pytest.mark.parametrize("door", DOORS)
def test_seq_05_and_06_the_editor_is_not_asked_either(walk: Walk, door: str) -> None:
    jan_tries(walk, door)
    with editor(walk) as mm:
        assert mm.says("/ask-jan go").stop_reason == "end_turn"
        is_shut(walk)
        assert [
            frame
            for method in (DOORS[door][0], "session/request_permission")
            for frame in mm.received(method)
        ] == []


# --- seq-07: an answer and a stop at the same moment

ONE: Steps = [{"ask": {"toolCall": command("ls", "call_1")}}]


def test_seq_07_ctrl_c_behind_an_answer_that_is_not_yet_taken_stops(walk: Walk) -> None:
    jan_does(walk, ONE)
    with walk.line() as mm:
        mm.types("/ask-jan go").sees(INVITATION).sends(b"2\r\x03")
        mm.waits_for_prompt()
        assert outcomes(walk, 1) == [CANCELLED]
        mm.types("/grants").sees("nothing").types("/quit").ends(0)


@pytest.mark.parametrize("stop_first", [True, False])
def test_seq_07_in_the_editor_there_is_one_reply_and_memory_agrees_with_it(
    walk: Walk, stop_first: bool
) -> None:
    jan_does(walk, ONE)
    with editor(walk) as mm:
        question = mm.says("/ask-jan go").question()
        if stop_first:
            mm.stops().answers(question, "allow_always")
        else:
            mm.answers(question, "allow_always").stops()
        assert mm.stop_reason in ("cancelled", "end_turn")
        (reply,) = outcomes(walk, 1)
        assert reply in (CANCELLED, chosen("allow_once"))
        assert ("jan/bash" in grants(mm)) is (reply != CANCELLED)


# --- seq-08: a flood of questions

FLOOD: Steps = [asks(f"echo {number}", f"call_{number}") for number in range(200)] + [FENCE]
TOO_MANY: Steps = [asks(f"echo {number}", f"call_{number}") for number in range(1003)] + [FENCE]


def test_seq_08_the_terminal_shows_a_flood_one_question_at_a_time(walk: Walk) -> None:
    jan_does(walk, [*FLOOD, {"wait_for": "enough"}])
    with walk.line() as mm:
        mm.types("/ask-jan go").sees("│ echo 0", INVITATION)
        all_is_taken(walk)
        mm.sends(b"what?\r").sees("199 more waiting", INVITATION)
        assert mm.count(f"{LOCK} jan") == 1
        mm.answers("1").sees("│ echo 1", "198 more waiting")
        assert outcomes(walk, 1) == [chosen("allow_once")]
        mm.answers("2")
        assert outcomes(walk, 200) == [chosen("allow_once")] * 200
        walk.file("enough", "")
        mm.types("/quit").ends(0)
        assert mm.count(f"{LOCK} jan") == 2


def test_seq_08_over_a_thousand_questions_the_terminal_tells_it_once(walk: Walk) -> None:
    jan_does(walk, [*TOO_MANY, {"wait_for": "enough"}])
    with walk.line() as mm:
        mm.types("/ask-jan go").sees(INVITATION)
        errors = [answer["error"]["code"] for answer in answers(walk, 3)]
        assert errors == [-32000] * 3
        mm.sends(b"what?\r").sees("999 more waiting").answers("2")
        assert len(answers(walk, 1003)) == 1003
        walk.file("enough", "")
        mm.types("/quit").ends(0)
        assert mm.count("too-many-waiting") == 1


def test_seq_08_the_editor_gets_a_flood_one_question_at_a_time(walk: Walk) -> None:
    jan_does(walk, [*FLOOD, {"wait_for": "enough"}])
    with editor(walk) as mm:
        first = mm.says("/ask-jan go").question()
        all_is_taken(walk)
        mm.answers(first, "allow_once")
        second = mm.question()
        assert "198 more waiting" in text_of(second)
        assert len(mm.questions) == 2
        mm.answers(second, "allow_always")
        assert outcomes(walk, 200) == [chosen("allow_once")] * 200
        walk.file("enough", "")
        assert mm.stop_reason == "end_turn"
        assert len(mm.questions) == 2


def test_seq_08_over_a_thousand_questions_the_editor_is_told_once(walk: Walk) -> None:
    jan_does(walk, [*TOO_MANY, {"wait_for": "enough"}])
    with editor(walk) as mm:
        question = mm.says("/ask-jan go").question()
        assert [answer["error"]["code"] for answer in answers(walk, 3)] == [-32000] * 3
        mm.answers(question, "allow_always")
        assert len(answers(walk, 1003)) == 1003
        walk.file("enough", "")
        assert mm.stop_reason == "end_turn"
        assert mm.text().count("too-many-waiting") == 1


def test_every_sequence_is_known_here() -> None:
    here = {"seq-01", "seq-05", "seq-06", "seq-07", "seq-08", *PAST}
    assert {sequence["id"] for sequence in SEQUENCES} == here
