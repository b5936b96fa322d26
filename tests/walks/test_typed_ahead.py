"""Keys that come before, while and after a question is drawn: only a lone line after the invitation answers.

The program is stopped while a key is sent, so that it is known whether the invitation had been read by then.
"""

from __future__ import annotations

from itertools import cycle, islice

import pytest

from tests.walks.builder import Walk
from tests.walks.processes import until
from tests.walks.terminal import INVITATION, Terminal

LOCK = "🔐"
ASKS = "yolo: false"
EARLY = "typed before an answer was invited"
PASTE = b"\x1b[200~1\r\x1b[201~"
KEPT: dict[bytes, list[str]] = {
    b"1\r": ["> 1"],
    b"1 yes please\r": ["> 1 yes please"],
    b"\r": [">"],
    b" ": [">"],
    b"2\n": ["> 2"],
    b"1\r1\r": ["> 1", "  1"],
    b"1": ["> 1"],
    PASTE: ["> 1"],
}
"""Keys, and the input line of the next prompt where they came too early."""
MOMENTS = {
    "in_the_same_write": [-1.0] * 5,
    "while_it_works": [0.0, 0.002, 0.005, 0.01, 0.02],
    "as_it_is_drawn": [0.0, 0.05, 0.1, 0.2, 0.3],
    "before_the_invitation": [0.40, 0.42, 0.44, 0.45, 0.46],
    "around_the_invitation": [0.47, 0.475, 0.48, 0.485, 0.49],
    "at_the_invitation": [0.492, 0.494, 0.496, 0.498, 0.5],
    "just_after_it": [0.502, 0.504, 0.506, 0.508, 0.51],
    "later": [0.52, 0.54, 0.56, 0.6, 0.7],
    "invited": [20.0] * 5,
    "long_invited": [20.0] * 5,
}
"""Fifty arrival times in seconds after the drawing of the question, or after the line was entered."""


@pytest.mark.parametrize("moment", MOMENTS)
def test_k3_only_a_lone_line_after_the_invitation_answers(walk: Walk, moment: str) -> None:
    walk.agent("riker", ASKS)
    first = list(MOMENTS).index(moment)
    keys = islice(cycle(KEPT), first, None)
    with walk.line() as mm:
        for number, (seconds, sent) in enumerate(zip(MOMENTS[moment], keys, strict=False)):
            arrives(walk, mm, f"made{number}", sent, moment, seconds)
        mm.types("/quit").ends(0)


def arrives(walk: Walk, mm: Terminal, name: str, keys: bytes, moment: str, seconds: float) -> None:
    """Ask for a call that makes a file, send `keys` at their time, and see whether the call was allowed."""
    told = mm.count(EARLY)
    invited = sends_at(mm, f"run touch {name}", keys, moment, seconds)
    if invited and keys in (b"1\r", b"2\n"):
        walk.waits_for(name)
        mm.types("/revoke bash")
        return
    if invited and keys in (b" ", b"1", PASTE):
        mm.sends(b"\x1b\r")  # with an Escape in it, the line is no lone answer any more
    mm.answers("4").waits_for_prompt()
    assert not walk.made(name)
    if keys == b"1\r1\r":  # at the invitation the second line belongs to no answer, nor to any question
        assert mm.input_line() == (["> 1"] if invited else ["> 1", "  1"])
    else:
        assert mm.input_line() == ([">"] if invited else KEPT[keys])
    if moment == "as_it_is_drawn" and keys != b"\r":
        assert mm.count(EARLY) == told + 1
    mm.clears_the_line()


def sends_at(mm: Terminal, command: str, keys: bytes, moment: str, seconds: float) -> bool:
    """Enter the command and send `keys` at their time; whether an answer had been invited by then."""
    if moment == "in_the_same_write":
        mm.enters(command.encode() + b"\r" + keys)
        return False
    mm.types(command)
    if moment != "while_it_works":
        mm.sees(LOCK)
    until(lambda: mm.holds(INVITATION), seconds)
    with mm.stands_still():
        invited = mm.holds(INVITATION)
        mm.sends(keys)
    return invited


def foreign(walk: Walk, script: str, *more: str) -> None:
    walk.agent("riker", ASKS, f"mmConfigs: {{jan: {walk.child('jan', script)}}}", *more)


@pytest.mark.parametrize("keys", KEPT)
def test_k3_what_is_typed_while_jan_works_stays_unsent(walk: Walk, keys: bytes) -> None:
    foreign(
        walk,
        """
        prompts:
        - - say: I look.
          - touch: works
          - wait_for: go
          - ask: {toolCall: {name: shell, kind: execute, rawInput: {command: touch made}},
                  allowed: [{touch: made}]}
        """,
    )
    with walk.line() as mm:
        mm.types("/ask-jan go")
        walk.waits_for("works")
        mm.sends(keys)
        walk.file("go", "")
        mm.sees(LOCK).answers("4").waits_for_prompt()
        assert mm.input_line() == KEPT[keys]
        mm.clears_the_line().types("/quit").ends(0)
    assert not walk.made("made")


ODD = {
    "space": b" ",
    "escape": b"\x1b",
    "tab": b"\t",
    "up": b"\x1b[A",
    "ctrl-d": b"\x04",
    "alt-1": b"\x1b1",
    "f1": b"\x1bOP",
    "mouse": b"\x1b[<0;10;10M\x1b[<0;10;10m",
    "old mouse": b"\x1b[M !!1",
    "half a sequence": b"\x1b[1",
    "fullwidth": "１".encode(),
    "arabic": "١".encode(),
    "half a character": "１".encode()[:2],
    "with a blank": b"1 ",
    "with a zero": b"01",
    "mended in one go": b"1\x7f1",
    "zero": b"0",
    "upper case": b"S",
    "nul": b"1\x00",
    "a line below": b"\n1",
}
"""What comes before an Enter and makes no answer."""


@pytest.mark.parametrize("digit", ["", "1"])
def test_k3_no_odd_key_allows(walk: Walk, digit: str) -> None:
    """Each with Enter, alone and after a digit; in between the question stands there and can be answered."""
    walk.agent("riker", ASKS)
    with walk.line() as mm:
        mm.types("run touch made").sees(LOCK)
        for keys in (b"", *ODD.values()) if not digit else ODD.values():
            mm.sees(INVITATION).sends(keys + digit.encode() + b"\r")
        mm.answers("4").clears_the_line().types("/quit").ends(0)
        assert mm.count(LOCK) == 1
    assert not walk.made("made")


@pytest.mark.parametrize("ends", [b"\x03", b""])
def test_k3_ctrl_c_and_the_end_of_input_never_allow(walk: Walk, ends: bytes) -> None:
    walk.agent("riker", ASKS)
    with walk.line() as mm:
        mm.types("run touch made").sees(INVITATION).sends(b"1")
        if ends:
            mm.sends(ends).waits_for_prompt().types("/quit").ends(0)
        else:
            mm.hangs_up()
    walk.leaves_nothing()
    assert not walk.made("made")


@pytest.mark.parametrize("piece", [10_000, 4096, 1000, 7])
@pytest.mark.parametrize("marked", [True, False])
def test_k3_ten_kilobytes_of_pasted_answers_allow_nothing(walk: Walk, marked: bool, piece: int) -> None:
    """At the invitation, where they are the likeliest to count; afterwards the terminal is as it was."""
    walk.agent("riker", ASKS)
    lines = b"1\r" * 5000
    paste = b"\x1b[200~" + lines + b"\x1b[201~" if marked else b"11\r" + lines
    with walk.line() as mm:
        mm.types("run touch made").sees(INVITATION)
        for at in range(0, len(paste), piece):
            mm.sends(paste[at : at + piece])
        if marked:
            mm.presses("enter")
        mm.answers("1")
        walk.waits_for("made")
        mm.clears_the_line().types("run touch other").answers("4")
        mm.types("/quit").ends(0)
        assert mm.count(LOCK) == 2
    assert not walk.made("other")


def test_k3_a_paste_before_the_question_stays_unsent(walk: Walk) -> None:
    walk.agent("riker", ASKS)
    with walk.line() as mm:
        mm.enters(b"run touch made\r" + b"1\r" * 5000)
        mm.answers("4").waits_for_prompt().clears_the_line()
        mm.types("/quit").ends(0)
        assert mm.count("submitted") == 0
        assert mm.count(LOCK) == 1
    assert not walk.made("made")


def test_what_is_typed_before_the_prompt_is_not_drawn_into_the_banner(walk: Walk) -> None:
    walk.agent("riker", ASKS)
    with walk.line() as mm:
        until(lambda: not mm.echoes)
        assert not mm.whole()
        mm.sends(b"early")
        assert mm.input_line() == ["> early"]
        assert "early" not in mm.whole().partition("> ")[0]
        mm.clears_the_line().types("/quit").ends(0)
        assert mm.echoes
