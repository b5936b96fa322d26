"""`mm -p` and `mm --ask`: nobody can be asked, so what would ask is refused, and said once."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.walks.builder import CHECKOUT, CLOSED, Walk

JAN = "mmConfigs: {jan: ./jan.yaml}"
TEAM = "mmConfigs: {jan: ./jan.yaml, homer: {path: ./homer.yaml, yolo: true}}"
EXAMPLE = str(CHECKOUT / "agents.example.yaml")


def refusals(stderr: str) -> list[str]:
    """The lines about calls that nobody could be asked about."""
    return [line for line in stderr.splitlines() if "nobody could be asked" in line]


def said_once(stderr: str, *keys: str) -> bool:
    """Whether the one line that scripts rely on is there, alone, and names `keys`."""
    told = re.escape(", ".join(keys))
    lines = refusals(stderr)
    return len(lines) == 1 and bool(
        re.fullmatch(rf"mm: \d+ calls? refused because nobody could be asked: {told}", lines[0])
    )


@contextmanager
def silent_pipe() -> Iterator[int]:
    """The read end of a pipe that stays open and says nothing."""
    read, write = os.pipe()
    try:
        yield read
    finally:
        os.close(read)
        os.close(write)


def test_own_calls_are_refused_and_it_is_said_once(walk: Walk) -> None:
    """O-d2"""
    walk.agent("riker", "yolo: false")
    ran = walk.runs("-p", "run touch made", CI="1", TERM="dumb")
    assert ran.code == 3
    assert said_once(ran.stderr, "bash (1)"), ran.stderr
    assert not walk.made("made")


def test_jans_calls_are_refused_and_it_is_said_once(walk: Walk) -> None:
    """O-d1, O-a2: jan is told that nobody could be asked, not that a person refused."""
    walk.agent("riker", "yolo: false", JAN)
    walk.agent("jan")
    ran = walk.runs("-p", "ask jan: run touch made")
    assert ran.code == 3
    assert said_once(ran.stderr, "jan/bash (1)"), ran.stderr
    assert not walk.made("made")


def test_many_refused_calls_make_one_line(walk: Walk) -> None:
    """O-d4"""
    walk.agent("riker", "model: script:turns.yaml", "yolo: false")
    walk.file(
        "turns.yaml",
        """
        - calls: [{tool: bash, args: {command: touch a}}, {tool: bash, args: {command: touch b}}]
        - call: {tool: write_file, args: {path: c, content: c}}
        - expect: nobody could be asked
          say: I could not do it.
        """,
    )
    ran = walk.runs("-p", "go")
    assert ran.code == 3
    assert ran.stdout == "I could not do it.\n"
    assert refusals(ran.stderr) == [
        "mm: 3 calls refused because nobody could be asked: bash (2), write_file (1)"
    ]


def test_a_refused_jan_is_told_that_nobody_could_be_asked(walk: Walk) -> None:
    """O-a2"""
    walk.agent("riker", "yolo: false", JAN)
    walk.agent("jan")
    ran = walk.runs("--ask", "jan", "run touch made")
    assert ran.code == 3
    assert said_once(ran.stderr, "jan/bash (1)"), ran.stderr
    assert not walk.made("made")


@pytest.mark.parametrize("command", [("-p", "run touch made"), ("--ask", "jan", "run touch made")])
class TestStdinIsNeverReadForAnAnswer:
    """O-d1, O-d3"""

    def launched(self, walk: Walk) -> None:
        walk.agent("riker", "yolo: false", JAN)
        walk.agent("jan")

    def test_a_pipe_that_stays_open(self, walk: Walk, command: tuple[str, ...]) -> None:
        self.launched(walk)
        with silent_pipe() as pipe:
            assert walk.runs(*command, stdin=pipe).code == 3
        assert not walk.made("made")

    def test_a_closed_stdin(self, walk: Walk, command: tuple[str, ...]) -> None:
        self.launched(walk)
        assert walk.runs(*command, through=CLOSED).code == 3
        assert not walk.made("made")

    def test_no_input_at_all(self, walk: Walk, command: tuple[str, ...]) -> None:
        self.launched(walk)
        assert walk.runs(*command).code == 3
        assert not walk.made("made")

    def test_a_pipe_full_of_answers(self, walk: Walk, command: tuple[str, ...]) -> None:
        self.launched(walk)
        assert walk.runs(*command, stdin="1\n2\ny\nyes\n" * 50).code == 3
        assert not walk.made("made")


def test_the_question_may_come_from_stdin(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", TEAM)
    walk.agent("jan")
    walk.agent("homer")
    assert walk.runs("-p", stdin="run touch own\n").code == 3
    assert walk.runs("--ask", "homer", stdin="run touch made\n").code == 0
    assert not walk.made("own")
    assert walk.made("made")


def test_a_free_run_runs(walk: Walk) -> None:
    """O-c7"""
    walk.agent("riker", "yolo: true", JAN)
    walk.agent("jan")
    ran = walk.runs("-p", "run touch first then ask jan: run touch second")
    assert ran.code == 0
    assert refusals(ran.stderr) == []
    assert walk.made("first")
    assert walk.made("second")


def test_agent_yolo_outranks_the_file(walk: Walk) -> None:
    walk.agent("riker", "yolo: true")
    assert walk.runs("-p", "run touch made", AGENT_YOLO="false").code == 3
    assert not walk.made("made")
    assert walk.runs("-p", "run touch made", AGENT_YOLO="true").code == 0
    assert walk.made("made")


def test_an_entrys_own_yolo_runs(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", TEAM)
    walk.agent("jan")
    walk.agent("homer")
    ran = walk.runs("--ask", "homer", "run echo $((6*7))")
    assert ran.code == 0
    assert "42" in ran.stdout


def test_the_example_file_does_what_it_says(walk: Walk) -> None:
    ran = walk.runs("-c", EXAMPLE, "--ask", "homer", "run uname -a")
    assert ran.code == 0, ran.stderr
    assert os.uname().release in ran.stdout
    ran = walk.runs("-c", EXAMPLE, "--ask", "jan", "run uname -a")
    assert ran.code == 3
    assert said_once(ran.stderr, "jan/bash (1)"), ran.stderr
    assert os.uname().release not in ran.stdout


def test_an_unknown_agent_is_an_error_that_lists_the_known_ones(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", TEAM)
    walk.agent("jan")
    walk.agent("homer")
    ran = walk.runs("--ask", "nobody", "hello")
    assert ran.code == 2
    assert "jan" in ran.stderr
    assert "homer" in ran.stderr


@pytest.mark.parametrize("value", ["maybe", "", "write"])
def test_a_strange_agent_yolo_is_an_error(walk: Walk, value: str) -> None:
    """O-d4"""
    walk.agent("riker")
    ran = walk.runs("-p", "run touch made", AGENT_YOLO=value)
    assert ran.code == 2
    assert "AGENT_YOLO" in ran.stderr
    assert not walk.made("made")


def test_a_flag_that_disagrees_with_agent_yolo_is_an_error(walk: Walk) -> None:
    walk.agent("riker")
    assert walk.runs("--yolo", "-p", "run touch made", AGENT_YOLO="false").code == 2
    assert not walk.made("made")


def test_an_answer_that_was_cut_is_kept_and_it_is_said(walk: Walk) -> None:
    walk.agent("riker", "model: script:turns.yaml")
    walk.file("turns.yaml", "- {say: Half an answer, finish: length}\n")
    ran = walk.runs("-p", "go")
    assert ran.stdout == "Half an answer\n"
    assert "cut" in ran.stderr


def test_line_mode_on_a_pipe_works_through_its_lines_and_answers_nothing(walk: Walk) -> None:
    """O-d3"""
    walk.agent("riker", "yolo: false")
    ran = walk.runs(stdin="write first: text\n1\n\nread riker.yaml\n")
    assert "model: demo" in ran.stdout
    assert "\x1b" not in ran.stdout
    assert said_once(ran.stderr, "write_file (1)"), ran.stderr
    assert ran.code == 3
    assert not walk.made("first")


def test_line_mode_on_a_pipe_of_a_free_agent(walk: Walk) -> None:
    walk.agent("riker", "yolo: true")
    assert walk.runs(stdin="run touch made\n").code == 0
    assert walk.made("made")
