"""The Gate says what the oracle says, and keeps the invariants by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from consent.gate import Decision, check
from consent.matching import Effect, Rule, parse_pattern
from consent.policy import Policy
from consent.rules import NOBODY, REMEMBERED, TABLE, Facts, Why
from consent.setting import Setting
from tests.consent import oracle
from tests.consent.adapter import call_of, decide, objection_of, policy_of, setting_of
from tests.consent.oracle import Call, World
from tests.consent.strategies import meetings, narrowings

RULE = Rule(parse_pattern("jan/bash"), Effect.DENY, "riker.yaml:3:5")
FREEDOM = ("refuse", "ask_once", "ask", "allow")


@settings(max_examples=300)
@given(meetings())
def test_the_gate_decides_every_call_as_the_oracle_does(meeting: tuple[Call, World]) -> None:
    call, world = meeting
    assert decide(call, world) == oracle.decide(call, world)


@settings(max_examples=100)
@given(meetings())
def test_narrowing_never_widens(meeting: tuple[Call, World]) -> None:
    call, world = meeting
    before = FREEDOM.index(decide(call, world).decision)
    for words, narrower_call, narrower_world in narrowings(call, world):
        after = FREEDOM.index(decide(narrower_call, narrower_world).decision)
        assert after <= before, f"{words} moved the outcome toward allow"


def test_a_doubt_alone_never_refuses_and_never_allows() -> None:
    doubtful = Call(path=("jan",), child="ours", kind="execute", doubtful=True)
    assert decide(doubtful, World()).decision == "ask_once"


@given(meetings())
def test_a_line_says_nothing_but_what_its_entry_in_the_table_says(meeting: tuple[Call, World]) -> None:
    call, world = meeting
    facts = Facts(call_of(call), setting_of(world), policy_of(world), objection_of(call))
    for line in (*TABLE, REMEMBERED, NOBODY):
        verdict = line.applies(facts)
        assert verdict is None or verdict[0] in line.outcomes


@pytest.mark.parametrize(
    ("effect", "somebody", "came"),
    [
        (Effect.DENY, True, Decision(False, Why.POLICY, 2, RULE)),
        (Effect.ALLOW, True, Decision(True, Why.POLICY, 9, RULE)),
        (Effect.PROMPT, False, Decision(False, Why.NOBODY, 13, RULE)),
    ],
)
def test_a_decision_names_the_rule_that_made_it(effect: Effect, somebody: bool, came: Decision) -> None:
    rule = replace(RULE, effect=effect)
    call = call_of(Call(path=("jan",), child="ours", kind="execute"))
    decision = check(call, Setting(rules=(rule,), somebody=somebody), Policy())
    assert decision == replace(came, rule=rule)
    assert isinstance(decision, Decision)
    assert decision.allowed is came.allowed
