"""Changing the mode: toward asking nothing moves toward allow, and what waits is settled that way only."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consent.docket import Docket, Settled
from consent.gate import Decision, check
from consent.matching import Effect, Rule, parse_pattern
from consent.rules import Why
from consent.setting import Mode, Setting
from tests.consent.adapter import call_of, decide, policy_of, setting_of
from tests.consent.oracle import Call, World
from tests.consent.strategies import calls, meetings, worlds

WIDEST_FIRST = (Mode.YOLO, Mode.WRITE, Mode.ALWAYS_ASK)
FREEDOM = ("refuse", "ask_once", "ask", "allow")


@settings(max_examples=500)
@given(meetings())
def test_from_yolo_to_write_to_always_ask_no_outcome_moves_toward_allow(meeting: tuple[Call, World]) -> None:
    call, world = meeting
    found = [FREEDOM.index(decide(call, replace(world, mode=mode.value)).decision) for mode in WIDEST_FIRST]
    assert found == sorted(found, reverse=True)


@settings(max_examples=500)
@given(meetings())
def test_a_switched_mode_decides_like_one_that_was_there_from_the_start(meeting: tuple[Call, World]) -> None:
    """O-c4"""
    call, world = meeting
    for mode in Mode:
        switched = setting_of(world).with_mode(mode)
        assert switched == setting_of(replace(world, mode=mode.value))
        assert check(call_of(call), switched, policy_of(world)) == check(
            call_of(call), setting_of(replace(world, mode=mode.value)), policy_of(world)
        )


def switched(world: World, some: list[Call], before: Mode, after: Mode) -> tuple[Docket, Docket, Settled]:
    """What waits before the switch and after it, and what it settled."""
    docket = Docket(setting_of(world).with_mode(before), policy_of(world))
    for call in some:
        docket, _ = docket.submit(call_of(call))
    return docket, *docket.recheck(docket.setting.with_mode(after))


def modes(*, widening: bool) -> st.SearchStrategy[tuple[Mode, Mode]]:
    pairs = [*combinations(WIDEST_FIRST, 2)]
    return st.sampled_from([(narrow, wide) for wide, narrow in pairs] if widening else pairs)


@settings(max_examples=500)
@given(worlds(), st.lists(calls(), max_size=6), modes(widening=False))
def test_a_narrower_mode_settles_nothing_that_waits(
    world: World, some: list[Call], pair: tuple[Mode, Mode]
) -> None:
    before, after, settled = switched(world, some, *pair)
    assert settled == ()
    assert after.waiting == before.waiting
    assert after.policy == before.policy


@settings(max_examples=500)
@given(worlds(), st.lists(calls(), max_size=6), modes(widening=True))
def test_a_wider_mode_only_allows_what_waits_and_remembers_nothing(
    world: World, some: list[Call], pair: tuple[Mode, Mode]
) -> None:
    before, after, settled = switched(world, some, *pair)
    assert {decision.why for _, decision in settled} <= {Why.YOLO, Why.MODE}
    assert all(decision.allowed for _, decision in settled)
    assert {entry.ticket for entry in before.waiting} == {ticket for ticket, _ in settled} | {
        entry.ticket for entry in after.waiting
    }
    assert after.policy == before.policy
    for entry in after.waiting:  # what stays would be asked as well if it came now
        assert not isinstance(check(entry.question.call, after.setting, after.policy), Decision)


@settings(max_examples=200)
@given(worlds(), st.lists(calls(), max_size=6), st.sampled_from(Mode), st.sampled_from(Mode))
def test_under_the_floor_no_mode_settles_anything(
    world: World, some: list[Call], before: Mode, after: Mode
) -> None:
    assert switched(replace(world, floor=True), some, before, after)[2] == ()


def test_under_the_floor_only_the_mode_that_asks_is_offered_and_counts() -> None:
    for mode in Mode:
        free, floored = Setting(mode), Setting(mode, floor=True)
        assert (free.offered, free.counts) == (tuple(Mode), mode)
        assert (floored.offered, floored.counts) == ((Mode.ALWAYS_ASK,), Mode.ALWAYS_ASK)


@pytest.mark.parametrize(
    ("setting", "ask"),
    [
        (Setting(Mode.YOLO), False),
        (Setting(Mode.WRITE), True),
        (Setting(Mode.ALWAYS_ASK), True),
        (Setting(Mode.YOLO, floor=True), True),
        (Setting(Mode.YOLO, {"jan": False}), False),
        (Setting(Mode.YOLO, rules=(Rule(parse_pattern("bash"), Effect.PROMPT),)), True),
        (Setting(Mode.YOLO, rules=(Rule(parse_pattern("bash"), Effect.DENY),)), True),
        (Setting(Mode.YOLO, rules=(Rule(parse_pattern("bash"), Effect.ALLOW),)), False),
        (Setting(Mode.YOLO, rules=(Rule(parse_pattern("jan/bash"), Effect.DENY),)), False),
    ],
)
def test_own_calls_ask_unless_all_of_them_run_free(setting: Setting, ask: bool) -> None:
    """O-m6"""
    assert setting.own_calls_ask is ask


def test_mode_write_allows_own_changes_inside_the_fence_and_nothing_else() -> None:
    change = Call(name="write_file", kind="edit", tier="write", builtin=True, fence_holds=True)
    allowed = {
        "inside": change,
        "outside": replace(change, fence_holds=False),
        "a command": Call(kind="execute", tier="exec", builtin=True, fence_holds=True),
        "an MCP tool": Call(name="mcp__files__write", tier="write", fence_holds=True),
        "jan": replace(change, path=("jan",), child="ours", builtin=False),
        "doubtful": replace(change, doubtful=True),
        "critical": replace(change, critical=True),
    }
    found = {what: decide(call, World(mode="write")).decision for what, call in allowed.items()}
    assert decide(change, World(mode="always-ask")).decision == "ask"
    assert found.pop("inside") == "allow"
    assert set(found.values()) == {"ask", "ask_once"}
