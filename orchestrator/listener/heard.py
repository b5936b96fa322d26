"""What one turn of an asked agent brings to whoever asked it. Knows no protocol."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Heard:
    """The text to hand over, and the calls that were refused.

    The text is everything said after the last tool call, else the last text before it.
    """

    refused: list[str] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    before: str = ""

    def called(self) -> None:
        """A tool call was announced: what was said so far is the answer only if nothing follows."""
        self.before = "".join(self.pieces) or self.before
        self.pieces.clear()

    @property
    def text(self) -> str:
        """The text to hand over if the turn ended now."""
        return "".join(self.pieces) or self.before
