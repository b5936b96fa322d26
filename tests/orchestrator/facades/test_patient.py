"""A terminal that takes nothing holds nobody up, and gets everything once it takes it again."""

from __future__ import annotations

import os
import signal
import termios
from collections.abc import Iterator

import anyio
import pytest

from orchestrator.facades.patient import Patient
from tests.orchestrator.facades.terminal import Terminal, terminal

pytestmark = pytest.mark.anyio
SCENES = "tests.orchestrator.facades.scenes"


@pytest.fixture
def at() -> Iterator[Terminal]:
    opened = Terminal(80, 24)
    yield opened
    opened.close()


def stop(at: Terminal) -> None:
    termios.tcflow(at.slave, termios.TCOOFF)


def go_on(at: Terminal) -> None:
    termios.tcflow(at.slave, termios.TCOON)


async def test_what_a_terminal_does_not_take_is_kept_in_order(at: Terminal) -> None:
    patient = Patient(at.slave)
    patient.write(b"one ")
    stop(at)
    patient.write(b"two ")
    patient.write(b"three")
    assert patient.behind == len("two three")
    go_on(at)
    with anyio.fail_after(10):
        await patient.drained()
    at.wait_for("one two three")
    patient.close()


async def test_it_is_written_as_soon_as_it_is_taken(at: Terminal) -> None:
    patient = Patient(at.slave)
    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(patient.run)
            for word in ("one", "two"):
                stop(at)
                patient.write(word.encode())
                await anyio.wait_all_tasks_blocked()
                assert patient.behind
                go_on(at)
                await patient.drained()
            tasks.cancel_scope.cancel()
    at.wait_for("onetwo")
    patient.close()


async def test_the_end_waits_only_for_a_moment(at: Terminal) -> None:
    patient = Patient(at.slave)
    stop(at)
    patient.write(b"never")
    patient.finish(0.05)
    assert patient.behind
    patient.close()


async def test_others_still_wait_for_the_same_terminal(at: Terminal) -> None:
    patient = Patient(at.slave)
    assert os.get_blocking(at.slave)
    assert patient.fileno() == at.slave
    patient.close()
    os.write(at.slave, b"still open")
    at.wait_for("still open")


async def test_what_is_no_terminal_is_written_as_ever() -> None:
    reader, writer = os.pipe()
    patient = Patient(writer)
    patient.write(b"hello")
    patient.close()
    assert os.read(reader, 10) == b"hello"
    os.close(writer)
    os.close(reader)


async def test_a_terminal_that_is_gone_is_told_once_and_keeps_nothing() -> None:
    at = Terminal(80, 24)
    patient = Patient(at.slave)
    os.close(at.master)
    at.master = -1
    with pytest.raises(OSError):
        patient.write(b"x")
    assert not patient.behind
    patient.close()
    at.close()


def begin(at: Terminal) -> None:
    at.wait_for_prompt()
    at.press("go\r")


@pytest.mark.parametrize("scene", ["flow", "one"])
def test_a_stopped_terminal_does_not_hold_up_a_signal(scene: str) -> None:
    with terminal(SCENES, scene) as at:
        at.wait_for_prompt()
        stop(at)
        at.press("go\r")
        assert at.process
        os.kill(at.process.pid, signal.SIGHUP)
        assert at.process.wait(20) == 130


def test_a_stopped_terminal_holds_up_no_turn_and_is_drawn_later() -> None:
    with terminal(SCENES, "flow", rows=300) as at:
        at.wait_for_prompt()
        stop(at)
        at.press("go\r")
        while at.read(1.0):
            pass
        assert "block 9" not in at.text
        go_on(at)
        at.wait_for("block 9")
        at.wait_for_prompt()
        blocks = [line for line in at.lines() if line.startswith("block")]
        assert blocks == [f"block {number}" for number in range(10)]


@pytest.mark.parametrize("keys", ["1\r", "\x03"])
def test_a_question_that_could_not_be_read_is_not_answered(keys: str) -> None:
    """Keys are still heard: they are kept, and Ctrl-C stops the turn."""
    with terminal(SCENES, "one") as at:
        at.wait_for_prompt()
        stop(at)
        at.press("go\r")
        while at.read(1.5):
            pass
        at.press(keys)
        while at.read(0.5):
            pass
        go_on(at)
        if keys == "\x03":
            at.wait_for("question 0 got cancelled")
            return
        at.wait_for("typed before an answer was invited")
        at.wait_for("then Enter (d shows details):")
        assert "got" not in at.text
        at.press("4\r")
        at.wait_for("question 0 got refuse_once")
        at.wait_for("\n> 1")


def test_an_invitation_that_could_not_be_read_is_given_again() -> None:
    with terminal(SCENES, "one") as at:
        begin(at)
        at.wait_for("stop jan")
        stop(at)
        while at.read(1.0):
            pass
        at.press("1\r")
        go_on(at)
        at.wait_for("then Enter (d shows details):")
        while at.read(1.0):
            pass
        assert "got" not in at.text
        assert at.text.rstrip().endswith("details):")
        at.press("1\r")
        at.wait_for("question 0 got allow_once")
