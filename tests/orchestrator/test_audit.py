"""One line for each decision: whole, masked, shortened, rotated, and never in the way of a decision."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consent.answer import Answer, Response, Yes
from consent.gate import Decision
from consent.matching import Effect, Rule, parse_pattern
from consent.rules import Why
from consent.unasked import Finding
from orchestrator import audit
from orchestrator.audit import Audit, acted_entry, append, entry, masked, older, read
from tests.orchestrator.words.calls import JAN, OWN

AT = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
ALLOWED = Decision(True, Why.YOLO, 6)


def line(arguments: Any, *secrets: str) -> Mapping[str, Any]:
    """The line for a call of jan with these arguments."""
    call = replace(JAN, arguments=json.dumps(arguments))
    return entry(call, ALLOWED, at=AT, conversation="c1", waited=0, secrets=secrets)


def kept(folder: Path, **more: Any) -> Audit:
    return Audit(folder / "mm" / "audit.jsonl", "c1", lost=pytest.fail, now=lambda: AT, **more)


def test_a_call_that_ran_past_the_answers_was_allowed_by_nobody() -> None:
    decided = entry(JAN, ALLOWED, at=AT, conversation="c1", waited=0, secrets=())
    acted = acted_entry(JAN, Finding.OTHER, at=AT, conversation="c1", secrets=())
    assert acted == decided | {
        "allowed": False,
        "why": "unasked",
        "line": None,
        "who": "nobody",
        "acted": "other",
    }
    assert acted["why"] not in list(Why)


def test_what_ran_past_the_answers_is_written_once_by_the_launched_agent(tmp_path: Path) -> None:
    audit = kept(tmp_path)
    audit.acted(JAN, Finding.UNASKED)
    assert [(line["key"], line["acted"]) for line in read(audit.file)] == [("jan/bash", "unasked")]


def test_a_line_says_who_asked_for_what_and_why_it_was_decided() -> None:
    rule = Rule(parse_pattern("jan/bash"), Effect.PROMPT, "riker.yaml:3:5")
    decision = Decision(True, Why.ANSWER, 5, rule, Answer.ALLOW_SESSION)
    assert entry(JAN, decision, at=AT, conversation="c1", waited=1.5, secrets=()) == {
        "v": 1,
        "time": "2026-12-01T09:30:00.000+00:00",
        "conversation": "c1",
        "key": "jan/bash",
        "agent": "jan",
        "tool": "bash",
        "server": None,
        "args": {"command": "ls"},
        "digest": sha256(JAN.arguments.encode()).hexdigest(),
        "allowed": True,
        "why": "answer",
        "line": 5,
        "rule": "jan/bash: prompt (riker.yaml:3:5)",
        "answer": "allow_session",
        "who": "person",
        "waited_ms": 1500,
    }


@pytest.mark.parametrize(
    ("why", "answer", "who", "spelled"),
    [
        (Why.ANSWER, Answer.REFUSE_ONCE, "person", "refuse_once"),
        (Why.ANSWER, Yes(1), "person", "yes_2"),
        (Why.NOBODY, None, "nobody", None),
        (Why.CANCELLED, None, "nobody", None),
        (Why.MEMORY, None, "mm", None),
    ],
)
def test_a_line_says_who_decided(why: Why, answer: Response | None, who: str, spelled: str | None) -> None:
    decision = Decision(False, why, 11, answer=answer)
    found = entry(OWN, decision, at=AT, conversation="c1", waited=0, secrets=())
    assert (found["who"], found["answer"]) == (who, spelled)


def test_secrets_are_masked_wherever_they_stand_and_before_anything_is_cut() -> None:
    secret = "s3cret" * 100
    found = line({"command": f"curl -H {secret}", secret: [{"deep": secret}]}, secret, "s3cret")
    assert found["args"] == {"command": "curl -H ***", "***": [{"deep": "***"}]}


def test_a_secret_is_masked_in_numbers_and_in_the_name_of_a_server() -> None:
    found = line({"pin": 12345678, "half": 0.5, "on": True, "to": [-12345678, 7]}, "12345678")
    assert found["args"] == {"pin": "***", "half": 0.5, "on": True, "to": ["-***", 7]}
    call = replace(JAN, server="docs-s3cret")
    assert entry(call, ALLOWED, at=AT, conversation="", waited=0, secrets=["s3cret"])["server"] == "docs-***"


@given(st.lists(st.text(min_size=1, max_size=4), max_size=4), st.text(max_size=20))
@settings(max_examples=200)
def test_nothing_masked_is_left(secrets: list[str], text: str) -> None:
    assert not any(
        secret in masked(text, secrets).replace("***", "") for secret in secrets if "*" not in secret
    )


@pytest.mark.parametrize(
    "arguments",
    [
        {"content": "x" * 1_000_000},
        {str(number): number for number in range(10_000)},
        {str(number): "y" * 10_000 for number in range(19)},
        [[[[[[[[[[[[["deep"]]]]]]]]]]]]],
        list(range(10_000)),
    ],
)
def test_large_arguments_are_shortened_and_their_digest_is_of_the_whole(arguments: Any) -> None:
    found = line(arguments)
    assert len(json.dumps(found)) < 2 * audit.MOST_ARGUMENTS
    assert found["digest"] != line({})["digest"]


def test_arguments_that_are_no_json_are_kept_as_text() -> None:
    call = replace(JAN, arguments="{no json \ud800")
    assert entry(call, ALLOWED, at=AT, conversation="", waited=0, secrets=())["args"] == "{no json \ud800"


def test_lines_are_appended_for_the_owner_alone(tmp_path: Path) -> None:
    written = kept(tmp_path)
    written.record(JAN, ALLOWED, 0, False)
    written.record(OWN, ALLOWED, 0, False)
    assert [found["key"] for found in read(written.file)] == ["jan/bash", "bash"]
    assert stat.S_IMODE(written.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(written.file.parent.stat().st_mode) == 0o700


def test_broken_lines_are_left_out_and_spoil_nothing_behind_them(tmp_path: Path) -> None:
    written = kept(tmp_path)
    written.record(JAN, ALLOWED, 0, False)
    with written.file.open("ab") as stream:
        stream.write(b'not json\n[]\n{"v": 99}\n\xff\n' + b"[" * 100_000 + b'\n{"v": 1, "key": "broken')
    written.record(OWN, ALLOWED, 0, False)
    assert [found["key"] for found in read(written.file)] == ["jan/bash", "bash"]


def test_a_full_file_is_set_aside_and_the_oldest_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "MOST_BYTES", 100)
    file = tmp_path / "audit.jsonl"
    for number in range(20):
        append(file, json.dumps({"v": 1, "key": f"{number:040}"}).encode() + b"\n")
    keys = [int(found["key"]) for found in read(file)]
    assert keys == list(range(keys[0], 20))
    assert keys[0] > 0
    assert all(part.exists() for part in older(file))
    assert not file.with_name("audit.5.jsonl").exists()


def _appends(file: Path, writer: int) -> None:
    audit.MOST_BYTES = 40_000  # in a process of its own
    for number in range(300):
        append(file, json.dumps({"v": 1, "key": f"{writer}/{number}", "fill": "x" * 100}).encode() + b"\n")


def test_many_processes_write_whole_lines_and_lose_none(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        list(pool.map(_appends, [file] * 4, range(4)))
    keys = [found["key"] for found in read(file)]
    assert sorted(keys) == sorted(f"{writer}/{number}" for writer in range(4) for number in range(300))


@pytest.mark.parametrize("kind", ["link", "folder", "pipe"])
def test_what_is_no_file_of_ours_costs_the_audit_is_told_once_and_nothing_else(
    tmp_path: Path, kind: str
) -> None:
    file = tmp_path / "audit.jsonl"
    match kind:
        case "link":
            file.symlink_to(tmp_path / "elsewhere")
        case "folder":
            file.mkdir()
        case _:
            os.mkfifo(file)
    told: list[str] = []
    written = Audit(file, "c1", lost=told.append)
    written.record(JAN, ALLOWED, 0, False)
    written.record(JAN, ALLOWED, 0, False)
    assert len(told) == 1
    assert not (tmp_path / "elsewhere").exists()


def test_an_asked_agent_says_where_it_stands_and_leaves_what_it_asked_to_its_asker(tmp_path: Path) -> None:
    written = kept(tmp_path, above=("jan",), asked_above=True)
    written.record(OWN, ALLOWED, 0, False)
    written.record(OWN, ALLOWED, 0, True)
    assert [found["key"] for found in read(written.file)] == ["jan/bash"]
