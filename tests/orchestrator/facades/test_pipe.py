"""Line mode without a terminal: lines in, plain text out, nobody to ask."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.orchestrator.facades.terminal import ROOT

SCENES = "tests.orchestrator.facades.scenes"
COMMAND = [sys.executable, "-W", "error", "-m", SCENES]


def run(scene: str, text: str, redirect: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", f'"$@" {redirect}', "sh", *COMMAND, scene],
        check=False,
        input=text,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        env={**os.environ, **environ},
    )


def test_each_line_is_submitted_in_order_and_blank_ones_are_skipped() -> None:
    done = run("echo", "one\n\n   \ntwo\r\nthree")
    assert done.returncode == 0
    assert [line for line in done.stdout.split("\n") if line.startswith("mm:")] == [
        "mm: submitted 'one'",
        "mm: submitted 'two'",
        "mm: submitted 'three'",
    ]
    assert done.stderr == ""


def test_no_line_answers_a_question() -> None:
    """O-d3."""
    done = run("one", "go\n1\n")
    assert "question 0 got nobody" in done.stdout
    assert "submitted '1'" in done.stdout
    assert "\U0001f510" not in done.stdout


def test_nothing_is_wrapped_or_coloured() -> None:
    done = run("echo", "word " * 60)
    assert "\x1b" not in done.stdout
    assert ("word " * 60).strip() in done.stdout
    assert "\x1b" not in run("speak", "go").stdout


def test_signs_that_the_encoding_lacks_are_escaped() -> None:
    done = run("speak", "go", PYTHONUTF8="0", PYTHONIOENCODING="latin-1")
    assert r"jan \u203a bash: ls" in done.stdout


def test_the_result_of_a_failed_turn_is_said_and_is_the_exit_code() -> None:
    done = run("fail", "go\n")
    assert "mm: error: the turn failed: no server at 127.0.0.1:1" in done.stdout
    assert done.returncode == 1


def test_an_empty_answer_is_said() -> None:
    assert "mm: the answer is empty" in run("say_nothing", "go\n").stdout


def test_quit_leaves_before_the_end_of_input() -> None:
    assert "submitted" not in run("echo", "/quit\nhello\n").stdout


@pytest.mark.parametrize("redirect", ["<{file}", "</dev/null", "<&-"])
def test_any_input_ends(redirect: str, tmp_path: Path) -> None:
    (tmp_path / "lines").write_text("hello\n")
    done = run("echo", "", redirect.format(file=tmp_path / "lines"))
    assert done.returncode == 0
    assert ("You said" in done.stdout) == (redirect == "<{file}")


def test_a_reader_that_goes_away_ends_the_run() -> None:
    with subprocess.Popen(
        [*COMMAND, "echo"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True
    ) as program:
        assert program.stdin
        assert program.stdout
        assert program.stdout.readline()
        program.stdout.close()
        program.stdin.write("hello\n")
        program.stdin.flush()  # and no end of input
        assert program.wait(60) in (0, 120, 130)  # 120: Python could not flush what nobody reads
