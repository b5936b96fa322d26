"""No text takes long: each of these shapes once took time by the square of its length, or more."""

from __future__ import annotations

import pytest

from consent.danger.finding import Verdict
from tests.consent.danger.eyes import look

LONG = 128 * 1024
DEEP = 27
SHAPES = {
    "commas in braces that do not end": "rm {" + "," * LONG,
    "long alternatives": "rm {" + ",a" * (LONG // 4) + "}" + "b" * (LONG // 2),
    "pairs in braces": "rm " + "{a,b}" * (LONG // 5),
    "braces in braces": "rm " + "{a," * (LONG // 3),
    "a long row": "rm {1..1" + "0" * LONG + "}",
    "texts of find": "find " + "-exec " * 10_000,
    "everything in everything": "rm " + "*/" * LONG,
    "lines joined in a document": "cat <<E\n" + "\\\n" * LONG + "E\n",
    "many copies to a long name": "cp " + "git " * 9_000 + "b" * LONG,
    "subscripts that do not end": "echo a[" + "|a[" * 9_000,
    "folders in folders": "cd aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/&&>b;" * 4_000,
    "groups in a function": "f() " + "{ " * DEEP + "g;" + " };" * DEEP,
}


@pytest.mark.parametrize("command", SHAPES.values(), ids=SHAPES)
def test_a_shape_made_to_take_long_comes_to_an_end(command: str) -> None:
    assert look(command).verdict in (*Verdict,)
