"""The Gate against the documented decisions of oh-my-pi, row by row; each intended difference has its reason.

`tests/corpus/omp_truth.csv` holds its decision for every mode, tier, override and policy of the user. An
override is a tool that asks whatever the policy allows: a critical call here. Rows with a policy of the tool
itself are left out, since no tool of ours has one.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from mmconfigs.errors import ConfigError
from mmconfigs.load import load
from tests.consent.adapter import decide
from tests.consent.oracle import Call, World

TRUTH = Path(__file__).parents[1] / "corpus" / "omp_truth.csv"
EXEC = Call(name="shell", kind="execute", tier="exec")
TOOLS: Mapping[str, Call] = {
    "read": Call(name="read_file", kind="read", tier="read", builtin=True),
    "write": Call(name="write_file", kind="edit", tier="write", builtin=True, fence_holds=True),
    "exec": replace(EXEC, name="bash", builtin=True),
    "(none)": EXEC,
    "(malformed)": EXEC,
}
WORDS = {"allow": "allow", "ask": "prompt", "ask_once": "prompt", "refuse": "deny"}

# What a row means to us beside the own built-in tools that work inside the folder.
CASES: Mapping[str, Mapping[str, object]] = {
    "built-in": {},
    "outside the folder": {"fence_holds": False},
    "MCP": {"name": "mcp__files__save", "builtin": False},
    "asked agent": {"path": ("jan",), "child": "ours"},
}

# Case,mode,tier,override,policy of rows that differ, each with what is decided here, and why.
DIFFERENCES: Mapping[str, tuple[str, str]] = {
    "*,*,*,*,INVALID": ("error", "a value that is none of the three is an error of the file, never ignored"),
    "outside the folder,write,write,false,": ("prompt", "mode write is about the conversation's folder"),
    "MCP,write,write,false,": ("prompt", "what an MCP server says of itself decides nothing"),
    "asked agent,always-ask,read,false,": ("prompt", "what an asked agent says of its calls frees none"),
    "asked agent,write,read,false,": ("prompt", "what an asked agent says of its calls frees none"),
    "asked agent,write,write,false,": ("prompt", "oh-my-pi runs the calls of subagents free"),
}


@dataclass(frozen=True)
class Row:
    """One row of the table, for one case of ours."""

    case: str
    mode: str
    tier: str
    override: str
    policy: str
    decision: str

    def __str__(self) -> str:
        return ",".join((self.case, self.mode, self.tier, self.override, self.policy))

    @property
    def expected(self) -> str:
        found = [ours for pattern, (ours, _) in DIFFERENCES.items() if fnmatchcase(str(self), pattern)]
        assert len(found) <= 1, "two reasons for one row"
        return found[0] if found else self.decision


def rows() -> list[Row]:
    with TRUTH.open(encoding="utf-8", newline="") as file:
        truth = [row for row in csv.DictReader(file) if not row["tool_policy"]]
    columns = ("mode", "tool_tier", "tool_override", "user_policy", "decision")
    return [Row(case, *(row[column] for column in columns)) for case in CASES for row in truth]


def ours(row: Row, folder: Path) -> str:
    """The decision here: what the file says of it, then what the Gate does."""
    call = replace(TOOLS[row.tier], critical=row.override == "true", **CASES[row.case])  # type: ignore[arg-type]
    if row.policy and not readable(row.policy, folder):
        return "error"
    pattern = "/".join((*call.path, call.name or ""))
    rules = ((pattern, row.policy),) if row.policy else ()
    world = World(mode=row.mode, rules=rules, entries={"jan": None})  # type: ignore[arg-type]
    return WORDS[decide(call, world).decision]


def readable(policy: str, folder: Path) -> bool:
    file = folder / "agents.yaml"
    file.write_text(f"tools: {{approval: {{bash: {policy}}}}}", encoding="utf-8")
    try:
        load(file, tools=("bash",), environ={})
    except ConfigError as error:
        return "tools.approval.bash" not in str(error)
    return True


@pytest.mark.parametrize("row", rows(), ids=str)
def test_a_row_is_decided_as_there_or_differs_for_a_reason(row: Row, tmp_path: Path) -> None:
    assert ours(row, tmp_path) == row.expected


@pytest.mark.parametrize("pattern", DIFFERENCES)
def test_a_listed_difference_is_one(pattern: str) -> None:
    meant = [row for row in rows() if fnmatchcase(str(row), pattern)]
    assert meant
    assert all(row.decision != DIFFERENCES[pattern][0] for row in meant)


def test_no_row_is_missing() -> None:
    modes, policies = 3, 5
    tools = 3 * 2 + 2  # an override is a word of a tool that has a tier
    assert len(rows()) == len(CASES) * modes * policies * tools
