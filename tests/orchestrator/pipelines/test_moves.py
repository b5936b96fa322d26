"""The questions of a run's own moves: right words in both languages, and all of the text readable."""

from __future__ import annotations

import pytest

from consent.answer import Answer
from consent.call import Move, Proposed
from consent.gate import Question
from consent.gate import check as check_call
from consent.matching import Effect, Rule, parse_pattern
from consent.policy import Policy
from consent.rules import Why
from consent.setting import Mode, Setting
from orchestrator.pipelines.approval import NAMES, call_of
from orchestrator.words.card import card
from orchestrator.words.detail import whole_detail
from tests.orchestrator.words.calls import ENGLISH, FRENCH, question

LONG = "\n".join(f"{number}. do *this*" for number in range(200))


@pytest.mark.parametrize(
    ("move", "english", "french"),
    [
        (
            Move.HAND_OVER,
            "the pipeline hands this task to homer",
            "le pipeline confie cette tâche à homer",
        ),
        (
            Move.GO_ON,
            "homer did not finish; the pipeline can go on with what there is",
            "homer n'a pas fini ; le pipeline peut continuer avec ce qu'il y a",
        ),
        (
            Move.MERGE,
            "the pipeline wants to merge homer on this computer",
            "le pipeline veut fusionner homer sur cet ordinateur",
        ),
    ],
)
def test_each_move_is_asked_about_in_both_languages(move: Move, english: str, french: str) -> None:
    call = call_of(Proposed(move, "homer", LONG), 1, "/w")
    shown = card(question(call, once_only=True), ENGLISH, 0)
    assert shown.sentence == english
    assert shown.title == f"{NAMES[move]}: homer"
    assert card(question(call, once_only=True), FRENCH, 0).sentence == french


def test_a_long_text_is_cut_in_the_middle_and_whole_behind_details_once() -> None:
    call = call_of(Proposed(Move.HAND_OVER, "homer", LONG), 1, "/w")
    assert any("hidden" in line for line in card(question(call), ENGLISH, 0).detail)
    assert whole_detail(call, ENGLISH)[:200] == tuple(f"│ {line}" for line in LONG.split("\n"))


@pytest.mark.parametrize("mode", list(Mode))
def test_only_a_person_can_say_yes_and_only_once(mode: Mode) -> None:
    allow = Rule(parse_pattern("*"), Effect.ALLOW, "here")
    call = call_of(Proposed(Move.MERGE, "mm/review-1", "git merge"), 1, "/w")
    asked = check_call(call, Setting(mode=mode, rules=(allow,), somebody=True), Policy())
    assert isinstance(asked, Question)
    assert (asked.line, asked.once_only) == (4, True)
    assert Answer.ALLOW_SESSION not in asked.answers
    refused = check_call(call, Setting(mode=mode, somebody=False), Policy())
    assert getattr(refused, "why", None) is Why.NOBODY


def test_a_deny_of_everything_refuses_a_move_too() -> None:
    deny = Rule(parse_pattern("*"), Effect.DENY, "here")
    call = call_of(Proposed(Move.HAND_OVER, "homer", "do it"), 1, "/w")
    assert (
        getattr(check_call(call, Setting(rules=(deny,), somebody=True), Policy()), "why", None) is Why.POLICY
    )


def test_a_text_that_cannot_be_shown_as_it_is_sent_is_no_question() -> None:
    assert call_of(Proposed(Move.HAND_OVER, "homer", "a\0b"), 1, "/w").unrunnable is not None
