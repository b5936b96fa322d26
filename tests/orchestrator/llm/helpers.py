"""What the tests of models share."""

from __future__ import annotations

from collections.abc import Sequence

import anyio

from orchestrator.llm.messages import Message, Model, Piece, Reply, ToolSpec


def tools(*names: str) -> tuple[ToolSpec, ...]:
    """Declared tools of these names."""
    return tuple(ToolSpec(name, f"Runs {name}.", {"type": "object", "properties": {}}) for name in names)


class Heard:
    """Collects the pieces of a reply."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []

    async def __call__(self, piece: Piece) -> None:
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
