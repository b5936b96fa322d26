"""Rows on a screen: further rows of a line never look like a line of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

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
