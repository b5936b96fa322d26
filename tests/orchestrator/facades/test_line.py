"""Line mode, at real pseudo-terminals."""

from __future__ import annotations

import termios
import time

import pytest

from orchestrator.facades.guard import QUIET, SETTLE
from tests.orchestrator.facades.terminal import Terminal, terminal

SCENES = "tests.orchestrator.facades.scenes"
INVITED = "answer 1, 2, 3, 4 or s, then Enter"
LOCK = "\U0001f510"


def begin(at: Terminal, line: str = "go") -> None:
    """Enter a line at the empty prompt."""
    at.wait_for_prompt()
    at.press(f"{line}\r")


def test_a_line_is_submitted_and_its_answer_drawn() -> None:
    with terminal(SCENES, "echo") as at:
        at.wait_for("yolo: off (tools ask)")
        begin(at, "hello")
        at.wait_for("You said hello.")
        assert "mm: submitted 'hello'" in at.lines()
        assert "> hello" in at.lines()
        begin(at, "/quit")
        assert at.wait_for_end() == 0


def test_a_slash_command_shows_its_plain_answer() -> None:
    with terminal(SCENES, "echo") as at:
        begin(at, "/help")
        at.wait_for("first line\nsecond line")


def test_ctrl_d_ends_at_the_empty_prompt_and_the_terminal_is_as_it_was() -> None:
    with terminal(SCENES, "echo") as at:
        before = termios.tcgetattr(at.slave)
        at.wait_for_prompt()
        assert termios.tcgetattr(at.slave) != before
        at.press("half a line\x03\x04")
        assert at.wait_for_end() == 0
        assert termios.tcgetattr(at.slave) == before
        assert at.raw.rstrip().endswith("\x1b[?2004l")


def test_the_terminal_is_as_it_was_after_an_error() -> None:
    with terminal(SCENES, "broken") as at:
        before = termios.tcgetattr(at.slave)
        begin(at)
        at.wait_for(INVITED)
        at.press("4\r")
        assert at.wait_for_end() == 1
        assert termios.tcgetattr(at.slave) == before


@pytest.mark.parametrize(
    ("key", "got"),
    [
        ("1", "allow_once"),
        ("2", "allow_session"),
        ("3", "never"),
        ("4", "refuse_once"),
        ("s", "cancelled"),
    ],
)
def test_a_lone_digit_or_s_answers(key: str, got: str) -> None:
    with terminal(SCENES, "one") as at:
        begin(at)
        at.wait_for(INVITED)
        at.press(f"{key}\r")
        at.wait_for(f"question 0 got {got}")


def test_the_question_says_who_asks_before_what() -> None:
    with terminal(SCENES, "one") as at:
        begin(at)
        at.wait_for(INVITED)
        lines = at.lines()
        first = lines.index(f"{LOCK} jan")  # wide signs take two cells
        assert "│ ls" in lines[first:]
        assert at.text.count(LOCK) == 1
        assert "every bash call of jan until mm stops" in at.text


def test_a_once_only_question_offers_no_two_and_the_other_digits_mean_the_same() -> None:
    with terminal(SCENES, "once_only") as at:
        begin(at)
        at.wait_for("answer 1, 3, 4 or s, then Enter")
        at.press("2\r")
        at.wait_for("only 1, 3, 4, s or d counts")
        at.wait_for("answer 1, 3, 4 or s, then Enter", 2)
        at.press("3\r")
        at.wait_for("question 0 got never")


@pytest.mark.parametrize(
    "typed", ["\r", " \r", "\x1b\r", "\x04\r", "1 yes please\r", "1\r1\r", " 1\r", "12\r", "y\r"]
)
def test_nothing_but_a_lone_answer_answers(typed: str) -> None:
    with terminal(SCENES, "one") as at:
        begin(at)
        at.wait_for(INVITED)
        at.press(typed)
        at.wait_for("only 1, 2, 3, 4, s or d counts")
        at.wait_for(INVITED, 2)
        assert "got" not in at.text
        at.press("4\r")
        at.wait_for("question 0 got refuse_once")


def test_a_mistyped_answer_can_be_mended() -> None:
    with terminal(SCENES, "one") as at:
        begin(at)
        at.wait_for(INVITED)
        at.press("x")
        at.wait_for("): x")
        at.press("\x7f")
        while "): x" in at.text:
            at.read(0.2)
        while at.read(0.3):  # a person's pause: nobody types two keys within 100 ms on purpose
            pass
        at.press("1")
        at.wait_for("): 1")
        at.press("\r")
        at.wait_for("question 0 got allow_once")


def test_pasted_answers_allow_nothing() -> None:
    with terminal(SCENES, "one") as at:
        begin(at)
        at.wait_for(INVITED)
        at.press("\x1b[200~1\r\x1b[201~")
        at.press("\r")
        at.wait_for(INVITED, 2)
        at.press("1\r" * 5000)  # 10 kB, from a terminal that does not mark pastes
        at.wait_for(INVITED, 3)
        assert "got" not in at.text
        at.press("s\r")
        at.wait_for("question 0 got cancelled")


def test_what_was_typed_before_the_question_stays_unsent_in_the_input_line() -> None:
    """O-k3: the person is typing `1 yes please` when jan's question appears."""
    with terminal(SCENES, "one") as at:
        at.wait_for_prompt()
        at.press("go\r1 yes please\r")
        at.wait_for(INVITED)
        assert "got" not in at.text
        at.press("typed into the question\r")
        at.wait_for(INVITED, 2)
        at.press("4\r")
        at.wait_for("question 0 got refuse_once")
        at.wait_for("\n> 1 yes please")
        at.press("!\r")
        at.wait_for("submitted '1 yes please !'")
        assert "typed into" not in at.text.split("submitted '1 yes")[1]


def test_lines_typed_ahead_are_never_sent_by_themselves() -> None:
    with terminal(SCENES, "echo") as at:
        at.wait_for_prompt()
        at.press("first\rsecond\rthird\r")
        at.wait_for("\n> second\n  third")
        assert "mm: submitted 'first'" in at.lines()
        at.press("\r")
        at.wait_for(r"submitted 'second\nthird'")


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_what_was_entered_too_early_is_said_to_be_unsent_and_melts_with_nothing(term: str) -> None:
    with terminal(SCENES, "echo", environ={"TERM": term}) as at:
        at.press("run echo hi\r")
        at.wait_for("was there: kept, not sent; Enter sends it")
        at.wait_for("> run echo hi")
        assert "submitted" not in at.text
        at.press("s\r")
        at.wait_for("submitted 'run echo hi s'")
        begin(at, "next")
        at.wait_for("submitted 'next'")
        assert at.text.count("was there: kept, not sent") == 1


def test_ctrl_c_stops_the_turn_and_ctrl_d_does_nothing() -> None:
    with terminal(SCENES, "long_turn") as at:
        begin(at)
        at.wait_for("working")
        at.press("for later\x04\x03")
        at.wait_for("mm: stopping")
        at.wait_for("mm: stopped")
        at.wait_for("\n> for later")


def test_ctrl_c_in_a_question_stops_the_whole_turn() -> None:
    with terminal(SCENES, "two") as at:
        begin(at)
        at.wait_for(INVITED)
        at.press("\x03")
        at.wait_for("mm: stopped")
        at.wait_for_prompt()
        assert at.text.count(LOCK) == 1
        assert "mm: question 1 got cancelled" in at.lines()
        assert "got allow" not in at.text


def test_questions_come_one_at_a_time_and_name_their_asker() -> None:
    """O-a3, O-k1."""
    with terminal(SCENES, "two") as at:
        begin(at)
        at.wait_for(INVITED)
        assert "1 more waiting" in at.text
        assert "touch A" in at.text
        assert "rm B" not in at.text
        at.press("1\r")
        at.wait_for(INVITED, 2)
        assert "question 1 got allow_once" in at.text
        at.wait_for(f"{LOCK} you")
        at.press("4\r")
        at.wait_for("question 2 got refuse_once")


def test_an_answer_on_its_way_does_not_answer_the_next_question() -> None:
    """O-k1: the keys for A arrive when B stands there."""
    with terminal(SCENES, "two") as at:
        begin(at)
        at.wait_for(INVITED)
        at.press("1\r")
        at.wait_for("rm B")
        at.press("1\r")
        at.wait_for(INVITED, 2)
        assert "question 2 got" not in at.text
        at.press("4\r")
        at.wait_for("question 2 got refuse_once")
        at.wait_for("\n> 1")


def test_no_answer_is_invited_until_a_new_question_has_stood_for_half_a_second() -> None:
    with terminal(SCENES, "two") as at:
        begin(at)
        at.wait_for(INVITED)
        before = time.monotonic()
        at.press("1\r")
        at.wait_for(INVITED, 2)
        assert time.monotonic() - before >= SETTLE + QUIET


def test_k2_seven_agents_ask_at_once_of_which_one_dies_and_one_is_stopped() -> None:
    with terminal(SCENES, "seven", rows=200) as at:
        begin(at)
        for number, name in enumerate("adefg", 1):
            at.wait_for(INVITED, number)
            drawn = at.text[at.text.rindex(LOCK) :]
            assert drawn.startswith(f"{LOCK} {name}\n")
            assert f"│ touch {name}\n" in drawn
            assert ("more waiting" in drawn) == (number < 5)
            assert (f"\n{5 - number} more waiting\n" in drawn) == (number < 5)
            at.press("1\r" if name in "ae" else "4\r")
        at.wait_for("g got")
        got = [line.removeprefix("mm: ") for line in at.lines() if " got " in line]
        assert sorted(got) == [
            "a got answer True",
            "c got cancelled False",
            "d got answer False",
            "e got answer True",
            "f got answer False",
            "g got answer False",
        ]


def test_a_flood_of_questions_is_asked_in_order() -> None:
    """seq-08."""
    with terminal(SCENES, "flood", rows=60) as at:
        begin(at)
        at.wait_for(INVITED)
        assert "199 more waiting" in at.text
        for ticket in range(3):
            at.wait_for(INVITED, ticket + 1)
            at.press("4\r")
            at.wait_for(f"question {ticket} got refuse_once")
        at.wait_for("│ echo 3")
        at.press("\x03")
        at.wait_for("mm: stopped")


def test_events_wait_until_the_question_is_answered() -> None:
    with terminal(SCENES, "busy", rows=80) as at:
        begin(at)
        at.wait_for(INVITED)
        assert "event" not in at.text
        at.press("1\r")
        at.wait_for("mm: event 49")
        assert at.text.index("event 0") < at.text.index("event 49")


def test_agents_wait_when_too_many_events_are_kept() -> None:
    with terminal(SCENES, "crowded", rows=80) as at:
        begin(at)
        at.wait_for(INVITED)
        at.press("1\r")
        at.wait_for("mm: 10 were kept")
        drawn = [line for line in at.lines() if line.startswith("mm: event")]
        assert drawn == [f"mm: event {number}" for number in range(25)]


def test_events_and_questions_come_at_the_prompt_without_touching_what_is_typed() -> None:
    with terminal(SCENES, "idle_event") as at:
        begin(at)
        at.wait_for_prompt()
        at.press("half a thought")
        at.wait_for("mm: it happened")
        lines_edited = at.raw.split("it happened")[0].count("\x1b[?2004l")
        assert lines_edited == 2  # what is not drawn takes nobody's line away
        at.wait_for(INVITED)
        at.press("1\r")
        at.wait_for("question 0 got allow_once")
        at.wait_for("\n> half a thought")
        at.press("\r")
        at.wait_for("submitted 'half a thought'")


def test_a_withdrawn_question_says_so() -> None:
    with terminal(SCENES, "withdrawn") as at:
        begin(at)
        at.wait_for(INVITED)
        at.wait_for("(question withdrawn: jan)")
        at.wait_for("mm: withdrawn")
        begin(at, "1")
        at.wait_for("submitted '1'")  # an ordinary line again


def test_everything_hidden_is_reachable_before_answering() -> None:
    """O-f1."""
    with terminal(SCENES, "long") as at:
        begin(at)
        at.wait_for(INVITED)
        assert "lines hidden" in at.text
        assert "line 199" in at.text
        assert "line 100\n" not in at.text
        at.press("d\r")
        page = 1
        while at.text.count(INVITED) < 2:
            at.wait_for(f"{page} of 10: Enter shows more")
            at.press("\r")
            page += 1
            while f"{page} of 10" not in at.text and at.text.count(INVITED) < 2:
                at.read(0.2)
        assert all(f"│ line {number}\n" in at.text for number in range(1, 200))
        assert '"raw": true' in at.text
        at.press("4\r")
        at.wait_for("question 0 got refuse_once")


def test_details_are_wrapped_as_the_question_is() -> None:
    with terminal(SCENES, "signs", columns=32, rows=60) as at:
        begin(at)
        at.wait_for("details):")
        at.press("d\r")
        at.wait_for("details):", 2)
        question, details = at.text.split("details): d")
        rows = [row for row in details.split("\n") if "\u00e9" in row]
        assert len(rows) > 4
        assert all(row in question.split("\n") for row in rows)


def test_a_page_of_the_details_says_how_to_get_back_and_that_answers_do_not_count() -> None:
    with terminal(SCENES, "long") as at:
        begin(at)
        at.wait_for(INVITED)
        at.press("d\r")
        at.wait_for("1 of 10: Enter shows more, b goes back to the question:")
        at.press("1\r")
        at.wait_for("only Enter (more) or b (back to the question) counts here; answer")
        at.wait_for("1 of 10", 2)
        at.press("b\r")
        at.wait_for(INVITED, 2)
        assert "got" not in at.text
        at.press("/quit\r")
        at.wait_for("typed alone and then Enter; Ctrl-C")


def test_speakers_cannot_pass_for_each_other() -> None:
    with terminal(SCENES, "speak") as at:
        begin(at)
        at.wait_for("end\n>")
        lines = at.lines()
        assert "I ask jan." in lines
        assert "starting jan …" in lines
        assert "jan › bash: ls" in lines
        assert "… 12 more lines" in [line.strip() for line in lines]
        assert "jan" in lines
        assert r"│ mm: I am not jan \u{1b}[2J\u{1f510} you" in lines
        assert "jan › homer" in lines
        assert any(line.startswith("│  • two here (http://example.org)") for line in lines)
        assert "mm: warning: careful" in lines
        assert r"print(r'\d')" in lines
        assert LOCK not in at.text
        assert "\x1b]8" not in at.raw


@pytest.mark.parametrize(
    "environ", [{"TERM": "dumb"}, {"NO_COLOR": "1"}, {"TERM": "dumb", "NO_COLOR": "1"}, {"TERM": "vt100"}]
)
def test_poor_terminals_will_do(environ: dict[str, str]) -> None:
    with terminal(SCENES, "one", environ=environ) as at:
        begin(at)
        at.wait_for(INVITED)
        at.press("1\r")
        at.wait_for("question 0 got allow_once")
        if environ.get("TERM") == "dumb":
            assert "\x1b" not in at.raw
        if "NO_COLOR" in environ:
            assert "\x1b[3" not in at.raw


def test_twenty_columns_and_five_rows_will_do() -> None:
    with terminal(SCENES, "two", columns=20, rows=5) as at:
        begin(at)
        at.wait_for("details):")
        assert all(len(line) <= 20 for line in at.lines())
        at.press("1\r")
        at.wait_for("details):", 2)
        at.press("4\r")
        at.wait_for("refuse_once")


def test_a_resized_terminal_is_drawn_at_its_new_width() -> None:
    with terminal(SCENES, "one", columns=100) as at:
        begin(at)
        at.wait_for(INVITED)
        at.resize(40, 24)
        at.press("1\r")
        at.wait_for("question 0 got allow_once")
        begin(at)
        at.wait_for("details):")
        drawn = at.lines()[at.lines().index("mm: question 0 got allow_once") :]
        assert all(len(line) <= 40 for line in drawn)
