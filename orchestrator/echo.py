"""Whether the terminal echoes keys: what is typed early is not to be drawn into the banner.

Knows nothing of `mm`, and imports nothing that takes time.
"""

from __future__ import annotations

import os
import signal
import termios
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

_LOCAL = 3
"""Where the local flags stand in the attributes of a terminal."""

_TYPED_INTO = ("-p", "--prompt", "--ask")
"""Arguments with which the prompt may be typed into the terminal as it is."""


def typed_into(argv: Sequence[str]) -> bool:
    """Whether the arguments say that a prompt may be typed."""
    return any(argument.startswith(_TYPED_INTO) for argument in argv)


_ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""Signals that end a process before it has said what they mean. Ctrl-C is an exception from the start."""


@contextmanager
def quiet(fd: int) -> Iterator[None]:
    """Echo off, and afterwards all as it was: also where a signal ends the process, however early."""
    if not _at_hand(fd):
        yield
        return
    before = termios.tcgetattr(fd)

    def end(number: int, _: FrameType | None) -> None:
        _put_back(fd, before)
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    ours = [number for number in _ENDING if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, end)
    try:
        with echo(fd, on=False):
            yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def echo(fd: int, *, on: bool) -> Iterator[None]:
    """Echo on or off, and afterwards all as it was; nothing where `fd` is no terminal of ours."""
    if not _at_hand(fd):
        yield
        return
    before = termios.tcgetattr(fd)
    local = before[_LOCAL] | termios.ECHO if on else before[_LOCAL] & ~termios.ECHO
    termios.tcsetattr(fd, termios.TCSANOW, [*before[:_LOCAL], local, *before[_LOCAL + 1 :]])
    try:
        yield
    finally:
        _put_back(fd, before)


def _put_back(fd: int, before: list[Any]) -> None:
    """The terminal as it was, where it is still ours."""
    if _at_hand(fd):
        with suppress(termios.error):  # it is gone
            termios.tcsetattr(fd, termios.TCSANOW, before)


def _at_hand(fd: int) -> bool:
    """Whether `fd` is a terminal that this process may set: one in the background would be stopped for it."""
    try:
        return os.tcgetpgrp(fd) == os.getpgrp()
    except OSError:  # not our controlling terminal, so without job control
        return os.isatty(fd)
