"""Tells the reasoning from the answer where a model writes both into one text. Pure.

Only an answer that begins with <think> is split: the tag further on is text that the model quotes.
"""

from __future__ import annotations

from enum import Enum, auto

from orchestrator.llm.messages import Piece

OPEN, CLOSE = "<think>", "</think>"


class _Part(Enum):
    START = auto()
    THOUGHT = auto()
    GAP = auto()
    TEXT = auto()


class ThinkSplitter:
    """Feed it the text as it streams; tags may be cut anywhere. The parts follow each other, never back."""

    def __init__(self) -> None:
        self._part = _Part.START
        self._held = ""

    def feed(self, text: str) -> list[Piece]:
        """The pieces of which it is sure by now what they are."""
        self._held += text
        pieces = []
        if self._part is _Part.START:
            self._begin()
        if self._part is _Part.THOUGHT:
            pieces.append(self._think())
        if self._part is _Part.GAP:
            self._skip_blanks()
        if self._part is _Part.TEXT:
            pieces.append(Piece(self._take(len(self._held))))
        return [piece for piece in pieces if piece.text]

    def end(self) -> list[Piece]:
        """What was held back when the text ended."""
        rest = self._take(len(self._held))
        return [Piece(rest, thought=self._part is _Part.THOUGHT)] if rest else []

    def _begin(self) -> None:
        opening = self._held.lstrip()
        if opening.startswith(OPEN):
            self._held = opening.removeprefix(OPEN)
            self._part = _Part.THOUGHT
        elif not OPEN.startswith(opening):
            self._part = _Part.TEXT

    def _think(self) -> Piece:
        end = self._held.find(CLOSE)
        if end < 0:
            return Piece(self._take(len(self._held) - _begun(self._held)), thought=True)
        thought = self._take(end)
        self._held = self._held.removeprefix(CLOSE)
        self._part = _Part.GAP
        return Piece(thought, thought=True)

    def _skip_blanks(self) -> None:
        self._held = self._held.lstrip()
        if self._held:
            self._part = _Part.TEXT

    def _take(self, count: int) -> str:
        taken, self._held = self._held[:count], self._held[count:]
        return taken


def _begun(text: str) -> int:
    """How many characters at the end of `text` may be the beginning of the closing tag."""
    return next((n for n in range(len(CLOSE) - 1, 0, -1) if text.endswith(CLOSE[:n])), 0)
