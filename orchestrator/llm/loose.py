"""Reads JSON that others wrote, without trusting its shape: what is of another type counts as empty. Pure."""

from __future__ import annotations

import json
from typing import Any

Json = dict[str, Any]


def decoded(text: str) -> Any:
    """The JSON value of `text`; None when it is no JSON (or null)."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def as_text(value: object) -> str:
    """A text, or the empty one."""
    return value if isinstance(value, str) else ""


def as_list(value: object) -> list[Any]:
    """A list, or the empty one."""
    return value if isinstance(value, list) else []


def as_object(value: object) -> Json:
    """An object, or the empty one."""
    return value if isinstance(value, dict) else {}
