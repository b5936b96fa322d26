"""Our vocabularies are those of the official schema, word for word."""

import json
from enum import Enum
from pathlib import Path

import pytest

from orchestrator.acp.schema import ErrorCode, OptionKind, StopReason, ToolKind, ToolStatus

OFFICIAL = json.loads((Path(__file__).parent / "official" / "schema.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("ours", "name"),
    [
        (ErrorCode, "ErrorCode"),
        (OptionKind, "PermissionOptionKind"),
        (StopReason, "StopReason"),
        (ToolKind, "ToolKind"),
        (ToolStatus, "ToolCallStatus"),
    ],
)
def test_a_vocabulary_is_the_official_one(ours: type[Enum], name: str) -> None:
    definition = OFFICIAL["$defs"][name]
    official = [word["const"] for word in definition.get("oneOf", definition.get("anyOf")) if "const" in word]
    assert [word.value for word in ours] == official
