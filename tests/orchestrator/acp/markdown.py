"""Real readers of Markdown, and what a person sees of it."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.token import Token

READERS = [
    MarkdownIt("commonmark"),
    MarkdownIt("gfm-like", {"linkify": False}),
    MarkdownIt("commonmark", {"html": True, "typographer": True}).enable(["replacements", "smartquotes"]),
]


def lines_of(tokens: list[Token]) -> list[str]:
    """What a person sees: the lines of blocks of code, and one line for each paragraph."""
    seen: list[str] = []
    for token in tokens:
        assert token.type in ("fence", "paragraph_open", "inline", "paragraph_close"), token.type
        if token.type == "fence":
            assert not token.info
            seen += token.content.removesuffix("\n").split("\n")
        if token.type == "inline":
            assert {child.type for child in token.children or ()} <= {"text", "code_inline"}
            seen.append("".join(child.content for child in token.children or ()))
    return seen
