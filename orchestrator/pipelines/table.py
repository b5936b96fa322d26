"""The table of a run as it goes: who works, in which round, for how long. Tells events; draws nothing."""

from __future__ import annotations

from orchestrator.events import Phase, Row, RunState, Sink
from orchestrator.pipelines.course import Act
from orchestrator.pipelines.outcome import Ended, Outcome

Place = tuple[int, int, str]
"""Round, step and agent."""


class Table:
    """The rows of one run, told anew whenever one changes."""

    def __init__(self, run: str, sink: Sink) -> None:
        self._run = run
        self._sink = sink
        self._rows: dict[Place, Row] = {}

    async def began(self, act: Act, agent: str) -> None:
        """An agent begins its part of a step."""
        for part in act.parts:
            place = (act.round, act.step, part.agent)
            self._rows.setdefault(place, Row(part.agent, act.round, Phase.WAITING))
        await self._tell((act.round, act.step, agent), Row(agent, act.round, Phase.WORKING))

    async def ended(self, act: Act, outcome: Outcome) -> None:
        """An agent's part is over; also one that was finished before the run was resumed."""
        says = (
            outcome.judged.why
            if outcome.judged
            else ""
            if outcome.ended is Ended.DONE
            else str(outcome.ended)
        )
        phase = Phase.DONE if outcome.ended is Ended.DONE else Phase.FAILED
        row = Row(outcome.agent, act.round, phase, says, outcome.seconds, outcome.tokens)
        await self._tell((act.round, act.step, outcome.agent), row)

    async def _tell(self, place: Place, row: Row) -> None:
        if self._rows.get(place) == row:
            return
        self._rows[place] = row
        await self._sink.emit(RunState((), self._run, tuple(self._rows.values())))
