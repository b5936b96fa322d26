"""What is known of the tool calls of one ACP session, merged from its updates in order.

A field that is absent in an update keeps its earlier value; a present one replaces it. Unknown kinds of
updates, and updates of calls never announced, are fine. Knows no consent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ANNOUNCED = ("title", "_meta")
"""What is kept of the `tool_call` that announced a call: later ones may have another title, no `_meta`."""
FIELDS = ("name", "title", "kind", "status", "rawInput", "content", "locations")
MOST_CALLS = 10_000
MOST_CHARACTERS = 32 * 1024 * 1024
"""Calls, and characters of what they hold, remembered per session; the oldest are forgotten first."""


class KnownCalls:
    """Calls by id, as raw ACP fields. Bounded."""

    def __init__(self) -> None:
        self._calls: dict[str, dict[str, Any]] = {}
        self._first: dict[str, dict[str, Any]] = {}
        self._sizes: dict[str, int] = {}
        self._size = 0

    def update(self, update: Mapping[str, Any]) -> dict[str, Any]:
        """Merge one `tool_call`, `tool_call_update` or the `toolCall` of a request; gives the merged call.

        Raises ValueError where it has no usable id.
        """
        call_id = update.get("toolCallId")
        if not isinstance(call_id, str):
            raise ValueError("toolCallId must be a text")
        first = self._announce(call_id, update)
        present = {field: update[field] for field in FIELDS if update.get(field) is not None}
        merged = self._calls.pop(call_id, {"toolCallId": call_id}) | present
        self._calls[call_id] = merged
        self._measure(call_id, sum(len(str(value)) for value in (*present.values(), *first.values())))
        while len(self._calls) > MOST_CALLS or (self._size > MOST_CHARACTERS and len(self._calls) > 1):
            oldest = next(iter(self._calls))
            del self._calls[oldest]
            self._first.pop(oldest, None)
            self._size -= self._sizes.pop(oldest)
        return merged

    def _announce(self, call_id: str, update: Mapping[str, Any]) -> dict[str, Any]:
        """Keep the first `tool_call` of a call; gives what is newly kept."""
        if update.get("sessionUpdate") != "tool_call" or call_id in self._first:
            return {}
        self._first[call_id] = {field: update[field] for field in ANNOUNCED if field in update}
        return self._first[call_id]

    def _measure(self, call_id: str, more: int) -> None:
        """A call is taken for as large as all that was ever said of it, which is never too little."""
        self._sizes[call_id] = self._sizes.get(call_id, 0) + more
        self._size += more

    def get(self, call_id: str) -> Mapping[str, Any]:
        """What is known of a call, empty for one never seen."""
        return self._calls.get(call_id, {})

    def first(self, call_id: str) -> Mapping[str, Any]:
        """Title and `_meta` of the `tool_call` that announced a call, empty where none did."""
        return self._first.get(call_id, {})
