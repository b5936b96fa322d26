"""What hooks and the audit read of a call whose arguments say nothing: what was shown in their place."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from consent.call import Arguments, Command, Detail, Origin, Place, Tier, ToolCall
from consent.key import Kind

CALL = ToolCall(("gem",), Origin.FOREIGN, None, Kind.EXECUTE, Tier.EXEC, "", Arguments(""), "/work")


@pytest.mark.parametrize("nothing", ["", "null", "{}", "[]", " {} "])
def test_a_title_that_is_the_command_is_told_as_the_command(nothing: str) -> None:
    call = replace(CALL, arguments=nothing, title="git push --force")
    assert json.loads(call.told) == {"command": "git push --force"}


def test_of_another_kind_the_title_is_told_as_that() -> None:
    assert json.loads(replace(CALL, kind=Kind.EDIT, title="write x").told) == {"title": "write x"}


@pytest.mark.parametrize(
    ("detail", "told"),
    [
        (Command("rm x"), {"command": "rm x"}),
        (Arguments("some text"), {"content": "some text"}),
        (Place("/work/x"), {"command": "the title"}),
    ],
)
def test_what_was_shown_is_told(detail: Detail, told: dict[str, str]) -> None:
    assert json.loads(replace(CALL, detail=detail, title="the title").told) == told


def test_arguments_that_were_given_are_told_byte_for_byte() -> None:
    call = replace(CALL, arguments='{"b":1,  "a":2}', title="another text")
    assert call.told == '{"b":1,  "a":2}'


def test_where_nothing_at_all_was_said_nothing_is_told() -> None:
    assert CALL.told == ""
