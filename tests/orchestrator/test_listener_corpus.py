"""Every hostile request of the corpus, from the wire through a real connection, a Listener and a Desk.

`expect` is the corpus's own; what differs here, and why, stands in DIFFERS.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from consent.answer import Answer, Response, Yes
from tests.corpus.permission_frames import Case, expand, permission_cases
from tests.orchestrator.asked import CANCELLED, FREE, Scene, asked_agent, chosen

pytestmark = pytest.mark.anyio

DIFFERS: Mapping[str, dict[str, Any]] = {
    # The frames hold no name, and a title is no source of one (acp.md, "The tool name of a request").
    "rpc-21": {"key": ["jan", "(execute)"]},
    # Of two requests with one id neither can be answered: both get the error.
    "rpc-13": {"verdict": "error", "yolo_on": "error"},
    # A client skips and counts what is no JSON, as the lines of chatty agents (acp.md, "Own transport").
    "rpc-19": {"verdict": "drop", "yolo_on": "none"},
}
CASES = {
    case["id"]: {**case, "expect": {**case["expect"], **DIFFERS.get(case["id"], {})}}
    for case in permission_cases()
    if case["id"] != "key-07"  # such an entry is an error of the file: there is no such connection
}
ASKED = {id_: case for id_, case in CASES.items() if case["expect"]["verdict"].startswith("ask")}
CODES = {
    **dict.fromkeys(("raw-12", "raw-13", "rpc-12", "rpc-15", "rpc-16", "rpc-22"), -32600),
    "rpc-18": -32700,
}
"""Error codes other than -32602."""
ODD_IDS = ("rpc-12", "rpc-15", "rpc-16")
SPELLED = {
    "allow_once": Answer.ALLOW_ONCE,
    "allow_session": Answer.ALLOW_SESSION,
    "reject_once": Answer.REFUSE_ONCE,
    "never": Answer.NEVER,
}


def offered(case: Case, kind: str) -> str | None:
    """The first offered option of this kind."""
    options = json.loads(expand(case))["params"]["options"]
    return next((option["optionId"] for option in options if option["kind"] == kind), None)


def refusal(case: Case) -> dict[str, Any]:
    """What a refusal sends: by kind, once before always, nothing but an offered option that is sound."""
    options = json.loads(expand(case))["params"]["options"]
    if len(options) > 16 or not (option := offered(case, "reject_once") or offered(case, "reject_always")):
        return CANCELLED
    return chosen(option)


def expected(case: Case, answer: str) -> dict[str, Any]:
    """The outcome on the wire for one of the four answers."""
    if said := case["expect"].get("answers", {}).get(answer):
        return CANCELLED if said == "cancelled" else chosen(said.removeprefix("selected:"))
    if SPELLED[answer].allows:
        return chosen(str(offered(case, "allow_once")))
    return refusal(case)


def given(case: Case, answer: str) -> Response:
    """What the person says for one of the four answers; of several yeses the first stands for "once"."""
    options = json.loads(expand(case))["params"]["options"]
    several = sum(option["kind"] == "allow_once" for option in options) > 1
    return Yes(0) if several and answer == "allow_once" else SPELLED[answer]


async def sends(scene: Scene, case: Case) -> None:
    await scene.agent.stream.send(expand(case))


@pytest.mark.parametrize("answer", SPELLED)
@pytest.mark.parametrize("id_", ASKED)
async def test_each_answer_goes_out_as_the_right_option(id_: str, answer: str) -> None:
    case = ASKED[id_]
    once_only = case["expect"]["verdict"] == "ask_once_only"
    async with asked_agent(given(case, answer)) as scene:
        await sends(scene, case)
        outcome = await scene.outcome()
        (waiting,) = scene.person.asked
        agent, tool = case["expect"]["key"] or ["jan", "(unclear)"]
        assert str(waiting.question.call.key) == f"{agent}/{tool}"
        assert waiting.question.once_only is once_only
        if once_only and answer == "allow_session":
            # Not on offer: a facade that gives it all the same has withdrawn the question.
            assert outcome == CANCELLED
        else:
            assert outcome == expected(case, answer)
        lasting = SPELLED[answer].lasts and not (once_only and answer == "allow_session")
        assert [kept for _, kept in scene.desk.grants] == ([SPELLED[answer]] if lasting else [])


@pytest.mark.parametrize("id_", [i for i, case in CASES.items() if case["expect"]["verdict"] == "refuse"])
async def test_what_cannot_be_answered_is_refused_without_a_question_and_told(id_: str) -> None:
    case = CASES[id_]
    async with asked_agent(Answer.ALLOW_ONCE) as scene:
        await sends(scene, case)
        assert await scene.outcome() == refusal(case)
        assert scene.person.asked == []
        assert any("refused without a question" in note for note in scene.page.notes)


ERRORS = [i for i, case in CASES.items() if case["expect"]["verdict"] == "error" and i != "rpc-13"]


@pytest.mark.parametrize("id_", ERRORS)
@pytest.mark.parametrize("yolo", [False, True])
async def test_what_is_no_request_gets_an_error_and_the_connection_goes_on(id_: str, yolo: bool) -> None:
    async with asked_agent(setting=FREE) if yolo else asked_agent() as scene:
        await sends(scene, CASES[id_])
        answer = await scene.agent.hear()
        assert answer["error"]["code"] == CODES.get(id_, -32602)
        assert answer["id"] == (None if id_ in ODD_IDS else 7)
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


@pytest.mark.parametrize("id_", [i for i, case in CASES.items() if case["expect"]["verdict"] == "drop"])
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
        outcome = await scene.outcome()
        match case["expect"]["yolo_on"]:
            case "allow":
                assert outcome == expected(case, "allow_once")
            case "refused":
                assert outcome == refusal(case) != CANCELLED
            case _:
                assert outcome == CANCELLED
        assert scene.person.asked == []


@pytest.mark.parametrize("id_", [i for i, case in CASES.items() if case["expect"]["yolo_on"] == "ask"])
async def test_what_is_asked_also_where_yolo_is_on(id_: str) -> None:
    case = CASES[id_]
    async with asked_agent(given(case, "allow_once"), setting=FREE) as scene:
        await sends(scene, case)
        assert await scene.outcome() == expected(case, "allow_once")
        assert len(scene.person.asked) == 1


def test_no_case_is_left_out() -> None:
    verdicts = {case["expect"]["verdict"] for case in CASES.values()}
    outcomes = {case["expect"]["yolo_on"] for case in CASES.values()}
    assert verdicts == {"ask", "ask_once_only", "refuse", "error", "drop"}
    assert outcomes == {"allow", "ask", "refused", "cancelled", "error", "none"}
    assert set(DIFFERS) <= set(CASES)
