"""Byte streams that a connection can run over: file descriptors, our own stdio, the pipes of a child.

Knows nothing of what is said over them.
"""

import os
import select
from collections.abc import Awaitable, Callable

import anyio
from anyio import wait_readable, wait_writable
from anyio.abc import ByteStream
from anyio.lowlevel import checkpoint


class FdStream(ByteStream):
    """Two blocking file descriptors, which it owns, read and written without a thread.

    A thread that hangs in a read would keep the program from ending, and O_NONBLOCK would change the
    descriptors for everybody who shares them, the person's terminal included.
    """

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        self._open = {reading, writing}

    async def receive(self, max_bytes: int = 65536) -> bytes:
        """At least one byte. EndOfStream at the end, BrokenResourceError when it cannot be read."""
        await self._ready(wait_readable, self._reading)
        try:
            data = os.read(self._reading, max_bytes)
        except OSError as error:
            raise anyio.BrokenResourceError(str(error)) from error
        if not data:
            raise anyio.EndOfStream
        return data

    async def send(self, item: bytes) -> None:
        """All of `item`. BrokenResourceError when nobody reads any more."""
        rest = memoryview(item)
        while rest:
            await self._ready(wait_writable, self._writing)
            try:
                # A pipe that is ready takes this much without blocking.
                rest = rest[os.write(self._writing, rest[: select.PIPE_BUF]) :]
            except OSError as error:
                raise anyio.BrokenResourceError(str(error)) from error

    async def send_eof(self) -> None:
        """Close the writing side only."""
        self._close(self._writing)
        await checkpoint()

    async def aclose(self) -> None:
        """Close both; may be repeated."""
        self._close(self._reading)
        self._close(self._writing)
        await checkpoint()

    async def _ready(self, wait: Callable[[int], Awaitable[None]], fd: int) -> None:
        if fd not in self._open:
            raise anyio.ClosedResourceError
        try:
            await wait(fd)
        except PermissionError:  # regular files and /dev/null cannot be polled: they are always ready
            await checkpoint()

    def _close(self, fd: int) -> None:
        if fd in self._open:
            self._open.remove(fd)
            anyio.notify_closing(fd)
            os.close(fd)


def take_stdio() -> FdStream:
    """Our own stdin and stdout, for the protocol alone, from here to the end of the process.

    A stray print goes to stderr instead, and nothing that we start can read or write the protocol.
    """
    stream = FdStream(os.dup(0), os.dup(1))
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return stream
