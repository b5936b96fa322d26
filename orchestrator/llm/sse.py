"""Server-sent events: bytes, cut anywhere, become events. Sans-IO; knows no HTTP and no meaning of events.

Source: the WHATWG HTML standard, section 9.2 (event streams). An event that the end of the body cuts off is
dropped, as it says there.
"""

from __future__ import annotations

import codecs
import io
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """The data of one event. `failed`: the server marked it as an error, which only its frame tells."""

    data: str
    failed: bool = False


class EventDecoder:
    """Feed it bytes as they are read; it gives back the events that became whole."""

    def __init__(self) -> None:
        text = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self._decoder = io.IncrementalNewlineDecoder(text, translate=True)
        self._line = ""
        self._data: list[str] = []
        self._failed = False

    def feed(self, data: bytes) -> list[Event]:
        """The events that end in `data`, in order."""
        *lines, self._line = (self._line + self._decoder.decode(data)).split("\n")
        return [event for line in lines if (event := self._take(line))]

    def _take(self, line: str) -> Event | None:
        if not line:
            return self._dispatch()
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "error":  # no field of the standard: llama.cpp before 2026 sends its errors so
            self._failed = True
        if field in ("data", "error"):
            self._data.append(value)
        elif field == "event":
            self._failed = value == "error"
        return None

    def _dispatch(self) -> Event | None:
        event = Event("\n".join(self._data), self._failed) if self._data else None
        self._data, self._failed = [], False
        return event
