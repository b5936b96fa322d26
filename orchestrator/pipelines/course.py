"""The course of a pipeline: from what was done to what comes next. Pure; knows no agent, git or engine.

A course is walked again from its beginning after a crash, so that it looks at nothing but its history.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from mmconfigs.model import Pipeline, Step
from orchestrator.pipelines.outcome import Did, Outcome
from orchestrator.pipelines.verdict import together

OnFail = Literal["stop", "continue", "ask"]


class Result(StrEnum):
    """How a run ended for good."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Part:
    """One agent's part of a step: its prompt, with the fields still in it."""

    agent: str
    prompt: str


@dataclass(frozen=True, slots=True)
class Act:
    """The next step. `writes`: in the run's own tree; else its agents read, each in a tree of its own.

    `again` is the first prompt of the step where this is a later round of it.
    """

    step: int
    round: int
    parts: tuple[Part, ...]
    writes: bool
    approve: bool
    on_fail: OnFail
    judges: bool
    again: str = ""


@dataclass(frozen=True, slots=True)
class End:
    """The run is over; `why` says more where it was not accepted."""

    result: Result
    why: str = ""


def ahead(pipeline: Pipeline, history: Sequence[Did]) -> Act | End:
    """What comes after this history."""
    if sum(did.seconds for did in history) >= pipeline.limits.minutes * 60:
        return End(Result.LIMIT, f"limits.minutes ({pipeline.limits.minutes:g}) reached")
    if not history:
        return _act(pipeline, 0, 1, None)
    at, number = history[-1].step + 1, history[-1].round
    if at == len(pipeline.steps):
        return _end(pipeline, history)
    repeat = pipeline.steps[at].repeat
    if repeat is None:
        return _act(pipeline, at, number, None)
    if accepted(pipeline, history):
        after = at + 1
        return _act(pipeline, after, number, None) if after < len(pipeline.steps) else _end(pipeline, history)
    if number >= pipeline.limits.rounds:
        return End(Result.REJECTED, f"limits.rounds ({pipeline.limits.rounds}) reached")
    return _act(pipeline, repeat.start, number + 1, repeat.prompt)


def accepted(pipeline: Pipeline, history: Sequence[Did]) -> bool:
    """What the last verdict says; a pipeline without any accepts what it has done."""
    for did in reversed(history):
        if rule := pipeline.steps[did.step].verdict:
            judged = tuple(outcome.judged for outcome in did.outcomes if outcome.judged)
            return len(judged) == len(did.outcomes) and together(judged, rule)
    return True


def judged_last(pipeline: Pipeline, history: Sequence[Did]) -> tuple[Outcome, ...]:
    """The outcomes of the last step that judged."""
    return next((did.outcomes for did in reversed(history) if pipeline.steps[did.step].verdict), ())


def seconds_left(pipeline: Pipeline, history: Sequence[Did]) -> float:
    """How many seconds of work the run has left."""
    return pipeline.limits.minutes * 60 - sum(did.seconds for did in history)


def _end(pipeline: Pipeline, history: Sequence[Did]) -> End:
    good = accepted(pipeline, history)
    return End(Result.ACCEPTED) if good else End(Result.REJECTED, "the last verdict rejects")


def _act(pipeline: Pipeline, at: int, number: int, prompt: str | None) -> Act:
    step = pipeline.steps[at]
    return Act(
        step=at,
        round=number,
        parts=_parts(step, prompt),
        writes=step.ask is not None and step.verdict is None,
        approve=step.handover == "approve",
        on_fail=step.on_fail or "ask",
        judges=step.verdict is not None,
        again=(step.prompt or "") if prompt is not None else "",
    )


def _parts(step: Step, prompt: str | None) -> tuple[Part, ...]:
    if step.ask is not None:
        return (Part(step.ask, prompt if prompt is not None else step.prompt or ""),)
    return tuple(Part(each.ask, each.prompt) for each in step.together or ())
