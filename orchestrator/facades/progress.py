"""A sign of life: the last line says what goes on when nothing was drawn for a while."""

from __future__ import annotations

from collections.abc import Callable

import anyio

from mmconfigs.language import Words
from orchestrator.facades import sentences as say
from orchestrator.facades.screen import Screen
from orchestrator.facades.transcript import Transcript

SILENT = 2
"""Seconds without anything drawn that need no sign."""


class Progress:
    """Shows what `transcript` has begun on `screen`, unless the line is `occupied` by somebody else."""

    def __init__(
        self, screen: Screen, transcript: Transcript, words: Words, occupied: Callable[[], bool]
    ) -> None:
        self._screen = screen
        self._transcript = transcript
        self._words = words
        self._occupied = occupied

    async def run(self) -> None:
        """Show it again and again, until cancelled."""
        try:
            while True:
                await anyio.sleep(1)
                self.show()
        finally:
            self._screen.status("")

    def show(self) -> None:
        """Show it now, where it is needed."""
        silent = int(self._screen.silence)
        if silent >= SILENT and not self._occupied():
            if working := self._transcript.working:
                self._screen.status(working, " …")
                return
            doing = self._transcript.doing or self._words.say(say.WORKING)
            self._screen.status(doing, self._words.say(say.SECONDS, seconds=self._words.number(silent)))
