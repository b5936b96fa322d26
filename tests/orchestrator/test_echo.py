"""The echo of a terminal, off and on again."""

from __future__ import annotations

import os
import pty
import termios
from collections.abc import Iterator

import pytest

from orchestrator.echo import echo, typed_into


@pytest.fixture
def slave() -> Iterator[int]:
    ends = pty.openpty()
    yield ends[1]
    for end in ends:
        os.close(end)


def echoes(fd: int) -> bool:
    return bool(termios.tcgetattr(fd)[3] & termios.ECHO)


def test_echo_is_off_within_and_on_again_where_it_is_needed(slave: int) -> None:
    before = termios.tcgetattr(slave)
    with echo(slave, on=False):
        assert not echoes(slave)
        with echo(slave, on=True):
            assert echoes(slave)
        assert not echoes(slave)
    assert termios.tcgetattr(slave) == before


def test_echo_is_as_it_was_after_a_crash(slave: int) -> None:
    with pytest.raises(ZeroDivisionError), echo(slave, on=False):
        raise ZeroDivisionError
    assert echoes(slave)


def test_what_is_no_terminal_is_left_alone() -> None:
    read, write = os.pipe()
    with echo(read, on=False):
        pass
    os.close(read)
    os.close(write)


@pytest.mark.parametrize(
    ("argv", "typed"), [([], False), (["-c", "a.yaml"], False), (["-p"], True), (["--ask", "jan"], True)]
)
def test_a_prompt_that_is_typed_into_the_terminal_is_echoed(argv: list[str], typed: bool) -> None:
    assert typed_into(argv) is typed
