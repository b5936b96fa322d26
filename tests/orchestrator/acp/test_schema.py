"""Our vocabularies are those of the official schema, word for word."""

import json
from pathlib import Path

from consent.key import Kind
from orchestrator.acp.options import REFUSALS
from orchestrator.acp.schema import ErrorCode
from orchestrator.acp.updates import KINDS
from orchestrator.agent import Reason

OFFICIAL = json.loads((Path(__file__).parent / "official" / "schema.json").read_text(encoding="utf-8"))


def official(name: str) -> list[str | int]:
    """The closed list of words, or numbers, that the schema has under this name."""
    definition = OFFICIAL["$defs"][name]
    return [word["const"] for word in definition.get("oneOf", definition.get("anyOf")) if "const" in word]


def test_error_codes_are_the_official_ones() -> None:
    assert [code.value for code in ErrorCode] == official("ErrorCode")


def test_kinds_of_calls_are_the_official_ones() -> None:
    assert [kind.value for kind in Kind] == official("ToolKind")


def test_kinds_of_options_are_the_official_ones() -> None:
    assert sorted(KINDS.values()) == sorted(map(str, official("PermissionOptionKind")))
    assert set(REFUSALS) <= set(official("PermissionOptionKind"))


def test_every_official_stop_reason_is_known_and_only_two_of_ours_are_not_official() -> None:
    assert {reason.value for reason in Reason} - set(official("StopReason")) == {"failed", "unknown"}
    assert set(official("StopReason")) <= {reason.value for reason in Reason}
