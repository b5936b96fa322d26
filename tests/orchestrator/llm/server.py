"""A model server on loopback that writes given pieces: a real socket, real HTTP, no framework."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import anyio
from anyio.abc import SocketStream
from anyio.lowlevel import checkpoint
from anyio.streams.buffered import BufferedByteReceiveStream

Ending = Literal["end", "hang", "break", "mute"]


@dataclass
class Server:
    """What it answers, and what it was asked.

    `ending`: after the pieces end the body, hang, or break off; or break off before any answer (mute).
    `first` are other answers, each given once before.
    """

    pieces: Sequence[bytes] = ()
    status: int = 200
    content_type: str = "text/event-stream"
    ending: Ending = "end"
    header: str = ""
    first: list[Server] = field(default_factory=list)
    url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    left: anyio.Event = field(default_factory=anyio.Event)
    """Set when a client went away while the server hung."""
    served: anyio.Event = field(default_factory=anyio.Event)
    """Set when a whole answer was sent."""

    async def handle(self, stream: SocketStream) -> None:
        async with stream:
            await self._read(stream)
            answer = self.first.pop(0) if self.first else self
            if answer.ending != "mute":
                await answer._write(stream)
                self.served.set()
            if answer.ending == "hang":
                received = BufferedByteReceiveStream(stream)
                try:
                    await received.receive(1)
                except (anyio.EndOfStream, anyio.BrokenResourceError):
                    self.left.set()

    async def _read(self, stream: SocketStream) -> None:
        received = BufferedByteReceiveStream(stream)
        head = (await received.receive_until(b"\r\n\r\n", 65536)).decode()
        lines = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:])
        self.heads.append(head)
        if "content-length" in lines:
            self.bodies.append(json.loads(await received.receive_exactly(int(lines["content-length"]))))

    async def _write(self, stream: SocketStream) -> None:
        head = f"HTTP/1.1 {self.status} Said\r\nContent-Type: {self.content_type}\r\n{self.header}"
        await stream.send(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        for piece in self.pieces:
            await stream.send(b"%x\r\n%s\r\n" % (len(piece), piece))
            await checkpoint()
        if self.ending == "end":
            await stream.send(b"0\r\n\r\n")


@asynccontextmanager
async def serving(server: Server) -> AsyncIterator[Server]:
    """Runs `server` on a free port of loopback."""
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    server.url = f"http://127.0.0.1:{listener.extra(anyio.abc.SocketAttribute.local_port)}/v1"
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, server.handle)
        yield server
        tasks.cancel_scope.cancel()
