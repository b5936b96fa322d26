"""What a program leaves behind when it goes: its exit code, and the end of what it said on stderr."""

from __future__ import annotations

from contextlib import suppress

import anyio
from anyio.abc import ByteReceiveStream

from consent.show import show
from mmconfigs.language import Text, saying
from orchestrator.processes import Started
from orchestrator.words.notes import EXIT_CODE, KILLED, LAST_WORDS

SECONDS = 1.0
"""How long a program that is going may take to leave its exit code and the rest of its stderr."""
TAIL = 2000
"""Bytes of stderr that are kept."""


class LastWords:
    """Drains the stderr of one program, so that it never stalls, and tells why the program is gone."""

    def __init__(self) -> None:
        self._tail = b""
        self._drained = anyio.Event()

    async def drain(self, stderr: ByteReceiveStream) -> None:
        """Take everything until the program closes its stderr."""
        with suppress(anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
            while True:
                self._tail = (self._tail + await stderr.receive())[-TAIL:]
        self._drained.set()

    async def of(self, process: Started, reason: Text) -> Text:
        """The reason, the exit code if the program ended by itself, and its last words, escaped."""
        code: int | None = None
        with anyio.move_on_after(SECONDS, shield=True):
            code = await process.wait()
            await self._drained.wait()
        tail = self._tail.decode("utf-8", "backslashreplace").strip()
        ended = _with_code(reason, code)
        return saying(LAST_WORDS, what=ended, tail=show(tail)) if tail else ended


def _with_code(reason: Text, code: int | None) -> Text:
    if code is None:
        return reason
    if code < 0:
        return saying(KILLED, what=reason, number=str(-code))
    return saying(EXIT_CODE, what=reason, code=str(code))
