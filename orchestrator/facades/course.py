"""A run of a pipeline as a terminal shows it, which only scrolls: what to draw of each change, and who works.

While a step goes on, each change is one line; when it has ended, the table is drawn anew. Knows no screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mmconfigs.language import Words
from orchestrator.events import Phase, Row, RunState
from orchestrator.words.party import spelled
from orchestrator.words.table import change, is_between, lasting, news, table


class Course:
    """What was drawn of the run that goes on."""

    def __init__(self, words: Words, clock: Callable[[], float]) -> None:
        self._words = words
        self._clock = clock
        self._run = ""
        self._rows: tuple[Row, ...] = ()
        self._since: dict[int, float] = {}  # when each row that works began to

    def lines(self, state: RunState, width: int) -> Iterator[str]:
        """What to draw now."""
        first = state.run != self._run
        before = () if first else self._rows
        changed = news(before, state.rows)
        self._run, self._rows = state.run, state.rows
        working = [at for at, row in enumerate(state.rows) if row.phase is Phase.WORKING]
        self._since = {at: self._since.get(at, self._clock()) for at in working}
        if first:
            yield state.run
        if is_between(state.rows) or len(changed) > 1:  # several at once: a run that was taken up again
            yield from table(state.rows, self._words, width)
        else:
            yield from (change(row, self._words) for row in changed)

    @property
    def doing(self) -> str:
        """Who works, each with how long; empty where nobody does."""
        now = self._clock()
        return ", ".join(
            f"{spelled(self._rows[at].agent)} {lasting(now - began)}" for at, began in self._since.items()
        )

    @property
    def several(self) -> bool:
        """Whether several work at the same time."""
        return len(self._since) > 1

    def end(self) -> None:
        """The turn is over, and with it whatever went on."""
        self._run, self._rows, self._since = "", (), {}
