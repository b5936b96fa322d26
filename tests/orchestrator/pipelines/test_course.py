"""The course of a pipeline: whatever happened leads to a next step or to an end, and again to the same."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmconfigs.language import saying
from mmconfigs.model import Bounds, Judging, Pipeline, Repeat, Reviewer, Step
from orchestrator.pipelines import sentences as say
from orchestrator.pipelines.course import (
    Act,
    End,
    Lanes,
    Part,
    Result,
    accepted,
    ahead,
    judged_last,
    seconds_left,
)
from orchestrator.pipelines.outcome import Did, Ended, Judged, Outcome

JUDGING = Judging(accept="ACCEPT", reject="REJECT", all=True)
CODE = Step.model_validate({"ask": "homer", "prompt": "{task}", "handover": "approve", "onFail": "stop"})
REVIEW = Step(
    together=(Reviewer(ask="jan", prompt="jan: {diff}"), Reviewer(ask="lisa", prompt="lisa: {diff}")),
    verdict=JUDGING,
)
AGAIN = Step(repeat=Repeat.model_validate({"from": 0, "prompt": "{findings}"}))
LAST = Step(ask="lisa", prompt="Write what is new.")


def pipeline(*steps: Step, rounds: int = 3, minutes: float = 1, agents: int = 4) -> Pipeline:
    return Pipeline(steps=steps, limits=Bounds(rounds=rounds, minutes=minutes, agents=agents))


def outcome(agent: str = "homer", ended: Ended = Ended.DONE, seconds: float = 1) -> Outcome:
    return Outcome(agent, ended, "end_turn", seconds=seconds)


def judged(agent: str, *, accepts: bool) -> Outcome:
    return replace(outcome(agent), judged=Judged(accepts, "ACCEPT" if accepts else "REJECT", ""))


def reviewed(number: int, jan: bool, lisa: bool) -> Did:
    return Did(1, number, (judged("jan", accepts=jan), judged("lisa", accepts=lisa)))


def coded(number: int = 1, ended: Ended = Ended.DONE, seconds: float = 1) -> Did:
    return Did(0, number, (outcome(ended=ended, seconds=seconds),))


LOOP = pipeline(CODE, REVIEW, AGAIN)


def test_it_begins_with_the_first_step() -> None:
    assert ahead(LOOP, []) == Act(0, 1, (Part("homer", "{task}"),), writes=True, approve=True, on_fail="stop")


def test_reviewers_read_at_the_same_time() -> None:
    parts = (Part("jan", "jan: {diff}"), Part("lisa", "lisa: {diff}"))
    assert ahead(LOOP, [coded()]) == Act(1, 1, parts, writes=False, approve=False, on_fail="ask")


def test_a_rejection_leads_back_with_the_prompt_of_the_repeat() -> None:
    found = ahead(LOOP, [coded(), reviewed(1, jan=True, lisa=False)])
    assert found == Act(0, 2, (Part("homer", "{findings}"),), writes=True, approve=True, on_fail="stop")


def test_all_accept_and_the_run_is_accepted() -> None:
    assert ahead(LOOP, [coded(), reviewed(1, jan=True, lisa=True)]) == End(Result.ACCEPTED)


def test_the_last_round_ends_it() -> None:
    twice = pipeline(CODE, REVIEW, AGAIN, rounds=2)
    history = [coded(), reviewed(1, True, False), coded(2), reviewed(2, True, False)]
    assert ahead(twice, history) == End(Result.REJECTED, saying(say.REACHED, limit="limits.rounds (2)"))


def test_after_the_repeat_comes_what_follows() -> None:
    more = pipeline(CODE, REVIEW, AGAIN, LAST)
    history = [coded(), reviewed(1, jan=True, lisa=True)]
    found = ahead(more, history)
    assert isinstance(found, Act)
    assert (found.step, found.round, found.parts[0].agent) == (3, 1, "lisa")
    assert ahead(more, [*history, Did(3, 1, (outcome("lisa"),))]) == End(Result.ACCEPTED)


def test_a_verdict_without_a_repeat_rejects_in_the_end() -> None:
    once = pipeline(CODE, REVIEW)
    assert ahead(once, [coded(), reviewed(1, True, False)]) == End(Result.REJECTED, saying(say.LAST_REJECTS))


@pytest.mark.parametrize("ended", [ended for ended in Ended if ended not in (Ended.DONE, Ended.LATE)])
def test_what_is_not_done_is_not_accepted_unless_a_reviewer_or_a_person_says_so(ended: Ended) -> None:
    def rejected(agent: str) -> End:
        why = saying(say.DID_NOT_FINISH, agent=agent, why=saying(say.ENDS[ended]))
        return End(Result.REJECTED, why)

    alone = pipeline(CODE)
    undone = coded(ended=ended)
    assert ahead(alone, [undone]) == rejected("homer")
    gone_on = replace(undone, outcomes=(replace(undone.outcomes[0], gone_on=True),))
    assert ahead(alone, [gone_on]) == End(Result.ACCEPTED)
    assert ahead(LOOP, [undone, reviewed(1, True, True)]) == End(Result.ACCEPTED)
    more = pipeline(CODE, REVIEW, AGAIN, LAST)
    last = Did(3, 1, (outcome("lisa", ended),))
    assert ahead(more, [coded(), reviewed(1, True, True), last]) == rejected("lisa")


def test_a_reviewer_without_a_verdict_is_none_that_accepts() -> None:
    """Also where one is enough, what an unfinished reviewer said counts for nothing."""
    half = Did(1, 1, (judged("jan", accepts=True), outcome("lisa", Ended.CUT)))
    assert not accepted(LOOP, [coded(), half])


def test_the_time_of_the_run_ends_it() -> None:
    assert ahead(LOOP, [coded(seconds=60)]) == End(
        Result.LIMIT, saying(say.REACHED, limit="limits.minutes (1)")
    )
    assert isinstance(ahead(LOOP, [coded(seconds=59)]), Act)
    assert seconds_left(LOOP, [coded(seconds=59)]) == 1


def test_an_agent_that_was_stopped_for_the_time_ends_the_run_whatever_the_sum_is() -> None:
    """A sum of fractions may come out a little smaller than the limit."""
    assert ahead(LOOP, [coded(ended=Ended.LATE, seconds=59.999)]) == End(
        Result.LIMIT, saying(say.REACHED, limit="limits.minutes (1)")
    )


@pytest.mark.parametrize(
    ("agents", "took"), [(1, 9.0), (2, 6.0), (3, 5.0), (4, 5.0)], ids=lambda value: f"{value}"
)
def test_what_runs_side_by_side_counts_once(agents: int, took: float) -> None:
    """Three reviewers of 1, 3 and 5 seconds: with two at a time the third begins when the first is over."""
    three = (outcome("a", seconds=1), outcome("b", seconds=3), outcome("c", seconds=5))
    assert seconds_left(pipeline(REVIEW, agents=agents), [Did(0, 1, three)]) == 60 - took


def test_who_waits_for_room_begins_later() -> None:
    lanes = Lanes(2)
    assert [lanes.begin(), lanes.begin()] == [0, 0]
    lanes.end(4)
    assert lanes.begin() == 4


def test_each_repeat_has_its_own_rounds() -> None:
    back = Step(repeat=Repeat.model_validate({"from": 3, "prompt": "{findings}"}))
    two = pipeline(CODE, REVIEW, AGAIN, LAST, REVIEW, back, rounds=2)
    first = [coded(), reviewed(1, True, False), coded(2), reviewed(2, True, True)]
    second = [*first, Did(3, 1, (outcome("lisa"),)), replace(reviewed(1, True, False), step=4)]
    found = ahead(two, second)
    assert isinstance(found, Act)
    assert (found.step, found.round) == (3, 2)


# --- any course


def steps() -> st.SearchStrategy[tuple[Step, ...]]:
    """One or more loops and single steps, as the checks of the file accept them."""
    alone = st.sampled_from([CODE, LAST])
    loop = st.lists(alone, min_size=1, max_size=2).map(tuple)

    def joined(parts: list[tuple[tuple[Step, ...], bool]]) -> tuple[Step, ...]:
        found: tuple[Step, ...] = ()
        for writers, repeats in parts:
            start = len(found)
            back = Repeat.model_validate({"from": start, "prompt": "{findings}"})
            found += (*writers, *((REVIEW, Step(repeat=back)) if repeats else ()))
        return found

    return st.lists(st.tuples(loop, st.booleans()), min_size=1, max_size=3).map(joined)


@st.composite
def outcomes(draw: st.DrawFn, act: Act, judges: bool) -> tuple[Outcome, ...]:
    found = []
    for part in act.parts:
        ended = draw(st.sampled_from([*Ended, Ended.DONE, Ended.DONE, Ended.DONE]))
        each = outcome(part.agent, ended, draw(st.floats(0, 20)))
        says = judges and Judged(ended is Ended.DONE and draw(st.booleans()), "", "")
        found.append(replace(each, judged=says or None))
    return tuple(found)


@given(st.data(), steps(), st.integers(1, 3), st.integers(1, 2))
def test_any_course_comes_to_its_end(
    data: st.DataObject, parts: tuple[Step, ...], rounds: int, agents: int
) -> None:
    given_ = pipeline(*parts, rounds=rounds, agents=agents)
    history: list[Did] = []
    acts: list[Act] = []
    while isinstance(act := ahead(given_, history), Act):
        assert act == ahead(given_, tuple(history)), "a replay is told something else"
        assert 1 <= act.round <= rounds
        assert seconds_left(given_, history) > 0
        assert parts[act.step].repeat is None
        assert act.writes == (parts[act.step].verdict is None)
        acts.append(act)
        judges = parts[act.step].verdict is not None
        history.append(Did(act.step, act.round, data.draw(outcomes(act, judges))))
    assert len({(act.round, act.step) for act in acts}) == len(acts), "a step was done twice in one round"
    if act.result is Result.ACCEPTED:
        last = judged_last(given_, history)
        assert all(each.judged and each.judged.accepts for each in last)
        assert all(each.ended is not Ended.LATE for did in history for each in did.outcomes)
    else:
        assert act.why
