"""A person at a terminal: a real process on a real pseudo-terminal, typed to and looked at."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import termios
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from typing import Any, Self

import pyte

from tests.walks.processes import PROC, Running, until

KEYS = {"enter": b"\r", "escape": b"\x1b", "ctrl-c": b"\x03", "ctrl-d": b"\x04", "space": b" "}
CONTROL = re.compile(
    rb"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # operating system commands
    rb"|\x1b\[[0-?]*[ -/]*[@-~]"  # control sequences
    rb"|\x1b[()][0-9A-B]|\x1b[=>78]"
)
INVITATION = "or s, then Enter"
LOCK = "🔐"
PASTES_ON, PASTES_OFF = b"\x1b[?2004h", b"\x1b[?2004l"
MARK = b"\x1b]0;all read\x07"  # drawn by nothing, and written by nobody else
OWN_TTY = 'tty=$1; shift; exec "$@" <>"$tty" >&0 2>&1'  # the first terminal that a session opens is its own


class Terminal(Running):
    """`mm` at a terminal. What `sees` looks at begins where the person last typed."""

    def __init__(
        self, argv: Sequence[str], environ: Mapping[str, str], folder: Path, size: tuple[int, int]
    ) -> None:
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._fed = 0
        self._master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (size[1], size[0]))
        self.fresh = termios.tcgetattr(slave)
        self._raw = b""
        self._seen = 0
        self._line = 0
        process = subprocess.Popen(
            ["/bin/sh", "-c", OWN_TTY, "sh", os.ttyname(slave), *argv],
            env=dict(environ),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        super().__init__(process)
        self._slave = slave
        self._bell = os.pipe()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self.hangs_up()

    def _read(self) -> None:
        """Collect the output. A blocked read would keep the terminal open, so the bell ends the wait."""
        while self._bell[0] not in select.select([self._master, self._bell[0]], [], [])[0]:
            try:
                self._raw += os.read(self._master, 65536)
            except OSError:
                return

    def _text(self, start: int = 0) -> str:
        """What was written, in the order of writing, without control sequences, blanks made even."""
        return " ".join(CONTROL.sub(b"", self._raw[start:]).decode(errors="replace").split())

    def screen(self) -> list[str]:
        """What a person sees now."""
        new = self._raw[self._fed :]
        self._fed += len(new)
        self._stream.feed(new)
        return list(self._screen.display)

    def written(self) -> bytes:
        """What was written since the person typed the last line, up to the next prompt."""
        taken = self._raw[self._line :].partition(PASTES_OFF)[2]
        return taken.partition(b"\r\n")[2].rpartition(PASTES_ON)[0]

    def _report(self, what: str) -> str:
        screen = "\n".join(line.rstrip() for line in self.screen()).rstrip()
        return f"{what}\n--- screen\n{screen}\n--- raw tail\n{self._raw[-2000:]!r}"

    def sees(self, *texts: str) -> Self:
        """Wait until each of `texts` was written since the person last typed."""
        for text in texts:
            self._waits_for(" ".join(text.split()))
        return self

    def _waits_for(self, text: str) -> None:
        """Wait until `text` was written, at most until nothing more can come."""
        until(lambda: text in self._text(self._seen) or not self._reader.is_alive())
        assert text in self._text(self._seen), self._report(f"never saw {text!r}")

    def shown(self) -> str:
        """All that was written in the whole run, with the bells."""
        return self._text()

    def shows(self, text: str) -> Self:
        """Wait until `text` stands on the screen, in one row."""
        shown = until(lambda: any(text in row for row in self.screen()))
        assert shown, self._report(f"never showed {text!r}")
        return self

    def from_now(self) -> Self:
        """What `sees` looks at begins here."""
        self._seen = len(self._raw)
        return self

    def never_saw(self, text: str) -> Self:
        """Nothing of the whole run holds `text`."""
        assert text not in self._text(), self._report(f"saw {text!r}")
        return self

    def whole(self) -> str:
        """All that was written in the whole run, as `sees` sees it."""
        return self._text()

    def wrote(self, data: bytes) -> bool:
        """Whether these very bytes were written."""
        return data in self._raw

    def count(self, text: str) -> int:
        """How often `text` was written in the whole run."""
        return self._text().count(text)

    def sends(self, data: bytes) -> Self:
        """Send bytes, as a keyboard would."""
        self._seen = len(self._raw)
        os.write(self._master, data)
        return self

    def types(self, text: str) -> Self:
        """Type a line and press Enter, once the program waits for one."""
        return self.enters(text.encode() + b"\r")

    def enters(self, data: bytes) -> Self:
        """Send bytes that begin with a line and its Enter, once the program waits for one."""
        self.waits_for_prompt()
        self._line = len(self._raw)
        return self.sends(data)

    def waits_for_prompt(self) -> Self:
        """Wait until the program waits for a line, after it has taken the one before."""
        until(lambda: self.at_prompt or not self._reader.is_alive())
        assert self.at_prompt, self._report("no prompt")
        return self

    @property
    def at_prompt(self) -> bool:
        """Whether a line is edited: its editor has switched on once more what mm itself keeps on."""
        taken = PASTES_OFF in self._raw[self._line :] or not self._line
        return taken and self._raw.rpartition(PASTES_OFF)[2].count(PASTES_ON) == 2

    @property
    def echoes(self) -> bool:
        """Whether the terminal itself draws what is typed."""
        return bool(self.settings[3] & termios.ECHO)

    @property
    def settings(self) -> list[Any]:
        """How the terminal is set, as termios gives it."""
        return termios.tcgetattr(self._slave)

    def presses(self, key: str) -> Self:
        """Press one key."""
        return self.sends(KEYS[key])

    def answers(self, digit: str) -> Self:
        """Answer the question on the screen, once it says that answers count."""
        self.sees(INVITATION)
        return self.sends(digit.encode() + b"\r")

    def next_question(self) -> str:
        """Wait until a question invites an answer, and give its text; empty if mm waits for a line."""
        until(lambda: self._invites() or self.at_prompt or not self._reader.is_alive())
        assert self._invites() or self.at_prompt, self._report("neither a question nor a prompt")
        return self._text(self._seen).rpartition(LOCK)[2] if self._invites() else ""

    def _invites(self) -> bool:
        return self.holds(INVITATION)

    def holds(self, text: str) -> bool:
        """Whether `text` was written since the person last typed."""
        return " ".join(text.split()) in self._text(self._seen)

    @contextmanager
    def stands_still(self) -> Iterator[Self]:
        """Stop the program, all that it wrote being read: what is sent now is sent after exactly that."""
        self.kills(SIGSTOP)
        until(lambda: (PROC / str(self.pid) / "stat").read_text().rpartition(")")[2].split()[0] == "T")
        marks = self._raw.count(MARK)
        os.write(self._slave, MARK)
        until(lambda: self._raw.count(MARK) > marks)
        yield self
        self.kills(SIGCONT)

    def takes_nothing(self) -> Self:
        """Stop the flow, as Ctrl-S does."""
        termios.tcflow(self._slave, termios.TCOOFF)
        return self

    def takes_again(self) -> Self:
        """Let it flow again, as Ctrl-Q does."""
        termios.tcflow(self._slave, termios.TCOON)
        return self

    def clears_the_line(self) -> Self:
        """Press Ctrl-C at the prompt, and wait for the next one."""
        self.waits_for_prompt()
        self._line = len(self._raw)
        return self.presses("ctrl-c").waits_for_prompt()

    def input_line(self) -> list[str]:
        """What stands in the input line, row by row, once the program waits for one."""
        self.waits_for_prompt()
        rows = [row.rstrip() for row in self.screen()]
        start = max(number for number, row in enumerate(rows) if row.startswith(">"))
        return "\n".join(rows[start:]).rstrip("\n").split("\n")

    def hangs_up(self) -> Self:
        """Close the terminal, as a closed window does."""
        if self._reader.is_alive():
            os.write(self._bell[1], b"!")
            self._reader.join()
            for end in (self._slave, self._master, *self._bell):
                os.close(end)
        return self
