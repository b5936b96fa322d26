"""The texts of updates. Whatever has another shape than ACP's is no text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def text_of(update: Mapping[str, Any]) -> str:
    """The text of a message chunk, or of a block of content."""
    content = update.get("content")
    text = content.get("text") if isinstance(content, dict) else None
    return text if isinstance(text, str) else ""


def result_of(call: Mapping[str, Any]) -> str:
    """The text blocks of a call's content, where results stand."""
    content = call.get("content")
    blocks = [b.get("content") for b in content if isinstance(b, dict)] if isinstance(content, list) else []
    return "\n".join(text_of({"content": block}) for block in blocks if block)
