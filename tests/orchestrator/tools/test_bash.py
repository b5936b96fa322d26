"""The shell runs what was shown, and nothing of it outlives it."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from signal import strsignal

import anyio
import pytest

from consent.call import Command, Doubt, Tier, Unrunnable
from consent.key import Kind
from orchestrator.tools.base import Outcome, Workplace, call_of
from orchestrator.tools.bash import bash_tool
from orchestrator.words.shown import LONGEST
from tests.orchestrator.life import alive, gone
from tests.orchestrator.tools.conftest import Use

BASH = bash_tool()


def numbers(outcome: Outcome) -> list[int]:
    found = [int(text) for text in re.findall(r"\d+", outcome.text.splitlines()[0])]
    assert found, outcome.text
    return found


class TestLook:
    def test_shows_the_command_as_it_runs(self, place: Workplace) -> None:
        seen = BASH.look({"command": "rm x \u202e"}, place)
        assert (seen.detail, seen.tier, seen.unrunnable) == (Command("rm x \u202e"), Tier.EXEC, None)
        assert BASH.kind is Kind.EXECUTE

    @pytest.mark.parametrize("command", ["a\0b", "ls\x7f", "\ud800"])
    def test_finds_what_cannot_run_as_shown(self, place: Workplace, command: str) -> None:
        assert BASH.look({"command": command}, place).unrunnable is Unrunnable.HIDDEN_CHARACTERS

    @pytest.mark.parametrize(("length", "doubts"), [(LONGEST, ()), (LONGEST + 1, (Doubt.TOO_LONG,))])
    def test_doubts_a_command_that_is_longer_than_a_person_can_read(
        self, place: Workplace, length: int, doubts: tuple[Doubt, ...]
    ) -> None:
        seen = BASH.look({"command": "l" * length}, place)
        assert call_of(BASH, "{}", seen, "/w").doubts == doubts


class TestRun:
    async def test_both_outputs_come_in_order(self, use: Use) -> None:
        assert await use(BASH, command="echo a; echo b >&2; echo c") == Outcome("a\nb\nc\n")

    async def test_silence_is_said(self, use: Use) -> None:
        assert await use(BASH, command="true") == Outcome("(no output)")

    async def test_a_failure_is_said(self, use: Use) -> None:
        assert await use(BASH, command="echo a; exit 3") == Outcome("a\nexit code 3", ok=False)

    async def test_a_death_is_said(self, use: Use) -> None:
        assert await use(BASH, command="kill -KILL $$") == Outcome(
            f"ended by signal 9 ({strsignal(9)})", ok=False
        )

    async def test_it_is_bash(self, use: Use) -> None:
        assert await use(BASH, command="[[ abc == a* ]] && echo <(:) | wc -l") == Outcome("1\n")

    async def test_without_bash_it_is_sh(self, tmp_path: Path) -> None:
        (tmp_path / "sh").symlink_to("/bin/sh")
        place = Workplace(tmp_path, {"PATH": str(tmp_path)})
        arguments = {"command": "echo $0"}
        assert await BASH.run(arguments, BASH.look(arguments, place), place) == Outcome("sh\n")

    @pytest.mark.parametrize("path", [":{}", "{}:", ".:{}", "{}::", "sub:{}", ".", ""])
    async def test_a_program_of_the_working_folder_is_not_taken_for_the_shell(
        self, place: Workplace, path: str
    ) -> None:
        (place.folder / "sub").mkdir()
        for name in ("bash", "sh", "sub/bash", "sub/sh"):
            (place.folder / name).write_text("#!/bin/sh\necho not the shell\n")
            (place.folder / name).chmod(0o755)
        there = Workplace(place.folder, {"PATH": path.format(os.defpath)})
        arguments = {"command": "echo ran"}
        assert await BASH.run(arguments, BASH.look(arguments, there), there) == Outcome("ran\n")

    async def test_it_calls_itself_by_its_name(self, use: Use) -> None:
        assert (await use(BASH, command="no-such-program")).text.startswith("bash: line 1: no-such-program: ")

    async def test_it_works_in_the_folder(self, use: Use, place: Workplace) -> None:
        assert await use(BASH, command="pwd -P") == Outcome(f"{place.folder.resolve()}\n")

    async def test_a_folder_that_is_gone_is_said(self, use: Use, place: Workplace) -> None:
        """O-m4."""
        place.folder.rmdir()
        outcome = await use(BASH, command="pwd")
        assert outcome.text.endswith(f"bash in {place.folder}: No such file or directory")
        assert not outcome.ok

    async def test_a_command_that_looks_like_an_option_is_none(self, use: Use) -> None:
        outcome = await use(BASH, command="--version")
        assert "exit code 127" in outcome.text

    async def test_the_input_is_at_its_end(self, use: Use) -> None:
        """O-d3: nothing that a command reads can wait."""
        assert await use(BASH, command="cat; read x || echo end") == Outcome("end\n")

    async def test_the_environment_is_the_one_given(self, place: Workplace) -> None:
        """O-m6."""
        free = Workplace(place.folder, {"PATH": os.environ["PATH"], "AGENT_YOLO": "false"})
        arguments = {"command": "echo $AGENT_YOLO $HOME"}
        assert await BASH.run(arguments, BASH.look(arguments, free), free) == Outcome("false\n")

    async def test_long_output_is_cut_in_the_middle(self, use: Use) -> None:
        outcome = await use(BASH, command="seq 100000; exit 1")
        assert outcome.text.startswith("1\n2\n")
        assert outcome.text.endswith("\n99999\n100000\nexit code 1")
        assert "bytes left out; the whole output is in /" in outcome.text
        assert len(outcome.text) < 33_000


class TestTheEnd:
    async def test_what_runs_in_the_background_ends_with_the_command(
        self, use: Use, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """O-e2: also when it holds the output open and ignores SIGTERM; nobody waits for it."""
        monkeypatch.setattr("orchestrator.tools.bash.LINGER", 1000)
        outcome = await use(BASH, command="(trap '' TERM; sleep 1000) & echo $$ $!")
        assert outcome.ok
        await gone(*numbers(outcome))

    async def test_who_leaves_the_group_and_holds_the_output_open_cannot_hang_the_call(
        self, use: Use
    ) -> None:
        with anyio.fail_after(20):
            code = (
                "import os, time; os.setsid(); print(os.getpid(), file=open(`stray`, `w`)); time.sleep(1000)"
            )
            stray = f"{sys.executable} -c '{code}'".replace("`", '"')
            outcome = await use(BASH, command=f"{stray} & until grep -s . stray; do sleep 0.02; done")
        (pid,) = numbers(outcome)
        assert alive(pid)
        os.kill(pid, 9)

    async def test_time_up_ends_it_and_keeps_what_it_wrote(self, use: Use) -> None:
        outcome = await use(bash_tool(limit=0.5), command="echo $$; sleep 1000")
        assert outcome.text.endswith("\nended after 0.5 seconds, the longest that a command may take")
        assert not outcome.ok
        await gone(*numbers(outcome))

    async def test_time_up_ends_also_one_that_ignores_sigterm(self, use: Use) -> None:
        outcome = await use(
            bash_tool(limit=0.3), command="trap '' TERM; sleep 1000 & echo $$ $!; wait; sleep 1000"
        )
        await gone(*numbers(outcome))

    async def test_stopping_it_in_the_middle_of_output_ends_it(self, use: Use, place: Workplace) -> None:
        file = place.folder / "pid"

        async def stop() -> None:
            while not file.exists() or not file.read_text():  # noqa: ASYNC110
                await anyio.sleep(0.01)
            tasks.cancel_scope.cancel()

        with anyio.fail_after(20):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(stop)
                await use(BASH, command=f"echo $$ > {file}; yes & yes")
                pytest.fail("it was not stopped")
        await gone(int(file.read_text()))
