"""Group a: questions that are lost, never shown, or answered in somebody else's name."""

from __future__ import annotations

import json

import pytest

from consent.answer import Answer
from tests.cases.telling import ask, errors, foreign, turn
from tests.contract.facades import Facade
from tests.walks.builder import Walk

ONCE, SESSION, NEVER, NO = Answer
STRAY = ask("bash", "touch stray", sessionId="s1-child")


def test_a1_a_request_for_a_session_nobody_opened_is_an_error_and_told(
    walk: Walk, facade: type[Facade]
) -> None:
    foreign(walk, [STRAY, ask("bash", "touch own")])
    with facade.starts(walk) as mm:
        (question,) = turn(mm, "/ask-jan work", NO)
        assert "touch own" in question
        assert "session that it was never given" in mm.shown()
    assert errors(walk) == ["ask-1"]
    assert walk.chosen() == ["reject_once-id"]


def test_a1_it_is_told_from_below_our_own_agents_too(walk: Walk, facade: type[Facade]) -> None:
    script = json.dumps({"log": "jan.log", "prompts": [[STRAY]]})
    walk.agent("boss", f"mmConfigs: {{jan: {walk.child('jan', script)}}}")
    walk.agent("riker", "yolo: false", "mmConfigs: {boss: ./boss.yaml}")
    with facade.starts(walk) as mm:
        turn(mm, "/ask-boss ask jan: work")
        assert "session that it was never given" in mm.shown()
    assert errors(walk) == ["ask-1"]


@pytest.mark.parametrize(
    "call",
    [
        "{tool: bash, args: {command: touch made}}",
        "{tool: write_file, args: {path: made, content: text}}",
    ],
)
def test_a2_an_editor_that_cannot_ask_is_nobody_and_not_a_person_who_refused(walk: Walk, call: str) -> None:
    turns = f"""
        - call: {call}
        - {{expect: nobody could be asked, say: "told: nobody."}}
    """
    walk.file("turns.yaml", turns)
    walk.agent("jan", "model: script:turns.yaml")
    walk.agent("riker", "model: script:turns.yaml", "yolo: false", "mmConfigs: {jan: ./jan.yaml}")
    with walk.editor() as editor:
        editor.opens()
        for prompt in ("/ask-jan work", "work"):
            editor.says(prompt)
            question = editor.question()
            editor.sends({"id": question["id"], "error": {"code": -32601, "message": "Method not found"}})
            assert editor.stop_reason == "end_turn"
        assert len(editor.questions) == 2
        assert editor.text().count("told: nobody.") == 2
        assert "the person" not in json.dumps(editor.received("session/update"))
    assert not walk.made("made")


def test_a4_a_question_after_many_words_can_be_answered_while_the_turn_is_open(
    walk: Walk, facade: type[Facade]
) -> None:
    foreign(walk, [*[{"say": "word "}] * 200, ask("bash", "touch made"), {"touch": "went on"}])
    with facade.starts(walk) as mm:
        mm.says("/ask-jan work")
        question = mm.question()
        assert "touch made" in question
        assert not walk.made("went on")
        mm.answers(ONCE)
        assert not mm.question()
        assert '{"command' not in question + mm.shown()
    assert walk.chosen() == ["allow_once-id"]
