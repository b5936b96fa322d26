"""Starts programs so that nothing is left running, whatever end this process finds.

Each program leads a session and a process group of its own, with a watcher in it (`orchestrator.lifeline`)
that ends the group when this process is gone, also after SIGKILL. What leaves the group on purpose
(`setsid`, daemons, `timeout` inside a longer command) is out of reach. Knows no protocol.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from io import FileIO
from pathlib import Path
from subprocess import PIPE
from typing import TypeVar

from anyio import CancelScope, ClosedResourceError, move_on_after, open_process, wait_readable
from anyio.abc import ByteReceiveStream, ByteSendStream, Process

LIFELINE = str(Path(__file__).with_name("lifeline.py"))

GRACE = 1.0
"""Seconds between SIGTERM and SIGKILL for a program that still runs when its context is left."""

REAP = 5.0
"""Seconds for the kernel to hand over a killed program; it cannot while the program hangs in a device."""


Stream = TypeVar("Stream", ByteSendStream, ByteReceiveStream)


class NotStarted(Exception):
    """The program could not be started. The message says which and why."""


class Started:
    """A running program: its pid, its ends of the pipes, its end."""

    def __init__(self, process: Process, lifeline: FileIO) -> None:
        self._process = process
        self._lifeline = lifeline

    @property
    def pid(self) -> int:
        """The program's process id, which is also the number of its group."""
        return self._process.pid

    @property
    def stdin(self) -> ByteSendStream:
        """What the program reads; raises ClosedResourceError unless it was started with PIPE."""
        return _opened(self._process.stdin)

    @property
    def stdout(self) -> ByteReceiveStream:
        """What the program writes."""
        return _opened(self._process.stdout)

    @property
    def stderr(self) -> ByteReceiveStream:
        """Its complaints; raises ClosedResourceError unless it was started with PIPE."""
        return _opened(self._process.stderr)

    async def wait(self) -> int:
        """Wait for the program itself, not its group: the exit code, or minus the signal that ended it."""
        return await self._process.wait()

    async def end(self, grace: float) -> None:
        """End the program and its group: close stdin, then SIGTERM, then SIGKILL to the group.

        `grace` is the number of seconds that the program has after each of the first two.
        """
        if self._process.stdin:
            await self._process.stdin.aclose()
            await self._gone_within(grace)
        await self._stop(grace)

    async def _stop(self, grace: float) -> None:
        if self._process.returncode is None:
            self._signal(signal.SIGTERM)
            await self._gone_within(grace)
        self._signal(signal.SIGKILL)

    async def _gone_within(self, seconds: float) -> None:
        with move_on_after(seconds):
            await self._process.wait()

    def _signal(self, number: signal.Signals) -> None:
        # The group's number is ours as long as anything in the group lives or is unreaped: the system gives
        # it to nobody else before. That is so while the leader is unreaped, and afterwards while the watcher
        # lives, which ends only with the group.
        if self._process.returncode is None or self._watched():
            with suppress(ProcessLookupError, PermissionError):  # macOS refuses when only zombies are left
                os.killpg(self.pid, number)

    def _watched(self) -> bool:
        try:
            self._lifeline.write(b" ")  # nothing to the watcher, who waits for a line; impossible without one
        except BrokenPipeError:
            return False
        return True

    async def close(self) -> None:
        """What leaving the context does: end the whole group, reap the program, close the pipes."""
        with CancelScope(shield=True):
            await self._stop(GRACE)
            await self._gone_within(REAP)
            if self._process.returncode is not None:
                await self._process.aclose()


@asynccontextmanager
async def start(
    argv: Sequence[str], *, cwd: Path, environ: Mapping[str, str], stdin: int = PIPE, stderr: int = PIPE
) -> AsyncIterator[Started]:
    """Run a program in `cwd` with exactly `environ`; leaving the context ends it and all of its group.

    `argv[0]` is looked up on the PATH of `environ`. `stdin` is PIPE or DEVNULL, `stderr` PIPE, STDOUT (into
    stdout, in order) or DEVNULL. Raises NotStarted.
    """
    with _pipe() as (lifeline, alive), _pipe() as (report, reporter):
        started = Started(await _spawn(argv, cwd, environ, stdin, stderr, (lifeline, reporter)), alive)
        try:
            lifeline.close()
            reporter.close()
            await _executed(argv[0], report)
            yield started
        finally:
            await started.close()


async def _spawn(
    argv: Sequence[str],
    cwd: Path,
    environ: Mapping[str, str],
    stdin: int,
    stderr: int,
    pipes: tuple[FileIO, FileIO],
) -> Process:
    descriptors = [pipe.fileno() for pipe in pipes]
    python = [sys.executable, "-I", "-S", "-X", "utf8", LIFELINE]
    try:
        return await open_process(
            [*python, *map(str, descriptors), environ.get("LC_CTYPE", ""), *argv],
            stdin=stdin,
            stderr=stderr,
            cwd=cwd,
            env=environ,
            start_new_session=True,
            pass_fds=descriptors,
        )
    except OSError as error:
        where = f" in {cwd}" if str(error.filename) == str(cwd) else ""
        raise NotStarted(f"cannot start {argv[0]}{where}: {error.strerror}") from error
    except ValueError as error:  # NUL or lone surrogates in an argument or in the environment
        raise NotStarted(f"cannot start {argv[0]}: {error}") from error


async def _executed(program: str, report: FileIO) -> None:
    await wait_readable(report)
    if why := report.read():
        raise NotStarted(f"cannot start {program}: {why.decode()}")


@contextmanager
def _pipe() -> Iterator[tuple[FileIO, FileIO]]:
    """A pipe that no other program inherits: Python closes both ends in what it starts."""
    reader, writer = os.pipe()
    with FileIO(reader, "r") as reading, FileIO(writer, "w") as writing:
        yield reading, writing


def _opened(stream: Stream | None) -> Stream:
    if stream is None:
        raise ClosedResourceError
    return stream
