"""The alarm: what asked agents did past the answers is told to the person, counted, and written down.

An agent of ours that is itself asked tells its asker instead: only the launched one speaks to the person, and
knows whether yolo counts. Nothing here prevents anything. Source: consent.md, "Acting without asking".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from consent.call import ToolCall
from consent.danger.finding import Verdict
from consent.key import Path
from consent.unasked import Finding
from orchestrator.desk import Desk
from orchestrator.events import Level, Noted, Sink
from orchestrator.words.notes import acted

Record = Callable[[ToolCall, Finding], None]
"""Takes down that a call ran past the answers."""


def unrecorded(call: ToolCall, finding: Finding) -> None:
    """Takes down nothing."""


class Above(Protocol):
    """The agent that asks this one, as far as it is told of such calls."""

    async def acted(self, call: ToolCall, finding: Finding) -> None:
        """A call of an agent below ran past the answers."""
        ...


class Alarm:
    """One conversation's. `above` is the asking agent of ours, if any; `record` is told each once."""

    def __init__(self, desk: Desk, sink: Sink, above: Above | None, record: Record = unrecorded) -> None:
        self._desk = desk
        self._sink = sink
        self._above = above
        self._record = record

    def must_ask(self, path: Path) -> bool:
        """Whether the calls of the agent at `path` must ask now: yolo does not count for it."""
        return not self._desk.setting.yolo(path)

    async def raised(self, call: ToolCall, finding: Finding) -> None:
        """A call was found to have run past the answers. Nothing is said where yolo counts after all."""
        if self._above:
            await self._above.acted(call, finding)
        elif finding is Finding.REFUSED or self.must_ask(call.path):
            await self._tell(call, finding)

    async def _tell(self, call: ToolCall, finding: Finding) -> None:
        call = self._desk.marked(call)
        serious = grave(call, finding)
        dropped = self._desk.acted(call, finding, grave=serious)
        self._record(call, finding)
        note = Noted(call.path, acted(call, finding, dropped), Level.WARNING, offers_stop=serious)
        await self._sink.emit(note)


def grave(call: ToolCall, finding: Finding) -> bool:
    """Whether it costs the agent its grants, and Stop is offered: past an answer, destructive or critical."""
    return finding is not Finding.UNASKED or call.mark.verdict in (Verdict.DESTRUCTIVE, Verdict.CRITICAL)
