"""Git is run bounded, silent and to its end, or ended with all that it started."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import anyio
import pytest

from orchestrator.pipelines.git import Git, GitFailed, clean
from orchestrator.pipelines.turns import alone
from tests.orchestrator.life import gone, group
from tests.orchestrator.pipelines.parts import Checkout, script


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in git's place, to be written."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    return tmp_path / "bin" / "git"


def test_the_environment_is_ours() -> None:
    given = {
        "GIT_DIR": "/x",
        "GIT_CONFIG_COUNT": "1",
        "GIT_SSH_COMMAND": "x",
        "HOME": "/h",
        "PATH": "/a::.:b:/c",
    }
    kept = clean(given)
    assert (kept["HOME"], kept["PATH"], kept["LC_ALL"], kept["GIT_TERMINAL_PROMPT"]) == (
        "/h",
        "/a:/c",
        "C",
        "0",
    )
    assert not kept.keys() & given.keys() - {"HOME", "PATH"}


async def test_git_cannot_ask(fake: Path, tmp_path: Path) -> None:
    script(fake, 'read line && echo "read $line"; echo end')
    assert await Git(tmp_path).line("x") == "end"


async def test_what_git_reads_can_be_long(person: Checkout) -> None:
    data = os.urandom(1 << 20)
    name = await Git(person.folder).line("hash-object", "-w", "--stdin", feed=data)
    assert await Git(person.folder).out("cat-file", "blob", name) == data


async def test_a_git_that_reads_nothing_is_no_hindrance(fake: Path, tmp_path: Path) -> None:
    script(fake, "exit 3")
    assert (await Git(tmp_path).run("x", feed=b"x" * (1 << 20))).code == 3


async def test_a_git_that_writes_without_end_is_ended(fake: Path, tmp_path: Path) -> None:
    script(fake, "yes; yes >&2")
    ran = await Git(tmp_path).run("x", limit=1000)
    assert (ran.cut, len(ran.out)) == (True, 1000)
    with pytest.raises(GitFailed, match="it wrote more than 64 MiB"):
        await Git(tmp_path).out("x")


async def test_what_git_says_is_told_and_bounded(fake: Path, tmp_path: Path) -> None:
    script(fake, "yes no | head -c 1000000 >&2; exit 128")
    ran = await Git(tmp_path).run("x")
    assert (ran.code, len(ran.words)) == (128, 64 << 10)
    with pytest.raises(GitFailed, match=f"git x in {tmp_path} failed: no\nno"):
        await Git(tmp_path).out("x")


async def test_a_silent_failure_has_a_number(fake: Path, tmp_path: Path) -> None:
    script(fake, "exit 7")
    with pytest.raises(GitFailed, match="failed: exit code 7"):
        await Git(tmp_path).out("x")


async def test_a_git_that_cannot_be_started_is_told(tmp_path: Path) -> None:
    with pytest.raises(GitFailed, match="cannot be started in"):
        await Git(tmp_path / "nowhere").out("status")
    with pytest.raises(GitFailed, match="null byte"):
        await Git(tmp_path).out("a\0b")


async def test_a_cancelled_git_ends_with_what_it_started(fake: Path, tmp_path: Path) -> None:
    deaf = "(trap '' TERM; touch begun; exec sleep 1000)"
    script(fake, f"echo $$ > group; trap 'echo > {tmp_path}/tidied; exit' TERM; {deaf} & wait")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(Git(tmp_path).run, "x")
        while not (tmp_path / "begun").exists():  # noqa: ASYNC110 - a shell sets no event
            await anyio.sleep(0.01)
        tasks.cancel_scope.cancel()
    assert (tmp_path / "tidied").exists()
    await gone(*group(int((tmp_path / "group").read_text())))


KILLED = """
import anyio, sys
from pathlib import Path
from orchestrator.pipelines.git import Git
anyio.run(Git(Path(sys.argv[1]), presence=Path(sys.argv[2])).run, "x")
"""


async def test_a_git_that_outlives_mm_is_waited_for(fake: Path, tmp_path: Path) -> None:
    script(fake, f"mkfifo {tmp_path}/pipe; touch begun; read x < {tmp_path}/pipe; echo > ended")
    async with await anyio.open_process(
        [sys.executable, "-c", KILLED, tmp_path, tmp_path / "presence"]
    ) as mm:
        while not (tmp_path / "begun").exists():  # noqa: ASYNC110 - a shell sets no event
            await anyio.sleep(0.01)
        mm.kill()
        await mm.wait()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(alone, tmp_path / "presence")
        with anyio.move_on_after(0.2):
            await alone(tmp_path / "presence")
            pytest.fail("nobody was waited for")
        assert not (tmp_path / "ended").exists()
        (tmp_path / "pipe").write_text("go\n")
    assert (tmp_path / "ended").exists()
