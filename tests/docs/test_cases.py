"""docs/cases.md names every case, and only tests that exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.docs.markdown import CHECKOUT

GROUPS = "abcdefghijklm"
SIZES = (4, 6, 8, 4, 3, 4, 3, 3, 4, 8, 3, 1, 6)
"""How many cases each group has."""
SHOWN = {*"abcfghk"}
"""Groups of which every case is shown by a test, but for those of LATER."""
LATER = {"c5"}

ROW = re.compile(r"^\| ([a-m]\d) \| .+? \| (.*) \|$", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)::([\w:]+)`")
ROWS: dict[str, str] = dict(ROW.findall((CHECKOUT / "docs/cases.md").read_text(encoding="utf-8")))
NAMED = sorted({named for row in ROWS.values() for named in TEST.findall(row)})


def names_in(path: str) -> set[str]:
    """The names of the tests of a file, those in classes with the class before."""
    return set(_tests(ast.parse((CHECKOUT / path).read_text(encoding="utf-8")), ""))


def _tests(node: ast.Module | ast.ClassDef, prefix: str) -> Iterator[str]:
    for part in node.body:
        match part:
            case ast.ClassDef(name):
                yield from _tests(part, f"{prefix}{name}::")
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) if name.startswith("test"):
                yield prefix + name
            case _:
                pass


def test_every_case_has_a_row_in_order() -> None:
    sizes = zip(GROUPS, SIZES, strict=True)
    assert list(ROWS) == [f"{group}{at}" for group, size in sizes for at in range(1, size + 1)]


def test_every_row_names_tests_or_says_why_not() -> None:
    assert all(ROWS.values())
    untested = {case for case, row in ROWS.items() if not TEST.search(row)}
    assert {case for case in untested if case[0] in SHOWN} == LATER


@pytest.mark.parametrize("path", sorted({path for path, _ in NAMED}))
def test_every_named_test_exists(path: str) -> None:
    assert {name for of, name in NAMED if of == path} <= names_in(path)
