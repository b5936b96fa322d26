"""Runs of a pipeline that is ended by force, wherever it is, go on from there and come to the same end."""

from __future__ import annotations

from signal import SIGKILL

import pytest

from tests.walks.builder import Walk
from tests.walks.reviewing import POINTS, Reviewing


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
