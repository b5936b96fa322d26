"""Output is bounded, and nothing is lost in silence."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from tempfile import gettempdir

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.scratch import Scratch
from orchestrator.tools import output
from orchestrator.tools.output import HEAD, TAIL, Output


def collect(*chunks: bytes) -> str:
    collected = Output(Scratch())
    for chunk in chunks:
        collected.add(chunk)
    return collected.text()


def kept(text: str) -> Path:
    found = re.search(r" in (\S+) \.\.\.]$", text, re.MULTILINE)
    assert found is not None
    return Path(found[1])


def test_what_fits_is_shown_whole_and_no_file_is_made() -> None:
    assert collect(b"a" * HEAD, b"b" * TAIL) == "a" * HEAD + "b" * TAIL
    assert list(Path(gettempdir()).iterdir()) == []


def test_one_byte_more_is_left_out_said_and_kept() -> None:
    text = collect(b"a" * HEAD, b"x", b"b" * TAIL)
    file = kept(text)
    assert text == f"{'a' * HEAD}\n[... 1 bytes left out; the whole output is in {file} ...]\n{'b' * TAIL}"
    assert file.read_bytes() == b"a" * HEAD + b"x" + b"b" * TAIL


def test_only_the_owner_may_look_into_the_folder_of_the_file() -> None:
    assert kept(collect(b"x" * 100_000)).parent.stat().st_mode & 0o777 == 0o700


@given(st.lists(st.integers(0, 3 * (HEAD + TAIL)), max_size=3))
def test_start_and_end_are_right_however_the_output_arrives(cuts: list[int]) -> None:
    whole = b"".join(b"%07d\n" % number for number in range(3 * (HEAD + TAIL) // 8))
    bounds = [0, *sorted(cuts), len(whole)]
    text = collect(*(whole[start:end] for start, end in pairwise(bounds)))
    head, mark, tail = re.split(r"\n(\[\.\.\. .* \.\.\.\])\n", text)
    assert head.encode() == whole[:HEAD]
    assert tail.encode() == whole[-TAIL:]
    assert f"{len(whole) - HEAD - TAIL} bytes left out" in mark
    assert kept(text).read_bytes() == whole


def test_the_file_is_bounded_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "KEPT", 50_000)
    text = collect(*[b"x" * 7000] * 20)
    assert f"{140_000 - HEAD - TAIL} bytes left out; the first 50000 bytes are in" in text
    assert kept(text).stat().st_size == 50_000


def test_when_it_cannot_be_kept_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/no/such/folder")
    text = collect(b"x" * 100_000, b"y" * 100_000)
    assert "bytes left out; they could not be kept: No such file or directory ...]" in text


def test_what_is_no_utf8_is_shown_as_escapes() -> None:
    assert collect(b"caf\xe9\n") == "caf\\xe9\n"


def test_a_character_that_arrives_in_two_pieces_stays_whole() -> None:
    assert collect(b"\xe6", b"\xbc\xa2") == "漢"
