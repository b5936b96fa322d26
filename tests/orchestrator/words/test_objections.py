"""What a hook has against a call, in words: escaped, with its place, in both languages."""

from __future__ import annotations

import pytest

from consent.gate import Decision
from consent.hook import Broken, Objection
from consent.matching import Effect, Rule, parse_pattern
from consent.rules import Why
from mmconfigs.language import Words
from orchestrator.words.objections import BROKEN, objection
from orchestrator.words.refusals import refusal
from tests.orchestrator.words.calls import JAN

RULE = Rule(parse_pattern("bash"), Effect.HOOK, "agents.yaml:7:5")


def told(against: Objection) -> tuple[str, str]:
    text = objection(against)
    return Words("en").told(text), Words("fr").told(text)


def test_a_reason_is_told_with_the_place_of_the_hook() -> None:
    english, french = told(Objection(RULE, "no pushes"))
    assert english == "it says: no pushes (agents.yaml:7:5)"
    assert french == "il dit : no pushes (agents.yaml:7:5)"


def test_a_hook_of_an_asking_agents_file_has_no_place_here() -> None:
    assert told(Objection(None, "no pushes"))[0] == "it says: no pushes"


def test_a_hook_without_a_reason_says_so() -> None:
    assert told(Objection(None))[0] == "it gives no reason"


@pytest.mark.parametrize("broken", Broken)
def test_each_way_to_break_has_its_words(broken: Broken) -> None:
    english, french = told(Objection(RULE, "DETAIL", broken))
    assert "DETAIL" in english
    assert "DETAIL" in french
    assert english != french


def test_no_two_ways_to_break_read_alike() -> None:
    assert len(set(BROKEN.values())) == len(Broken)


def test_an_unclear_answer_is_told_with_what_is_expected() -> None:
    said = told(Objection(RULE, '{"ok": false}', Broken.UNCLEAR))[0]
    assert said == (
        'it gave no clear answer; expected on its stdout: nothing, or {"decision": "refuse"} or'
        ' {"decision": "allow"} with at most a "reason" beside it; found: {"ok": false} (agents.yaml:7:5)'
    )


def test_what_a_hook_says_cannot_draw() -> None:
    against = Objection(RULE, "\x1b[2J\u202e\U0001f510")
    assert "\x1b" not in told(against)[0]
    assert "\u202e" not in told(against)[0]
    assert "\U0001f510" not in told(against)[0]


def test_the_model_is_told_the_reason_and_not_to_retry() -> None:
    decision = Decision(False, Why.HOOK, 1, RULE, objection=Objection(RULE, "no pushes"))
    said = refusal(JAN, decision)
    assert said.shown == (
        "Not allowed: a hook of the file refused this call: it says: no pushes (agents.yaml:7:5)."
    )
    assert "do not retry" in said.told
