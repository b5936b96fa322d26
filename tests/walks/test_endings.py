"""Stop, death and hang-ups: every end leaves no process and no permission behind. O-e1, O-e2, O-j5"""

from __future__ import annotations

import os
import signal
import sys

import pytest

from tests.walks.builder import CHECKOUT, Walk
from tests.walks.processes import until
from tests.walks.terminal import Terminal

JAN = "mmConfigs: {jan: ./jan.yaml}"
SLEEP = "sleep 600 & touch started; wait"
ASKING = """
    log: jan.log
    prompts:
      - - ask:
            toolCall: {name: shell, kind: execute, rawInput: {command: date}}
            allowed: [{touch: allowed}]
            cancelled: [{touch: cancelled}]
"""


def team(walk: Walk, yolo: str) -> None:
    walk.agent("riker", f"yolo: {yolo}", JAN)
    walk.agent("jan")


def test_stop_at_a_question_cancels_the_turn_as_the_protocol_wants(walk: Walk) -> None:
    """O-e1"""
    walk.foreign(ASKING)
    with walk.line() as mm:
        mm.types("/ask-jan work").answers("s").types("/quit").ends(0)
    assert walk.made("cancelled")
    frames = walk.frames("jan.log")
    assert [f for f in frames if f.get("method") == "session/cancel"]
    assert [f["result"]["outcome"] for f in frames if "result" in f] == [{"outcome": "cancelled"}]


def test_ctrl_c_at_a_question_cancels_the_turn(walk: Walk) -> None:
    walk.foreign(ASKING)
    with walk.line() as mm:
        mm.types("/ask-jan work").sees("🔐").presses("ctrl-c").types("/quit").ends(0)
    assert walk.made("cancelled")
    assert not walk.made("allowed")


@pytest.mark.parametrize("yolo", ["true", "false"])
def test_ctrl_c_ends_what_jan_runs(walk: Walk, yolo: str) -> None:
    team(walk, yolo)
    with walk.line() as mm:
        mm.types(f"/ask-jan run {SLEEP}")
        if yolo == "false":
            mm.answers("1")
        walk.waits_for("started")
        mm.presses("ctrl-c").types("run echo $((6*7))")
        if yolo == "false":
            mm.answers("1")
        mm.sees("42").types("/quit").ends(0)


def test_one_stop_ends_the_whole_chain_below(walk: Walk) -> None:
    """O-e3"""
    walk.agent("riker", "yolo: true", JAN)
    walk.agent("jan", "mmConfigs: {homer: ./homer.yaml}")
    walk.agent("homer")
    with walk.editor() as editor:
        editor.opens().says(f"ask jan: ask homer: run {SLEEP}")
        walk.waits_for("started")
        editor.stops()
        assert editor.stop_reason == "cancelled"
        assert walk.loses("sleep 600")


def test_a_jan_that_is_killed_takes_its_question_along(walk: Walk) -> None:
    """O-j5"""
    team(walk, "false")
    with walk.line() as mm:
        mm.types("/ask-jan run touch made").sees("🔐")
        os.kill(walk.process_of("jan.yaml"), signal.SIGKILL)
        mm.sees("withdrawn", "jan").types("1").types("/ask-jan run touch later").answers("1")
        mm.types("/quit").ends(0)
    assert not walk.made("made")
    assert walk.made("later")


@pytest.mark.parametrize(
    "number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda number: number.name
)
def test_a_signal_to_mm_ends_everything_that_jan_runs(walk: Walk, number: signal.Signals) -> None:
    """O-e2"""
    team(walk, "true")
    with walk.editor() as editor:
        editor.opens().says(f"/ask-jan run {SLEEP}")
        walk.waits_for("started")
        editor.kills(number).ends()
        walk.leaves_nothing()


def test_a_killed_mm_takes_its_own_command_along(walk: Walk) -> None:
    """O-e2"""
    team(walk, "true")
    with walk.editor() as editor:
        editor.opens().says(f"run {SLEEP}")
        walk.waits_for("started")
        editor.kills().ends()
        walk.leaves_nothing()


def test_a_killed_mm_takes_an_agent_along_that_ignores_its_end(walk: Walk) -> None:
    """O-e2"""
    walk.foreign("{ignore_eof: true, prompts: [[{touch: started}, {run: sleep 600}]]}")
    with walk.editor() as editor:
        editor.opens().says("/ask-jan work")
        walk.waits_for("started")
        editor.kills().ends()
        walk.leaves_nothing()


@pytest.mark.parametrize(
    "number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name
)
def test_a_signal_at_the_terminal_ends_everything_that_jan_runs(walk: Walk, number: signal.Signals) -> None:
    """O-e2"""
    team(walk, "true")
    with walk.line() as mm:
        mm.types(f"/ask-jan run {SLEEP}")
        walk.waits_for("started")
        mm.kills(number).ends()
        walk.leaves_nothing()


def test_a_closed_terminal_ends_everything(walk: Walk) -> None:
    team(walk, "true")
    with walk.line() as mm:
        mm.types(f"/ask-jan run {SLEEP}")
        walk.waits_for("started")
        mm.hangs_up().ends()
        walk.leaves_nothing()


def test_a_terminal_closed_at_a_question_allows_nothing(walk: Walk) -> None:
    team(walk, "false")
    with walk.line() as mm:
        mm.types("/ask-jan run touch made").sees("🔐").hangs_up().ends()
        walk.leaves_nothing()
    assert not walk.made("made")


def test_an_editor_that_closes_stdin_ends_everything(walk: Walk) -> None:
    team(walk, "true")
    with walk.editor() as editor:
        editor.opens().says(f"/ask-jan run {SLEEP}")
        walk.waits_for("started")
        editor.closes_stdin().ends()
        walk.leaves_nothing()


def test_an_editor_that_goes_away_at_a_question_allows_nothing(walk: Walk) -> None:
    team(walk, "false")
    with walk.editor() as editor:
        editor.opens().says("/ask-jan run touch made")
        editor.question()
        editor.closes_stdin().ends()
        walk.leaves_nothing()
    assert not walk.made("made")


def test_an_interrupted_headless_run_ends_everything(walk: Walk) -> None:
    team(walk, "true")
    with walk.starts("-p", f"ask jan: run {SLEEP}") as mm:
        walk.waits_for("started")
        mm.send_signal(signal.SIGINT)
        assert mm.wait(20) == 130
        walk.leaves_nothing()


def test_quit_ends_what_still_runs(walk: Walk) -> None:
    team(walk, "true")
    with walk.line() as mm:
        mm.types("/ask-jan run sleep 600 & touch started").types("/quit").ends(0)
        walk.leaves_nothing()


def test_end_of_input_at_the_prompt_ends_it(walk: Walk) -> None:
    team(walk, "true")
    with walk.line() as mm:
        mm.waits_for_prompt().presses("ctrl-d").ends(0)


def test_a_jan_that_does_not_stop_is_ended_and_can_be_asked_again(walk: Walk) -> None:
    freeze = "[ -e frozen ] || { touch frozen; kill -STOP $PPID; }"
    walk.foreign(f"{{prompts: [[{{run: '{freeze}'}}, {{say: Here again.}}]]}}")
    with walk.line() as mm:
        mm.types("/ask-jan work")
        walk.waits_for("frozen")
        mm.presses("ctrl-c").types("/ask-jan work").sees("Here again.").types("/quit").ends(0)


def test_a_jan_that_ignores_its_end_is_ended(walk: Walk) -> None:
    walk.foreign("{ignore_eof: true, prompts: [[{touch: started}, {say: ready}]]}")
    with walk.line() as mm:
        mm.types("/ask-jan work").sees("ready").types("/quit").ends(0)
        walk.leaves_nothing()


SLOW = """
import sys

class Held:
    def find_spec(self, name, path=None, target=None):
        if name == "orchestrator.cli":
            open("importing", "w").close()
            open("never").read()

sys.meta_path.insert(0, Held())
"""
"""A module that is never read to its end, as on a disk that hangs."""


@pytest.mark.parametrize(
    "number",
    [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT],
    ids=lambda number: number.name,
)
def test_a_signal_while_mm_is_loaded_leaves_the_terminal_as_it_was(
    walk: Walk, number: signal.Signals
) -> None:
    walk.file("modules/sitecustomize.py", SLOW)
    os.mkfifo(walk.folder / "never")
    walk.agent("riker")
    with walk.line(PYTHONPATH=f"{walk.folder / 'modules'}:{CHECKOUT}") as mm:
        walk.waits_for("importing")
        assert not mm.echoes
        mm.kills(number).ends(130 if number == signal.SIGINT else -number)
        assert mm.echoes


HELD_UP = """
from pathlib import Path
from orchestrator import marks, start

def marked(self, call):
    Path("looking").touch()
    Path("never").read_bytes()

marks.Eyes.marked = marked
start.entry()
"""
"""mm, in which the look at a call is never done."""


def test_a_second_signal_ends_a_look_that_takes_long_and_gives_the_terminal_back(walk: Walk) -> None:
    os.mkfifo(walk.folder / "never")
    walk.agent("riker", "yolo: false")
    argv = (sys.executable, "-c", HELD_UP, "-c", "riker.yaml")
    with Terminal(argv, walk.environ({}), walk.folder, (120, 40)) as mm:
        mm.types("run touch made")
        walk.waits_for("looking")
        assert mm.settings != mm.fresh
        assert until(lambda: mm.kills(signal.SIGTERM).has_ended)
        mm.ends(-signal.SIGTERM)
        assert mm.settings == mm.fresh
    assert not walk.made("made")
