"""Whether the terminal echoes keys: what is typed early is not to be drawn into the banner.

Knows nothing of `mm`, and imports nothing that takes time.
"""

from __future__ import annotations

import os
import termios
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

_LOCAL = 3
"""Where the local flags stand in the attributes of a terminal."""

_TYPED_INTO = ("-p", "--prompt", "--ask")
"""Arguments with which the prompt may be typed into the terminal as it is."""


def typed_into(argv: Sequence[str]) -> bool:
    """Whether the arguments say that a prompt may be typed."""
    return any(argument.startswith(_TYPED_INTO) for argument in argv)


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
        with suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(fd, termios.TCSANOW, before)


def _at_hand(fd: int) -> bool:
    """Whether `fd` is a terminal that this process may set: one in the background would be stopped for it."""
    try:
        return os.tcgetpgrp(fd) == os.getpgrp()
    except OSError:  # not our controlling terminal, so without job control
        return os.isatty(fd)
