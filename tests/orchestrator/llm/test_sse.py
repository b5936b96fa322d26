"""Bytes become events, however they are cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.llm.sse import Event, EventDecoder

STREAM = (
    "\ufeffdata: first\n\nretry: 3000\n: comment\n\ndata: é🙂\r\nid: 7\r\n\r\ndata:no space\rdata:  two\r\r"
    "event: error\ndata: bad\n\nerror: worse\n\nevent: message\ndata:\n\ndata: cut"
).encode()
EVENTS = [
    Event("first"),
    Event("é🙂"),
    Event("no space\n two"),
    Event("bad", failed=True),
    Event("worse", failed=True),
    Event(""),
]


@settings(max_examples=100)
@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_events_do_not_depend_on_where_reads_cut_the_bytes(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(STREAM)]
    decoder = EventDecoder()
    pieces = [STREAM[start:end] for start, end in pairwise(edges)]
    assert [event for piece in pieces for event in decoder.feed(piece)] == EVENTS


def test_one_byte_at_a_time_gives_the_same_events() -> None:
    decoder = EventDecoder()
    assert [event for byte in STREAM for event in decoder.feed(bytes([byte]))] == EVENTS


@pytest.mark.parametrize("data", [b"", b"data: cut", b"data: cut\n", b"\n\n\n", b":\n\n", b"id: 1\n\n"])
def test_what_is_no_whole_event_is_none(data: bytes) -> None:
    assert EventDecoder().feed(data) == []


def test_bytes_that_are_no_utf8_are_replaced() -> None:
    assert EventDecoder().feed(b"data: a\xffb\n\n") == [Event("a\ufffdb")]
