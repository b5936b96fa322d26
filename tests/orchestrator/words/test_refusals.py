"""What a refused model is told: which case it was, and not to try again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from consent.answer import Answer
from consent.call import ToolCall, Unrunnable
from consent.gate import Decision
from consent.matching import Effect, Rule, parse_pattern
from consent.rules import Why
from orchestrator.words import refusals
from orchestrator.words.refusals import ADVICE
from tests.orchestrator.words.calls import JAN

RULE = Rule(parse_pattern("jan/bash"), Effect.DENY, "agents.yaml:7:5")
REFUSED = {
    "once": Decision(False, Why.ANSWER, 11, answer=Answer.REFUSE_ONCE),
    "never now": Decision(False, Why.ANSWER, 11, answer=Answer.NEVER),
    "never before": Decision(False, Why.MEMORY, 3),
    "rule": Decision(False, Why.POLICY, 2, RULE),
    "hook": Decision(False, Why.HOOK, 1),
    "nobody": Decision(False, Why.NOBODY, 13),
    "cancelled": Decision(False, Why.CANCELLED, 11),
    "invalid": Decision(False, Why.INVALID, 0),
}


def refusal(call: ToolCall, decision: Decision) -> str:
    """What the model is told."""
    return refusals.refusal(call, decision).told


def test_a_person_sees_the_reason_without_the_advice_to_the_model() -> None:
    told, shown = refusals.refusal(JAN, REFUSED["once"])
    assert shown == "Not allowed: the person refused this call."
    assert told.startswith(shown)
    assert "do not retry" in told


def test_O_h1_each_case_is_told_apart_and_none_invites_a_retry() -> None:
    told = {case: refusal(JAN, decision) for case, decision in REFUSED.items()}
    assert len(set(told.values())) == len(REFUSED)
    assert all(text.endswith(ADVICE) for text in told.values())
    assert "do not retry" in ADVICE
    assert "no crash" in ADVICE


def test_the_person_is_named_where_a_person_refused() -> None:
    assert "the person refused this call" in refusal(JAN, REFUSED["once"])
    assert "the person refused it, and every further call of bash in this session" in refusal(
        JAN, REFUSED["never now"]
    )
    assert "the person said before that bash never runs in this session" in refusal(
        JAN, REFUSED["never before"]
    )


def test_O_a2_nobody_never_reads_like_a_refusal_by_the_person() -> None:
    told = refusal(JAN, REFUSED["nobody"])
    assert "nobody could be asked" in told
    for word in ("person", "user", "refuse", "denied"):
        assert word not in told


def test_an_answer_that_was_not_understood_is_no_refusal_by_the_person() -> None:
    told = refusal(JAN, REFUSED["invalid"]).removesuffix(ADVICE)
    assert "could not be understood" in told
    for word in ("person", "user", "refuse", "denied", "nobody could"):
        assert word not in told


def test_a_rule_is_named_with_its_place() -> None:
    assert "refuses bash (jan/bash: deny, agents.yaml:7:5)" in refusal(JAN, REFUSED["rule"])
    nowhere = replace(REFUSED["rule"], rule=replace(RULE, where=""))
    assert "refuses bash (jan/bash: deny)" in refusal(JAN, nowhere)


@pytest.mark.parametrize(
    ("unrunnable", "words"),
    [
        (Unrunnable.HIDDEN_CHARACTERS, "characters that nobody can see"),
        (Unrunnable.NO_USABLE_OPTIONS, "offered no options"),
        (Unrunnable.TOO_MANY_WAITING, "too many questions"),
    ],
)
def test_an_invalid_call_is_told_why(unrunnable: Unrunnable, words: str) -> None:
    assert words in refusal(JAN, replace(REFUSED["invalid"], unrunnable=unrunnable))


def test_a_name_from_the_wire_cannot_draw() -> None:
    assert "\x1b" not in refusal(replace(JAN, name="\x1b[2J"), REFUSED["rule"])


def test_every_reason_has_words() -> None:
    for why in Why:
        assert refusal(JAN, Decision(False, why, 0)).startswith("Not allowed: ")


def test_who_refused_is_said_in_words() -> None:
    said = {case: refusals.refused_call(JAN, decision) for case, decision in REFUSED.items()}
    assert said["once"] == "jan/bash (the person refused)"
    assert said["nobody"] == "jan/bash (nobody could be asked)"
    assert len(set(said.values())) == len(REFUSED) - 1  # both refusals of this call by the person
