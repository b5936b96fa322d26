"""Byte streams over real descriptors and real processes."""

import os
import pty
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Any

import anyio
import pytest
from anyio.abc import Process
from anyio.streams.stapled import StapledByteStream

from orchestrator.acp.frames import FRAME_LIMIT
from orchestrator.acp.streams import FdStream
from orchestrator.acp.wire import ConnectionLost
from tests.orchestrator.acp.peers import Side, pipes
from tests.orchestrator.parts import DEADLINE, running

ROOT = Path(__file__).parents[3]
AGENT = [sys.executable, "-m", "tests.orchestrator.acp.echo_agent"]
INITIALIZE = b'{"jsonrpc":"2.0","id":0,"method":"echo","params":{"hello":1}}'
ANSWER = b'{"jsonrpc":"2.0","id":0,"result":{"hello":1}}\n'


@asynccontextmanager
async def child(*command: str) -> AsyncIterator[tuple[Side, Process]]:
    """A client of a real process."""
    async with await anyio.open_process(command, cwd=ROOT) as process, running() as tasks:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Side(tasks, StapledByteStream(process.stdin, process.stdout), "client"), process
        if process.returncode is None:
            process.kill()


def run_agent(stdin: IO[bytes] | bytes, stdout: int = subprocess.PIPE) -> subprocess.CompletedProcess[bytes]:
    given: dict[str, Any] = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}
    return subprocess.run(
        AGENT, cwd=ROOT, stdout=stdout, stderr=subprocess.PIPE, timeout=DEADLINE, check=True, **given
    )


async def test_what_one_end_sends_the_other_receives_until_the_end() -> None:
    here, there = pipes()
    with anyio.fail_after(DEADLINE):
        async with here, there:
            await here.send(b"abc")
            assert await there.receive(2) == b"ab"
            assert await there.receive() == b"c"
            await here.send_eof()
            with pytest.raises(anyio.EndOfStream):
                await there.receive()
            await there.send(b"still open")
            assert await here.receive() == b"still open"


async def test_a_stream_that_nobody_reads_breaks() -> None:
    here, there = pipes()
    async with here:
        await there.aclose()
        with pytest.raises(anyio.BrokenResourceError):
            await here.send(b"abc")


async def test_a_closed_stream_says_so_and_its_descriptors_are_let_go() -> None:
    here, there = pipes()
    async with there, anyio.create_task_group() as tasks:

        async def receive() -> None:
            with pytest.raises(anyio.ClosedResourceError):
                await here.receive()

        tasks.start_soon(receive)
        await anyio.wait_all_tasks_blocked()
        await here.aclose()
        await here.aclose()
        with pytest.raises(anyio.ClosedResourceError):
            await here.send(b"abc")
        with pytest.raises(OSError, match="descriptor"):
            os.fstat(here._reading)


async def test_waiting_uses_no_thread_and_can_be_cancelled() -> None:
    here, there = pipes()
    async with here, there:
        before = threading.active_count()
        with anyio.move_on_after(0.05) as reading:
            await here.receive()
        with anyio.move_on_after(0.05) as writing:
            await here.send(b"A" * 1_000_000)
        assert reading.cancelled_caught
        assert writing.cancelled_caught
        assert threading.active_count() == before


async def test_files_and_the_null_device_are_read_and_written_directly(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"abc")
    async with FdStream(os.open(file, os.O_RDONLY), os.open(tmp_path / "out", os.O_CREAT | os.O_WRONLY)) as s:
        assert await s.receive() == b"abc"
        with pytest.raises(anyio.EndOfStream):
            await s.receive()
        await s.send(b"x" * 100_000)
    assert (tmp_path / "out").stat().st_size == 100_000
    async with FdStream(os.open(os.devnull, os.O_RDONLY), os.open(os.devnull, os.O_WRONLY)) as null:
        await null.send(b"x")
        with pytest.raises(anyio.EndOfStream):
            await null.receive()


async def test_a_terminal_that_hangs_up_is_the_end() -> None:
    master, terminal = pty.openpty()
    async with FdStream(terminal, os.dup(terminal)) as stream:
        os.write(master, b"line\n")
        assert await stream.receive() == b"line\n"
        assert os.get_blocking(terminal)
        os.close(master)
        with pytest.raises((anyio.EndOfStream, anyio.BrokenResourceError)):
            await stream.receive()


def test_O_j1_stdout_carries_protocol_only() -> None:
    result = run_agent(
        INITIALIZE + b"\r\n\n" + INITIALIZE.replace(b":0,", b":1,")
    )  # the last without newline
    assert sorted(result.stdout.splitlines(keepends=True)) == [ANSWER, ANSWER.replace(b":0,", b":1,")]
    assert result.stderr.count(b"a stray print") == result.stderr.count(b"from a hook") == 2


def test_the_protocol_over_files_and_without_input(tmp_path: Path) -> None:
    asked, answered = tmp_path / "asked", tmp_path / "answered"
    asked.write_bytes(INITIALIZE)
    with asked.open("rb") as stdin, answered.open("wb") as stdout:
        run_agent(stdin, stdout.fileno())
    assert answered.read_bytes() == ANSWER
    with Path(os.devnull).open("rb") as nothing:
        assert run_agent(nothing).stdout == b""


async def test_a_child_is_asked_over_its_pipes() -> None:
    async with child(*AGENT) as (side, process):
        assert await side.wire.request("echo", {"text": "é"}) == {"text": "é"}
        sent = {"text": "A" * (FRAME_LIMIT - 100)}
        assert await side.wire.request("echo", sent) == sent
        assert process.returncode is None


async def test_a_child_ends_when_its_stdin_closes() -> None:
    async with child(*AGENT) as (side, process):
        await side.wire.request("echo", {})
        assert process.stdin is not None
        await process.stdin.aclose()
        assert await process.wait() == 0
        await side.until("connection ends")


@pytest.mark.parametrize(
    "script",
    [
        'read line; printf \'%s\' \'{"jsonrpc":"2.0","id":1,"resu\'; kill -9 $$',
        "read line; exit 1",
        "read line; exec >&-; sleep 60",
        "exec <&-; sleep 0.1; exit 0",
    ],
)
async def test_O_j5_a_child_that_goes_fails_what_waits_for_it_at_once(script: str) -> None:
    async with child("sh", "-c", script) as (side, _):
        with pytest.raises(ConnectionLost), anyio.fail_after(20):
            await side.wire.request("m", {"text": "A" * 100_000})
        with pytest.raises(ConnectionLost):
            await side.wire.request("m", {})


async def test_O_j3_a_child_that_writes_byte_by_byte_is_understood() -> None:
    code = (
        "import os, sys; sys.stdin.readline()\n"
        'frame = \'{"jsonrpc":"2.0","id":1,"result":"é漢🔐/tmp/é"}\\n\'.encode()\n'
        "for byte in frame: os.write(1, bytes([byte]))\n"
        "sys.stdin.readline()"
    )
    async with child(sys.executable, "-c", code) as (side, _):
        assert await side.wire.request("m", {}) == "é漢🔐/tmp/é"
