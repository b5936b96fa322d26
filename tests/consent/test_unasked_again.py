"""Acting without asking, again under one id: every act past the answers is told, and each of them once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consent.unasked import Finding, Report
from tests.consent.unasked_story import CHANGES, DONE, ELSE, FAILED, LOOKS, LS, RM, RUNS, Story

UNASKED, REFUSED, OTHER = Finding.UNASKED, Finding.REFUSED, Finding.OTHER
MAKE, LONGER = '{"command": "make"}', '{"command": "ls", "cwd": "/etc"}'


# --- one act, told once


def test_what_was_told_of_is_not_told_of_again_however_often_it_is_reported() -> None:
    story = Story().begins("1").says("1", RUNS, DONE, title="ls").says("1", ELSE, DONE, FAILED, title="ls")
    assert story.says("1", ELSE, arguments="").over().found == [UNASKED]


def test_what_was_allowed_may_be_reported_again_in_its_turn() -> None:
    story = Story().begins("1").decided("1", yes=True).says("1", RUNS, DONE, DONE, ELSE, FAILED)
    assert story.over().found == []


def test_what_was_left_open_may_end_in_a_later_turn_once() -> None:
    story = Story().begins("1").decided("1", yes=True).says("1", RUNS).over()
    assert story.says("1", RUNS, DONE, DONE, ELSE).over().found == []


def test_what_ends_late_after_a_stop_may_say_so_twice() -> None:
    story = Story().begins("1").decided("1", yes=True).says("1", RUNS).over(stopped=True)
    assert story.says("1", DONE, DONE).found == []


# --- another act under the same id


@pytest.mark.parametrize("title", ["", "ls"])
def test_another_act_under_an_id_that_was_told_of_is_told_of(title: str) -> None:
    story = Story().begins("1").says("1", DONE, title="ls")
    assert story.says("1", DONE, arguments=RM, title=title).found == [UNASKED, UNASKED]


def test_more_than_was_told_of_is_told_of() -> None:
    story = Story().begins("1").says("1", DONE, arguments="")
    assert story.says("1", DONE, DONE).says("1", DONE, arguments=LONGER).found == [UNASKED] * 3


def test_another_title_alone_is_another_act() -> None:
    story = Story().begins("1").says("1", DONE, arguments="", title="Read a")
    assert story.says("1", DONE, arguments="", title="Remove a").found == [UNASKED, UNASKED]


def test_each_other_thing_than_was_allowed_is_told_of() -> None:
    story = Story().begins("1").decided("1", yes=True).says("1", RUNS, arguments=RM)
    assert story.says("1", ELSE, DONE, arguments=MAKE).found == [OTHER, OTHER]
    assert story.says("1", DONE, arguments=RM).found == [OTHER] * 3


def test_each_thing_that_runs_although_refused_is_told_of() -> None:
    story = Story().begins("1").decided("1", yes=False).says("1", RUNS).says("1", RUNS, DONE, arguments=RM)
    assert story.found == [REFUSED, REFUSED]


def test_other_arguments_after_the_end_are_found_although_it_never_said_that_it_runs() -> None:
    story = Story().begins("1").decided("1", yes=True).says("1", DONE)
    assert story.says("1", ELSE, arguments=RM).found == [OTHER]


# --- it runs again


def test_an_id_that_runs_again_after_its_end_is_found_at_the_end_of_the_turn() -> None:
    story = Story().begins("1").says("1", DONE).says("1", RUNS)
    assert story.found == [UNASKED]
    assert story.over().found == [UNASKED, UNASKED]
    assert story.over().found == [UNASKED, UNASKED]


@pytest.mark.parametrize(("arguments", "found"), [(LS, UNASKED), (RM, OTHER)])
@pytest.mark.parametrize("end", [DONE, FAILED])
def test_a_yes_covers_no_second_run(arguments: str, found: Finding, end: Report) -> None:
    story = Story().begins("1").decided("1", yes=True).says("1", RUNS, end)
    assert story.says("1", RUNS, arguments=arguments).found == []  # it may still ask
    assert story.says("1", end, arguments=arguments).found == [found]


@pytest.mark.parametrize(("arguments", "found"), [(LS, REFUSED), ("", UNASKED), (RM, UNASKED)])
def test_what_was_refused_and_ended_does_not_run_later(arguments: str, found: Finding) -> None:
    story = Story().begins("1").decided("1", yes=False).says("1", FAILED).says("1", RUNS, arguments=arguments)
    assert story.says("1", DONE, arguments=arguments).found == [found]


def test_to_ask_again_under_the_same_id_is_honest_also_after_it_said_that_it_runs() -> None:
    story = Story().begins("1").decided("1", yes=True).says("1", RUNS, DONE)
    story.says("1", RUNS, arguments=RM).decided("1", RM, yes=True)
    assert story.says("1", RUNS, DONE, arguments=RM).over(arguments=RM).found == []


def test_a_request_of_an_id_of_its_own_covers_the_next_act_too() -> None:
    for early in (True, False):
        story = Story().begins("1").decided("1", yes=True).says("1", RUNS, DONE)
        if early:
            story.begins("ask").decided("ask", MAKE, yes=True, announced=False)
            story.says("1", RUNS, arguments=MAKE)
        else:
            story.says("1", RUNS, arguments=MAKE)
            story.begins("ask").decided("ask", MAKE, yes=True, announced=False)
        assert story.says("1", DONE, arguments=MAKE).found == []


# --- over turns


def test_an_id_that_is_used_again_in_a_later_turn_is_asked_about_again() -> None:
    story = Story().begins("1").decided("1", yes=True).says("1", DONE).over()
    assert story.says("1", ELSE, DONE).found == [UNASKED]
    assert story.over().says("1", DONE).found == [UNASKED, UNASKED]


def test_what_runs_again_after_a_stopped_turn_counts_in_the_next() -> None:
    story = Story().begins("1").says("1", RUNS).over(stopped=True).over()
    assert story.found == []  # it may have been about to ask
    assert story.says("1", RUNS).over().found == [UNASKED]


def test_what_was_about_to_ask_when_its_turn_was_stopped_may_fail() -> None:
    story = Story().begins("1").says("1", RUNS).over(stopped=True)
    assert story.says("1", FAILED).found == []
    assert story.says("1", DONE).found == [UNASKED]


# --- yolo


def test_after_yolo_off_another_act_under_an_old_id_counts() -> None:
    for again in ([RUNS, DONE], [DONE]):
        story = Story(must_ask=False).begins("1").says("1", DONE)
        story.must_ask = True
        assert story.says("1", DONE).found == []
        assert story.says("1", *again, arguments=RM).found == [UNASKED]


def test_after_yolo_off_what_is_asked_about_counts() -> None:
    story = Story(must_ask=False).begins("1").says("1", RUNS)
    story.must_ask = True
    assert story.decided("1", yes=True).says("1", DONE, arguments=RM).found == [OTHER]


def test_where_yolo_counts_another_act_under_a_refused_id_is_none_of_ours() -> None:
    story = Story(must_ask=False).begins("1").decided("1", yes=False).says("1", FAILED)
    assert story.says("1", RUNS, DONE, arguments=MAKE).found == []
    assert story.says("1", RUNS, DONE).found == [REFUSED]


# --- one yes, one call


@pytest.mark.parametrize("before", [True, False])
def test_a_request_that_stood_for_another_call_covers_none_under_its_own_id(before: bool) -> None:
    story = Story().begins("1").says("1", RUNS) if before else Story()
    story.begins("ask").decided("ask", yes=True, announced=False).begins("1").says("1", RUNS, DONE)
    assert story.found == []
    assert story.says("ask", RUNS, DONE).found == [UNASKED]


# --- what it is called


@pytest.mark.parametrize("says", [[RUNS, DONE], [DONE]])
def test_what_said_that_it_changes_something_becomes_no_reading(says: list[Any]) -> None:
    story = Story().begins("1").says("1", ELSE, effect=CHANGES)
    assert story.says("1", *says, effect=LOOKS).found == [UNASKED]


@pytest.mark.parametrize(("yes", "arguments", "found"), [(False, LS, REFUSED), (True, RM, OTHER)])
def test_what_was_asked_about_as_a_change_is_one(yes: bool, arguments: str, found: Finding) -> None:
    story = Story().begins("1").decided("1", yes=yes)
    assert story.says("1", DONE, arguments=arguments, effect=LOOKS).found == [found]


def test_what_was_asked_about_as_a_reading_is_none_of_ours() -> None:
    story = Story().begins("1").decided("1", yes=False, effect=LOOKS)
    assert story.says("1", DONE, effect=LOOKS).found == []


# --- all histories of one id


@dataclass(frozen=True)
class Asked:
    """One act under the id, honestly asked about, and whether its turn ends with it."""

    arguments: str
    runs_before: bool
    yes: bool
    runs_after: bool
    fails: bool
    turn_ends: bool

    def on(self, story: Story) -> None:
        if self.runs_before:
            story.says("1", RUNS, arguments=self.arguments)
        story.decided("1", self.arguments, yes=self.yes)
        if self.yes and self.runs_after:
            story.says("1", RUNS, arguments=self.arguments)
        story.says("1", FAILED if self.fails or not self.yes else DONE, arguments=self.arguments)
        if self.turn_ends:
            story.over(arguments=self.arguments)


acts = st.sampled_from([LS, RM, MAKE, LONGER])
histories = st.lists(st.builds(Asked, acts, *[st.booleans()] * 5), max_size=4)


def after(history: list[Asked]) -> Story:
    story = Story().begins("1")
    for asked in history:
        asked.on(story)
    return story


@given(histories)
def test_whoever_asks_each_time_may_use_an_id_as_often_as_it_likes(history: list[Asked]) -> None:
    assert after(history).over().found == []


@given(histories, acts, st.sampled_from([[RUNS, DONE], [RUNS, FAILED], [RUNS, ELSE], [DONE]]))
def test_after_every_history_of_an_id_one_more_act_is_told_once(
    history: list[Asked], arguments: str, says: list[Report]
) -> None:
    story = after(history)
    if says == [DONE]:
        story.over()
    story.says("1", *says, arguments=arguments).over(arguments=arguments)
    assert len(story.found) == 1
    story.says("1", ELSE, arguments=arguments).over()
    assert len(story.found) == 1
