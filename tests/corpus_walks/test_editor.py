"""Every hostile request of the corpus, as an editor gets it: a valid request that says all that counts.

Each row has a session, and so a jan and a memory, of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from consent.show import LOCK
from tests.corpus.expectations import (
    SPELLED,
    answers_owed,
    chosen,
    error,
    expected_cases,
    free_answer,
    key_of,
    of_verdict,
    once_only,
    outcome,
    params_of,
    refusal,
)
from tests.corpus.permission_frames import Case
from tests.corpus_walks.place import Place, asking
from tests.orchestrator.acp.official_schema import check
from tests.walks.editor import Editor
from tests.walks.peer import Frame

CASES = expected_cases(marked=True)
FOREIGN = expected_cases(foreign=True, marked=True)
ASKED = of_verdict(CASES, "ask", "ask_once_only")
KINDS = {
    "allow_once": "allow_once",
    "allow_session": "allow_always",
    "never": "reject_always",
    "reject_once": "reject_once",
}


@pytest.fixture(scope="module")
def start(place: Place) -> Iterator[Callable[[str], Editor]]:
    """mm under an editor, once for each file."""
    running: dict[str, Editor] = {}

    def started(file: str) -> Editor:
        if file not in running:
            running[file] = place.walk.editor("-c", file, errors=file).opens()
        return running[file].opens_another()

    yield started
    for editor in running.values():
        editor.closes_stdin().ends(0)
        editor.__exit__()


@pytest.fixture
def mm(start: Callable[[str], Editor]) -> Editor:
    """mm with a fresh session, under protection."""
    return start("riker.yaml")


def shown(question: Frame) -> list[str]:
    """Every text that an editor draws of a question."""
    call = question["params"]["toolCall"]
    blocks = [block["content"]["text"] for block in call["content"] if block["type"] == "content"]
    return [call["title"], *blocks, *(option["name"] for option in question["params"]["options"])]


def is_sound(question: Frame, case: Case) -> None:
    """The request is valid, and tells the tool, the agent and the arguments as they are."""
    params = question["params"]
    check("RequestPermissionRequest", params)
    call, sent = params["toolCall"], params_of(case)["toolCall"]
    _, tool = key_of(case)
    assert call.get("name") == (sent.get("name") if tool.startswith("(") else tool)
    assert params["_meta"]["mm"]["path"] == ["jan"]
    assert call.get("rawInput") == sent.get("rawInput")
    assert call["title"].startswith("jan › ")


def draws_all(question: Frame, case: Case) -> None:
    """All that must be seen stands in the texts, and nothing that draws otherwise than it reads."""
    texts = shown(question)
    for text in case["expect"].get("must_show", ()):
        assert any(text in drawn for drawn in texts)
    together = "\n".join(texts)
    assert together.count(LOCK) == together.count(f"{LOCK} jan") == 1
    for hidden in case["expect"].get("must_not_show", ()):
        assert hidden not in together.replace(f"{LOCK} jan", "")
    assert not [char for char in together if char != "\n" and not char.isprintable()]


def offers(question: Frame, case: Case) -> None:
    """The four answers in their order; of a doubtful call none that frees more than this call."""
    kinds = [option["kind"] for option in question["params"]["options"]]
    yeses = [option for option in params_of(case)["options"] if option["kind"] == "allow_once"]
    once = ["allow_once"] * len(yeses)
    assert kinds == [*once, *([] if once_only(case) else ["allow_always"]), "reject_always", "reject_once"]


def answers(mm: Editor, question: Frame, answer: str, number: int = 0) -> None:
    """Choose the option that carries this answer, of several yeses that of this number."""
    options = [o["optionId"] for o in question["params"]["options"] if o["kind"] == KINDS[answer]]
    mm.decides(question, {"outcome": "selected", "optionId": options[number]})


def remembers_and_is_drawn_whole(mm: Editor, place: Place, case: Case) -> None:
    """A row is asked about, remembered under its key, and not asked about again."""
    agent, tool = key_of(case)
    answer = "never" if once_only(case) else "allow_session"
    question = mm.says(asking(case)).question()
    is_sound(question, case)
    draws_all(question, case)
    offers(question, case)
    answers(mm, question, answer)
    assert mm.stop_reason == "end_turn"
    assert place.outcomes() == [outcome(case, answer)]

    asked = len(mm.questions)
    assert mm.says(asking(case)).stop_reason == "end_turn"
    assert len(mm.questions) == asked
    assert place.outcomes() == [outcome(case, answer)]
    kept = "never in this session" if once_only(case) else "allow for the session"
    before = len(mm.text())
    assert mm.says("/grants").stop_reason == "end_turn"
    assert mm.text()[before:].strip().strip("` ") == f"{agent}/{tool}: {kept}", "code, since it is Markdown"


@pytest.mark.parametrize("id_", ASKED)
def test_what_is_sent_and_what_a_lasting_answer_does(mm: Editor, place: Place, id_: str) -> None:
    remembers_and_is_drawn_whole(mm, place, CASES[id_])


@pytest.mark.parametrize("id_", ASKED)
def test_the_same_of_a_foreign_agent(start: Callable[[str], Editor], place: Place, id_: str) -> None:
    remembers_and_is_drawn_whole(start("foreign.yaml"), place, FOREIGN[id_])


@pytest.mark.parametrize("answer", SPELLED)
@pytest.mark.parametrize("id_", ASKED)
def test_each_answer_goes_out_as_the_right_option(mm: Editor, place: Place, id_: str, answer: str) -> None:
    case = CASES[id_]
    if once_only(case) and answer == "allow_session":
        return  # not on offer
    question = mm.says(asking(case)).question()
    answers(mm, question, answer)
    assert mm.stop_reason == "end_turn"
    assert place.outcomes() == [outcome(case, answer)]


def test_each_of_several_yeses_is_an_option_of_its_own(mm: Editor, place: Place) -> None:
    question = mm.says(asking(CASES["opt-10"])).question()
    answers(mm, question, "allow_once", number=1)
    assert mm.stop_reason == "end_turn"
    assert place.outcomes() == [chosen("o1")]


@pytest.mark.parametrize("id_", of_verdict(CASES, "refuse"))
def test_what_cannot_be_answered_is_refused_without_a_question_and_told(
    mm: Editor, place: Place, id_: str
) -> None:
    asked, before = len(mm.questions), len(mm.text())
    assert mm.says(asking(CASES[id_])).stop_reason == "end_turn"
    assert place.outcomes() == [refusal(CASES[id_])]
    assert len(mm.questions) == asked
    assert "refused without a question" in mm.text()[before:]


@pytest.mark.parametrize("id_", of_verdict(CASES, "error", "drop"))
def test_what_is_no_request_is_no_question(mm: Editor, place: Place, id_: str) -> None:
    case, asked = CASES[id_], len(mm.questions)
    assert mm.says(asking(case)).stop_reason == "end_turn"
    assert place.errors() == [error(case)] * answers_owed(case)
    # Of two requests with one id the first may be on the screen already: then it is withdrawn.
    assert len(mm.questions) - asked <= (1 if id_ == "rpc-13" else 0)
    assert len(mm.received("$/cancel_request")) >= len(mm.questions) - asked


@pytest.mark.parametrize("id_", CASES)
def test_where_yolo_is_on(start: Callable[[str], Editor], place: Place, id_: str) -> None:
    case, mm = CASES[id_], start("free.yaml")
    asked = len(mm.questions)
    mm.says(asking(case))
    if case["expect"]["yolo_on"] == "ask":
        answers(mm, mm.question(), "allow_once")
    assert mm.stop_reason == "end_turn"
    assert len(place.heard()) == answers_owed(case)
    assert all(free_answer(case, answer) for answer in place.heard())
    assert len(mm.questions) - asked == (case["expect"]["yolo_on"] == "ask")
