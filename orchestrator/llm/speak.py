"""How a model without a server streams its text. Shared by the demo and the scripted model."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

from anyio.lowlevel import checkpoint

from orchestrator.llm.messages import Piece

_FEW_WORDS = re.compile(r"(?:\S+\s*){1,4}|\s+")


async def speak(text: str, on_piece: Callable[[Piece], Awaitable[None]]) -> None:
    """Send `text` in pieces of a few words. Can be cancelled at each, and yields even without a text."""
    await checkpoint()
    for piece in _FEW_WORDS.findall(text):
        await on_piece(Piece(piece))
        await checkpoint()
