"""Programs end with whoever started them, however that ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from subprocess import DEVNULL, STDOUT

import anyio
import pytest
from anyio.abc import ByteReceiveStream

from orchestrator.processes import NotStarted, Started, start
from tests.orchestrator.life import alive, gone, group

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PATH = {"PATH": os.environ["PATH"]}

BACKGROUND = "sleep 1000 & echo $$ $!"
WAITING = f"{BACKGROUND}; wait"
STUBBORN = "trap '' TERM; sleep 1000 & echo $$ $!; while :; do sleep 1; done"


@asynccontextmanager
async def run(*argv: str, cwd: Path = HERE, environ: Mapping[str, str] = PATH) -> AsyncIterator[Started]:
    """A program, and a generous deadline for all that happens to it."""
    with anyio.fail_after(30):
        async with start(argv, cwd=cwd, environ=environ) as process:
            yield process


async def line(stream: ByteReceiveStream) -> str:
    """The next line; fails when there is none in time."""
    text = b""
    with anyio.fail_after(20):
        while not text.endswith(b"\n"):
            text += await stream.receive(1)
    return text.decode()


async def pids(process: Started) -> list[int]:
    return [int(pid) for pid in (await line(process.stdout)).split()]


async def everything(stream: ByteReceiveStream) -> bytes:
    with anyio.fail_after(20):
        return b"".join([chunk async for chunk in stream])


async def run_python(code: str, environ: dict[str, str] = PATH) -> object:
    """What a Python program prints, which must be JSON."""
    argv = [sys.executable, "-I", "-c", code]
    async with run(*argv, environ=environ) as process:
        return json.loads(await everything(process.stdout))


@contextmanager
def holder(*argv: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, str(HERE / "holder.py"), *argv]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environ) as process:
        try:
            yield process
        finally:
            process.kill()


def held(process: subprocess.Popen[bytes]) -> list[int]:
    assert process.stdout is not None
    found = [int(pid) for pid in process.stdout.readline().split()]
    assert found, "the holder started nothing"
    return found


class TestWhatAProgramGets:
    async def test_exactly_the_environment_given_odd_names_included(self) -> None:
        environ = {**PATH, "a.b": "1", "BASH_FUNC_f%%": "() { :; }", "LATIN": "\udce9"}
        async with run("env", "-0", environ=environ) as process:
            lines = (await everything(process.stdout)).split(b"\0")
        assert sorted(lines) == sorted([b"", *(os.fsencode(f"{k}={v}") for k, v in environ.items())])

    async def test_its_own_language_setting(self) -> None:
        async with run("env", environ={**PATH, "LC_CTYPE": "C"}) as process:
            assert b"LC_CTYPE=C\n" in await everything(process.stdout)

    async def test_its_arguments_byte_for_byte(self) -> None:
        arguments = ["", "-c", "é漢\U0001f600", "\udcff", "a\nb", "--"]
        async with run("printf", "%s\\0", "x", *arguments) as process:
            assert await everything(process.stdout) == os.fsencode("\0".join(["x", *arguments, ""]))

    async def test_the_folder(self) -> None:
        async with run("pwd", cwd=ROOT) as process:
            assert await line(process.stdout) == f"{ROOT}\n"

    async def test_a_session_and_a_group_of_its_own_that_it_leads(self) -> None:
        async with run("cat") as process:
            assert os.getsid(process.pid) == os.getpgid(process.pid) == process.pid

    async def test_no_ignored_signal(self) -> None:
        """But those that Python itself ignores."""
        code = """import json, signal as s
ignored = [n.name for n in s.valid_signals() if s.getsignal(n) is s.SIG_IGN]
print(json.dumps(sorted(set(ignored) - {"SIGPIPE", "SIGXFSZ"})))"""
        assert await run_python(code) == []

    async def test_a_broken_pipe_ends_it_as_usual(self) -> None:
        command = ["bash", "-c", "yes | head -1 >/dev/null; echo ${PIPESTATUS[0]}"]
        async with run(*command) as process:
            assert await line(process.stdout) == f"{128 + signal.SIGPIPE}\n"

    async def test_no_child_that_it_did_not_start(self) -> None:
        code = "import os\ntry: print(os.wait()[0])\nexcept ChildProcessError: print('null')"
        assert await run_python(code) is None

    async def test_no_open_files_but_the_three_also_when_many_start_at_once(self) -> None:
        code = """import json, os
def is_open(n):
    try: return bool(os.fstat(n))
    except OSError: return False
print(json.dumps([n for n in range(256) if is_open(n)]))"""
        found = []

        async def look() -> None:
            found.append(await run_python(code))

        async with anyio.create_task_group() as tasks:
            for _ in range(20):
                tasks.start_soon(look)
        assert found == [[0, 1, 2]] * 20

    async def test_an_empty_input_and_its_complaints_among_its_output_on_demand(self) -> None:
        argv = ["sh", "-c", "echo a; cat; echo b >&2; echo c"]
        async with start(argv, cwd=HERE, environ=PATH, stdin=DEVNULL, stderr=STDOUT) as process:
            assert await everything(process.stdout) == b"a\nb\nc\n"
            for stream in ("stdin", "stderr"):
                with pytest.raises(anyio.ClosedResourceError):
                    getattr(process, stream)


class TestStarting:
    @pytest.mark.parametrize(
        ("program", "why"),
        [
            ("no-such-program", "cannot start no-such-program: it is not found; install it"),
            ("/no/such/program", "it is not found"),
            (str(HERE), "Permission denied"),
            (__file__, "Permission denied"),
            ("", "cannot be empty"),
            ("a\0b", "embedded null byte"),
            ("a\ud800b", "surrogates not allowed"),
        ],
    )
    async def test_says_which_program_cannot_start_and_why(self, program: str, why: str) -> None:
        with pytest.raises(NotStarted) as caught:
            async with run(program):
                pytest.fail("it started")
        assert why in str(caught.value)

    async def test_says_that_the_folder_is_gone(self, tmp_path: Path) -> None:
        gone_folder = tmp_path / "gone"
        with pytest.raises(NotStarted, match=f"cannot start cat in {gone_folder}: No such file"):
            async with run("cat", cwd=gone_folder):
                pytest.fail("it started")

    async def test_looks_on_the_path_that_the_program_gets(self, tmp_path: Path) -> None:
        (tmp_path / "only-here").symlink_to("/bin/sh")
        argv = ["only-here", "-c", "echo found"]
        async with run(*argv, environ={"PATH": str(tmp_path)}) as process:
            assert await line(process.stdout) == "found\n"
        with pytest.raises(NotStarted):
            async with run(*argv):
                pytest.fail("it started")

    @pytest.mark.parametrize("code", [126, 127])
    async def test_is_no_failure_when_a_program_ends_with_the_codes_of_a_shell(self, code: int) -> None:
        async with run("sh", "-c", f"exit {code}") as process:
            assert await process.wait() == code


class TestEnding:
    async def test_a_polite_program_ends_at_the_end_of_its_input(self) -> None:
        async with run("cat") as process:
            await process.end(20)
            assert await process.wait() == 0

    async def test_one_that_ignores_it_gets_sigterm(self) -> None:
        async with run("sleep", "1000") as process:
            await process.end(0.1)
            assert await process.wait() == -signal.SIGTERM

    async def test_one_that_ignores_that_too_is_killed_with_its_group(self) -> None:
        async with run("sh", "-c", STUBBORN) as process:
            found = await pids(process)
            await process.end(0.1)
            assert await process.wait() == -signal.SIGKILL
            await gone(*found)

    async def test_leaving_the_context_ends_a_program_that_runs(self) -> None:
        async with run("sh", "-c", STUBBORN) as process:
            found = await pids(process)
        await gone(*found)

    async def test_leaving_the_context_ends_what_an_ended_program_left_behind(self) -> None:
        async with run("sh", "-c", BACKGROUND) as process:
            leader, background = await pids(process)
            assert await process.wait() == 0
            assert alive(background)
        await gone(leader, background)

    async def test_what_an_ended_program_left_behind_can_be_ended_at_once(self) -> None:
        async with run("sh", "-c", f"trap '' TERM; {BACKGROUND}") as process:
            found = await pids(process)
            await process.end(20)
            await gone(*found)

    async def test_the_watcher_ends_too(self) -> None:
        async with run("cat") as process:
            members = group(process.pid)
            assert len(members) == 2
        await gone(*members)

    async def test_an_exception_ends_it(self) -> None:
        found: list[int] = []

        async def fail() -> None:
            async with run("sh", "-c", STUBBORN) as process:
                found.extend(await pids(process))
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await fail()
        await gone(*found)

    async def test_cancelling_in_the_middle_of_output_ends_it(self) -> None:
        """When the cancelled code is left the program is gone, not about to go."""
        found: list[int] = []
        with anyio.CancelScope() as scope:
            async with run("sh", "-c", "trap '' TERM; echo $$; exec yes") as process:
                found += await pids(process)
                async for _ in process.stdout:
                    scope.cancel()
        assert scope.cancelled_caught
        assert not any(map(alive, found))

    async def test_nobody_is_signalled_once_the_group_is_gone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        async with run("sh", "-c", "kill -KILL 0") as process:
            assert await process.wait() == -signal.SIGKILL
            await gone(*group(process.pid))
            monkeypatch.setattr(os, "killpg", lambda *_: pytest.fail("that number may be somebody else's"))

    async def test_the_program_can_be_closed_while_it_hangs_on_output_that_nobody_reads(self) -> None:
        with anyio.fail_after(30):
            async with run("yes") as process:
                await process.end(0.1)
                assert process.pid not in group(process.pid)


class TestADeadStarter:
    @pytest.mark.parametrize("script", [WAITING, STUBBORN, BACKGROUND])
    async def test_killed_it_takes_program_and_background_along(self, script: str) -> None:
        """O-e2; the last script's leader has ended when its starter is killed."""
        with holder("sh", "-c", script) as process:
            found = held(process)
            members = group(found[0])
            process.send_signal(signal.SIGKILL)
            await gone(*found, *members)

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
    async def test_ended_by_a_signal_it_does_the_same(self, number: signal.Signals) -> None:
        with holder("sh", "-c", WAITING) as process:
            found = held(process)
            process.send_signal(number)
            await gone(*found)

    async def test_is_noticed_also_after_the_program_signalled_its_own_group(self) -> None:
        shots = "; ".join(
            f"trap '' {name}; kill -{name} 0" for name in ("HUP", "INT", "QUIT", "TERM", "USR1")
        )
        with holder("sh", "-c", f"{shots}; {STUBBORN}") as process:
            found = held(process)
            process.kill()
            await gone(*found)

    async def test_takes_nobody_elses_program_along(self) -> None:
        with ExitStack() as stack:
            holders = [stack.enter_context(holder("sh", "-c", WAITING)) for _ in range(3)]
            families = [held(process) for process in holders]
            holders[1].kill()
            await gone(*families[1])
            assert all(alive(pid) for pid in families[0] + families[2])


class TestMany:
    async def test_twenty_started_at_once_end_in_any_order_each_alone(self) -> None:
        started: list[tuple[AsyncExitStack, list[int]]] = []

        async def launch() -> None:
            stack = AsyncExitStack()
            argv = ["sh", "-c", WAITING]
            process = await stack.enter_async_context(start(argv, cwd=HERE, environ=PATH))
            started.append((stack, await pids(process)))

        with anyio.fail_after(30):
            async with anyio.create_task_group() as tasks:
                for _ in range(20):
                    tasks.start_soon(launch)
        for third in (started[1::3], started[::3], started[2::3]):
            for stack, family in third:
                started.remove((stack, family))
                await stack.aclose()
                await gone(*family)
            assert all(alive(pid) for _, family in started for pid in family)
