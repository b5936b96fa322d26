"""Going in circles: which calls show it, when it is said again, and when a turn must end."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

import pytest

from consent.call import Arguments, Command, Origin, Task, Tier, ToolCall
from consent.circles import (
    MOST_AGENTS,
    MOST_CALLS,
    Circle,
    Circles,
    End,
    Made,
    TooMany,
    made_by,
    same_call,
)
from consent.key import Path

JAN, HOMER = ("jan",), ("jan", "homer")
DONE, FAILED, REFUSED = End.DONE, End.FAILED, End.REFUSED


def bash(command: str, path: Path = JAN) -> Made:
    return Made(path, same_call("bash", command), changing=True)


def read(file: str, path: Path = JAN) -> Made:
    return Made(path, same_call("read_file", file), changing=False)


class Told:
    """Circles after some calls, and what each of them showed."""

    def __init__(self) -> None:
        self.circles = Circles().begin(JAN)
        self.shown: list[Circle | None] = []

    def after(self, *calls: tuple[Made, End]) -> Told:
        for made, end in calls:
            self.circles, circle = self.circles.ended(made, end)
            self.shown.append(circle)
        return self

    def allowed(self) -> Told:
        self.circles = self.circles.allowed(JAN)
        return self

    @property
    def circling(self) -> list[Circle]:
        return [circle for circle in self.shown if circle]


def told(*calls: tuple[Made, End]) -> Told:
    return Told().after(*calls)


def different(number: int, end: End) -> Iterable[tuple[Made, End]]:
    return [(bash(f"command {n}"), end) for n in range(number)]


# --- failing


@pytest.mark.parametrize("ends", [(FAILED,) * 3, (REFUSED,) * 3, (FAILED, REFUSED, FAILED)])
def test_the_third_failed_or_refused_call_in_a_row_shows_a_circle(ends: tuple[End, ...]) -> None:
    calls = [(bash(f"command {n}"), end) for n, end in enumerate(ends)]
    assert told(*calls).shown == [None, None, Circle.FAILING]


def test_a_success_of_any_kind_begins_the_row_anew() -> None:
    two = different(2, FAILED)
    assert told(*two, (read("a"), DONE), *two).circling == []


def test_a_streak_of_failures_is_said_once_and_a_new_streak_again() -> None:
    streak = different(9, FAILED)
    assert told(*streak).circling == [Circle.FAILING]
    assert told(*streak, (read("a"), DONE), *different(3, FAILED)).circling == [Circle.FAILING] * 2


def test_failures_of_two_agents_are_no_row() -> None:
    calls = [(bash(f"command {n}", path), FAILED) for n in range(2) for path in (JAN, HOMER)]
    assert told(*calls).circling == []


# --- repeating


def test_the_fourth_identical_call_shows_a_circle_reads_too() -> None:
    for made in (bash("ls"), read("a")):
        assert told(*[(made, DONE)] * 9).shown == [None, None, None, Circle.REPEATING, *[None] * 5]


def test_O_h2_other_reads_between_do_not_hide_it() -> None:
    turns = [[(bash("ls"), REFUSED)] * 2 + [(read(f"{n}"), DONE)] for n in range(9)]
    assert told(*[call for turn in turns for call in turn]).circling == [Circle.REPEATING]


def test_another_successful_change_between_makes_it_a_new_call() -> None:
    edit, test = (bash("edit"), DONE), (bash("test"), FAILED)
    assert told(*[test, edit] * 3, test, (read("a"), DONE), test, (read("b"), DONE), test).circling == []
    reads = [(read(f"{n}"), DONE) for n in range(4)]
    assert told(*[test, edit] * 3, *[call for r in reads for call in (test, r)]).circling == [
        Circle.REPEATING
    ]


def test_a_change_that_failed_or_was_refused_is_no_change() -> None:
    for end in (FAILED, REFUSED):
        calls = [[(read("a"), DONE), (bash(f"command {n}"), end)] for n in range(4)]
        assert told(*[call for pair in calls for call in pair]).circling == [Circle.REPEATING]


@pytest.mark.parametrize("end", [DONE, FAILED])
def test_a_tdd_loop_is_no_circle(end: End) -> None:
    rounds = [[(bash(f"edit {n}"), DONE), (bash("pytest"), end)] for n in range(10)]
    assert told(*[call for pair in rounds for call in pair]).circling == []


def test_what_failed_three_times_is_not_told_again_as_a_repetition() -> None:
    assert told(*[(bash("ls"), REFUSED)] * 9).circling == [Circle.FAILING]


def test_calls_of_which_nothing_is_known_are_not_the_same() -> None:
    assert told(*[(Made(JAN, b"", changing=True), DONE)] * 9).circling == []


# --- which calls are the same


@pytest.mark.parametrize("other", ["ls  -l", " ls -l", "ls -l\n", "ls \t -l "])
def test_O_h2_idle_white_space_makes_no_other_call(other: str) -> None:
    def call(command: str) -> bytes:
        return same_call("bash", json.dumps({"command": command, "more": [command]}))

    assert call(other) == call("ls -l")
    assert same_call("bash", other) == same_call("bash", "ls -l")


def test_the_order_of_fields_makes_no_other_call() -> None:
    assert same_call('{"a": 1, "b": [null, 2.5]}') == same_call('{"b":[null,2.5],"a":1}')


@pytest.mark.parametrize("other", ['{"a": "x y"}', '{"a": "xy", "b": 1}', '{"a": ["xy"]}', "xy", '"\\ud800"'])
def test_other_arguments_make_another_call(other: str) -> None:
    assert same_call("bash", other) != same_call("bash", '{"a": "xy"}')


def test_other_parts_of_a_list_make_another_call() -> None:
    assert same_call("bash", '{"a": ["xy"]}') != same_call("bash", '{"a": ["xz"]}')


def test_another_tool_makes_another_call() -> None:
    assert same_call("bash", "ls") != same_call(None, "ls") != same_call("sh", "ls")
    assert same_call("a", "b") != same_call("ab") != same_call("a\0b")


def test_arguments_too_deep_to_be_read_are_still_compared() -> None:
    deep = "[" * 200_000
    assert same_call(deep) == same_call(f" {deep}\n") != same_call(f"{deep}[")


OWN = ToolCall((), Origin.OWN, "bash", None, Tier.EXEC, '{"command": "ls"}', Command("ls"), "/work")


def test_an_own_call_changes_something_by_its_tier_or_hands_a_task_over() -> None:
    reading = replace(OWN, tier=Tier.READ, detail=Arguments("{}"))
    assert made_by(OWN).changing
    assert made_by(replace(OWN, tier=Tier.WRITE)).changing
    assert not made_by(reading).changing
    assert made_by(replace(reading, detail=Task("jan", "fix it"))).changing
    assert made_by(OWN) == made_by(replace(OWN, id="2"))
    assert made_by(OWN).path == OWN.path
    for other in (replace(OWN, name="sh"), replace(OWN, arguments='{"command": "pwd"}')):
        assert made_by(other).same != made_by(OWN).same


# --- turns that end


def test_five_refusals_in_a_row_are_too_many_for_a_turn() -> None:
    four = told(*different(4, REFUSED))
    assert four.circles.too_many(JAN) is None
    assert four.after((bash("more"), REFUSED)).circles.too_many(JAN) is TooMany.IN_A_ROW


def test_a_call_that_was_allowed_ends_the_row_and_one_that_never_asked_does_not() -> None:
    four = different(4, REFUSED)
    assert told(*four).allowed().after(*four).circles.too_many(JAN) is None
    between = [(read("a"), DONE), (bash("b"), FAILED)]
    assert told(*four, *between, (bash("more"), REFUSED)).circles.too_many(JAN) is TooMany.IN_A_ROW


def test_being_allowed_is_no_success() -> None:
    turn = Told()
    for call in different(3, FAILED):
        turn.allowed().after(call)
    assert turn.circling == [Circle.FAILING]


def test_twelve_refusals_in_a_turn_are_too_many_those_below_counted() -> None:
    turn = Told()
    for path in (JAN, HOMER) * 6:
        assert turn.circles.too_many(JAN) is None
        turn.after((bash("x", path), REFUSED)).allowed()
    assert turn.circles.too_many(JAN) is TooMany.IN_A_TURN
    assert turn.circles.too_many(("marge",)) is None


def test_five_in_a_row_count_for_the_agent_itself_and_not_for_the_one_above() -> None:
    below = told(*[(bash(f"command {n}", HOMER), REFUSED) for n in range(5)]).circles
    assert below.too_many(HOMER) is TooMany.IN_A_ROW
    assert below.too_many(JAN) is None


def test_a_turn_begins_afresh_and_the_one_above_goes_on() -> None:
    circles = Circles().begin(()).begin(JAN).begin(("marge",))
    for path in (JAN, HOMER, ("marge",)):
        for _ in range(4):
            circles, _told = circles.ended(bash("ls", path), REFUSED)
    circles, _told = circles.begin(JAN).ended(bash("ls", JAN), REFUSED)
    assert circles.too_many(()) is TooMany.IN_A_TURN
    assert circles.too_many(JAN) is None
    assert circles.ended(bash("ls", ("marge",)), REFUSED)[0].too_many(("marge",)) is TooMany.IN_A_ROW
    assert circles.begin(()).too_many(()) is None


# --- bounded


def test_what_is_remembered_is_bounded() -> None:
    turn = told(*different(MOST_CALLS, FAILED)).after((bash("command 0"), FAILED))
    turn.after(*[(read(f"file {n}"), FAILED) for n in range(MOST_CALLS - 1)])
    assert len(turn.circles.agents[JAN].times) == MOST_CALLS
    assert turn.circles.agents[JAN].times[bash("command 0").same] == 2
    turn.after(*[(bash("ls", ("jan", f"agent-{n}")), FAILED) for n in range(MOST_AGENTS)])
    assert len(turn.circles.agents) == MOST_AGENTS
