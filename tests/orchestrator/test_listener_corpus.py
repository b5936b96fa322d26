"""Every hostile request of the corpus, from the wire through a real connection, a Listener and a Desk.

What mm owes each row, and where it differs from the row on purpose, stands in `tests.corpus.expectations`.
"""

from __future__ import annotations

import pytest

from consent.answer import Answer
from tests.corpus.expectations import (
    CANCELLED,
    DIFFERENCES,
    SPELLED,
    error,
    expected_cases,
    free_answer,
    key_of,
    of_verdict,
    once_only,
    outcome,
    refusal,
    said,
)
from tests.corpus.permission_frames import Case, expand
from tests.orchestrator.asked import FREE, Scene, asked_agent

pytestmark = pytest.mark.anyio

CASES = expected_cases()
ASKED = of_verdict(CASES, "ask", "ask_once_only")


async def sends(scene: Scene, case: Case) -> None:
    await scene.agent.stream.send(expand(case))


@pytest.mark.parametrize("answer", SPELLED)
@pytest.mark.parametrize("id_", ASKED)
async def test_each_answer_goes_out_as_the_right_option(id_: str, answer: str) -> None:
    case = CASES[id_]
    kept = SPELLED[answer].lasts and not (once_only(case) and answer == "allow_session")
    async with asked_agent(said(case, answer)) as scene:
        await sends(scene, case)
        sent = await scene.outcome()
        (waiting,) = scene.person.asked
        assert str(waiting.question.call.key) == "/".join(key_of(case))
        assert waiting.question.once_only is once_only(case)
        if once_only(case) and answer == "allow_session":
            # Not on offer: a facade that gives it all the same has withdrawn the question.
            assert sent == CANCELLED
        else:
            assert sent == outcome(case, answer)
        assert [lasting for _, lasting in scene.desk.grants] == ([SPELLED[answer]] if kept else [])


@pytest.mark.parametrize("id_", of_verdict(CASES, "refuse"))
async def test_what_cannot_be_answered_is_refused_without_a_question_and_told(id_: str) -> None:
    case = CASES[id_]
    async with asked_agent(Answer.ALLOW_ONCE) as scene:
        await sends(scene, case)
        assert await scene.outcome() == refusal(case)
        assert scene.person.asked == []
        assert any("refused without a question" in note for note in scene.page.notes)


ERRORS = [id_ for id_ in of_verdict(CASES, "error") if id_ != "rpc-13"]


@pytest.mark.parametrize("id_", ERRORS)
@pytest.mark.parametrize("yolo", [False, True])
async def test_what_is_no_request_gets_an_error_and_the_connection_goes_on(id_: str, yolo: bool) -> None:
    async with asked_agent(setting=FREE) if yolo else asked_agent() as scene:
        await sends(scene, CASES[id_])
        answer = await scene.agent.hear()
        assert {"id": answer["id"], "code": answer["error"]["code"]} == error(CASES[id_])
        assert scene.person.asked == []
        scene.person.decides(Answer.ALLOW_ONCE)
        await scene.requests("next")
        assert (await scene.agent.hear())["id"] == "next"


async def test_rpc_13_two_requests_with_one_id_both_fail_and_the_question_is_withdrawn() -> None:
    first, second = expand(CASES["rpc-13"]).splitlines(keepends=True)
    async with asked_agent() as scene:
        await scene.agent.stream.send(first)
        await scene.person.sees(1)
        await scene.agent.stream.send(second)
        answers = [await scene.agent.hear(), await scene.agent.hear()]
        assert [(answer["id"], answer["error"]["code"]) for answer in answers] == [(7, -32600)] * 2
        assert scene.person.withdrawn == scene.person.asked


@pytest.mark.parametrize("id_", of_verdict(CASES, "drop"))
async def test_what_nobody_waits_for_is_dropped(id_: str) -> None:
    async with asked_agent(Answer.ALLOW_ONCE) as scene:
        await sends(scene, CASES[id_])
        await scene.all_is_read()
        assert scene.person.asked == []
        assert scene.page.events == []
        assert scene.connection.junk.count == (1 if id_ == "rpc-19" else 0)


YOLO_ON = [i for i, case in CASES.items() if case["expect"]["yolo_on"] in ("allow", "refused", "cancelled")]


@pytest.mark.parametrize("id_", YOLO_ON)
async def test_the_outcome_where_yolo_is_on(id_: str) -> None:
    case = CASES[id_]
    async with asked_agent(setting=FREE) as scene:
        await sends(scene, case)
        assert free_answer(case, await scene.agent.hear())
        assert scene.person.asked == []


@pytest.mark.parametrize("id_", [i for i, case in CASES.items() if case["expect"]["yolo_on"] == "ask"])
async def test_what_is_asked_also_where_yolo_is_on(id_: str) -> None:
    case = CASES[id_]
    async with asked_agent(said(case, "allow_once"), setting=FREE) as scene:
        await sends(scene, case)
        assert await scene.outcome() == outcome(case, "allow_once")
        assert len(scene.person.asked) == 1


def test_no_case_is_left_out() -> None:
    verdicts = {case["expect"]["verdict"] for case in CASES.values()}
    outcomes = {case["expect"]["yolo_on"] for case in CASES.values()}
    assert verdicts == {"ask", "ask_once_only", "refuse", "error", "drop"}
    assert outcomes == {"allow", "ask", "refused", "cancelled", "error", "none", "allow or error"}
    assert set(DIFFERENCES) <= set(CASES)
