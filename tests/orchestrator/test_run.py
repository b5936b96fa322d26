"""mm as a process of its own: what the pieces do together that none of them shows alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.walks.builder import Walk
from tests.walks.processes import DEADLINE

JAN = "mmConfigs: {jan: ./jan.yaml}"


def redirected(walk: Walk, how: str, *args: str) -> subprocess.CompletedProcess[str]:
    """A run of mm by a shell that redirects its streams."""
    return subprocess.run(
        ["bash", "-c", f'"$@" {how}', "sh", sys.executable, "-m", "orchestrator", "-c", "riker.yaml", *args],
        cwd=walk.folder,
        env=walk.environ({}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )


@pytest.mark.parametrize(
    ("how", "code"),
    [
        (">&-", 0),
        (">&- <&-", 0),
        ("<&- >&- 2>&-", 0),
        (">/dev/full", 1),
        ("| true; exit ${PIPESTATUS[0]}", 1),
    ],
)
def test_a_stdout_that_takes_nothing_makes_no_mess(walk: Walk, how: str, code: int) -> None:
    walk.agent("riker", "yolo: true")
    ran = redirected(walk, how, "-p", "run touch made then run touch more")
    assert ran.stdout == ""
    assert "Traceback" not in ran.stderr
    assert "Exception" not in ran.stderr
    assert ran.returncode == code, ran.stderr
    assert walk.made("more")


def test_what_belongs_to_a_closed_stderr_does_not_go_to_stdout(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", "permissions: ask")
    ran = redirected(walk, "2>&-", "-p", "run touch made")
    assert ran.returncode == 3
    assert "refused because" not in ran.stdout
    assert "deprecated" not in ran.stdout


def test_no_process_of_a_refused_level_is_started(walk: Walk) -> None:
    """O-m3: the launched file's limit holds, whatever the files below say."""
    walk.agent("riker", "yolo: true", "limits: {depth: 1}", JAN)
    homer = walk.child("homer", "{start: [{touch: started}]}")
    walk.agent("jan", "limits: {depth: 9}", f"mmConfigs: {{homer: {homer}}}")
    ran = walk.runs("--ask", "jan", "ask homer: work")
    assert "riker > jan > homer is deeper than limits.depth: 1" in ran.stdout
    assert not walk.made("started")


@pytest.mark.parametrize("path", ["./riker.yaml", "./link.yaml", "./here/riker.yaml"])
def test_no_process_of_a_cycle_is_started(walk: Walk, path: str) -> None:
    """O-m3"""
    walk.agent("riker", "yolo: true", JAN, "instructionsFrom: []")
    walk.agent("jan", f"mmConfigs: {{boss: {path}}}")
    (walk.folder / "link.yaml").symlink_to("riker.yaml")
    (walk.folder / "here").symlink_to(".")
    ran = walk.runs("--ask", "jan", "ask boss: ask jan: run touch made")
    assert "riker > jan > boss is a cycle" in ran.stdout
    assert not walk.made("made")


def test_the_environment_of_an_asked_agent_holds_one_yolo(walk: Walk) -> None:
    """O-m6: the asker's true never arrives, and its secret neither."""
    walk.file("jan.child.py", "import os; open('seen', 'wb').write(open('/proc/self/environ', 'rb').read())")
    entry = f"{{command: [{sys.executable}, {walk.folder / 'jan.child.py'}]}}"
    walk.agent("riker", "yolo: false", "apiKey: ${KEY}", f"mmConfigs: {{jan: {entry}}}")
    walk.runs("--ask", "jan", "work", AGENT_YOLO="true", KEY="secret")
    seen = walk.read("seen").split("\0")
    assert [line for line in seen if line.upper().startswith("AGENT_YOLO")] == ["AGENT_YOLO=false"]
    assert not any(line.startswith("KEY=") for line in seen)
    assert any(line.startswith("MM_CHAIN=4;riker:") for line in seen)


def test_mm_in_the_shell_of_an_agent_that_asks_is_no_freer(walk: Walk) -> None:
    """O-m6"""
    walk.agent("riker", "yolo: false")
    walk.agent("free", "yolo: true", "mmConfigs: {homer: {path: ./homer.yaml, yolo: true}}")
    walk.agent("homer")
    nested = f"{sys.executable} -m orchestrator -c free.yaml --ask homer 'run touch made'; echo code $?"
    with walk.line() as mm:
        mm.types(f"run {nested}").answers("1").sees("code 3").types("/quit").ends(0)
    assert not walk.made("made")


def test_nothing_of_the_working_folder_is_imported_by_an_asked_agent(walk: Walk) -> None:
    walk.agent("riker", "yolo: true", JAN)
    walk.agent("jan")
    trap = "open('trapped', 'w').close()\n"
    for name in ("json.py", "anyio.py", "yaml.py", "sitecustomize.py"):
        walk.file(name, trap)
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "orchestrator", "-c", "riker.yaml", "--ask", "jan", "run echo $((6*7))"],
        cwd=walk.folder,
        env=walk.environ({}),
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
    assert "42" in ran.stdout
    assert not walk.made("trapped")


def test_a_missing_folder_is_an_error_before_anything_runs(walk: Walk) -> None:
    """O-m4"""
    walk.agent("riker", "yolo: true")
    ran = walk.runs("--cwd", "nowhere", "-p", "run touch made")
    assert (ran.code, ran.stdout) == (2, "")
    assert ran.stderr == "mm: nowhere is no folder\n"
    assert not walk.made("made")


def test_the_folder_of_the_run_is_the_one_that_was_named(walk: Walk) -> None:
    """O-m4"""
    walk.agent("riker", "yolo: true", JAN)
    walk.agent("jan")
    walk.file("there/README", "")
    ran = walk.runs("--cwd", "there", "--ask", "jan", "run pwd")
    assert ran.stdout.strip() == str(Path(os.path.realpath(walk.folder)) / "there")


def test_a_task_for_an_asked_agent_is_never_a_slash_command(walk: Walk) -> None:
    """`/quit` and `/help` of another agent are text for the model."""
    walk.agent("riker", "yolo: true", JAN)
    walk.agent("jan", "model: script:turns.yaml")
    walk.file("turns.yaml", "- {when: /help, say: It reached my model.}\n")
    ran = walk.runs("--ask", "jan", "/help")
    assert ran.stdout == "It reached my model.\n"


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=str
)
def test_a_signal_is_the_exit_code(walk: Walk, number: signal.Signals, code: int) -> None:
    walk.agent("riker", "yolo: true")
    with walk.starts("-p", "run touch started; sleep 600") as mm:
        walk.waits_for("started")
        mm.send_signal(number)
        assert mm.wait(DEADLINE) == code


def test_an_unreadable_chain_stops_here(walk: Walk) -> None:
    walk.agent("riker", "yolo: true", JAN)
    walk.agent("jan")
    ran = walk.runs("--ask", "jan", "run touch made", MM_CHAIN="rubbish")
    assert ran.code == 1
    assert "MM_CHAIN cannot be read" in ran.stderr
    assert not walk.made("made")
