"""Markdown of models for a terminal: cut into blocks as it streams in, and rendered without hiding anything.

Nothing of the source is interpreted that would make text vanish or turn into another: no HTML, entities,
reference definitions or images; a link shows its address.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from rich.markdown import Markdown

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_UNSAFE = ["entity", "html_inline", "html_block", "image", "reference"]


def markdown(text: str) -> Markdown:
    """`text`, already `safe`, for rich."""
    drawable = Markdown("", code_theme="ansi_dark", hyperlinks=False)
    drawable.parsed = MarkdownIt().enable(["strikethrough", "table"]).disable(_UNSAFE).parse(text)
    return drawable


class Blocks:
    """Collects streamed text and gives it back block by block: a block ends at a blank line or its fence."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._partial = ""
        self._fence = ""

    def feed(self, text: str) -> list[str]:
        """The blocks that `text` completes."""
        *lines, self._partial = (self._partial + text).split("\n")
        return [block for line in lines if self._ends(line) and (block := self._take())]

    def rest(self) -> str:
        """What has not ended yet; the next text begins a new block."""
        self._lines.append(self._partial)
        self._partial = self._fence = ""
        return self._take()

    def _ends(self, line: str) -> bool:
        self._lines.append(line)
        mark = _FENCE.match(line)
        if self._fence:
            closes = bool(mark) and line.strip().startswith(self._fence) and not line.strip(" \t\r`~")
            self._fence = "" if closes else self._fence
            return closes
        if mark:
            self._fence = mark[1]
        return not line.strip()

    def _take(self) -> str:
        block, self._lines = "\n".join(self._lines).strip("\n"), []
        return block if block.strip() else ""
