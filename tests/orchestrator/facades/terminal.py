"""A person at a real pseudo-terminal: a program behind it, a screen to read, keys to press."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pyte

DEADLINE = 30.0
ROOT = Path(__file__).parents[3]


class Terminal:
    """The master side. Waits for text, never for time; `raw` is everything that the program wrote."""

    def __init__(self, columns: int, rows: int) -> None:
        self.master, self.slave = pty.openpty()
        self._screen = pyte.HistoryScreen(columns, rows, history=10_000)
        self.resize(columns, rows)
        self._stream = pyte.Stream(self._screen)
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.raw = ""
        self.process: subprocess.Popen[bytes] | None = None

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._screen.resize(rows, columns)

    def start(self, arguments: Sequence[str], environ: Mapping[str, str], *, own: bool) -> None:
        # A session without a terminal gets the one that it opens first; its hang-up is then a signal.
        take_terminal = ["sh", "-c", 'exec "$@" <>"$0"', os.ttyname(self.slave)] if own else []
        self.process = subprocess.Popen(
            [*take_terminal, sys.executable, "-W", "error", "-m", *arguments],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            cwd=ROOT,
            env={**os.environ, "TERM": "xterm-256color", "PYTHONUTF8": "1", **environ},
            start_new_session=True,
        )

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode("utf-8", "surrogateescape"))

    def lines(self) -> list[str]:
        """What a person sees, scrolled-off lines included."""
        columns = range(self._screen.columns)
        gone = ["".join(row[x].data for x in columns) for row in self._screen.history.top]
        return [line.rstrip() for line in (*gone, *self._screen.display)]

    @property
    def text(self) -> str:
        return "\n".join(self.lines())

    def read(self, seconds: float) -> bool:
        """Take what the program writes within `seconds`; whether there was something."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            text = self._decoder.decode(os.read(self.master, 65536))
        except OSError:  # nobody has the other side open any more
            return False
        self.raw += text
        self._stream.feed(text)
        return bool(text)

    def wait_for(self, text: str, count: int = 1) -> None:
        """Until `text` stands on the screen `count` times."""
        end = time.monotonic() + DEADLINE
        while self.text.count(text) < count:
            assert time.monotonic() < end, f"no {text!r} in:\n{self.text}"
            self.read(0.2)

    def wait_for_prompt(self) -> None:
        """Until an empty input line is the last on the screen: a line entered earlier would stay unsent."""
        end = time.monotonic() + DEADLINE
        while not f"\n{self.text}".rstrip().endswith("\n>"):
            assert time.monotonic() < end, f"no prompt in:\n{self.text}"
            self.read(0.2)

    def wait_for_end(self) -> int:
        assert self.process
        end = time.monotonic() + DEADLINE
        while self.process.poll() is None:
            assert time.monotonic() < end, f"still runs:\n{self.text}"
            self.read(0.05)
        while self.read(0):
            pass
        return self.process.returncode

    def hang_up(self) -> None:
        os.close(self.slave)
        os.close(self.master)
        self.master = self.slave = -1

    def close(self) -> None:
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        for fd in (self.master, self.slave):
            if fd >= 0:
                os.close(fd)


@contextmanager
def terminal(
    *arguments: str,
    columns: int = 80,
    rows: int = 24,
    environ: Mapping[str, str] | None = None,
    own: bool = True,
) -> Iterator[Terminal]:
    """A terminal in which `python -m ARGUMENTS` runs in an empty home; `own`: it is its controlling one."""
    opened = Terminal(columns, rows)
    with TemporaryDirectory() as home:
        try:
            opened.start(
                arguments, {"HOME": home, "XDG_STATE_HOME": f"{home}/state", **(environ or {})}, own=own
            )
            yield opened
        finally:
            opened.close()
