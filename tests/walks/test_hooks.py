"""Hooks over real processes: they refuse or let go on, whoever calls, and they never allow."""

from __future__ import annotations

import json
import sys
from textwrap import dedent

import pytest

from tests.walks.builder import Walk

JAN = "mmConfigs: {jan: ./jan.yaml}"
NO_RM = """
    #!/bin/sh
    grep -q '"command": "rm' || exit 0
    echo 'nothing is deleted here' >&2
    exit 2
"""
SAID = "it says: nothing is deleted here"
BROKEN = {
    "crashes": ("exit 1", "it failed: exit code 1"),
    "is killed": ("kill -9 $$", "it failed: Killed"),
    "prints rubbish": ("echo ok", "it gave no clear answer"),
    "prints no text": ("head -c 300 /dev/urandom", "it gave no clear answer"),
    "never stops writing": ("yes", "it wrote more than 64 KiB"),
    "is from another tool": (
        'echo \'{"hookSpecificOutput": {"permissionDecision": "deny"}}\'',
        "it gave no clear answer",
    ),
    "approves": ('echo \'{"allow": true, "permissionDecision": "allow"}\'', "it gave no clear answer"),
    "asks": ('echo \'{"decision": "ask"}\'', "it gave no clear answer"),
}
PASSES = {
    "silent": "exit 0",
    "allow": 'echo \'{"decision": "allow"}\'',
    "allow with a reason": 'echo \'{"decision": "allow", "reason": "harmless"}\'',
    "daemon": "sleep 1000 & exit 0",
    "deaf": "exec <&- >&-",
}


def hook(walk: Walk, text: str, name: str = "hook.sh") -> Walk:
    """Write a hook; without a first line of its own it is a shell script."""
    text = dedent(text).lstrip()
    walk.file(name, text if text.startswith("#!") else f"#!/bin/sh\n{text}\n").chmod(0o755)
    return walk


def hooks(match: str = "bash", name: str = "hook.sh") -> str:
    """The key of a file that names the hook."""
    return f"hooks: {{preToolCall: [{{match: '{match}', command: ./{name}}}]}}"


def told(walk: Walk) -> list[tuple[str, bool, str]]:
    return [(line["key"], line["allowed"], line["why"]) for line in walk.decisions()]


FREE = {
    "yolo": "yolo: true",
    "allowed by a rule": "tools: {approvalMode: always-ask, approval: {bash: allow, jan/bash: allow}}",
}


# --- a refusal


@pytest.mark.parametrize("free", FREE.values(), ids=FREE)
@pytest.mark.parametrize(("args", "key"), [(("-p",), "bash"), (("--ask", "jan"), "jan/bash")])
def test_c8_a_refusal_is_final_whatever_would_allow_the_call(
    walk: Walk, free: str, args: tuple[str, ...], key: str
) -> None:
    hook(walk, NO_RM).agent("riker", free, JAN, hooks())
    walk.agent("jan")
    walk.file("kept", "x")
    ran = walk.runs(*args, "run rm kept")
    assert ran.code == 0, ran.stderr
    assert walk.made("kept")
    assert ran.stderr.count(f"{key} was refused by a hook: {SAID}") == 1, ran.stderr
    assert f"a hook of the file refused this call: {SAID}" in ran.stdout, "the model is told why"
    assert "person" not in ran.stdout
    assert walk.runs(*args, "run touch made").code == 0
    assert walk.made("made")
    assert told(walk)[0] == (key, False, "hook")
    assert walk.decisions()[0]["rule"] == "bash: hook (riker.yaml:4:23)"
    assert walk.decisions()[0]["line"] == 1


def test_c8_a_key_that_is_remembered_as_allowed_answers_no_hook(walk: Walk) -> None:
    hook(walk, NO_RM).agent("riker", "yolo: false", JAN, hooks())
    walk.agent("jan")
    walk.file("kept", "x")
    with walk.line() as mm:
        mm.types("run touch one").answers("2")
        mm.types("run rm kept").sees("bash was refused by a hook", SAID).waits_for_prompt()
        mm.types("run touch two").waits_for_prompt()
        mm.types("/ask-jan run touch three").answers("2").waits_for_prompt()
        mm.types("/ask-jan run rm kept").sees("jan/bash was refused by a hook", SAID).waits_for_prompt()
        mm.types("/quit").ends(0)
        assert mm.count("🔐") == 2
    assert all(map(walk.made, ("one", "two", "three", "kept")))


def test_a_refusal_is_told_in_french(walk: Walk) -> None:
    hook(walk, NO_RM).agent("riker", "yolo: true", "language: fr", hooks())
    assert "bash a été refusé par un hook : il dit : nothing" in walk.runs("-p", "run rm kept").stderr


def test_an_editor_is_asked_nothing_and_told_why(walk: Walk) -> None:
    hook(walk, NO_RM).agent("riker", "yolo: false", JAN, hooks())
    walk.agent("jan")
    walk.file("kept", "x")
    with walk.editor() as editor:
        editor.opens()
        for prompt in ("run rm kept", "/ask-jan run rm kept"):
            assert editor.says(prompt).stop_reason == "end_turn"
        assert editor.questions == []
        assert editor.text().count(f"bash was refused by a hook: {SAID}") == 2
        assert {update["status"] for update in editor.updates("tool_call_update")} == {"failed"}
        editor.answers(editor.says("run touch made").question(), "allow_once")
        assert editor.stop_reason == "end_turn"
    assert walk.made("kept")
    assert walk.made("made")


# --- no refusal is not an allowance


@pytest.mark.parametrize("script", PASSES.values(), ids=PASSES)
@pytest.mark.parametrize(("args", "key"), [(("-p",), "bash"), (("--ask", "jan"), "jan/bash")])
def test_c8_a_success_goes_on_to_the_gate_and_allows_nothing(
    walk: Walk, args: tuple[str, ...], key: str, script: str
) -> None:
    hook(walk, script).agent("riker", "yolo: false", JAN, hooks())
    walk.agent("jan")
    ran = walk.runs(*args, "run touch made")
    assert ran.code == 3, "nobody could be asked"
    assert not walk.made("made")
    assert told(walk) == [(key, False, "nobody")]
    assert walk.runs("--yolo", *args, "run touch made").code == 0
    assert walk.made("made")


@pytest.mark.parametrize(("script", "said"), BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize(("args", "key"), [(("-p",), "bash"), (("--ask", "jan"), "jan/bash")])
def test_c8_a_broken_hook_refuses_and_says_so(
    walk: Walk, args: tuple[str, ...], key: str, script: str, said: str
) -> None:
    hook(walk, script).agent("riker", "yolo: true", JAN, hooks())
    walk.agent("jan")
    ran = walk.runs(*args, "run touch made")
    assert f"{key} was refused by a hook: {said}" in ran.stderr, ran.stderr
    assert said in ran.stdout
    assert not walk.made("made")
    assert told(walk) == [(key, False, "hook")]


def test_a_hook_that_cannot_be_run_refuses(walk: Walk) -> None:
    walk.file("hook.sh", "#!/no/such/shell\n").chmod(0o755)
    walk.agent("riker", "yolo: true", hooks())
    assert "it could not be started" in walk.runs("-p", "run touch made").stderr
    assert not walk.made("made")


# --- whose calls


def test_c8_the_launched_files_hooks_see_every_agent_that_their_pattern_names(walk: Walk) -> None:
    walk.agent("riker", "yolo: true", JAN, hooks("jan/**"))
    walk.agent("jan", "mmConfigs: {homer: ./homer.yaml}")
    walk.agent("homer")
    hook(walk, f"#!{sys.executable}\nimport sys\nopen('seen', 'a').write(sys.stdin.read())")
    ran = walk.runs("--ask", "jan", "read jan.yaml then ask homer: read homer.yaml")
    assert walk.runs("-p", "run true").code == 0
    assert ran.code == 0, ran.stderr
    seen = [json.loads(line) for line in walk.read("seen").splitlines()]
    assert [(call["agent"], call["tool"]) for call in seen] == [
        ("jan", "read_file"),
        ("jan", "ask_homer"),
        ("jan/homer", "read_file"),
    ]
    assert seen[0] == {
        "v": 1,
        "agent": "jan",
        "tool": "read_file",
        "server": None,
        "args": {"path": "jan.yaml"},
        "cwd": str(walk.folder),
    }


def test_c8_a_hook_refuses_a_read_that_jan_would_never_have_submitted(walk: Walk) -> None:
    hook(walk, "echo not this file >&2; exit 2").agent("riker", "yolo: true", JAN, hooks("jan/read_file"))
    walk.agent("jan")
    ran = walk.runs("--ask", "jan", "read riker.yaml")
    assert "not this file" in ran.stdout
    assert "jan/read_file was refused by a hook" in ran.stderr
    assert walk.runs("-p", "read riker.yaml").stderr == ""


def test_a_hook_without_a_pattern_sees_own_calls_only(walk: Walk) -> None:
    hook(walk, "exit 2").agent("riker", "yolo: true", JAN, "hooks: {preToolCall: [{command: ./hook.sh}]}")
    walk.agent("jan")
    for call in ("run touch own", "read riker.yaml", "ask jan: run touch never"):
        assert "it gives no reason" in walk.runs("-p", call).stderr
    assert walk.runs("--ask", "jan", "run touch made then read riker.yaml").stderr == ""
    assert walk.made("made")
    assert not walk.made("own")
    assert not walk.made("never")


def test_c8_jans_own_file_narrows_by_its_own_hooks_also_under_the_launched_agents_yolo(walk: Walk) -> None:
    hook(walk, NO_RM)
    walk.agent("riker", "yolo: true", JAN)
    walk.agent("jan", hooks())
    walk.file("kept", "x")
    ran = walk.runs("--ask", "jan", "run rm kept")
    assert ran.stderr.count(f"bash was refused by a hook: {SAID}") == 1, ran.stderr
    assert SAID in ran.stdout
    assert walk.made("kept")
    assert told(walk) == [("jan/bash", False, "hook")], "the process that decided wrote it down"
    assert walk.decisions()[0]["rule"] == "bash: hook (" + str(walk.folder / "jan.yaml") + ":2:23)"
    assert walk.runs("--ask", "jan", "run touch made").code == 0
    assert walk.made("made")


def test_a_hook_of_the_launched_file_is_told_once_however_deep_the_call(walk: Walk) -> None:
    hook(walk, NO_RM).agent("riker", "yolo: true", JAN, hooks())
    walk.agent("jan", "mmConfigs: {homer: ./homer.yaml}")
    walk.agent("homer")
    walk.file("kept", "x")
    ran = walk.runs("--ask", "jan", "ask homer: run rm kept")
    assert ran.stderr.count("refused by a hook") == 1, ran.stderr
    assert SAID in ran.stdout, "homer's model was told the reason"
    assert walk.made("kept")


def test_c8_a_foreign_agents_call_is_seen_by_its_kind(walk: Walk) -> None:
    gem = walk.child(
        "gem",
        """
        log: log
        prompts:
          - - ask: {toolCall: {toolCallId: a, name: shell, kind: execute, rawInput: {command: rm x}}}
            - say: done
        """,
    )
    hook(walk, NO_RM).agent("riker", "yolo: true", f"mmConfigs: {{gem: {gem}}}", hooks("gem/bash"))
    ran = walk.runs("--ask", "gem", "go")
    assert f"gem/shell was refused by a hook: {SAID}" in ran.stderr, ran.stderr
    answers = [
        frame["result"]["outcome"] for frame in walk.frames("log") if "outcome" in frame.get("result", {})
    ]
    assert answers == [{"outcome": "selected", "optionId": "reject_once-id"}]


def test_a_hook_over_reads_that_are_never_submitted_is_a_start_error(walk: Walk) -> None:
    hook(walk, "exit 0").agent("riker", "mmConfigs: {gem: {command: gem}}", hooks("gem/read_file"))
    ran = walk.runs("-p", "hello")
    assert ran.code == 2
    assert ran.stderr.startswith("riker.yaml:3:24: hooks.preToolCall.0.match: gem is not an agent of mm")
    assert walk.runs("check").code == 2


# --- what it is run as


def test_a_hook_runs_in_the_conversations_folder_and_is_found_beside_its_file(walk: Walk) -> None:
    hook(walk, "pwd > seen", "files/hooks/hook.sh")
    walk.file("files/riker.yaml", f"model: demo\nyolo: true\n{hooks(name='hooks/hook.sh')}\n")
    hook(walk, "touch never", "hooks/hook.sh")
    assert walk.runs("-c", "files/riker.yaml", "-p", "run touch made").code == 0
    assert walk.read("seen").strip() == str(walk.folder)
    assert not walk.made("never")
    assert walk.made("made")


def test_neither_a_hook_nor_a_command_that_a_hook_sees_gets_the_freedom_or_the_secrets(walk: Walk) -> None:
    hook(walk, 'echo "$AGENT_YOLO ${MM_CHAIN:+chain} [$KEY]" > seen')
    walk.agent("riker", "yolo: true", "apiKey: ${KEY}", hooks())
    ran = walk.runs("-p", 'run echo "<$AGENT_YOLO>"', KEY="secret")
    assert walk.read("seen") == "false chain []\n"
    assert "<false>" in ran.stdout, "a nested mm would not run this hook"
    walk.agent("riker", "yolo: true")
    assert "<>" in walk.runs("-p", 'run echo "<$AGENT_YOLO>"').stdout


def test_a_hook_that_changed_since_the_start_is_not_run_and_refuses(walk: Walk) -> None:
    hook(walk, "exit 2").agent("riker", "yolo: true", "tools: {approval: {write_file: allow}}", hooks())
    ran = walk.runs("-p", "write hook.sh: exit 0 then run touch made")
    assert f"it was not run, since {walk.folder / 'hook.sh'} changed after the start" in ran.stderr, (
        ran.stderr
    )
    assert not walk.made("made")
    hook(walk, "exit 0")
    assert walk.runs("-p", "run touch made").code == 0
    assert walk.made("made")


def test_jans_hook_that_riker_changed_is_not_run_and_refuses(walk: Walk) -> None:
    hook(walk, "exit 2").agent("riker", "yolo: true", JAN)
    walk.agent("jan", hooks())
    ran = walk.runs("-p", "write hook.sh: exit 0 then ask jan: run touch made")
    assert "it was not run, since" in ran.stderr, ran.stderr
    assert not walk.made("made")


# --- Stop


@pytest.mark.parametrize(
    ("prompt", "key"), [("run touch made", "bash"), ("/ask-jan run touch made", "jan/bash")]
)
def test_c8_stop_ends_a_hook_that_hangs_and_the_conversation_goes_on(
    walk: Walk, prompt: str, key: str
) -> None:
    hook(walk, "touch here; sleep 1000 & wait").agent("riker", "yolo: true", JAN, hooks())
    walk.agent("jan")
    with walk.line() as mm:
        mm.types(prompt)
        walk.waits_for("here")
        mm.presses("ctrl-c").waits_for_prompt()
        assert walk.loses("sleep 1000")
        mm.types("read riker.yaml").sees("yolo: true").types("/quit").ends(0)
    assert not walk.made("made")
    assert (key, False, "cancelled") in told(walk)


def test_an_editors_stop_ends_a_hook_that_hangs(walk: Walk) -> None:
    hook(walk, "touch here; sleep 1000 & wait").agent("riker", "yolo: false", JAN, hooks())
    walk.agent("jan")
    with walk.editor() as editor:
        editor.opens()
        for prompt in ("run touch made", "/ask-jan run touch made"):
            editor.says(prompt)
            walk.waits_for("here")
            assert editor.stops().stop_reason == "cancelled"
            walk.forgets("here")
        assert editor.questions == []
    assert not walk.made("made")


def test_a_killed_mm_takes_its_hook_along(walk: Walk) -> None:
    hook(walk, "touch here; sleep 1000 & wait").agent("riker", "yolo: true", hooks())
    with walk.starts("-p", "run touch made"):
        walk.waits_for("here")
    assert walk.loses("sleep 1000")


# --- what is said of them


def test_explain_names_the_hooks_and_runs_none(walk: Walk) -> None:
    hook(walk, "touch ran; exit 2").agent("riker", "yolo: true", JAN, hooks())
    walk.agent("jan", hooks("bash"))
    own = walk.runs("explain", "bash", '{"command": "true"}')
    assert "before that a hook sees it, and may refuse it: bash (riker.yaml:4:23)" in own.stdout
    jans = json.loads(walk.runs("explain", "bash", '{"command": "x"}', "--agent", "jan", "--json").stdout)
    assert jans["decision"] == "allow"
    assert jans["hooks"] == [f"{walk.folder / 'jan.yaml'}:2:23", "riker.yaml:4:23"]
    assert json.loads(walk.runs("explain", "read_file", '{"path": "x"}', "--json").stdout)["hooks"] == []
    assert not walk.made("ran")


def test_check_lists_the_programs_of_hooks(walk: Walk) -> None:
    hook(walk, "touch ran").agent("riker", hooks())
    ran = walk.runs("check")
    assert "hooks.preToolCall.0.command: starts ./hook.sh" in ran.stdout
    assert not walk.made("ran")
