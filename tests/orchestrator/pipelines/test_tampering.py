"""A database of runs that others write into: nothing of it runs here, and no run is asked for more."""

from __future__ import annotations

import base64
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from mmconfigs.model import Judging
from orchestrator.pipelines.held import forget, held, is_held, swear, sworn
from orchestrator.pipelines.verdict import NO_VERDICT, TWO_VERDICTS, judge

RULE = Judging()
LOADS = """\
import sys
from dbos import _serialization
from orchestrator.pipelines import engine
_serialization.DefaultSerializer().deserialize(sys.argv[1])
"""


class Program:
    """A value that runs something when it is read as a program."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return exec, (f"open({str(self.marker)!r}, 'w')",)


def test_a_row_that_holds_a_program_is_not_read(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    text = base64.b64encode(pickle.dumps(Program(marker))).decode()
    ran = subprocess.run(
        [sys.executable, "-c", LOADS, text], capture_output=True, text=True, check=False, timeout=120
    )
    assert "the row holds a program" in ran.stderr
    assert not marker.exists()


@pytest.mark.parametrize("name", ["../../elsewhere", "a/b", "", ".lock", "a\nb"])
def test_a_name_of_a_run_leads_to_no_other_file(tmp_path: Path, name: str) -> None:
    (tmp_path / "elsewhere.lock").touch()
    for act in (is_held, forget):
        with pytest.raises(OSError, match="is no name of a run"):
            act(tmp_path / "one" / "two", name)
    with pytest.raises(OSError, match="is no name of a run"), held(tmp_path / "one" / "two", name):
        pass
    assert (tmp_path / "elsewhere.lock").exists()


def test_only_what_a_run_was_asked_for_here_counts(tmp_path: Path) -> None:
    order = {"run": "review-1", "task": "say hello"}
    assert not sworn(tmp_path, "review-1", order), "nobody has asked for it here"
    swear(tmp_path, "review-1", order)
    assert sworn(tmp_path, "review-1", dict(reversed(order.items())))
    assert not sworn(tmp_path, "review-1", {**order, "task": "push"})
    assert not sworn(tmp_path, "review-2", order)
    forget(tmp_path, "review-1")
    assert not sworn(tmp_path, "review-1", order)


def test_an_answer_full_of_fences_is_judged_before_anybody_has_to_wait() -> None:
    assert not judge("x```\n" * 400_000, RULE).accepts, "a quadratic reading does not come to its end"


@pytest.mark.parametrize(
    "against",
    [
        '```\r\n{"verdict": "REJECT"}\r\n```',
        '```JSON\n{"verdict": "REJECT"}\n```',
        '~~~\n{"verdict": "REJECT"}\n~~~',
        '````\n{"verdict": "REJECT"}\n````',
        '{"verdict": "REJECT"}',
        '```\n{"verdict": "REJECT"}',
    ],
)
def test_a_verdict_in_any_fence_and_on_any_line_speaks_against_the_last_line(against: str) -> None:
    judged = judge(f"Look:\n{against}\nACCEPT", RULE)
    assert not judged.accepts
    assert judged.why in (TWO_VERDICTS, NO_VERDICT)
