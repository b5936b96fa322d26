"""Which option goes out for an allow, and which for a refusal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consent.answer import MOST_YESES, Answer, Response, Yes
from consent.gate import Decision
from consent.rules import Why
from orchestrator.acp.options import CANCELLED, MOST_OPTIONS, Options, read_options

KINDS = ["allow_once", "allow_always", "reject_once", "reject_always", "allow_persistent", ""]
IDS = ["a", "b", "c", "", "cancelled", "allow_once"]


def options(*pairs: tuple[str, str]) -> list[dict[str, Any]]:
    return [{"optionId": id_, "kind": kind, "name": f"option {id_}"} for id_, kind in pairs]


YES = Decision(True, Why.YOLO, 6)
NO = Decision(False, Why.POLICY, 2)


def said(answer: Response) -> Decision:
    """The decision of a person."""
    return Decision(answer.allows, Why.ANSWER, 4, answer=answer)


def test_each_goes_out_by_its_kind() -> None:
    read = read_options(options(("x", "allow_always"), ("n", "reject_once"), ("y", "allow_once")))
    assert read.outcome(YES) == {"outcome": {"outcome": "selected", "optionId": "y"}}
    assert read.outcome(NO) == {"outcome": {"outcome": "selected", "optionId": "n"}}


def test_a_refusal_once_is_better_than_one_for_ever_wherever_it_stands() -> None:
    both = options(("y", "allow_once"), ("never", "reject_always"), ("n", "reject_once"))
    assert read_options(both).refuse == "n"
    assert read_options(both[:2]).refuse == "never"


def test_a_refusal_without_an_option_is_cancelled_and_so_is_a_yes_without_one() -> None:
    assert read_options(options(("y", "allow_once"))).outcome(NO) == CANCELLED
    assert read_options(options(("n", "reject_once"))).outcome(YES) == CANCELLED


@pytest.mark.parametrize(
    "offered",
    [
        options(*((str(n), "allow_once") for n in range(MOST_YESES + 1)), ("no", "reject_once")),
        options(("a", "allow_once"), ("b", "allow_once"), ("c", "reject_once"), ("c", "reject_once")),
        options(("a", "allow_once"), ("a", "reject_once")),
        options(("a", "allow_once"), ("b", "reject_once"), ("b", "reject_always")),
        options(("", "allow_once")),
        options(("a", "allow_once"), ("", "reject_once")),
        options(("a", "allow_always")),
        options(*((str(n), "reject_once") for n in range(MOST_OPTIONS)), ("a", "allow_once")),
    ],
)
def test_there_is_no_yes_that_could_be_mistaken(offered: list[dict[str, Any]]) -> None:
    assert read_options(offered).allow == ()


def test_as_many_options_as_may_be_are_read() -> None:
    noes = [(str(number), "reject_once") for number in range(MOST_OPTIONS - 1)]
    assert read_options(options(*noes, ("a", "allow_once"))).allow == ("a",)


@given(st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from(KINDS)), max_size=18))
@settings(max_examples=200)
def test_what_goes_out_was_offered_with_the_right_kind_and_only_once(pairs: list[tuple[str, str]]) -> None:
    read = read_options(options(*pairs))
    refusals = [(read.refuse, {"reject_once", "reject_always"})] if read.refuse is not None else []
    for option, kinds in (*((yes, {"allow_once"}) for yes in read.allow), *refusals):
        assert [kind for id_, kind in pairs if id_ == option] in [[kind] for kind in kinds]
        assert option


def test_of_several_yeses_goes_out_the_one_that_the_person_chose() -> None:
    offered = options(("a", "allow_once"), ("n", "reject_once"), ("b", "allow_once"))
    read = read_options([{**option, "name": option["optionId"].upper()} for option in offered])
    assert read.names == ("A", "B")
    chosen = [read.outcome(said(answer))["outcome"] for answer in (Yes(0), Yes(1), Answer.REFUSE_ONCE)]
    assert [outcome["optionId"] for outcome in chosen] == ["a", "b", "n"]


@pytest.mark.parametrize("name", [5, None, ""])
def test_a_yes_without_a_name_has_an_empty_one(name: object) -> None:
    nameless = {"optionId": "a", "kind": "allow_once", "name": name}
    read = read_options([nameless, *options(("b", "allow_once"))])
    assert (read.allow, read.names) == (("a", "b"), ("", "option b"))


@pytest.mark.parametrize(
    "names",
    [
        ("", ""),
        ("", '""'),
        ("yes", "yes"),
        ("yes", "yes "),
        ("yes, once", "yes,  once"),
        (f"yes {'a' * 300} and edit freely {'b' * 200}", f"yes {'a' * 310} only this {'b' * 200}"),
    ],
)
def test_yeses_that_are_shown_alike_are_no_yes(names: tuple[str, str]) -> None:
    offered = [{"optionId": id_, "kind": "allow_once", "name": n} for id_, n in zip("ab", names, strict=True)]
    refusing = options(("n", "reject_once"))
    assert read_options([*offered, *refusing]) == Options((), "n")
    assert read_options([*offered, *refusing], plain="a").allow == ("a",)


def test_a_profile_names_the_plain_one_of_two_yeses_and_of_no_more() -> None:
    two = options(("a", "allow_once"), ("b", "allow_once"))
    assert read_options(two, "b").allow == ("b",)
    assert read_options(two, "c").allow == ("a", "b")
    assert read_options([*two, *options(("c", "allow_once"))], "b").allow == ("a", "b", "c")


def test_as_many_yeses_as_can_be_shown_are_offered() -> None:
    assert (
        len(read_options(options(*((str(n), "allow_once") for n in range(MOST_YESES)))).allow) == MOST_YESES
    )


def test_of_several_yeses_none_goes_out_that_nobody_chose() -> None:
    read = read_options(options(("a", "allow_once"), ("b", "allow_once")))
    for decision in (YES, said(Answer.ALLOW_ONCE), said(Yes(2))):
        assert read.outcome(decision) == CANCELLED
