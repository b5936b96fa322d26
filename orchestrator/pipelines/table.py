"""The table of a run as it goes: who works, in which round, for how long. Tells events; draws nothing."""

from __future__ import annotations

from mmconfigs.language import Text, saying
from orchestrator.events import Phase, Row, RunState, Sink
from orchestrator.pipelines import sentences as say
from orchestrator.pipelines.course import Act
from orchestrator.pipelines.outcome import Ended, Outcome

Place = tuple[int, int, str]
"""Round, step and agent."""


class Table:
    """The rows of one run, told anew whenever one changes.

    What was finished before the run was taken up again is told with what begins then, not as news.
    """

    def __init__(self, run: str, sink: Sink) -> None:
        self._run = run
        self._sink = sink
        self._rows: dict[Place, Row] = {}

    async def began(self, act: Act, agent: str) -> None:
        """An agent begins its part of a step."""
        for part in act.parts:
            place = (act.round, act.step, part.agent)
            self._rows.setdefault(place, Row(part.agent, act.round, Phase.WAITING))
        self._rows[act.round, act.step, agent] = Row(agent, act.round, Phase.WORKING)
        await self._tell()

    async def ended(self, act: Act, outcome: Outcome) -> None:
        """An agent's part is over; also one that was over before the run was taken up again."""
        place = (act.round, act.step, outcome.agent)
        before, now = self._rows.get(place), row_of(outcome, act.round)
        self._rows[place] = now
        if before not in (None, now):
            await self._tell()

    async def _tell(self) -> None:
        await self._sink.emit(RunState((), self._run, tuple(self._rows.values())))


def row_of(outcome: Outcome, number: int) -> Row:
    """The row of what is over, in this round."""
    done = outcome.ended is Ended.DONE
    says: Text = "" if done else saying(say.ENDS[outcome.ended])
    if outcome.judged:
        says = say.verdict(outcome.judged.why)
    phase = Phase.DONE if done else Phase.FAILED
    return Row(outcome.agent, number, phase, says, outcome.seconds, outcome.tokens)
