"""Markdown of models for a terminal: cut into blocks as it streams in, and rendered without hiding anything.

Nothing of the source is interpreted that would make text vanish or turn into another: no HTML, entities,
reference definitions or images; a link shows its address.
"""

from __future__ import annotations

import re
from typing import ClassVar

from markdown_it import MarkdownIt
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Markdown, MarkdownElement
from rich.syntax import Syntax

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
LONGEST_BLOCK = 16 * 1024
"""Characters that are collected for a block before they are drawn without its end."""
_UNSAFE = ["entity", "html_inline", "html_block", "image", "reference"]


class _Code(CodeBlock):
    """Code that begins at the margin."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Syntax(str(self.text).rstrip(), self.lexer_name, theme=self.theme, word_wrap=True)


class _Markdown(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "fence": _Code,
        "code_block": _Code,
    }


def markdown(text: str) -> Markdown:
    """`text`, already `safe`, for rich."""
    drawable = _Markdown("", code_theme="ansi_dark", hyperlinks=False)
    drawable.parsed = MarkdownIt().enable(["strikethrough", "table"]).disable(_UNSAFE).parse(text)
    return drawable


class Blocks:
    """Collects streamed text and gives it back block by block: a block ends at a blank line or its fence."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._partial: list[str] = []  # pieces of the last line
        self._size = 0
        self._fence = ""

    def feed(self, text: str) -> list[str]:
        """The blocks that `text` completes. What grows too long without an end is cut into blocks as well."""
        *lines, rest = text.split("\n")
        blocks = []
        for line in lines:
            ends = self._ends("".join((*self._partial, line)))
            self._partial.clear()
            self._size += len(line)
            if ends or self._size > LONGEST_BLOCK:
                blocks.append(self._take())
        self._partial.append(rest)
        self._size += len(rest)
        if self._size > LONGEST_BLOCK:
            self._lines.append("".join(self._partial))
            self._partial.clear()
            blocks.append(self._take())
        return [block for block in blocks if block]

    def rest(self) -> str:
        """What has not ended yet; the next text begins a new block."""
        self._lines.append("".join(self._partial))
        self._partial.clear()
        self._fence = ""
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
        """The lines so far as a block; a fence that is still open goes on in the next one."""
        lines = [*self._lines, self._fence] if self._fence else self._lines
        self._lines = [self._fence] if self._fence else []
        self._size = 0
        block = "\n".join(lines).strip("\n")
        return block if block.strip() else ""
