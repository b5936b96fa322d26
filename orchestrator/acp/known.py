"""What is known of the tool calls of one ACP session, merged from its updates in order.

A field that is absent in an update keeps its earlier value; a present one replaces it. Unknown kinds of
updates, and updates of calls never announced, are fine. Knows no consent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FIELDS = ("name", "title", "kind", "status", "rawInput", "content", "locations")
MOST_CALLS = 10_000
"""Calls remembered per session; the oldest are forgotten first."""


class KnownCalls:
    """Calls by id, as raw ACP fields. Bounded."""

    def __init__(self) -> None:
        self._calls: dict[str, dict[str, Any]] = {}

    def update(self, update: Mapping[str, Any]) -> dict[str, Any]:
        """Merge one `tool_call`, `tool_call_update` or the `toolCall` of a request; gives the merged call.

        Raises ValueError where it has no usable id.
        """
        call_id = update.get("toolCallId")
        if not isinstance(call_id, str):
            raise ValueError("toolCallId must be a text")
        present = {field: update[field] for field in FIELDS if update.get(field) is not None}
        merged = self._calls.pop(call_id, {"toolCallId": call_id}) | present
        self._calls[call_id] = merged
        if len(self._calls) > MOST_CALLS:
            self._calls.pop(next(iter(self._calls)))
        return merged

    def get(self, call_id: str) -> Mapping[str, Any]:
        """What is known of a call, empty for one never seen."""
        return self._calls.get(call_id, {})
