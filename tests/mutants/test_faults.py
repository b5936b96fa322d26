"""Every fault still fits and names tests that exist. That they notice it, `python -m tests.mutants` says."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from tests.mutants.__main__ import ROOT, broken, main
from tests.mutants.fault import Fault
from tests.mutants.faults import FAULTS


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.says)
def test_a_fault_fits_and_is_python(fault: Fault) -> None:
    text = (ROOT / fault.file).read_text(encoding="utf-8")
    ast.parse(broken(text, fault))


@pytest.mark.parametrize("test", sorted({test for fault in FAULTS for test in fault.tests}))
def test_the_tests_of_a_fault_exist(test: str) -> None:
    file, _, name = test.partition("[")[0].partition("::")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    assert not name or name in names


def test_no_fault_stands_twice() -> None:
    assert max(Counter(fault.says for fault in FAULTS).values()) == 1
    assert max(Counter((fault.file, fault.old, fault.new) for fault in FAULTS).values()) == 1


@pytest.mark.parametrize("words", [["--help"], ["-k", "hook"], ["hook", "-x"], ["-"]])
def test_an_option_is_refused_before_anything_is_tried(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err == "usage: python -m tests.mutants [WORD...]\n"


def test_words_of_no_fault_are_told_and_nothing_is_tried(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["of no fault at all", "nor this"]) == 1
    assert capsys.readouterr().out == "no fault holds of no fault at all or nor this\n"


def test_a_fault_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(ValueError, match="holds its text 0 times"):
        broken("something else", FAULTS[0])
