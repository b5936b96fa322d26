"""Counting what was decided: by agent, by reason, and since a moment."""

from __future__ import annotations

from consent.gate import Decision
from consent.rules import Why
from consent.tally import Count, Tally
from consent.unasked import Finding

JAN = ("jan",)


def yes(why: Why) -> Decision:
    return Decision(True, why, 0)


def no(why: Why) -> Decision:
    return Decision(False, why, 0)


def test_each_agent_is_counted_by_reason() -> None:
    tally = (
        Tally()
        .decided((), yes(Why.READ), asked=False)
        .decided(JAN, yes(Why.ANSWER), asked=True)
        .decided(JAN, no(Why.ANSWER), asked=True)
        .decided(JAN, yes(Why.MEMORY), asked=False)
        .acted(JAN, Finding.UNASKED)
    )
    assert list(tally.agents) == [(), JAN]
    assert tally.agents[JAN] == Count(
        asked=2,
        allowed={Why.ANSWER: 1, Why.MEMORY: 1},
        refused={Why.ANSWER: 1},
        unasked={Finding.UNASKED: 1},
    )
    assert tally.whole.allowed == {Why.READ: 1, Why.ANSWER: 1, Why.MEMORY: 1}


def test_what_came_since_leaves_out_who_did_nothing() -> None:
    before = Tally().decided((), yes(Why.READ), asked=False).decided(JAN, yes(Why.YOLO), asked=False)
    after = before.decided(JAN, yes(Why.YOLO), asked=False).acted(JAN, Finding.OTHER)
    assert after.since(before) == Tally({JAN: Count(allowed={Why.YOLO: 1}, unasked={Finding.OTHER: 1})})
    assert after.since(after).whole.empty


def test_only_questions_refusals_and_acts_past_the_answers_are_remarkable() -> None:
    assert not Tally().decided((), yes(Why.READ), asked=False).whole.remarkable
    assert Tally().decided((), yes(Why.ANSWER), asked=True).whole.remarkable
    assert Tally().decided((), no(Why.POLICY), asked=False).whole.remarkable
    assert Tally().acted((), Finding.UNASKED).whole.remarkable
