"""The reference of the rules is printed by the code that decides, and leaves nothing out."""

from __future__ import annotations

import runpy
import sys
from enum import StrEnum

import pytest

from consent import reference
from consent.call import Doubt, Unrunnable
from consent.key import BUILTIN_KINDS
from consent.rules import NOBODY, REMEMBERED, TABLE, Line, Outcome, Why
from tests.docs.markdown import CHECKOUT

PAGE = (CHECKOUT / "docs/reference/rules.md").read_text(encoding="utf-8")
LINES = (*TABLE, REMEMBERED, NOBODY)


def test_the_committed_page_is_what_the_rules_print(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "consent.reference")
    runpy.run_module("consent.reference", run_name="__main__")
    assert capsys.readouterr().out == PAGE, "run `python -m consent.reference > docs/reference/rules.md`"


def test_the_lines_stand_in_order_and_none_is_missing() -> None:
    assert [line.number for line in LINES] == list(range(14))


@pytest.mark.parametrize("line", LINES, ids=lambda line: str(line.number))
def test_each_line_is_explained(line: Line) -> None:
    assert line.applies.__doc__
    assert f"| {line.number} | {line.text} | " in PAGE


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        (Outcome, reference.OUTCOMES),
        (Why, reference.WHYS),
        (Doubt, reference.DOUBTS),
        (Unrunnable, reference.UNRUNNABLE),
    ],
)
def test_each_id_has_its_words(ids: type[StrEnum], words: dict[StrEnum, str]) -> None:
    assert list(words) == list(ids)
    assert len(set(words.values())) == len(ids)


def test_each_built_in_tool_with_kinds_is_named() -> None:
    for tool in BUILTIN_KINDS:
        assert f"| `{tool}` | " in PAGE
