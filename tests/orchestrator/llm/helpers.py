"""What the tests of models share."""

from __future__ import annotations

from collections.abc import Sequence

import anyio

from orchestrator.llm.messages import Message, Model, Piece, Reply, ToolSpec, Wait
from orchestrator.llm.retry import Patience


def tools(*names: str) -> tuple[ToolSpec, ...]:
    """Declared tools of these names."""
    return tuple(ToolSpec(name, f"Runs {name}.", {"type": "object", "properties": {}}) for name in names)


class Heard:
    """Collects the pieces of a reply, and the waits before it."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.waits: list[Wait] = []

    async def __call__(self, piece: Piece | Wait) -> None:
        if isinstance(piece, Wait):
            self.waits.append(piece)
        else:
            self.pieces.append(piece)

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces if not piece.thought)

    @property
    def thought(self) -> str:
        return "".join(piece.text for piece in self.pieces if piece.thought)


async def ask(model: Model, messages: Sequence[Message], *names: str, heard: Heard | None = None) -> Reply:
    """One reply, with a generous deadline."""
    with anyio.fail_after(30):
        return await model.reply(messages, tools(*names), heard or Heard())


class Clock:
    """A clock that only waits move: sleeping takes no time of the test."""

    def __init__(self, now: float = 0) -> None:
        self.now = now
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await anyio.lowlevel.checkpoint()

    def patience(self) -> Patience:
        return Patience(sleep=self.sleep, clock=lambda: self.now)
