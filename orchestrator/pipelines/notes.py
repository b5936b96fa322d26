"""What a person is told while a run begins: what it does not see, and what an interrupted step left.

Knows no facade.
"""

from __future__ import annotations

from collections.abc import Sequence

from mmconfigs.language import Saying, saying
from orchestrator.events import Level, Noted, Sink
from orchestrator.pipelines import sentences as say
from orchestrator.pipelines.names import some
from orchestrator.pipelines.repository import Base


class Notes:
    """Tells notes of one run to the conversation."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    async def begins(self, base: Base | None) -> None:
        """How the worktree differs from the checkout in which the person is."""
        if base is None:
            return
        if base.dirty:
            await self._warn(saying(say.DIRTY, files=some(list(base.dirty)), commit=base.commit[:12]))
        if base.submodules:
            await self._warn(saying(say.SUBMODULES, folders=some(list(base.submodules))))
        if base.branch is None:
            await self._warn(saying(say.DETACHED, commit=base.commit[:12]))

    async def interrupted(self, refs: Sequence[str]) -> None:
        """Where the work of an interrupted step is."""
        if refs:
            await self._warn(saying(say.KEPT_WORK, refs=", ".join(refs)))

    async def stopped(self, run: str) -> None:
        """How the run is taken up again."""
        await self._warn(saying(say.PAUSED, why=saying(say.STOPPED), run=run))

    async def _warn(self, text: Saying) -> None:
        await self._sink.emit(Noted((), text, Level.WARNING))
