"""Hooks as real programs: what refuses, what lets a call go on, and that nothing of them is left.

Each hook is a script; what it reads and how it ends is all that a hook may know and say.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from consent.call import Arguments, Origin, Tier, ToolCall, Unrunnable
from consent.hook import Broken, Objection
from consent.key import Kind
from consent.matching import Effect, Rule, parse_pattern
from orchestrator.hooks import AT_ONCE, LONGEST_REASON, MOST_OUTPUT, Hook, Hooks
from orchestrator.tools.base import Workplace
from tests.orchestrator.life import alive, gone
from tests.orchestrator.parts import DEADLINE, Outcomes, bash_call, running

RULE = Rule(parse_pattern("bash"), Effect.HOOK, "agents.yaml:7:5")
PYTHON = f"#!{sys.executable} -ISs\nimport json, os, sys, time\n"
LONG = 60.0


def unchanged() -> str:
    """No file of the hook has changed."""
    return ""


class Stage:
    """A folder in which hooks are written and run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environ: Mapping[str, str] = {"PATH": os.environ["PATH"]}

    def script(self, text: str, name: str = "hook") -> Path:
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def sh(self, text: str, name: str = "hook") -> Path:
        return self.script(f"#!/bin/sh\n{text}\n", name)

    def python(self, text: str, name: str = "hook") -> Path:
        return self.script(PYTHON + text, name)

    def hooks(self, *paths: Path, limit: float = LONG) -> Hooks:
        hooks = [Hook(RULE, (str(path),), unchanged) for path in paths]
        return Hooks(hooks, Workplace(self.folder, self.environ), limit)

    def made(self, name: str) -> bool:
        return (self.folder / name).exists()

    async def says(self, *paths: Path, limit: float = LONG, call: ToolCall | None = None) -> Objection | None:
        with anyio.fail_after(DEADLINE):
            return await self.hooks(*paths, limit=limit)(call or bash_call())


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


# --- what a hook is told


async def test_a_hook_reads_the_call_in_the_folder(stage: Stage) -> None:
    hook = stage.python("open('seen', 'w').write(sys.stdin.read())")
    arguments = '{"command": "echo \\u00e9", "n": 1e999, "deep": [[{}]]}'
    call = replace(bash_call(path=("jan", "homer")), arguments=arguments, folder="/jans")
    assert await stage.says(hook, call=call) is None
    line = (stage.folder / "seen").read_text()
    assert line.count("\n") == 1
    assert f'"args": {arguments}}}' in line, "byte for byte what will run"
    seen = json.loads(line)
    assert seen.pop("args") == json.loads(arguments)
    assert seen == {"v": 1, "agent": "jan/homer", "tool": "bash", "server": None, "cwd": "/jans"}


async def test_a_call_without_a_name_or_arguments_says_so(stage: Stage) -> None:
    hook = stage.python("open('seen', 'w').write(sys.stdin.read())")
    call = ToolCall(
        ("gem",), Origin.FOREIGN, None, Kind.EXECUTE, Tier.EXEC, "", Arguments("\ud800"), str(stage.folder)
    )
    assert await stage.says(hook, call=call) is None
    seen = json.loads((stage.folder / "seen").read_text())
    assert (seen["tool"], seen["args"], seen["agent"]) == (None, {"content": "\ud800"}, "gem")
    assert await stage.says(hook, call=replace(call, detail=Arguments(""))) is None
    assert json.loads((stage.folder / "seen").read_text())["args"] is None


async def test_a_hook_has_the_environment_of_started_programs(stage: Stage) -> None:
    stage.environ = {**stage.environ, "AGENT_YOLO": "false", "MM_CHAIN": "x"}
    hook = stage.sh('test "$AGENT_YOLO$MM_CHAIN$HOME" = falsex')
    assert await stage.says(hook) is None


# --- what refuses


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo no pushes >&2; exit 2", "no pushes"),
        ("echo; printf '\\n\\n  no pushes  \\nmore\\n' >&2; exit 2", "no pushes"),
        ("exit 2", ""),
        ('echo \'{"decision": "allow"}\'; exit 2', ""),
        ('echo \'{"decision": "refuse", "reason": "no pushes"}\'', "no pushes"),
        ('echo \'{"decision": "refuse"}\'', ""),
        ('echo \'{"decision": "refuse", "reason": 7}\'', ""),
        ('echo \'{"decision": "refuse", "allow": true}\'', ""),
        ("printf 'a\\033[2Jb' >&2; exit 2", "a\x1b[2Jb"),
        ("printf '\\377\\n' >&2; exit 2", "\\xff"),
    ],
)
async def test_c8_a_hook_refuses_by_exit_code_or_by_answer(script: str, reason: str, stage: Stage) -> None:
    assert await stage.says(stage.sh(script)) == Objection(RULE, reason)


async def test_a_long_reason_is_cut(stage: Stage) -> None:
    said = await stage.says(stage.python("print('x' * 100_000 + 'end', file=sys.stderr); sys.exit(2)"))
    assert said is not None
    assert len(said.reason) <= LONGEST_REASON + 3


@pytest.mark.parametrize(
    ("script", "broken", "reason"),
    [
        ("exit 1", Broken.FAILED, "exit code 1"),
        ("echo oops >&2; exit 3", Broken.FAILED, "exit code 3: oops"),
        ("kill -9 $$", Broken.FAILED, "Killed"),
        ("kill -TERM $$", Broken.FAILED, "Terminated"),
        ("yes", Broken.FLOOD, "64 KiB"),
        ("head -c 100000000 /dev/zero", Broken.FLOOD, "64 KiB"),
        ("yes '{}'; exit 0", Broken.FLOOD, "64 KiB"),
    ],
)
async def test_c8_a_hook_that_fails_or_is_unclear_refuses(
    script: str, broken: Broken, reason: str, stage: Stage
) -> None:
    said = await stage.says(stage.sh(script))
    assert said is not None
    assert (said.rule, said.broken) == (RULE, broken)
    assert reason in said.reason


@pytest.mark.parametrize(
    "printed",
    [
        b"ok",
        b"allow",
        b"true",
        b"null",
        b"[]",
        b"0",
        b'"allow"',
        b"\xff\xfe",
        b"\0",
        b"\xef\xbb\xbf",
        b'\xef\xbb\xbf{"decision": "allow"}',
        b"\xc2\xa0",
        b"{}",
        b'{"decision": null}',
        b'{"decision": "deny"}',
        b'{"decision": "block", "reason": "no pushes"}',
        b'{"decision": "ask"}',
        b'{"decision": "approve"}',
        b'{"decision": "Refuse"}',
        b'{"decision": "REFUSE"}',
        b'{"decision": " refuse"}',
        b'{"decision": "ALLOW"}',
        b'{"decision": true}',
        b'{"decision": ["refuse"]}',
        b'{"Decision": "refuse"}',
        b'{"decision ": "refuse"}',
        b'{"reason": "no pushes"}',
        b'{"permissionDecision": "deny"}',
        b'{"permissionDecision": "allow"}',
        b'{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}',
        b'{"continue": false, "stopReason": "no pushes"}',
        b'{"ok": false}',
        b'{"allow": true, "reason": "fine"}',
        b'{"decision": "allow", "permissionDecision": "deny"}',
        b'{"decision": "allow", "hookSpecificOutput": {"permissionDecision": "deny"}}',
        b'{"decision": "allow", "Decision": "refuse"}',
        b'{"decision": "allow", "reason": 7}',
        b'{"decision": "allow", "reason": null}',
        b'{"decision": "refuse", "decision": "allow"}',
        b'{"decision": "refuse", "\\u0064ecision": "allow"}',
        b'{"decision": "allow", "reason": "a", "reason": "b"}',
        b'{"decision": "allow"} {"decision": "refuse"}',
        b'{"decision": "allow"}\n{"decision": "refuse"}\n',
        b'looking ...\n{"decision": "refuse", "reason": "no pushes"}',
        b'looking ...\n{"decision": "allow"}',
        b'{"decision": "allow"}\ndone',
        b'[{"decision": "refuse"}]',
        b"{'decision': 'refuse'}",
        b'{"decision": "refuse",}',
        b'{"decision": "allow"',
    ],
)
async def test_c8_whatever_is_printed_and_is_no_documented_answer_refuses(
    printed: bytes, stage: Stage
) -> None:
    """Above all the refusals of other tools' hooks: silence would let the call run under yolo."""
    (stage.folder / "printed").write_bytes(printed)
    said = await stage.says(stage.sh("cat printed"))
    shown = printed.decode(errors="backslashreplace").strip()
    assert said == Objection(RULE, shown, Broken.UNCLEAR)


async def test_an_answer_that_is_nested_too_deep_refuses(stage: Stage) -> None:
    said = await stage.says(stage.sh("yes '[' | head -c 60000 | tr -d '\\n'"))
    assert said is not None
    assert said.broken is Broken.UNCLEAR
    assert len(said.reason) <= LONGEST_REASON + 3


async def test_c8_a_hook_that_cannot_be_started_refuses(stage: Stage) -> None:
    plain = stage.sh("exit 0", "plain")
    plain.chmod(0o644)
    nowhere = stage.script("#!/nowhere/at/all\n", "nowhere")
    for path in (plain, nowhere, stage.folder / "missing", stage.folder):
        said = await stage.says(path)
        assert said is not None, path
        assert said.broken is Broken.NOT_STARTED
    assert str(nowhere) in (await stage.says(nowhere) or Objection(None)).reason


async def test_a_program_is_never_found_in_the_working_folder(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.sh("exit 0", "pass")
    monkeypatch.chdir(stage.folder)
    stage.environ = {"PATH": f":.:{stage.folder.name}:/usr/bin:/bin"}
    said = await stage.says(Path("pass"))
    assert said == Objection(RULE, "pass", Broken.NOT_STARTED)
    stage.environ = {"PATH": str(stage.folder)}
    assert await stage.says(Path("pass")) is None, "a whole path is fine"


async def test_c8_a_hook_that_hangs_refuses_and_is_ended_with_all_that_it_started(stage: Stage) -> None:
    hook = stage.sh("trap '' TERM; sleep 1000 & echo $$ $! > pids; echo '{}'; wait; sleep 1000")
    said = await stage.says(hook, limit=1)
    assert said == Objection(RULE, "1 s", Broken.TOO_LATE)
    await gone(*map(int, (stage.folder / "pids").read_text().split()))


async def test_a_hook_whose_file_changed_refuses_and_is_not_run(stage: Stage) -> None:
    path = stage.sh("touch made")
    hooks = Hooks([Hook(RULE, (str(path),), lambda: "/the/file")], Workplace(stage.folder, stage.environ))
    assert await hooks(bash_call()) == Objection(RULE, "/the/file", Broken.CHANGED)
    assert not stage.made("made")


async def test_a_program_that_left_the_group_and_holds_the_output_open_refuses(stage: Stage) -> None:
    """Nobody can know what it would still have said."""
    hook = stage.python(
        "if not os.fork():\n"
        "    os.setsid()\n"
        "    open('pid', 'w').write(str(os.getpid()))\n"
        "    time.sleep(1000)\n"
        "while not os.path.exists('pid'): time.sleep(0.01)\n"
    )
    said = await stage.says(hook)
    os.kill(int((stage.folder / "pid").read_text()), 9)
    assert said == Objection(RULE, "1 s", Broken.STAYED_OPEN)


# --- what lets a call go on


@pytest.mark.parametrize(
    "script",
    [
        "exit 0",
        "cat >/dev/null",
        "echo; echo",
        "printf ' \\r\\n\\t\\n'",
        'echo \' { "decision" : "allow" } \'',
        'echo \'{"reason": "fine", "decision": "allow"}\'',
        "echo much to say >&2",
        "exec >&-; exit 0",
        "exec <&-; sleep 0.1",
        "head -c 1000000 /dev/zero >&2",
        "sleep 1000 & exit 0",
    ],
)
async def test_c8_a_success_only_says_nothing_against_it(script: str, stage: Stage) -> None:
    large = replace(bash_call(), arguments=json.dumps({"command": "x" * 1_000_000}))
    assert await stage.says(stage.sh(script), call=large) is None


async def test_what_a_hook_left_in_the_background_is_ended(stage: Stage) -> None:
    assert await stage.says(stage.sh("sleep 1000 & echo $! > pid")) is None
    await gone(int((stage.folder / "pid").read_text()))


# --- which of them, and when


async def test_all_that_match_run_in_order_and_the_first_refusal_decides(stage: Stage) -> None:
    passes = stage.sh("touch first; cat > seen1", "passes")
    refuses = stage.sh("test -e first && touch second; cat > seen2; echo no >&2; exit 2", "refuses")
    never = stage.sh("touch third", "never")
    assert await stage.says(passes, refuses, never) == Objection(RULE, "no")
    assert stage.made("second")
    assert not stage.made("third")
    assert (stage.folder / "seen1").read_bytes() == (stage.folder / "seen2").read_bytes()


@pytest.mark.parametrize(
    ("pattern", "call", "sees"),
    [
        ("bash", bash_call(), True),
        ("bash", bash_call(path=("jan",)), True),
        ("bash", bash_call(path=("jan",), name="BASH"), True),
        ("bash", bash_call(path=("jan",), name=None), True),
        ("bash", bash_call(path=("jan",), name="no name"), True),
        ("lsp", bash_call(path=("jan",), name=None), True),
        ("read_file", bash_call(), False),
        ("jan/bash", bash_call(path=("jan",)), True),
        ("jan/bash", bash_call(), False),
        ("jan/*", bash_call(path=("jan", "homer")), False),
        ("jan/**", bash_call(path=("jan", "homer")), True),
        ("*", bash_call(), True),
        ("*", bash_call(path=("jan",)), False),
        ("bash", bash_call(unrunnable=Unrunnable.HIDDEN_CHARACTERS), False),
    ],
)
async def test_a_hook_sees_every_call_that_its_pattern_might_mean(
    pattern: str, call: ToolCall, sees: bool, stage: Stage
) -> None:
    rule = replace(RULE, pattern=parse_pattern(pattern))
    hook = Hook(rule, (str(stage.sh("touch made")),), unchanged)
    assert await Hooks([hook], Workplace(stage.folder, stage.environ))(call) is None
    assert stage.made("made") is sees


async def test_a_hanging_hook_holds_up_no_other_agent_and_only_so_many_run_at_once(stage: Stage) -> None:
    hook = stage.python(
        "agent = json.load(sys.stdin)['agent']\n"
        "if agent == 'jan':\n"
        "    open(f'at-{os.getpid()}', 'w').close()\n"
        "    while True: time.sleep(1)\n"
    )
    hooks = stage.hooks(hook)
    async with running() as tasks:
        outcomes = Outcomes(tasks)
        for number in range(AT_ONCE + 3):
            outcomes.start(f"jan {number}", hooks(bash_call(path=("jan",))))
        while len(list(stage.folder.glob("at-*"))) < AT_ONCE:  # noqa: ASYNC110 - they are processes
            await anyio.sleep(0.01)
        assert await hooks(bash_call()) is None
        assert await hooks(bash_call(path=("homer",))) is None
        assert len(list(stage.folder.glob("at-*"))) == AT_ONCE


async def test_being_cancelled_ends_the_hook(stage: Stage) -> None:
    hooks = stage.hooks(stage.sh("sleep 1000 & echo $$ $! > part; mv part pids; wait"))
    async with running() as tasks:
        tasks.start_soon(hooks, bash_call())
        while not stage.made("pids"):  # noqa: ASYNC110 - it is a process
            await anyio.sleep(0.01)
        pids = [int(pid) for pid in (stage.folder / "pids").read_text().split()]
        assert all(map(alive, pids))
        tasks.cancel_scope.cancel()
    await gone(*pids)


def test_as_much_output_as_is_allowed_is_enough_for_any_reason() -> None:
    assert MOST_OUTPUT > 8 * LONGEST_REASON
