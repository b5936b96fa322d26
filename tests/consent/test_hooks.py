"""Which calls hooks see, and what an asked agent is told because of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from consent.answer import Answer
from consent.call import Unrunnable
from consent.gate import Question
from consent.hook import Broken, Objection, hooks_of
from consent.matching import Effect, Rule, narrows, parse_pattern, submitted
from consent.rules import Why
from consent.setting import Mode, Setting
from tests.consent.adapter import call_of
from tests.consent.oracle import Call, World
from tests.consent.strategies import PATTERNS, meetings


def hook(pattern: str, where: str = "") -> Rule:
    return Rule(parse_pattern(pattern), Effect.HOOK, where)


JAN = call_of(Call(("jan",), "ours", "bash", "execute"))
OWN_READ = call_of(Call((), "own", "read_file", "read", "read"))


def test_hooks_see_a_call_in_the_order_of_the_file() -> None:
    rules = (
        hook("bash", "1"),
        Rule(parse_pattern("bash"), Effect.DENY, "2"),
        hook("jan/*", "3"),
        hook("*", "4"),
    )
    assert [rule.where for rule in hooks_of(rules, JAN)] == ["1", "3"]
    assert [rule.where for rule in hooks_of(rules, OWN_READ)] == ["4"]


def test_a_call_that_cannot_run_is_seen_by_no_hook() -> None:
    rules = (hook("bash"),)
    assert list(hooks_of(rules, JAN))
    assert not list(hooks_of(rules, replace(JAN, unrunnable=Unrunnable.HIDDEN_CHARACTERS)))


@given(meetings())
def test_a_hook_sees_at_least_what_a_deny_with_its_pattern_means_or_might_mean(
    meeting: tuple[Call, World],
) -> None:
    call = replace(call_of(meeting[0]), unrunnable=None)
    for pattern in PATTERNS:
        assert bool(list(hooks_of([hook(pattern)], call))) is bool(narrows(parse_pattern(pattern), call))


def test_an_asked_agent_submits_what_hooks_above_it_see() -> None:
    rules = (hook("bash"), hook("jan/read_file"), hook("jan/**"), hook("jan/homer/*"), hook("homer/bash"))
    assert submitted(rules, "jan") == ("bash", "read_file", "**", "homer/*")


@pytest.mark.parametrize("effect", [Effect.HOOK, Effect.DENY, Effect.PROMPT])
def test_what_is_about_exactly_one_agent_is_handed_no_further_down(effect: Effect) -> None:
    """`*` is own calls: those of a hook without a pattern, or `jan/*` as jan was told it."""
    assert submitted((Rule(parse_pattern("*"), effect),), "jan") == ()
    assert submitted((Rule(parse_pattern("**"), effect),), "jan") == ("**",)


def test_a_hook_over_own_calls_keeps_started_programs_from_being_freer() -> None:
    free = Setting(mode=Mode.YOLO)
    assert not free.own_calls_ask
    assert not replace(free, rules=(hook("jan/bash"),)).own_calls_ask
    assert replace(free, rules=(hook("bash"),)).own_calls_ask
    assert replace(free, rules=(hook("*"),)).own_calls_ask


def test_an_objection_from_further_up_refuses_at_the_line_that_asked() -> None:
    against = Objection(None, "1 s", Broken.TOO_LATE)
    question = Question(JAN, 11, once_only=False, rule=hook("bash"))
    decision = question.refuse(against)
    assert (decision.allowed, decision.why, decision.line) == (False, Why.HOOK, 11)
    assert (decision.rule, decision.objection) == (None, against)
    assert decision.answer is None
    assert Answer.ALLOW_ONCE in question.answers, "it was a question here"
