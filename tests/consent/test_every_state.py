"""The Gate in every combination of inputs: no single narrowing step ever leads toward allow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from consent.gate import Decision, Question, check
from tests.consent import oracle
from tests.consent.adapter import call_of, objection_of, policy_of, setting_of, verdict_of
from tests.consent.oracle import Call, World
from tests.consent.states import SHAPES, dimensions, memory, narrowed, states, world
from tests.consent.strategies import INVALID_NAMES, KEPT_KEYS, KINDS, PATHS, PATTERNS, TOOLS

FREEDOM = ("refuse", "ask_once", "ask", "allow")


def freedom(outcome: Decision | Question) -> int:
    return FREEDOM.index(verdict_of(outcome).decision)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_no_step_of_any_state_moves_toward_allow(shape: Call) -> None:
    of_the_call, of_the_world, of_the_memory = dimensions(shape)
    settings = [setting_of(world(shape, state)) for state in states(of_the_world)]
    policies = [policy_of(memory(shape, state)) for state in states(of_the_memory)]
    calls = [(call_of(call), objection_of(call)) for call in narrowed(shape)]
    free = [
        freedom(check(call, setting, kept, objection))
        for call, objection in calls
        for setting in settings
        for kept in policies
    ]

    stride = len(free)
    for name, values in {**of_the_call, **of_the_world, **of_the_memory}.items():
        wide, stride = stride, stride // len(values)
        for start in range(0, len(free), wide):
            for here in range(start, start + wide - stride):
                assert free[here + stride] <= free[here], (name, here)
    assert stride == 1


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_every_state_is_decided_as_the_oracle_does(shape: Call) -> None:
    _, of_the_world, of_the_memory = dimensions(shape)
    kept = [memory(shape, state).remembered for state in states(of_the_memory)]
    starts = [world(shape, state) for state in states(of_the_world)]
    worlds = [replace(start, remembered=remembered) for start in starts for remembered in kept]
    inputs = [(each, setting_of(each), policy_of(each)) for each in worlds]
    for call in narrowed(shape):
        submitted, objection = call_of(call), objection_of(call)
        for each, setting, policy in inputs:
            decided = verdict_of(check(submitted, setting, policy, objection))
            assert decided == oracle.decide(call, each), (call, each)


@pytest.mark.parametrize("path", PATHS, ids="/".join)
@pytest.mark.parametrize("kind", KINDS)
def test_every_rule_and_every_never_fits_every_call_as_the_oracle_says(
    path: oracle.Path, kind: str | None
) -> None:
    free = World(mode="yolo", entries=dict.fromkeys(("jan", "homer", "gem")))
    worlds = [replace(free, rules=((pattern, "deny"),)) for pattern in PATTERNS]
    worlds += [replace(free, remembered=((path, tool, "never"),)) for tool in KEPT_KEYS]
    worlds += [replace(free, remembered=((other, "bash", "never"),)) for other in PATHS]
    worlds += [replace(free, mode="always-ask", rules=((pattern, "allow"),)) for pattern in PATTERNS]
    inputs = [(each, setting_of(each), policy_of(each)) for each in worlds]
    for name in (None, *TOOLS, *INVALID_NAMES):
        for child in ("ours", "foreign") if path else ("own",):
            call = Call(path, child, name, kind)
            submitted = call_of(call)
            for each, setting, policy in inputs:
                decided = verdict_of(check(submitted, setting, policy))
                assert decided == oracle.decide(call, each), (call, each)
