"""Every hostile request of the corpus, met by a person at a terminal: what is drawn, what each answer does.

Looked at twice: the bytes that mm wrote, and the screen that they make.
"""

from __future__ import annotations

import re

import pytest

from consent.show import LOCK
from tests.corpus.expectations import (
    answers_owed,
    chosen,
    error,
    expected_cases,
    free_answer,
    key_of,
    of_verdict,
    once_only,
    outcome,
    refusal,
)
from tests.corpus.permission_frames import Case
from tests.corpus_walks.place import Place, asking
from tests.walks.terminal import INVITATION, Terminal

CASES = expected_cases(marked=True)
ASKED = of_verdict(CASES, "ask", "ask_once_only")
LISTED = [(id_, answer) for id_ in ASKED for answer in CASES[id_]["expect"].get("answers", {})]
DIGITS = {"allow_once": "1", "allow_session": "2", "never": "3", "reject_once": "4"}
HEAD = f"{LOCK} jan\n"
STYLE = re.compile(rb"\x1b\[(?:[012]|(?:1;)?3[0-7])m")
"""How mm draws a question: bold, faint, a colour, and back. Nothing else of a terminal's language."""


def sends(mm: Terminal, case: Case) -> None:
    """A fresh jan sends the row."""
    mm.types("/new").types(asking(case))


def drawn(mm: Terminal) -> str:
    """All that mm has written since the row was asked for, without its own styles and line ends."""
    return STYLE.sub(b"", mm.written()).replace(b"\r\n", b"\n").decode()


def seen(mm: Terminal) -> str:
    """What the screen shows of the question."""
    return "\n".join(line.rstrip() for line in mm.screen()).rpartition(LOCK)[2]


def forgets(mm: Terminal) -> None:
    mm.types("/revoke jan/*").waits_for_prompt()


@pytest.mark.parametrize("id_", ASKED)
def test_what_is_drawn_and_what_a_lasting_answer_does(mm: Terminal, place: Place, id_: str) -> None:
    case = CASES[id_]
    agent, tool = key_of(case)
    sends(mm, case)
    mm.sees(INVITATION)
    screen = seen(mm)
    digit = "3" if once_only(case) else "2"
    mm.answers(digit).waits_for_prompt()
    bytes_ = drawn(mm)
    assert place.outcomes() == [refusal(case) if once_only(case) else outcome(case, "allow_session")]

    assert ("allow for the session" in screen) is not once_only(case)
    for text in case["expect"].get("must_show", ()):
        assert text in screen
        assert text in bytes_
    # The one sign of a question that stands there is mm's own.
    assert bytes_.count(LOCK) == bytes_.count(HEAD) == 1
    for hidden in case["expect"].get("must_not_show", ()):
        assert hidden not in screen
        assert hidden not in bytes_.replace(HEAD, "")
    assert not [char for char in bytes_ if char != "\n" and not char.isprintable()]

    mm.types(asking(case)).waits_for_prompt()
    assert LOCK not in drawn(mm), "what was answered for the session is asked again"
    assert place.outcomes() == [refusal(case) if once_only(case) else outcome(case, "allow_session")]
    kept = "never in this session" if once_only(case) else "allow for the session"
    mm.types("/grants").sees(f"{agent}/{tool}: {kept}")
    forgets(mm)


@pytest.mark.parametrize(("id_", "answer"), LISTED)
def test_each_answer_goes_out_as_the_right_option(mm: Terminal, place: Place, id_: str, answer: str) -> None:
    sends(mm, CASES[id_])
    mm.answers(DIGITS[answer]).waits_for_prompt()
    assert place.outcomes() == [outcome(CASES[id_], answer)]
    forgets(mm)


def test_each_of_several_yeses_has_a_digit_of_its_own(mm: Terminal, place: Place) -> None:
    sends(mm, CASES["opt-10"])
    mm.answers("5").waits_for_prompt()
    assert place.outcomes() == [chosen("o1")]


DOUBTFUL = [id_ for id_ in ASKED if once_only(CASES[id_]) and id_ != "opt-10"]  # its yeses are told apart


@pytest.mark.parametrize("id_", DOUBTFUL)
def test_an_allow_of_a_doubtful_call_is_not_kept(mm: Terminal, place: Place, id_: str) -> None:
    case = CASES[id_]
    sends(mm, case)
    mm.answers("2").sees("counts, typed alone").answers("1").waits_for_prompt()
    assert place.outcomes() == [outcome(case, "allow_once")]
    mm.types("/grants").waits_for_prompt()
    assert "jan" not in drawn(mm)


@pytest.mark.parametrize("id_", of_verdict(CASES, "refuse"))
def test_what_cannot_be_answered_is_refused_without_a_question_and_told(
    mm: Terminal, place: Place, id_: str
) -> None:
    sends(mm, CASES[id_])
    mm.waits_for_prompt()
    assert place.outcomes() == [refusal(CASES[id_])]
    assert LOCK not in drawn(mm)
    assert "refused without a question" in drawn(mm)


@pytest.mark.parametrize("id_", of_verdict(CASES, "error"))
def test_what_is_no_request_gets_an_error_and_the_agent_goes_on(mm: Terminal, place: Place, id_: str) -> None:
    case = CASES[id_]
    sends(mm, case)
    mm.waits_for_prompt()
    assert place.errors() == [error(case)] * answers_owed(case)
    assert INVITATION not in drawn(mm)


@pytest.mark.parametrize("id_", of_verdict(CASES, "drop"))
def test_what_nobody_waits_for_is_dropped(mm: Terminal, place: Place, id_: str) -> None:
    sends(mm, CASES[id_])
    mm.waits_for_prompt()
    assert place.heard() == []
    assert LOCK not in drawn(mm)


@pytest.mark.parametrize("id_", CASES)
def test_where_yolo_is_on(free_mm: Terminal, place: Place, id_: str) -> None:
    case = CASES[id_]
    sends(free_mm, case)
    if case["expect"]["yolo_on"] == "ask":
        free_mm.answers("1")
    free_mm.waits_for_prompt()
    assert len(place.heard()) == answers_owed(case)
    assert all(free_answer(case, answer) for answer in place.heard())
    assert (LOCK in drawn(free_mm)) is (case["expect"]["yolo_on"] == "ask")
