"""What a program wrote, bounded: its start and end in memory, all of it in a file once it is long.

Knows bytes only, not who wrote them.
"""

from __future__ import annotations

from pathlib import Path

from anyio.abc import ByteReceiveStream

from orchestrator.scratch import Scratch

HEAD = 8 * 1024
TAIL = 24 * 1024
KEPT = 64 * 1024 * 1024
"""How many bytes of the start, of the end, and in the file are kept."""


class Output:
    """Collects output. The file lies in the conversation's scratch folder."""

    def __init__(self, scratch: Scratch) -> None:
        self._scratch = scratch
        self._head = b""
        self._tail = b""
        self._size = 0
        self._file: Path | None = None
        self._fault = ""

    async def fill(self, stream: ByteReceiveStream) -> None:
        """Take everything that the stream gives until it ends."""
        async for chunk in stream:
            self.add(chunk)

    def add(self, chunk: bytes) -> None:
        """Take the next bytes."""
        if self._size + len(chunk) > HEAD + TAIL and self._size < KEPT and not self._fault:
            so_far = b"" if self._file else self._head + self._tail  # nothing of it is left out yet
            self._save(so_far + chunk[: KEPT - self._size])
        room = HEAD - len(self._head)
        self._head += chunk[:room]
        self._tail = (self._tail + chunk[room:])[-TAIL:]
        self._size += len(chunk)

    def text(self) -> str:
        """The start and the end, with a line between that says what is left out and where it is."""
        left_out = self._size - len(self._head) - len(self._tail)
        if not left_out:
            return _decode(self._head + self._tail)
        mark = f"\n[... {left_out} bytes left out; {self._whereabouts()} ...]\n"
        return _decode(self._head) + mark + _decode(self._tail)

    def _save(self, data: bytes) -> None:
        try:
            self._file = self._file or self._scratch.file("output")
            with self._file.open("ab") as file:
                file.write(data)
        except OSError as error:
            self._fault = f"they could not be kept: {error.strerror}"

    def _whereabouts(self) -> str:
        if self._fault:
            return self._fault
        part = "the whole output is" if self._size <= KEPT else f"the first {KEPT} bytes are"
        return f"{part} in {self._file}"


def _decode(data: bytes) -> str:
    return data.decode(errors="backslashreplace")
