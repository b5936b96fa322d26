"""A terminal that takes nothing: agents work on, keys and signals are heard, and no answer is guessed."""

from __future__ import annotations

import signal

import pytest

from tests.walks.builder import Walk
from tests.walks.terminal import INVITATION

JAN = "mmConfigs: {jan: ./jan.yaml}"


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 130)]
)
def test_a_signal_ends_it(walk: Walk, number: signal.Signals, code: int) -> None:
    walk.agent("riker", "yolo: true", JAN)
    walk.agent("jan", "yolo: true")
    with walk.line() as mm:
        mm.waits_for_prompt().takes_nothing()
        mm.sends(b"/ask-jan run touch made; seq 100000; sleep 600\r")
        walk.waits_for("made")
        mm.kills(number).ends(code)


def test_an_agent_works_on_and_what_it_did_is_drawn_later(walk: Walk) -> None:
    walk.agent("riker", "yolo: true", JAN)
    walk.agent("jan", "yolo: true")
    with walk.line() as mm:
        mm.waits_for_prompt().takes_nothing().sends(b"/ask-jan run seq 1000 then run touch made\r")
        walk.waits_for("made")
        mm.takes_again().sees("touch made").waits_for_prompt().types("/quit").ends(0)


def test_a_key_for_a_question_that_is_not_seen_answers_nothing(walk: Walk) -> None:
    walk.agent("riker", "yolo: false")
    with walk.line() as mm:
        mm.waits_for_prompt().takes_nothing().sends(b"run touch made\r")
        mm.sends(b"1\r").takes_again().sees(INVITATION)
        mm.answers("4").waits_for_prompt()
        assert mm.input_line() == ["> 1"]
        mm.clears_the_line().types("/quit").ends(0)
    assert not walk.made("made")
