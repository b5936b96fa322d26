"""Events drawn as plain lines."""

from __future__ import annotations

from io import StringIO

from consent.call import Arguments, Command
from mmconfigs.language import Words
from orchestrator.agent import Reason, Stop
from orchestrator.events import (
    AgentState,
    CallEnded,
    CallStarted,
    Event,
    Level,
    Noted,
    Phase,
    Row,
    RunState,
    Said,
    State,
    Thought,
)
from orchestrator.facades.screen import Screen
from orchestrator.facades.transcript import Transcript

JAN = ("jan",)


def lines(*events: Event, end: Stop | None = None, words: Words = Words()) -> list[str]:  # noqa: B008 - a value
    output = StringIO()
    transcript = Transcript(Screen(output, {}, vanished=lambda: None, clock=lambda: 0.0), words)
    for event in events:
        transcript.draw(event)
    transcript.end(end or Stop(Reason.END_TURN, "done"))
    return output.getvalue().split("\n")[:-1]


def started(call: str, command: str) -> CallStarted:
    return CallStarted(JAN, call, "bash", None, "", Command(command), "{}")


def test_text_waits_for_the_end_of_its_block_or_for_something_else() -> None:
    assert lines(Said((), "one "), Said((), "piece"), Noted((), "a note"), Said((), "end")) == [
        "one piece",
        "mm: a note",
        "end",
    ]


def test_each_change_of_speaker_is_a_heading_and_own_text_has_none() -> None:
    assert lines(Said((), "a"), Said(JAN, "b\n\nc"), Said((*JAN, "homer"), "d"), Said((), "e")) == [
        "a",
        "jan",
        "│ b",
        "│",
        "│ c",
        "jan › homer",
        "│ d",
        "e",
    ]


def test_the_next_turn_begins_with_a_heading_again() -> None:
    output = StringIO()
    transcript = Transcript(Screen(output, {}, vanished=lambda: None, clock=lambda: 0.0), Words())
    for _ in range(2):
        transcript.draw(Said(JAN, "b"))
        transcript.end(Stop(Reason.END_TURN, "done"))
    assert output.getvalue() == "jan\n│ b\n" * 2


def going(*rows: Row) -> RunState:
    return RunState((), "review-1", rows)


def test_changes_of_a_run_are_lines_and_the_table_is_drawn_when_a_step_has_ended() -> None:
    works, waits = Row("jan", 1, Phase.WORKING), Row("lisa", 1, Phase.WAITING)
    done = (Row("jan", 1, Phase.DONE, "ACCEPT", 2.4), Row("lisa", 1, Phase.FAILED, "cut", 61.0))
    assert lines(
        going(works, waits), going(works, Row("lisa", 1, Phase.WORKING)), going(done[0], waits), going(*done)
    ) == [
        "  review-1",
        "  ▸ jan: working, round 1",
        "  ▸ lisa: working, round 1",
        "  ✓ jan: done, ACCEPT, round 1, 2 s",
        "     who   round  state              time",
        "  ✓  jan   1      done, ACCEPT       2 s",
        "  ✗  lisa  1      not finished, cut  1 min 1 s",
    ]


def test_a_run_that_is_taken_up_again_begins_with_its_table() -> None:
    rows = (Row("homer", 1, Phase.DONE, "", 2), Row("jan", 1, Phase.WORKING, tokens=1200))
    assert lines(going(*rows), words=Words("fr")) == [
        "  review-1",
        "     qui    tour  état        durée  jetons",
        "  ✓  homer  1     fini        2 s    –",
        "  ▸  jan    1     au travail  –      1\u202f200",
    ]


def test_who_speaks_at_the_same_time_is_drawn_by_whole_blocks() -> None:
    lisa = ("lisa",)
    both = going(Row("jan", 1, Phase.WORKING), Row("lisa", 1, Phase.WORKING))
    spoken = (Said(JAN, "It is "), Said(lisa, "I think "), started("1", "ls"), Said(JAN, "fine.\n\nACC"))
    assert lines(both, *spoken, Said(lisa, "so.\n\n"), Said(JAN, "EPT"))[4:] == [
        "jan",
        "│ It is ",
        "jan › bash: ls",
        "│ fine.",
        "lisa",
        "│ I think so.",
        "jan",
        "│ ACCEPT",
    ]


def test_results_of_calls_that_run_at_once_are_named_again() -> None:
    ends = (CallEnded(JAN, "1", True, "a"), CallEnded(JAN, "2", False, "b"))
    assert lines(started("1", "ls"), started("2", "pwd"), *ends) == [
        "jan › bash: ls",
        "jan › bash: pwd",
        "jan › bash: ls",
        "  a",
        "jan › bash: pwd",
        "  failed",
        "  b",
    ]


def test_a_long_result_is_cut_with_the_hidden_count() -> None:
    drawn = lines(started("1", "ls"), CallEnded(JAN, "1", True, "x\n" * 1008))
    assert drawn == ["jan › bash: ls", *["  x"] * 8, "  … 1,000 more lines"]


def test_a_call_without_a_name_or_detail_is_called_as_its_agent_does() -> None:
    event = CallStarted(JAN, "1", None, None, "Terminal \x1b[2J", Arguments(""), "")
    assert lines(event) == [r"jan: Terminal \u{1b}[2J"]


def test_levels_are_words() -> None:
    drawn = lines(*(Noted((), "text", level) for level in Level))
    assert drawn == ["mm: text", "mm: warning: text", "mm: error: text"]


def test_a_note_cannot_draw_another_line_of_ours() -> None:
    drawn = lines(Noted((), "one\nmm: error: two \U0001f510"))
    assert drawn == ["mm: one", r"  mm: error: two \u{1f510}"]


def test_starting_and_thinking_are_said_once() -> None:
    states = (AgentState(JAN, State.STARTING), AgentState(JAN, State.WORKING))
    drawn = lines(*states, Thought(JAN, "a"), Thought(JAN, "secret"), Said(JAN, "b"))
    assert drawn == ["starting jan …", "jan: thinking …", "jan", "│ b"]


def test_every_end_that_is_not_done_is_said() -> None:
    for reason in Reason:
        drawn = lines(end=Stop(reason, "text", detail="why \x1b"))
        assert len(drawn) == (reason is not Reason.END_TURN)
        assert all(line.startswith("mm: ") and r"why \u{1b}" in line for line in drawn)


def test_french_is_spoken() -> None:
    assert lines(AgentState(JAN, State.STARTING), words=Words("fr")) == ["démarrage de jan …"]


def test_a_call_that_ended_without_a_word_draws_no_blank_line() -> None:
    assert lines(started("1", "ls"), CallEnded(JAN, "1", True, ""), Said((), "end")) == [
        "jan › bash: ls",
        "end",
    ]
    assert lines(started("1", "ls"), CallEnded(JAN, "1", False, "")) == ["jan › bash: ls", "  failed"]
