"""The table of built-in tools."""

from __future__ import annotations

import pytest

from consent.key import BUILTIN_KINDS
from orchestrator.tools import BUILTIN, Builtin
from orchestrator.tools.base import BadArguments, Workplace


def test_each_tool_is_switched_by_its_key() -> None:
    assert {builtin.tool.name: builtin.key for builtin in BUILTIN} == {
        "read_file": None,
        "write_file": "editTools",
        "edit_file": "editTools",
        "bash": "bashTool",
    }


@pytest.mark.parametrize("builtin", BUILTIN, ids=lambda builtin: builtin.tool.name)
def test_each_tool_has_the_kind_that_the_rules_know(builtin: Builtin) -> None:
    assert builtin.tool.kind in BUILTIN_KINDS[builtin.tool.name]


@pytest.mark.parametrize("builtin", BUILTIN, ids=lambda builtin: builtin.tool.name)
def test_no_tool_looks_at_other_arguments_than_its_own(builtin: Builtin, place: Workplace) -> None:
    with pytest.raises(BadArguments, match="This tool takes"):
        builtin.tool.look({"surprise": 1}, place)
