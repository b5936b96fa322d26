"""What each row of the corpus expects of mm, and where mm differs from a row on purpose."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from consent.answer import Answer, Response, Yes
from tests.corpus.permission_frames import Case, expand, permission_cases


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a row is read otherwise than it says, and why."""

    because: str
    expect: Mapping[str, Any]


DIFFERENCES: Mapping[str, Difference] = {
    "rpc-21": Difference(
        'the frame holds no name, and a title is no source of one (acp.md, "The tool name of a request")',
        {"key": ["jan", "(execute)"]},
    ),
    "rpc-13": Difference(
        "of two requests with one id neither can be answered: both get the error; where nothing is asked, "
        "the first may have been answered when the second comes",
        {"verdict": "error", "yolo_on": "allow or error"},
    ),
    "rpc-19": Difference(
        'a client skips and counts what is no JSON, as the lines of chatty agents (acp.md, "Own transport")',
        {"verdict": "drop", "yolo_on": "none"},
    ),
}
NOT_RUN = {"key-07": "an entry named jan/bash is an error of the file: there is no such connection"}
"""Rows that no connection can bring, and why."""
NOT_OURS: Mapping[str, Difference] = {
    **dict.fromkeys(
        ("raw-04", "raw-07"),
        Difference(
            'which arguments a foreign tool takes is not known ("Doubtful calls"): all of them are shown',
            {"verdict": "ask"},
        ),
    ),
}
"""Where a row means something else when the agent is foreign; the rows are about our own."""

MARKED: Mapping[str, Difference] = {
    **dict.fromkeys(
        ("raw-01", "raw-04", "raw-06", "raw-07", "uni-02", "uni-13"),
        Difference(
            "it deletes the home folder, which is critical: a yes to it holds once only (line 7)",
            {"verdict": "ask_once_only"},
        ),
    ),
}
"""Where the marks of dangerous commands narrow a row; the rows are about requests without them."""

CANCELLED: dict[str, Any] = {"outcome": {"outcome": "cancelled"}}
CODES = {
    **dict.fromkeys(("raw-12", "raw-13", "rpc-12", "rpc-13", "rpc-15", "rpc-16", "rpc-22"), -32600),
    "rpc-18": -32700,
}
"""Error codes other than -32602."""
ODD_IDS = ("rpc-12", "rpc-15", "rpc-16")
"""Rows whose frame has no id that could be answered."""
SPELLED = {
    "allow_once": Answer.ALLOW_ONCE,
    "allow_session": Answer.ALLOW_SESSION,
    "reject_once": Answer.REFUSE_ONCE,
    "never": Answer.NEVER,
}


def expected_cases(*, foreign: bool = False, marked: bool = False) -> dict[str, Case]:
    """Every row that can be run, by its id, with what mm owes it; `marked` where commands are looked at."""
    tables = (DIFFERENCES, *((NOT_OURS,) if foreign else ()), *((MARKED,) if marked else ()))
    return {case["id"]: _owed(case, *tables) for case in permission_cases() if case["id"] not in NOT_RUN}


def _owed(case: Case, *tables: Mapping[str, Difference]) -> Case:
    changes = [table[case["id"]].expect for table in tables if case["id"] in table]
    expect = case["expect"]
    for change in changes:
        expect = {**expect, **change}
    return {**case, "expect": expect}


def of_verdict(cases: Mapping[str, Case], *verdicts: str) -> list[str]:
    """The ids of the rows with these verdicts."""
    return [id_ for id_, case in cases.items() if case["expect"]["verdict"] in verdicts]


def key_of(case: Case) -> tuple[str, str]:
    """The agent and the tool that an answer to this row is remembered under."""
    agent, tool = case["expect"]["key"] or ["jan", "(unclear)"]
    return agent, tool


def once_only(case: Case) -> bool:
    """Whether nothing is remembered for an allow of this row."""
    return bool(case["expect"]["verdict"] == "ask_once_only")


def params_of(case: Case) -> Any:
    """The params of the row's frame, of the first where it has two."""
    return json.loads(expand(case).splitlines()[0])["params"]


def offered(case: Case, kind: str) -> str | None:
    """The first offered option of this kind."""
    options = params_of(case)["options"]
    return next((option["optionId"] for option in options if option["kind"] == kind), None)


def several_yeses(case: Case) -> bool:
    """Whether the row offers more than one yes."""
    return [option["kind"] for option in params_of(case)["options"]].count("allow_once") > 1


def said(case: Case, answer: str) -> Response:
    """What the person says for one of the four answers; of several yeses the first stands for "once"."""
    return Yes(0) if several_yeses(case) and answer == "allow_once" else SPELLED[answer]


def chosen(option: str) -> dict[str, Any]:
    """The outcome that selects an option."""
    return {"outcome": {"outcome": "selected", "optionId": option}}


def refusal(case: Case) -> dict[str, Any]:
    """What a refusal sends: by kind, once before always, nothing but an offered option that is sound."""
    if len(params_of(case)["options"]) > 16:
        return CANCELLED
    option = offered(case, "reject_once") or offered(case, "reject_always")
    return chosen(option) if option else CANCELLED


def outcome(case: Case, answer: str) -> dict[str, Any]:
    """The outcome on the wire for one of the four answers."""
    if listed := case["expect"].get("answers", {}).get(answer):
        return CANCELLED if listed == "cancelled" else chosen(listed.removeprefix("selected:"))
    if SPELLED[answer].allows:
        return chosen(str(offered(case, "allow_once")))
    return refusal(case)


def error(case: Case) -> dict[str, Any]:
    """The id and the code of the error that a row earns."""
    id_ = case["id"]
    return {"id": None if id_ in ODD_IDS else 7, "code": CODES.get(id_, -32602)}


def free_answer(case: Case, answer: Mapping[str, Any]) -> bool:
    """Whether an answer is one that the row may get where yolo is on."""
    owed = case["expect"]["yolo_on"]
    if "error" in answer:
        got = {"id": answer["id"], "code": answer["error"]["code"]}
        return "error" in owed and got == error(case)
    got = {"outcome": answer["result"]["outcome"]}
    match owed:
        case "allow" | "ask" | "allow or error":
            return bool(got == outcome(case, "allow_once"))
        case "refused":
            return bool(got == refusal(case) != CANCELLED)
        case "cancelled":
            return bool(got == CANCELLED)
        case _:
            return False


def answers_owed(case: Case) -> int:
    """How many answers the row's agent gets."""
    return {"drop": 0, "error": 2 if case["id"] == "rpc-13" else 1}.get(case["expect"]["verdict"], 1)
