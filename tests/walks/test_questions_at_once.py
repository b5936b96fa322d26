"""Questions that come together, change or go away under a person's hands: an answer meets its own."""

from __future__ import annotations

from typing import Any

import pytest

from tests.walks.builder import Walk
from tests.walks.processes import until
from tests.walks.terminal import INVITATION, Terminal

LOCK = "🔐"
WITHDRAWN = "(question withdrawn: jan"


def asks(command: str, call: str = "") -> str:
    """A step of the scripted child: it asks for a command and goes on at once."""
    named = f"toolCallId: {call}, " if call else ""
    fields = f"{named}name: shell, kind: execute, rawInput: {{command: {command}}}"
    return f"ask_no_wait: {{toolCall: {{{fields}}}}}"


def jan(walk: Walk, *steps: str, model: str = "demo") -> None:
    """riker asks jan, which does these steps in its first turn and then waits to be stopped."""
    script = "log: jan.log\nprompts:\n- [" + ",\n  ".join(f"{{{step}}}" for step in (*steps, "hang:")) + "]\n"
    walk.agent("riker", f"model: {model}", "yolo: false", f"mmConfigs: {{jan: {walk.child('jan', script)}}}")


def outcomes(walk: Walk) -> dict[str, str]:
    """How mm has answered each request of jan so far: `allow_once`, `reject_once` or `cancelled`."""
    answers = [frame for frame in walk.frames("jan.log") if "result" in frame and "method" not in frame]
    found: dict[str, str] = {}
    for answer in answers:
        assert answer["id"] not in found, "answered twice"
        outcome: dict[str, Any] = answer["result"]["outcome"]
        found[answer["id"]] = outcome.get("optionId", outcome["outcome"]).removesuffix("-id")
    return found


def stops(mm: Terminal) -> None:
    mm.presses("ctrl-c").waits_for_prompt().clears_the_line().types("/quit").ends(0)


@pytest.mark.parametrize("late", [0.0, 0.02, 0.2])
def test_k1_a_new_request_does_not_replace_the_question_on_the_screen(walk: Walk, late: float) -> None:
    """It comes so many seconds before the key for the one that stands there."""
    jan(walk, asks("touch A"), "wait_for: second", asks("rm B"))
    with walk.line() as mm:
        mm.types("/ask-jan go").sees("touch A", INVITATION)
        walk.file("second", "")
        until(lambda: mm.holds("rm B"), late)
        mm.sends(b"1\r")
        walk.waits_for_answers("jan.log", 1)
        mm.sees("rm B", INVITATION)
        assert outcomes(walk) == {"ask-1": "allow_once"}
        mm.answers("4")
        walk.waits_for_answers("jan.log", 2)
        assert outcomes(walk) == {"ask-1": "allow_once", "ask-2": "reject_once"}
        stops(mm)


def test_k1_keys_for_the_first_question_do_not_answer_the_one_behind_it(walk: Walk) -> None:
    """The key is pressed twice: the second one is on its way when the next question is drawn."""
    jan(walk, asks("touch A"), asks("rm B"))
    with walk.line() as mm:
        mm.types("/ask-jan go").sees("1 more waiting").answers("1")
        mm.sees("rm B").sends(b"1\r").sees("it is kept for your next prompt", INVITATION)
        assert outcomes(walk) == {"ask-1": "allow_once"}
        stops(mm)


CHANGES = (
    asks("ls", "c1"),
    "wait_for: change",
    "update: {sessionUpdate: tool_call_update, toolCallId: c1, rawInput: {command: touch made}}",
    asks("touch made", "c1"),
)


def test_k1_a_call_that_changes_takes_the_key_on_its_way_with_it(walk: Walk) -> None:
    """seq-01: the key and the change are there at the same moment."""
    jan(walk, *CHANGES)
    with walk.line() as mm:
        mm.types("/ask-jan go").sees(INVITATION)
        with mm.stands_still():
            walk.file("change", "")
            mm.sends(b"1\r")
            until(lambda: False, 0.2)  # jan has long said so when mm goes on
        mm.sees(WITHDRAWN, "touch made", INVITATION)
        assert outcomes(walk) == {"ask-1": "cancelled"}
        stops(mm)


@pytest.mark.parametrize("pause", [0.0005, 0.002])
def test_k1_a_thousand_keys_across_a_change_answer_nothing(walk: Walk, pause: float) -> None:
    jan(walk, *CHANGES)
    with walk.line() as mm:
        mm.types("/ask-jan go").sees(INVITATION)
        walk.file("change", "")
        for _ in range(1000):
            mm.sends(b"1\r")
            until(lambda: False, pause)
        mm.sees(INVITATION)
        assert mm.count(WITHDRAWN) == 1
        assert outcomes(walk) == {"ask-1": "cancelled"}
        mm.answers("1")
        walk.waits_for_answers("jan.log", 2)
        assert outcomes(walk)["ask-2"] == "allow_once"
        stops(mm)


TURNS = """
- calls:
  - {tool: ask_jan, args: {question: go}}
  - {tool: bash, args: {command: touch made}}
- say: enough
"""


def test_k1_a_thousand_keys_across_the_death_of_an_agent_answer_nothing(walk: Walk) -> None:
    """The question behind that of the dead agent is another agent's."""
    walk.file("turns.yaml", TURNS)
    jan(walk, asks("ls"), "wait_for: die", "exit: 1", model="script:./turns.yaml")
    with walk.line() as mm:
        mm.types("go").sees(f"{LOCK} jan", INVITATION)
        walk.file("die", "")
        for _ in range(1000):
            mm.sends(b"1\r")
            until(lambda: False, 0.002)
        until(lambda: mm.count(f"{LOCK} you") == 1)
        mm.sees(INVITATION).answers("4").waits_for_prompt().clears_the_line().types("/quit").ends(0)
        assert mm.count(WITHDRAWN) == 1
    assert not walk.made("made")


def test_k1_what_was_half_typed_is_no_answer_to_the_next_question(walk: Walk) -> None:
    jan(walk, *CHANGES)
    with walk.line() as mm:
        mm.types("/ask-jan go").sees(INVITATION).sends(b"1").sees("1")
        walk.file("change", "")
        mm.sees(WITHDRAWN, "touch made").sends(b"\r").sees(INVITATION)
        mm.sends(b"\r").sees("only 1, 2, 3, 4, s or d counts", INVITATION)
        assert outcomes(walk) == {"ask-1": "cancelled"}
        stops(mm)


def test_k2_seven_at_once_are_asked_in_order_and_answered_once_each(walk: Walk) -> None:
    jan(walk, *(asks(f"touch file{number}") for number in range(1, 8)))
    with walk.line() as mm:
        mm.types("/ask-jan go")
        for number in range(1, 8):
            mm.sees(f"touch file{number}", INVITATION)
            assert mm.count(LOCK) == number
            assert mm.holds(f"{7 - number} more waiting") == (number < 7)
            mm.answers("1" if number % 2 else "4")
        walk.waits_for_answers("jan.log", 7)
        assert outcomes(walk) == {
            f"ask-{number}": "allow_once" if number % 2 else "reject_once" for number in range(1, 8)
        }
        stops(mm)


@pytest.mark.parametrize(("digit", "outcome"), [("2", "allow_once"), ("3", "reject_once")])
def test_k2_a_lasting_answer_settles_equal_questions_before_they_are_drawn(
    walk: Walk, digit: str, outcome: str
) -> None:
    jan(walk, *(asks(f"touch file{number}") for number in range(1, 8)))
    with walk.line() as mm:
        mm.types("/ask-jan go").sees("6 more waiting").answers(digit)
        walk.waits_for_answers("jan.log", 7)
        assert set(outcomes(walk).values()) == {outcome}
        stops(mm)
        assert mm.count(LOCK) == 1
        mm.never_saw("withdrawn")
