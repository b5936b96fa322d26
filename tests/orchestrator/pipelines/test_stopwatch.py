"""The clock of a run stands still while a question is open."""

from __future__ import annotations

import pytest

from orchestrator.pipelines.stopwatch import Stopwatch


class Time:
    """A clock that only sleep moves, and questions that are open at some of its times."""

    def __init__(self, *open_between: tuple[float, float]) -> None:
        self.now = 100.0
        self._open = open_between

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.now += seconds

    def waits(self) -> bool:
        return any(begin <= self.now - 100 <= end for begin, end in self._open)

    def stopwatch(self) -> Stopwatch:
        return Stopwatch(self.waits, self.clock, self.sleep)


async def test_without_questions_it_is_a_clock() -> None:
    time = Time()
    await time.stopwatch().reaches(2.5)
    assert time.now == 102.5


async def test_an_open_question_is_free() -> None:
    time = Time((1, 500), (502, 600))
    watch = time.stopwatch()
    await watch.reaches(4)
    assert time.now == pytest.approx(100 + 4 + 499 + 98)
    assert watch.seconds == 4


async def test_a_question_that_comes_and_goes_within_a_tick_is_not_free() -> None:
    time = Time((0.2, 0.8))
    await time.stopwatch().reaches(3)
    assert time.now == 103


async def test_what_is_over_is_reached_at_once() -> None:
    time = Time()
    await time.stopwatch().reaches(0)
    await time.stopwatch().reaches(-1)
    assert time.now == 100
