"""The content blocks of a prompt as one text. Knows no session."""

from __future__ import annotations

from typing import Any


class BadPrompt(Exception):
    """The prompt holds something that cannot be read. Says which block and what is accepted."""


def text_of(blocks: Any) -> str:
    """Text, links and embedded texts as one text, in order; raises BadPrompt."""
    if not isinstance(blocks, list) or not blocks:
        raise BadPrompt("prompt must be a list of content blocks")
    return "\n".join(_block(number, block) for number, block in enumerate(blocks))


def _block(number: int, block: Any) -> str:
    match block:
        case {"type": "text", "text": str(text)}:
            return text
        case {"type": "resource_link", "uri": str(uri)}:
            return f"[{block.get('name') or uri}]({uri})"
        case {"type": "resource", "resource": {"uri": str(uri), "text": str(text)}}:
            return f"{uri}:\n{text}"
        case {"type": str(kind)}:
            raise BadPrompt(
                f"prompt[{number}] is {kind!r}; text, resource_link and text resources are accepted"
            )
        case _:
            raise BadPrompt(f"prompt[{number}] is no content block")
