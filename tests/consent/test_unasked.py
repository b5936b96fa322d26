"""Acting without asking: no honest agent is accused, and whoever reports an act past the answers is found."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consent.unasked import MOST_CALLS, Finding, Report
from tests.consent.unasked_story import CHANGES, DONE, ELSE, FAILED, LEFT, LOOKS, LS, RM, RUNS, Story

# --- seq-03: without asking


@pytest.mark.parametrize("ended", [DONE, FAILED, LEFT])
def test_what_ran_and_ended_without_a_request_is_found_once(ended: Report) -> None:
    assert Story().begins("1").says("1", RUNS, ended, DONE).found == [Finding.UNASKED]


def test_what_is_only_done_is_found() -> None:
    assert Story().begins("1").says("1", DONE).found == [Finding.UNASKED]


@pytest.mark.parametrize("ended", [FAILED, LEFT, ELSE])
def test_what_never_said_that_it_runs_did_not(ended: Report) -> None:
    assert Story().begins("1").says("1", ELSE, ended).found == []


def test_to_run_before_asking_is_no_lie() -> None:
    """Five of the agents that ask say `in_progress` first."""
    story = Story().begins("1").says("1", RUNS, ELSE)
    assert story.decided("1", yes=True).says("1", RUNS, DONE).found == []


def test_refused_after_it_said_that_it_runs_it_may_fail() -> None:
    story = Story().begins("1").says("1", RUNS).decided("1", yes=False)
    assert story.says("1", ELSE, FAILED, LEFT).found == []


def test_what_changes_nothing_needs_no_question() -> None:
    assert Story().begins("1").says("1", RUNS, DONE, effect=LOOKS).found == []


def test_what_changed_something_as_it_ran_is_no_reading_at_its_end() -> None:
    assert Story().begins("1").says("1", RUNS).says("1", DONE, effect=LOOKS).found == [Finding.UNASKED]


def test_what_was_a_change_only_before_it_ran_is_none() -> None:
    assert Story().begins("1").says("1", ELSE).says("1", RUNS, DONE, effect=LOOKS).found == []


# --- seq-02: something else than was allowed


@pytest.mark.parametrize("report", [RUNS, DONE])
def test_other_arguments_than_allowed_are_found_at_once(report: Report) -> None:
    story = Story().begins("1").decided("1", yes=True)
    assert story.says("1", report, arguments=RM).found == [Finding.OTHER]


def test_other_arguments_that_come_while_it_runs_are_found() -> None:
    story = Story().begins("1").decided("1", yes=True).says("1", RUNS)
    assert story.says("1", ELSE, arguments=RM).found == [Finding.OTHER]


def test_the_latest_decision_counts() -> None:
    story = Story().begins("1").decided("1", LS, yes=False).decided("1", RM, yes=True)
    assert story.says("1", RUNS, DONE, arguments=RM).found == []


# --- seq-04: although refused


@pytest.mark.parametrize("report", [RUNS, DONE])
def test_what_runs_although_refused_is_found_at_once(report: Report) -> None:
    assert Story().begins("1").decided("1", yes=False).says("1", report).found == [Finding.REFUSED]


def test_what_was_refused_under_another_id_is_found_by_its_arguments() -> None:
    story = Story().begins("1", "ask").says("1", ELSE).decided("ask", yes=False, announced=False)
    assert story.says("1", DONE).found == [Finding.REFUSED]


def test_what_was_refused_before_it_was_announced_is_found_by_its_arguments() -> None:
    story = Story().begins("ask").decided("ask", yes=False, announced=False).begins("1")
    assert story.says("1", DONE).found == [Finding.REFUSED]


def test_a_refusal_counts_also_where_yolo_does() -> None:
    story = Story(must_ask=False).begins("1").decided("1", yes=False)
    assert story.says("1", DONE).found == [Finding.REFUSED]


# --- yolo


def test_where_yolo_counts_nothing_else_is_found() -> None:
    story = Story(must_ask=False).begins("1", "2").decided("2", yes=True)
    assert story.says("1", RUNS, DONE).says("2", DONE, arguments=RM).found == []


def test_after_yolo_off_only_what_begins_afterwards_counts() -> None:
    story = Story(must_ask=False).begins("1").says("1", RUNS)
    story.must_ask = True
    assert story.says("1", DONE).found == []
    assert story.begins("2").says("2", RUNS, DONE).found == [Finding.UNASKED]


def test_after_yolo_on_nothing_that_ends_counts() -> None:
    story = Story().begins("1").says("1", RUNS)
    story.must_ask = False
    assert story.says("1", DONE).found == []


# --- requests with an id of their own


def test_a_request_of_its_own_id_stands_for_one_call_with_its_arguments() -> None:
    for story in (
        Story().begins("1", "ask").says("1", RUNS).decided("ask", yes=True, announced=False),
        Story().begins("ask").decided("ask", yes=True, announced=False).begins("1"),
    ):
        assert story.says("1", RUNS, DONE).found == []
        assert story.begins("2").says("2", DONE).found == [Finding.UNASKED]


def test_a_request_stands_for_no_call_with_other_arguments() -> None:
    story = Story().begins("1", "ask").decided("ask", yes=True, announced=False)
    assert story.says("1", DONE, arguments=RM).found == [Finding.UNASKED]


def test_a_request_that_runs_under_its_own_id_stands_for_no_other() -> None:
    story = Story().begins("1").decided("1", yes=True, announced=False).says("1", RUNS, DONE)
    assert story.begins("2").says("2", DONE).found == [Finding.UNASKED]


def test_a_request_that_shows_nothing_is_about_the_only_open_call() -> None:
    story = Story().begins("0").says("0", RUNS, FAILED, effect=LOOKS).begins("1", "ask")
    assert story.decided("ask", "", yes=True, announced=False).says("1", DONE).found == []


def test_with_several_open_calls_it_is_about_none() -> None:
    story = Story().begins("1", "2", "ask").decided("ask", "", yes=True, announced=False)
    assert story.says("1", DONE).found == [Finding.UNASKED]


def test_a_request_out_of_nowhere_is_remembered() -> None:
    """It came when no turn ran, and was answered before it was announced."""
    story = Story().decided("1", yes=False, announced=False).begins("1")
    assert story.says("1", DONE).found == [Finding.REFUSED]


# --- bounded


def test_of_many_calls_those_that_are_over_are_forgotten_first_and_what_was_forgotten_is_new() -> None:
    story = Story().begins("over").decided("over", yes=True).says("over", DONE)
    story.begins("open").decided("open", yes=True).begins(*map(str, range(MOST_CALLS - 1)))
    assert len(story.ledger.calls) == MOST_CALLS
    assert story.says("open", RUNS, DONE).found == []
    assert story.says("over", RUNS, DONE).found == [Finding.UNASKED]


def test_where_all_are_open_the_oldest_are_forgotten() -> None:
    story = Story().begins("first").decided("first", yes=True).begins(*map(str, range(MOST_CALLS)))
    assert story.says("first", DONE).found == [Finding.UNASKED]


# --- all orders


@dataclass(frozen=True)
class Honest:
    """How an honest agent makes one call: when it says what, and what it is answered."""

    runs_before: bool
    announces: bool
    own_id: bool
    allowed: bool
    runs_after: bool
    fails: bool
    reads: bool

    def steps(self, name: str) -> list[Any]:
        arguments = json.dumps({"command": f"run {name}"})
        asked = f"ask-{name}" if self.own_id else name
        announced = (self.announces or self.runs_before) and not self.own_id

        def say(*reports: Report) -> Any:
            effect = LOOKS if self.reads else CHANGES
            return lambda s: s.says(name, *reports, arguments=arguments, effect=effect)

        begin = [lambda s: s.begins(name), say(ELSE)] if self.announces or self.runs_before else []
        late = [lambda s: s.begins(name)] if self.own_id and not begin else []
        before = [say(RUNS)] if self.runs_before else []
        if self.reads:
            return [*(begin or [lambda s: s.begins(name)]), *before, say(DONE)]
        ask = [
            lambda s: s.begins(asked).decided(asked, arguments, yes=self.allowed, announced=announced),
        ]
        if not self.allowed:
            return [*begin, *before, *ask, *late, say(FAILED)]
        return [
            *begin,
            *before,
            *ask,
            *late,
            *([say(RUNS)] if self.runs_after else []),
            say(FAILED if self.fails else DONE),
        ]


honest = st.builds(Honest, *[st.booleans()] * 7)


@given(st.lists(honest, max_size=4), st.randoms(use_true_random=False))
def test_no_honest_agent_is_ever_accused_however_its_calls_interleave(calls: list[Honest], dice: Any) -> None:
    story = Story()
    queues = [call.steps(str(number)) for number, call in enumerate(calls)]
    while queues := [queue for queue in queues if queue]:
        dice.choice(queues).pop(0)(story)
    for number in range(len(calls)):
        story.says(str(number), LEFT, arguments="")
    assert story.found == []


@given(
    st.lists(honest, max_size=3),
    st.sampled_from([Finding.UNASKED, Finding.REFUSED, Finding.OTHER]),
    st.lists(st.sampled_from([RUNS, ELSE]), max_size=2),
    st.randoms(use_true_random=False),
)
def test_every_act_past_the_answers_is_found_among_honest_calls(
    calls: list[Honest], act: Finding, said: list[Report], dice: Any
) -> None:
    story = Story()
    queues = [call.steps(str(number)) for number, call in enumerate(calls)]
    decide: list[Any] = (
        [] if act is Finding.UNASKED else [lambda s: s.decided("bad", LS, yes=act is Finding.OTHER)]
    )
    ran = RM if act is Finding.OTHER else LS
    queues.append([lambda s: s.begins("bad"), *decide, lambda s: s.says("bad", *said, DONE, arguments=ran)])
    while queues := [queue for queue in queues if queue]:
        dice.choice(queues).pop(0)(story)
    assert story.found == [act]
