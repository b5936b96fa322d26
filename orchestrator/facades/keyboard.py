"""The keys of the terminal, and who reads them: one at a time. Whoever idles makes way for a question."""

from __future__ import annotations

import os
import select
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import anyio

from orchestrator.facades.guard import QUIET
from orchestrator.facades.keys import Decoder, Key, Press, TypeAhead

MOST = 65536


async def read_bytes(fd: int, seconds: float | None = None) -> bytes | None:
    """The next bytes; None when so many `seconds` pass without any. Raises EndOfStream where nobody is left.

    Looks once more after the time is over: what had arrived by then is input, not silence.
    """
    with anyio.move_on_after(seconds), suppress(OSError):  # epoll refuses files, which never make wait
        await anyio.wait_readable(fd)
    return arrived(fd)


def arrived(fd: int, most: int = MOST) -> bytes | None:
    """Bytes that are there now; None when there are none. Raises EndOfStream where nobody is left."""
    try:
        if not select.select([fd], [], [], 0)[0]:
            return None
        data = os.read(fd, most)
    except OSError:  # the terminal hung up
        data = b""
    if not data:
        raise anyio.EndOfStream
    return data


class Keyboard:
    """Reads keys from `fd`, which is in raw mode. `clock` gives seconds."""

    def __init__(self, fd: int, clock: Callable[[], float]) -> None:
        self._fd = fd
        self._clock = clock
        self._decoder = Decoder()
        self._last = clock()
        self._returned = b""
        self._lock = anyio.Lock()
        self._borrowers = 0
        self._idling = anyio.CancelScope()

    async def read(self, seconds: float | None = None) -> tuple[Key, ...] | None:
        """The next keys, none when a sequence has only begun; None when `seconds` pass without input."""
        data, self._returned = self._returned, b""
        data = data or await read_bytes(self._fd, seconds) or b""
        if not data:
            return None
        now = self._clock()
        if now - self._last >= QUIET:  # a lone Escape is a key; nothing that follows later belongs to it
            self._decoder.break_off(data)
        self._last = now
        return self._decoder.feed(data)

    async def collect(self, typed: TypeAhead) -> None:
        """Add what has been pressed by now to `typed`. Raises EndOfStream at Ctrl-D while nothing is."""
        while keys := await self.read(seconds=0):
            for key in keys:
                if key is Press.END and not typed.text:
                    raise anyio.EndOfStream
                typed.add(key)

    def give_back(self, data: bytes) -> None:
        """Bytes that another reader took too many: they are read first."""
        self._returned += data

    async def idle(self, reader: Callable[[], Awaitable[str | None]]) -> str | None:
        """What `reader` gives, which may read until somebody borrows the keys; then it is cancelled: None."""
        async with self._lock:
            with anyio.CancelScope() as self._idling:
                if self._borrowers:
                    self._idling.cancel()
                return await reader()
        return None

    def interrupt(self) -> None:
        """Cancel whoever idles."""
        self._idling.cancel()

    @asynccontextmanager
    async def borrowed(self) -> AsyncIterator[None]:
        """Take the keys from whoever idles. Borrowers are served in the order in which they came."""
        self._borrowers += 1
        self.interrupt()
        try:
            async with self._lock:
                yield
        finally:
            self._borrowers -= 1
