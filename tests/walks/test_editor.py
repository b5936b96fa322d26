"""mm under an editor: the questions that it asks, and editors that behave badly."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from tests.walks.builder import Walk
from tests.walks.editor import Editor
from tests.walks.peer import Frame

JAN = "mmConfigs: {jan: ./jan.yaml}"
HOMER = "mmConfigs: {homer: {path: ./homer.yaml, yolo: true}}"
KINDS = ["allow_once", "allow_always", "reject_always", "reject_once"]


def test_yolo_on_asks_the_editor_nothing(walk: Walk) -> None:
    """O-c1, O-c7"""
    walk.agent("riker", "yolo: true", JAN)
    walk.agent("jan", "yolo: false")
    with walk.editor() as editor:
        editor.opens().says("/ask-jan run touch made")
        assert editor.stop_reason == "end_turn"
        assert editor.questions == []
    assert walk.made("made")


def test_jans_call_is_asked_once_as_the_reference_says(walk: Walk) -> None:
    """O-a2"""
    walk.agent("riker", "yolo: false", JAN)
    walk.agent("jan")
    with walk.editor() as editor:
        editor.opens().says("/ask-jan run touch made")
        question = editor.question()
        call = question["params"]["toolCall"]
        assert call["name"] == "bash"
        assert call["title"] == "jan › bash: touch made"
        assert call["rawInput"] == {"command": "touch made"}
        assert question["params"]["sessionId"] == editor.session
        assert question["params"]["_meta"]["mm"] == {"path": ["jan"]}
        assert [option["kind"] for option in question["params"]["options"]] == KINDS
        assert call["toolCallId"] in [update["toolCallId"] for update in editor.updates("tool_call")]
        assert not walk.made("made")
        editor.answers(question, "allow_once")
        assert editor.stop_reason == "end_turn"
        assert len(editor.questions) == 1
        endings = [u["status"] for u in editor.updates("tool_call_update") if "status" in u]
        assert endings[-1] == "completed"
    assert walk.made("made")


def test_own_calls_are_asked_under_their_own_name(walk: Walk) -> None:
    walk.agent("riker", "yolo: false")
    with walk.editor() as editor:
        editor.opens().says("run touch made")
        question = editor.question()
        assert question["params"]["toolCall"]["title"] == "bash: touch made"
        assert question["params"]["_meta"]["mm"] == {"path": []}
        editor.answers(question, "reject_once")
        assert editor.stop_reason == "end_turn"
    assert not walk.made("made")


def test_an_answer_for_the_session_is_kept_and_stays_with_its_key(walk: Walk) -> None:
    """O-b1"""
    walk.agent("riker", "yolo: false", JAN)
    walk.agent("jan")
    with walk.editor() as editor:
        editor.opens().says("/ask-jan run touch first")
        editor.answers(editor.question(), "allow_always")
        assert editor.stop_reason == "end_turn"
        editor.says("/ask-jan run touch second")
        assert editor.stop_reason == "end_turn"
        assert len(editor.questions) == 1
        editor.says("run touch own").answers(editor.question(), "reject_always")
        assert editor.stop_reason == "end_turn"
    assert walk.made("second")
    assert not walk.made("own")


def test_each_session_of_the_editor_remembers_for_itself(walk: Walk) -> None:
    walk.agent("riker", "yolo: false")
    with walk.editor() as editor:
        editor.opens().says("run touch first").answers(editor.question(), "allow_always")
        assert editor.stop_reason == "end_turn"
        editor.opens_another().says("run touch second").answers(editor.question(), "reject_once")
        assert editor.stop_reason == "end_turn"
    assert not walk.made("second")


def test_the_floor_switches_an_entrys_yolo_off(walk: Walk) -> None:
    walk.agent("riker", "yolo: true", HOMER)
    walk.agent("homer")
    with walk.editor(AGENT_YOLO="false") as editor:
        editor.opens().says("/ask-homer run touch made")
        editor.answers(editor.question(), "reject_once")
        assert editor.stop_reason == "end_turn"
    assert not walk.made("made")


def test_without_the_floor_an_entrys_yolo_counts(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", HOMER)
    walk.agent("homer")
    with walk.editor() as editor:
        editor.opens().says("/ask-homer run touch made")
        assert editor.stop_reason == "end_turn"
        assert editor.questions == []
    assert walk.made("made")


def test_jan_works_in_the_sessions_folder(walk: Walk) -> None:
    """O-m4: not where mm was started, and the question shows it."""
    walk.agent("riker", "yolo: false", JAN)
    walk.agent("jan")
    tree = walk.file("tree/README", "").parent
    with walk.editor() as editor:
        editor.opens(tree).says("/ask-jan run pwd > where")
        question = editor.question()
        assert str(tree) in str(question["params"]["toolCall"]["content"])
        editor.answers(question, "allow_once")
        assert editor.stop_reason == "end_turn"
    assert walk.read("tree/where").strip() == str(tree.resolve())


@pytest.mark.parametrize("folder", ["nowhere", "riker.yaml"])
def test_a_session_in_a_folder_that_is_none_is_refused(walk: Walk, folder: str) -> None:
    """O-m4"""
    walk.agent("riker", "yolo: true")
    with walk.editor() as editor:
        editor.opens()
        request = editor.asks("session/new", {"cwd": str(walk.folder / folder), "mcpServers": []})
        assert editor.answer(request)["error"]["code"] == -32602


def answers_with_an_error(editor: Editor, question: Frame) -> None:
    editor.sends({"id": question["id"], "error": {"code": -32603, "message": "no window"}})


def answers_another_option(editor: Editor, question: Frame) -> None:
    editor.decides(question, {"outcome": "selected", "optionId": "yes to everything"})


def answers_no_outcome(editor: Editor, question: Frame) -> None:
    editor.sends({"id": question["id"], "result": {"allow_once": True}})


def answers_no_object(editor: Editor, question: Frame) -> None:
    editor.sends({"id": question["id"], "result": "allow_once"})


def answers_two_outcomes(editor: Editor, question: Frame) -> None:
    allow = question["params"]["options"][0]["optionId"]
    editor.decides(question, {"outcome": ["selected"], "optionId": [allow]})


@pytest.mark.parametrize(
    "answer",
    [
        answers_with_an_error,
        answers_another_option,
        answers_no_outcome,
        answers_no_object,
        answers_two_outcomes,
    ],
)
def test_an_answer_that_is_none_refuses(walk: Walk, answer: Callable[[Editor, Frame], None]) -> None:
    walk.agent("riker", "yolo: false", JAN)
    walk.agent("jan")
    with walk.editor() as editor:
        editor.opens().says("/ask-jan run touch made")
        answer(editor, editor.question())
        assert editor.stop_reason in ("end_turn", "cancelled")
        editor.says("/ask-jan run touch later").answers(editor.question(), "allow_once")
        assert editor.stop_reason == "end_turn"
    assert not walk.made("made")
    assert walk.made("later")


def test_a_question_that_is_never_answered_ends_with_the_cancelled_turn(walk: Walk) -> None:
    """O-e1"""
    walk.agent("riker", "yolo: false", JAN)
    walk.agent("jan")
    with walk.editor() as editor:
        editor.opens().says("/ask-jan run touch made")
        editor.question()
        editor.stops()
        assert editor.stop_reason == "cancelled"
        editor.says("/ask-jan run touch later").answers(editor.question(), "allow_once")
        assert editor.stop_reason == "end_turn"
    assert not walk.made("made")
    assert walk.made("later")


def test_a_late_yes_to_a_cancelled_question_runs_nothing(walk: Walk) -> None:
    walk.agent("riker", "yolo: false", JAN)
    walk.agent("jan")
    with walk.editor() as editor:
        editor.opens().says("/ask-jan run touch made")
        question = editor.question()
        editor.stops()
        assert editor.stop_reason == "cancelled"
        editor.answers(question, "allow_once").says("run true").answers(editor.question(), "allow_once")
        assert editor.stop_reason == "end_turn"
    assert not walk.made("made")


def test_a_question_of_a_jan_that_dies_is_withdrawn(walk: Walk) -> None:
    """O-j5"""
    walk.agent("riker", "yolo: false", JAN)
    walk.agent("jan")
    with walk.editor() as editor:
        editor.opens().says("/ask-jan run touch made")
        question = editor.question()
        os.kill(walk.process_of("jan.yaml"), signal.SIGKILL)
        assert "jan" in editor.failure
        withdrawn = [frame["params"]["requestId"] for frame in editor.received("$/cancel_request")]
        assert withdrawn == [question["id"]]
        editor.answers(question, "allow_once")
        editor.says("/ask-jan run touch later").answers(editor.question(), "allow_once")
        assert editor.stop_reason == "end_turn"
    assert not walk.made("made")
    assert walk.made("later")


def test_stdout_carries_the_protocol_only(walk: Walk) -> None:
    """O-j1"""
    walk.agent("riker", "yolo: true", JAN)
    walk.agent("jan")
    with walk.editor() as editor:
        editor.opens().says("run echo loud; echo louder >&2 then ask jan: run echo loudest")
        assert editor.stop_reason == "end_turn"
        assert "loudest" in editor.text()
        editor.closes_stdin().ends(0)
        assert editor.rubbish == []


def test_a_faulty_file_ends_it_at_once(walk: Walk) -> None:
    walk.agent("riker", "yollo: false")
    with walk.editor() as editor:
        editor.ends(2)
        assert "riker.yaml:2:1: yollo:" in editor.stderr


@pytest.mark.parametrize("value", ["maybe", ""])
def test_a_strange_agent_yolo_ends_it_at_once(walk: Walk, value: str) -> None:
    """O-d4"""
    walk.agent("riker")
    with walk.editor(AGENT_YOLO=value) as editor:
        editor.ends(2)
        assert "AGENT_YOLO" in editor.stderr


def test_without_any_file_it_says_what_to_write(walk: Walk) -> None:
    ran = walk.runs("--acp")
    assert ran.code == 2
    assert "agents.yaml" in ran.stderr
