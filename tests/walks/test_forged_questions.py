"""What an asked agent writes into its call cannot make the question say something else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.walks.builder import Walk
from tests.walks.terminal import INVITATION, Terminal

LOCK = "🔐"
SMALL = (80, 24)


def jan_asks(walk: Walk, *calls: dict[str, Any], before: tuple[dict[str, Any], ...] = ()) -> None:
    """riker asks jan, a foreign agent, which sends these updates and then asks for these calls."""
    updates = [{"update": update} for update in before]
    asks = [{"ask": {"toolCall": {"toolCallId": "c1", "kind": "execute"} | call}} for call in calls]
    script = json.dumps({"log": "jan.log", "prompts": [[*updates, *asks]]})
    walk.agent("riker", "yolo: false", f"mmConfigs: {{jan: {walk.child('jan', script)}}}")


def bash(command: str) -> dict[str, Any]:
    return {"name": "bash", "rawInput": {"command": command}}


def reads_all_details(mm: Terminal) -> str:
    """Page through the details to the end; the text of the whole run."""
    mm.sees(INVITATION).sends(b"d\r")
    while True:
        mm.sees("shows")  # more, or, in the invitation, details
        if mm.holds(INVITATION):
            return mm.whole()
        mm.presses("enter")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("ls" + "\n" * 60 + "rm -rf ~/x", "lines hidden"),
        ("echo " + "a" * 4980 + "; rm -rf ~/x", "characters hidden"),
    ],
)
def test_f1_the_end_of_a_long_command_is_seen_and_what_is_hidden_is_counted(
    walk: Walk, command: str, says: str
) -> None:
    jan_asks(walk, bash(command))
    with walk.line(size=SMALL) as mm:
        mm.types("/ask-jan go").sees(INVITATION)
        screen = "\n".join(mm.screen())
        assert "rm -rf ~/x" in screen
        assert "hidden" in screen
        mm.sees(says)
        whole = reads_all_details(mm)
        assert whole.count("a") >= command.count("a")
        assert whole.count("│") >= command.count("\n")
        mm.answers("4").types("/quit").ends(0)


@pytest.mark.parametrize(
    "filler", ["\u200b\u200c" * 580, "\u6f22" * 1190, "\n" * 200, ("a" * 70 + "\n") * 20, "a" * 5000]
)
def test_who_asks_and_how_a_command_begins_stay_on_a_small_screen(walk: Walk, filler: str) -> None:
    calls = json.dumps([{"call": {"tool": "bash", "args": {"command": f"touch ~/x; : {filler}"}}}])
    walk.file("turns.yaml", calls)
    walk.agent("riker", "model: script:./turns.yaml", "yolo: false")
    with walk.line(size=SMALL) as mm:
        mm.types("go").sees(INVITATION)
        screen = "\n".join(mm.screen())
        assert LOCK in screen
        assert "touch ~/x" in screen
        mm.answers("4").types("/quit").ends(0)


@pytest.mark.parametrize(
    "hidden",
    ["\x1b[24D\x1b[K", "\u202e", "\u200b", "\u2028", "\r", "\x07", "\x1b]52;c;cm0=\x07", "\U000e0041", LOCK],
)
def test_f2_nothing_in_a_command_or_title_reaches_the_terminal_as_it_is(walk: Walk, hidden: str) -> None:
    command = f"echo good && echo evil {hidden} && echo good"
    jan_asks(walk, {**bash(command), "title": f"harmless {hidden}"})
    with walk.line() as mm:
        mm.types("/ask-jan go").sees("echo evil", INVITATION)
        assert mm.count(LOCK) == 1
        assert hidden == LOCK or not mm.wrote(hidden.encode() + b" && echo good")
        assert hidden == LOCK or not mm.wrote(b"harmless " + hidden.encode())
        mm.answers("4").types("/quit").ends(0)


def test_f3_the_whole_chain_and_the_folder_are_shown(walk: Walk) -> None:
    jan_asks(walk, bash("cd /srv/www && rm -rf *"))
    with walk.line() as mm:
        mm.types("/ask-jan go").sees("│ cd /srv/www && rm -rf *", f"folder: {walk.folder}")
        mm.answers("4").types("/quit").ends(0)


CALL = {"sessionUpdate": "tool_call", "toolCallId": "c1", "title": "Terminal", "rawInput": {}}
CHANGE = {"sessionUpdate": "tool_call_update", "toolCallId": "c1", "rawInput": {"command": "touch made"}}


def test_f4_what_was_said_earlier_of_a_call_is_shown(walk: Walk) -> None:
    jan_asks(walk, {"title": "bash"}, before=(CALL, CHANGE))
    with walk.line() as mm:
        mm.types("/ask-jan go").sees("touch made", INVITATION)
        mm.answers("4").types("/quit").ends(0)


def test_f4_a_command_that_was_never_given_is_said_and_allowed_once_only(walk: Walk) -> None:
    jan_asks(walk, {"title": "bash"})
    with walk.line() as mm:
        mm.types("/ask-jan go").sees("did not say what it would run", "answer 1, 3, 4 or s")
        mm.sends(b"2\r").sees("only 1, 3, 4")
        mm.answers("4").types("/quit").ends(0)


def test_a3_each_question_names_its_asker_and_no_comment_reaches_jan(walk: Walk) -> None:
    """Typed before the invitation it is for the launched agent; typed into the answer it is nobody's."""
    jan_asks(walk, bash("ls"))
    with walk.line() as mm:
        mm.types("/ask-jan go").sees(f"{LOCK} jan").sends(b"use the other folder")
        mm.sees(INVITATION).sends(b"4 but be careful\r").sees("typed alone")
        mm.answers("4").waits_for_prompt()
        assert mm.input_line() == ["> use the other folder"]
        mm.clears_the_line().types("run ls").sees(f"{LOCK} you").answers("4")
        mm.types("/quit").ends(0)
    assert "folder" not in str([frame.get("params", {}).get("prompt") for frame in walk.frames("jan.log")])
    assert "careful" not in walk.read("jan.log")
