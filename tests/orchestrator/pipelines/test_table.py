"""The rows of a run, told as it goes."""

from __future__ import annotations

from mmconfigs.language import saying
from orchestrator.events import Event, Phase, Row, RunState
from orchestrator.pipelines import sentences as say
from orchestrator.pipelines.course import Act, Part
from orchestrator.pipelines.outcome import Ended, Judged, Outcome
from orchestrator.pipelines.table import Table, row_of


class Told:
    """A sink that keeps the rows."""

    def __init__(self) -> None:
        self.rows: list[tuple[Row, ...]] = []

    async def emit(self, event: Event) -> None:
        """Keep them."""
        assert isinstance(event, RunState)
        assert event.run == "review-1"
        self.rows.append(event.rows)


def act(*agents: str) -> Act:
    """A step of these agents."""
    parts = tuple(Part(agent, "") for agent in agents)
    fields = dict.fromkeys(Act.__dataclass_fields__)
    return Act(**{**fields, "step": 0, "round": 1, "parts": parts})  # type: ignore[arg-type]


async def test_who_has_not_begun_waits_and_an_end_is_told_once() -> None:
    told = Told()
    table = Table("review-1", told)
    await table.began(act("jan", "lisa"), "jan")
    assert told.rows == [(Row("jan", 1, Phase.WORKING), Row("lisa", 1, Phase.WAITING))]
    done = Outcome("jan", Ended.DONE, "end_turn", seconds=2)
    for _ in range(2):
        await table.ended(act("jan", "lisa"), done)
    assert told.rows[1:] == [(Row("jan", 1, Phase.DONE, "", 2), Row("lisa", 1, Phase.WAITING))]


async def test_what_was_over_before_a_run_was_taken_up_again_is_told_with_what_begins() -> None:
    told = Told()
    table = Table("review-1", told)
    await table.ended(act("homer"), Outcome("homer", Ended.DONE, "end_turn"))
    assert told.rows == []
    await table.began(act("jan"), "jan")
    assert told.rows == [(Row("homer", 1, Phase.DONE, "", 0), Row("jan", 1, Phase.WORKING))]


def test_a_row_says_the_verdict_else_why_it_is_not_done() -> None:
    failed = Outcome("jan", Ended.FAILED, "failed")
    assert row_of(failed, 2) == Row("jan", 2, Phase.FAILED, saying(say.ENDS[Ended.FAILED]), 0)
    judged = Judged(accepts=False, why=say.UNFINISHED.format(ended=Ended.FAILED), text="")
    unfinished = row_of(Outcome("jan", Ended.FAILED, "failed", judged=judged), 2)
    assert str(unfinished.says) == "did not finish: failed"
    accepts = Outcome("jan", Ended.DONE, "end_turn", judged=Judged(accepts=True, why="ACCEPT", text=""))
    assert row_of(accepts, 1).says == "ACCEPT"
