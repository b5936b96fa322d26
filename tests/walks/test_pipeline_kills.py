"""Runs of a pipeline that is ended by force, wherever it is, go on from there and come to the same end."""

from __future__ import annotations

from signal import SIGKILL, SIGTERM, Signals

import pytest

from tests.walks.builder import Walk
from tests.walks.reviewing import LONGEST, POINTS, Reviewing
from tests.walks.terminal import INVITATION


def test_an_undisturbed_run_passes_every_point_once(walk: Walk) -> None:
    review = Reviewing(walk)
    ran = review.begins()
    assert ran.code == 0, ran.stderr
    assert tuple(review.points) == POINTS
    assert set(review.turns.values()) == {1}
    review.came_to_its_end()


@pytest.mark.parametrize("point", POINTS)
def test_a_run_that_is_killed_goes_on_from_there(walk: Walk, point: str) -> None:
    review = Reviewing(walk)
    assert review.begins(kill_at=point).code == -SIGKILL
    review.lost_everybody()
    (found,) = review.listed()
    assert found["state"] == "interrupted"
    ran = review.resumes()
    assert ran.code == 0, ran.stderr
    review.came_to_its_end()
    worked_twice = {point.split()[1]} if point.endswith("ends") else set()
    assert review.turns == {name: 2 if name in worked_twice else 1 for name in ("homer", "jan", "lisa")}


def test_a_run_is_killed_again_and_again_while_it_is_resumed(walk: Walk) -> None:
    review = Reviewing(walk)
    assert review.begins(kill_at="1.0 homer begins").code == -SIGKILL
    for point in ("run begins", "1.0 homer ends", "1.0 homer ends"):
        assert review.resumes(kill_at=point).code == -SIGKILL
        review.lost_everybody()
    assert review.resumes().code == 0
    review.came_to_its_end()
    assert review.turns == {"homer": 3, "jan": 1, "lisa": 1}


@pytest.mark.parametrize("number", [SIGKILL, SIGTERM], ids=lambda number: number.name)
@pytest.mark.parametrize("waiting", [("homer",), ("jan", "lisa")], ids="-and-".join)
def test_a_run_that_ends_in_the_middle_of_turns_takes_its_agents_along(
    walk: Walk, waiting: tuple[str, ...], number: Signals
) -> None:
    review = Reviewing(walk, AGENTS="4")
    for name in waiting:
        review.keeps_waiting(name)
    with review.begun() as mm:
        for name in waiting:
            review.stands_in_the_middle_of(name)
        mm.send_signal(number)
        mm.communicate(timeout=LONGEST)
    review.lost_everybody()
    assert review.listed()[0]["state"] == "interrupted"
    review.goes_on()
    ran = review.resumes()
    assert ran.code == 0, ran.stderr
    review.came_to_its_end()
    assert review.turns == {name: 1 + (name in waiting) for name in ("homer", "jan", "lisa")}


def test_a_question_that_was_open_is_asked_again_and_never_answered_before(walk: Walk) -> None:
    review = Reviewing(walk, HANDOVER="approve", MERGE="ask")
    with review.at_a_terminal("--pipeline", "review", "write one") as mm:
        mm.sees("homer").sees(INVITATION).kills()
    review.lost_everybody()
    unasked = review.resumes()
    assert (unasked.code, unasked.stdout) == (3, "")
    assert not review.turns
    with review.at_a_terminal("pipeline", "resume", review.run) as mm:
        mm.answers("1").sees("git merge").sees(INVITATION).kills()
    review.lost_everybody()
    assert review.git("show", "main:code") == "zero"
    with review.at_a_terminal("pipeline", "resume", review.run) as mm:
        mm.sees("git merge").answers("1").ends(0)
    assert review.git("show", "main:code") == "zero\none"
    review.nothing_that_was_kept_ran_again()
    assert set(review.turns.values()) == {1}
