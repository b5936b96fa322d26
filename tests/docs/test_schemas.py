"""The JSON Schemas of what `mm` prints as JSON, held against what it prints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from consent.call import Doubt
from consent.rules import Outcome, Why
from consent.unasked import Finding
from orchestrator.audit import SWITCHED, UNASKED
from orchestrator.pipelines.sentences import State
from tests.docs.markdown import CHECKOUT
from tests.walks.builder import Walk
from tests.walks.team import WRITES, Team


def schema(name: str) -> Mapping[str, Any]:
    text = (CHECKOUT / f"docs/reference/{name}.schema.json").read_text(encoding="utf-8")
    found: Mapping[str, Any] = json.loads(text)
    Draft202012Validator.check_schema(found)
    return found


def fits(name: str, value: Any) -> None:
    Draft202012Validator(schema(name)).validate(value)


@pytest.fixture
def walk(tmp_path: Any) -> Walk:
    """riker denies one tool; jan asks for one call, and runs another without asking."""
    walk = Walk(tmp_path)
    asks = {"toolCallId": "1", "name": "bash", "rawInput": {"command": "ls"}}
    ran = {"sessionUpdate": "tool_call", "toolCallId": "2", "kind": "execute", "status": "completed"}
    script = json.dumps({"prompts": [[{"ask": {"toolCall": asks}}, {"update": ran}]]})
    walk.agent(
        "riker",
        "yolo: false",
        "tools: {approval: {write_file: deny}}",
        f"mmConfigs: {{jan: {walk.child('jan', script)}}}",
    )
    return walk


def test_the_schemas_name_every_reason_doubt_and_finding() -> None:
    explained = schema("explain")["$defs"]["explained"]["properties"]
    logged = schema("log")["properties"]
    assert explained["decision"]["enum"] == list(Outcome)
    assert explained["why"]["enum"] == list(Why)
    assert explained["doubts"]["items"]["enum"] == list(Doubt)
    assert logged["why"]["enum"] == [*Why, UNASKED, SWITCHED]
    assert logged["acted"]["enum"] == list(Finding)
    assert schema("pipeline")["properties"]["state"]["enum"] == list(State)


def test_what_is_explained_fits_its_schema(walk: Walk) -> None:
    calls = [
        {"tool": "bash", "args": {"command": "date"}},
        {"tool": "write_file", "args": {"path": "a", "content": ""}},
        {"tool": "(unclear)", "agent": "jan"},
        {"tool": "no_such_tool"},
    ]
    walk.file("calls.jsonl", "".join(f"{json.dumps(call)}\n" for call in calls))
    lines = walk.runs("explain", "--batch", "calls.jsonl").stdout.splitlines()
    assert len(lines) == len(calls)
    for line in (*lines, walk.runs("explain", "bash", '{"command": "ls"}', "--json").stdout):
        fits("explain", json.loads(line))


def test_the_log_fits_its_schema(walk: Walk) -> None:
    for task in ("read jan.child.yaml", "write a: b", "run date"):
        walk.runs("-p", task)
    walk.runs("--ask", "jan", "go")
    walk.runs(stdin="/yolo write\n")
    lines = walk.decisions()
    assert {line["why"] for line in lines} == {"nobody", "read", "policy", "unasked", "switched"}
    for line in lines:
        fits("log", line)


def test_what_is_checked_fits_its_schema(walk: Walk) -> None:
    fits("check", json.loads(walk.runs("check", "--json").stdout))
    walk.agent("riker", "yollo: true", "model: [")
    faults = json.loads(walk.runs("check", "--json").stdout)
    assert faults
    fits("check", faults)


def test_runs_fit_their_schema(tmp_path: Path) -> None:
    walk = Walk(tmp_path)
    team = Team(walk)
    team.codes("echo two > code")
    team.pipeline(WRITES, "{ask: homer, prompt: '{task}', handover: approve}")
    assert team.runs().code == 3
    team.pipeline("{ask: homer, prompt: '{task}'}", more="worktree: false")
    assert team.runs().code == 0
    lines = walk.runs("pipeline", "list", "--json").stdout.splitlines()
    assert [json.loads(line)["state"] for line in lines] == ["accepted", "interrupted"]
    for line in lines:
        fits("pipeline", json.loads(line))
        shown = walk.runs("pipeline", "show", json.loads(line)["run"], "--json").stdout
        fits("pipeline", json.loads(shown))
        assert json.loads(shown)["steps"]


@pytest.mark.parametrize(
    "more", [{"why": "unasked"}, {"line": None}, {"acted": "other"}, {"allowed": 1}, {"extra": 1}]
)
def test_what_does_not_fit_is_not_taken(walk: Walk, more: Mapping[str, Any]) -> None:
    walk.runs("-p", "run date")
    line = json.loads(walk.runs("log", "--json").stdout)
    with pytest.raises(ValidationError):
        fits("log", line | more)
