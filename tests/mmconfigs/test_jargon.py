"""A file that is no YAML is refused in plain words, with the line in which the slip began."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmconfigs.errors import ConfigError
from mmconfigs.jargon import plain
from mmconfigs.tree import parse

JARGON = re.compile("while (scanning|parsing)|<[a-z ]+>|scalar|token|collection|not YAML")


def refusal(text: str) -> str:
    """Return what reading `text` says, or nothing where it can be read."""
    try:
        parse(text, "a.yaml")
    except ConfigError as error:
        return str(error.faults[-1])
    return ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a:\n\tb: c", "2:1: found a tab"),
        ("a: b: c", "1:5: found a second `key:` where a value stands"),
        (
            "a false\nb: c",
            "2:2: found a second `key:` where a value stands; check the indentation, the line above",
        ),
        ("a: 'b\nc: d\n", "3:1: the quote that opens in line 1 is never closed"),
        ('a: 1\nb: "c\n---\nd"', "3:1: the quote that opens in line 2 is never closed"),
        ("a: 'it's'", "1:8: found more text after a value; check the quotes (a ' between '…' is written '')"),
        (
            "a: {b: {c: d}\ne: f",
            "2:1: the bracket that opens in line 1 is not closed: a , or } is missing before the text",
        ),
        (
            "a: 1\nb: [c, d\ne: f",
            "3:2: the bracket that opens in line 2 is not closed: a , or ] is missing before ':'",
        ),
        (
            "{a: b",
            "1:6: the bracket that opens in line 1 is not closed: a , or } is missing before the end of",
        ),
        ("a: [b}", "1:6: the bracket that opens in line 1 is not closed: a , or ] is missing before '}'"),
        ("a: {b: c}}", "1:10: found '}' after a value; put a text that holds it in quotes"),
        ("a:\n  b: c\n   d:\n  e: f", "3:5: found a second"),
        (
            "a:\n  b:\n    c: d\n   e: f",
            "4:4: the indentation fits no line above; the keys that begin in line 2 stand in column 3",
        ),
        ("a: b\nc\nd: e", "3:1: the text in line 2 has no `: ` and value behind it"),
        (
            "a: b\n- c",
            "2:1: found a list item (`- `) among lines of the form `key: value`, which begin in line 1",
        ),
        ("a:\n  - b\n  c: d", "3:3: found `key: value` among list items (`- `), which begin in line 2"),
        ("a: - b", "1:4: a list item (`- `) begins on a line of its own"),
        ("a: @b", "1:4: a text cannot begin with '@'; put it in quotes"),
        ('a: "C:\\Users"', "1:9: in double quotes \\ begins a sign such as \\n; write \\\\ for \\ itself"),
        ("a: |b\n c", "1:5: nothing but a comment follows | or >"),
        ("a: & b", "1:5: a text cannot begin with & or *"),
        ("a: !<", "1:6: a text cannot begin with !"),
        ("a: !x!y z", "1:4: a text cannot begin with !"),
        ("a: ? b", "1:4: a text cannot begin with `? `"),
        ("%YAML 2.0\n---\na: b", "1:1: a line cannot begin with %"),
        ("a: b\n...\nc: d", "3:1: found more after the end of the document"),
        ("{a: b, , }", "1:8: a value is missing before ','"),
        ("a: {b: {${C}", "put a text that holds ${NAME} in quotes"),
    ],
)
def test_what_is_no_yaml_is_told_in_plain_words(text: str, said: str) -> None:
    message = refusal(text)
    assert f"a.yaml:{said}" in message or (said.startswith("put") and said in message)
    assert not JARGON.search(message)


def test_what_PyYAML_never_said_before_is_told_as_it_is() -> None:
    assert (
        str(plain("while dreaming: found a sheep", 1, 1)) == "this is not YAML: while dreaming: found a sheep"
    )


EXAMPLE = (Path(__file__).parents[2] / "agents.example.yaml").read_text()
SIGNS = st.sampled_from(
    ["'", '"', "{", "}", "[", "]", ": ", "- ", "\n", "  ", "|", ",", "? ", "%", "!", "\\"]
)


@given(place=st.integers(0, len(EXAMPLE)), sign=SIGNS)
@settings(max_examples=100)
def test_no_slip_in_a_good_file_brings_out_jargon(place: int, sign: str) -> None:
    assert not JARGON.search(refusal(EXAMPLE[:place] + sign + EXAMPLE[place:]))
