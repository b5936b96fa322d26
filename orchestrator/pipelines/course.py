"""The course of a pipeline: from what was done to what comes next. Pure; knows no agent, git or engine.

A course is walked again from its beginning after a crash, so that it looks at nothing but its history.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from mmconfigs.language import Text, saying
from mmconfigs.model import Pipeline, Step
from orchestrator.pipelines import sentences as say
from orchestrator.pipelines.outcome import Did, Ended, Outcome
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
    """The next step. `writes`: in the run's own tree; else its agents read, each in a tree of its own."""

    step: int
    round: int
    parts: tuple[Part, ...]
    writes: bool
    approve: bool
    on_fail: OnFail


@dataclass(frozen=True, slots=True)
class End:
    """The run is over; `why` says more where it was not accepted."""

    result: Result
    why: Text = ""


class Lanes:
    """When the agents of a step begin, in seconds of work: at most so many of them work side by side."""

    def __init__(self, agents: int) -> None:
        self._free = [0.0] * agents

    def begin(self) -> float:
        """When the next one begins: as soon as there is room."""
        return heapq.heappop(self._free)

    def end(self, when: float) -> None:
        """One ends, which makes room."""
        heapq.heappush(self._free, when)

    @property
    def over(self) -> float:
        """When all that have ended are over."""
        return max(self._free)


def lanes(pipeline: Pipeline, agents: int) -> Lanes:
    """The lanes of a step with so many agents."""
    return Lanes(min(pipeline.limits.agents, agents))


def ahead(pipeline: Pipeline, history: Sequence[Did]) -> Act | End:
    """What comes after this history."""
    if _late(history) or seconds_left(pipeline, history) <= 0:
        return End(Result.LIMIT, _reached("minutes", f"{pipeline.limits.minutes:g}"))
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
        return _act(pipeline, after, 1, None) if after < len(pipeline.steps) else _end(pipeline, history)
    if number >= pipeline.limits.rounds:
        return End(Result.REJECTED, _reached("rounds", str(pipeline.limits.rounds)))
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
    return pipeline.limits.minutes * 60 - sum(_took(pipeline, did) for did in history)


def _took(pipeline: Pipeline, did: Did) -> float:
    """How many seconds of work a step took, from its beginning to its end."""
    found = lanes(pipeline, len(did.outcomes))
    for outcome in did.outcomes:
        found.end(found.begin() + outcome.seconds)
    return found.over


def _late(history: Sequence[Did]) -> bool:
    return bool(history) and any(each.ended is Ended.LATE for each in history[-1].outcomes)


def _end(pipeline: Pipeline, history: Sequence[Did]) -> End:
    """The end of the last step: nothing is accepted that a reviewer rejects, or that is not done."""
    if not accepted(pipeline, history):
        return End(Result.REJECTED, saying(say.LAST_REJECTS))
    if undone := _undone(pipeline, history):
        why = saying(say.DID_NOT_FINISH, agent=undone.agent, why=saying(say.ENDS[undone.ended]))
        return End(Result.REJECTED, why)
    return End(Result.ACCEPTED)


def _reached(limit: str, value: str) -> Text:
    return saying(say.REACHED, limit=f"limits.{limit} ({value})")


def _undone(pipeline: Pipeline, history: Sequence[Did]) -> Outcome | None:
    """The last work that is not done, that no reviewer has judged, and that no person took as it is."""
    for did in reversed(history):
        if pipeline.steps[did.step].verdict:
            break
        for outcome in did.outcomes:
            if outcome.ended is not Ended.DONE and not outcome.gone_on:
                return outcome
    return None


def _act(pipeline: Pipeline, at: int, number: int, prompt: str | None) -> Act:
    step = pipeline.steps[at]
    return Act(
        step=at,
        round=number,
        parts=_parts(step, prompt),
        writes=step.ask is not None and step.verdict is None,
        approve=step.handover == "approve",
        on_fail=step.on_fail or "ask",
    )


def _parts(step: Step, prompt: str | None) -> tuple[Part, ...]:
    if step.ask is not None:
        return (Part(step.ask, prompt if prompt is not None else step.prompt or ""),)
    return tuple(Part(each.ask, each.prompt) for each in step.together or ())
