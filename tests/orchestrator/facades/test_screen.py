"""Rows on a screen: further rows of a line never look like a line of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from rich.cells import cell_len
from wcwidth import wcswidth, wcwidth

from consent.show import show
from orchestrator.facades.screen import Screen
from tests.orchestrator.facades.terminal import Terminal


@pytest.fixture
def screen() -> Iterator[Screen]:
    at = Terminal(20, 5)
    with open(at.slave, "w", encoding="utf-8", closefd=False) as output:
        yield Screen(output, {"TERM": "xterm"}, vanished=lambda: None, clock=lambda: 0.0)
    at.close()


def test_a_block_goes_on_behind_its_bar_without_losing_a_character(screen: Screen) -> None:
    command = "│ echo" + " " * 12 + "1  allow once 漢漢漢漢漢漢漢漢"
    first, *further = screen.rows(command)
    assert all(row.startswith("│ ") for row in further)
    assert first + "".join(row.removeprefix("│ ") for row in further) == command


def test_a_sentence_goes_on_indented(screen: Screen) -> None:
    assert screen.rows("folder: /one two three four five") == ["folder: /one two ", "  three four five"]
    assert screen.rows("x" * 40) == ["x" * 17, "  " + "x" * 17, "  " + "x" * 6]


def test_no_sign_of_unicode_makes_a_row_that_a_terminal_breaks_again(screen: Screen) -> None:
    signs = [
        sign for sign in filter(str.isprintable, map(chr, range(0x110000))) if show(f"a{sign}") == f"a{sign}"
    ]
    assert len(signs) > 100_000
    for start in range(0, len(signs), 64):
        text = "".join(signs[start : start + 64])
        for line in (f"│ {text}", f"x{text}"):
            for row in screen.rows(line):
                assert max(cell_len(row), wcswidth(row), sum(map(wcwidth, row))) <= 19


def test_a_skin_tone_alone_does_not_push_what_follows_out_of_its_block(screen: Screen) -> None:
    rows = screen.rows("│ hi " + "\U0001f3fb" * 8 + "1  allow once" + "\U0001f1e6" * 9)
    assert all(row.startswith("│ ") for row in rows)
    assert all(sum(map(wcwidth, row)) <= 19 for row in rows)
