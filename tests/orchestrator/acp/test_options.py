"""Which option goes out for an allow, and which for a refusal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.acp.options import CANCELLED, MOST_OPTIONS, read_options

KINDS = ["allow_once", "allow_always", "reject_once", "reject_always", "allow_persistent", ""]
IDS = ["a", "b", "c", "", "cancelled", "allow_once"]


def options(*pairs: tuple[str, str]) -> list[dict[str, Any]]:
    return [{"optionId": id_, "kind": kind} for id_, kind in pairs]


def test_each_goes_out_by_its_kind() -> None:
    read = read_options(options(("x", "allow_always"), ("n", "reject_once"), ("y", "allow_once")))
    assert read.outcome(True) == {"outcome": {"outcome": "selected", "optionId": "y"}}
    assert read.outcome(False) == {"outcome": {"outcome": "selected", "optionId": "n"}}


def test_a_refusal_once_is_better_than_one_for_ever_wherever_it_stands() -> None:
    both = options(("y", "allow_once"), ("never", "reject_always"), ("n", "reject_once"))
    assert read_options(both).refuse == "n"
    assert read_options(both[:2]).refuse == "never"


def test_a_refusal_without_an_option_is_cancelled_and_so_is_a_yes_without_one() -> None:
    assert read_options(options(("y", "allow_once"))).outcome(False) == CANCELLED
    assert read_options(options(("n", "reject_once"))).outcome(True) == CANCELLED


@pytest.mark.parametrize(
    "offered",
    [
        options(("a", "allow_once"), ("b", "allow_once")),
        options(("a", "allow_once"), ("a", "reject_once")),
        options(("a", "allow_once"), ("b", "reject_once"), ("b", "reject_always")),
        options(("", "allow_once")),
        options(("a", "allow_once"), ("", "reject_once")),
        options(("a", "allow_always")),
        options(*((str(n), "reject_once") for n in range(MOST_OPTIONS)), ("a", "allow_once")),
    ],
)
def test_there_is_no_yes_that_could_be_mistaken(offered: list[dict[str, Any]]) -> None:
    assert read_options(offered).allow is None


@given(st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from(KINDS)), max_size=18))
@settings(max_examples=200)
def test_what_goes_out_was_offered_with_the_right_kind_and_only_once(pairs: list[tuple[str, str]]) -> None:
    read = read_options(options(*pairs))
    for option, kinds in ((read.allow, {"allow_once"}), (read.refuse, {"reject_once", "reject_always"})):
        if option is not None:
            assert [kind for id_, kind in pairs if id_ == option] in [[kind] for kind in kinds]
            assert option
