"""The benchmarks run, and print every figure. What the figures are, people judge."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[1]
DEADLINE = 300
ROWS = (
    "start to session/new",
    "PSS of an idle asked agent",
    "permission by yolo, p50",
    "permission by yolo, p99",
    "permission by memory, p50",
    "permission by memory, p99",
    "permission by an instant client, p50",
    "permission by an instant client, p99",
    "updates in a second",
    "processor time of an update",
    "1 started and asked at once",
    "10 started and asked at once",
)


PIPELINES = (
    "one agent asked by hand, mm --ask",
    "a run of one step without a worktree",
    "each further step without a worktree",
    "a run of one step with a worktree",
    "each further step with a worktree",
    "a run resumed, until its question",
)


@pytest.mark.skipif(sys.platform != "linux", reason="the benchmarks read /proc")
def test_a_quick_run_names_the_machine_and_prints_every_row() -> None:
    tree, _, marks = printed("run.py").partition("\n\n")
    assert "64 KiB of commands" in marks
    machine, head, *rows = tree.splitlines()
    assert "Python" in machine
    assert head.split()[:3] == ["echo", "minimal", "mm"]
    assert [row[: len(what)] for row, what in zip(rows, ROWS, strict=True)] == list(ROWS)


@pytest.mark.skipif(sys.platform != "linux", reason="the benchmarks read /proc")
def test_a_quick_run_of_pipelines_prints_every_row_beside_asking_by_hand() -> None:
    machine, head, *rows = printed("pipelines.py").splitlines()
    assert "Python" in machine
    assert "by hand" in head
    assert [row[: len(what)] for row, what in zip(rows, PIPELINES, strict=True)] == list(PIPELINES)


def printed(name: str) -> str:
    ran = subprocess.run(
        [sys.executable, f"benchmarks/{name}", "--quick"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=True,
    )
    return ran.stdout
