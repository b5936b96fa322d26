"""Arguments are what the tool says, or the model is told what it takes."""

from __future__ import annotations

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from consent.call import Unrunnable
from orchestrator.tools.arguments import check_arguments, hidden, text_schema
from orchestrator.tools.base import BadArguments

SCHEMA = text_schema({"path": "a file", "content": "a text"})


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"path": "a"}, "content is missing. This tool takes path, content, each a text"),
        ({"path": "a", "content": 1}, "content must be a text"),
        ({"path": "a", "content": None}, "content must be a text"),
        ({"path": "a", "content": "", "pth": ""}, "there is no 'pth', is 'path' meant?"),
        ({"path": "a", "content": "", "zzzz": ""}, "there is no 'zzzz'. This"),
        ({}, "path is missing; content is missing"),
        ([], "the arguments are one object of path, content"),
    ],
)
def test_every_fault_is_named(value: object, message: str) -> None:
    with pytest.raises(BadArguments) as caught:
        check_arguments(SCHEMA, value)
    assert message in str(caught.value)


def test_a_tool_with_one_argument_takes_a_text() -> None:
    with pytest.raises(BadArguments, match=r"command is missing\. This tool takes command, a text$"):
        check_arguments(text_schema({"command": "a command"}), {})


@given(
    st.one_of(
        st.fixed_dictionaries({"path": st.text(max_size=3), "content": st.text(max_size=3)}),
        st.dictionaries(st.sampled_from(["path", "content", "x"]), st.one_of(st.text(max_size=3), st.none())),
        st.none() | st.lists(st.text(max_size=3), max_size=2) | st.text(max_size=3),
    )
)
def test_it_judges_as_json_schema_does(value: object) -> None:
    valid = jsonschema.Draft202012Validator(SCHEMA).is_valid(value)
    try:
        assert check_arguments(SCHEMA, value) == value
    except BadArguments:
        assert not valid
    else:
        assert valid


@pytest.mark.parametrize("character", ["\0", "\x7f", "\ud800"])
def test_characters_that_cannot_run_as_shown_are_found(character: str) -> None:
    assert hidden("ls", f"a{character}b") is Unrunnable.HIDDEN_CHARACTERS


def test_everything_else_can_run() -> None:
    assert hidden("a\tb\nc\x1b[0m \u202e \u200b \U0001f600") is None
