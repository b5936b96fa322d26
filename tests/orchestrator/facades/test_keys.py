"""Bytes become keys, wherever they are split."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.facades.keys import Decoder, Key, Pasted, Press, TypeAhead, Typed


def keys(data: bytes) -> list[Key]:
    return list(Decoder().feed(data))


def typed(text: str) -> list[Key]:
    return [Typed(char) for char in text]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"1\r", [Typed("1"), Press.ENTER]),
        (b"\n", [Press.ENTER]),
        ("é漢🙂".encode(), typed("é漢🙂")),
        (b"\x03\x04\x7f\x08", [Press.STOP, Press.END, Press.BACKSPACE, Press.BACKSPACE]),
        (b"\t\x00\x1a", [Press.OTHER] * 3),
        (b"\x1b[A\x1b[1;5C\x1bOP\x1b[3~1", [Press.OTHER] * 4 + typed("1")),
        (b"\x1bx1", [Press.OTHER, *typed("1")]),
        (b"\x1b\x1b[A", [Press.OTHER] * 2),
        (b"\x1b[1\x03", [Press.OTHER, Press.STOP]),
        (b"\x1b\r", [Press.OTHER, Press.ENTER]),
        (b"\x1b[200~1\r\x1b[A\x031\x1b[201~2", [Pasted("1\r\x1b[A\x031"), *typed("2")]),
        (b"\x1b[200~\x1b[201~", [Pasted("")]),
        (b"\xff1", typed("\ufffd1")),
        ("\u200b".encode(), [Press.OTHER]),
    ],
)
def test_bytes_become_keys(data: bytes, expected: list[Key]) -> None:
    assert keys(data) == expected


@settings(max_examples=200)
@given(st.data())
def test_where_bytes_are_split_does_not_matter(data: st.DataObject) -> None:
    pieces = st.sampled_from(["1", "é", "🙂", "\r", "\x03", "\x1b[A", "\x1b[200~a\rb\x1b[201~", "\x1bOP"])
    whole = "".join(data.draw(st.lists(pieces, max_size=10))).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=5)))
    decoder = Decoder()
    parts = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert [key for part in parts for key in decoder.feed(part)] == keys(whole)


def test_a_lone_escape_breaks_off_but_a_paste_goes_on() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\x1b") == ()
    decoder.break_off(b"1")
    assert decoder.feed(b"1") == (Typed("1"),)
    assert decoder.feed(b"\x1b[200~1\r") == ()
    decoder.break_off(b"1\r")
    assert decoder.feed(b"1\r\x1b[201~") == (Pasted("1\r1\r"),)


def test_a_paste_that_never_ends_is_left_with_ctrl_c() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\x1b[200~1\r") == ()
    decoder.break_off(b"\x03")
    assert decoder.feed(b"\x03") == (Press.STOP,)
    assert decoder.feed(b"1") == (Typed("1"),)


def test_what_is_typed_ahead_is_kept_as_text() -> None:
    ahead = TypeAhead()
    for key in keys(b"one\rtwx\x7fo\x1b[A\x03\x04\x1b[200~a\r\nb\rc\x1b[201~\r\r"):
        ahead.add(key)
    assert ahead.take() == "one\ntwoa\nb\nc "
    assert ahead.take() == ""


@pytest.mark.parametrize(("data", "entered"), [(b"on\r", True), (b"on", False), (b"\r\ron", False)])
def test_a_line_that_was_entered_early_is_known_until_it_is_taken(data: bytes, entered: bool) -> None:
    ahead = TypeAhead()
    for key in keys(data):
        ahead.add(key)
    assert ahead.entered is entered
    assert ahead.take().strip() == "on"
    assert not ahead.entered
