"""Hostile requests of asked agents, from their frame to the card: what must and must not stand there."""

from __future__ import annotations

import json

import pytest

from consent.call import Origin
from orchestrator.acp.permission import Asking, read_request
from tests.corpus.permission_frames import Case, expand, permission_cases
from tests.orchestrator.words.calls import drawn, everything, lines
from tests.orchestrator.words.test_detail import on_screen

ASKING = Asking(("jan",), Origin.OURS, "/home/me/project")


def cases(column: str) -> list[Case]:
    return [case for case in permission_cases() if case["expect"].get(column)]


def shown(case: Case) -> str:
    call = read_request(json.loads(expand(case))["params"], {}, ASKING).call
    return everything(call, drawn(call, once_only=bool(call.doubts)))


@pytest.mark.parametrize("case", cases("must_show"), ids=lambda case: case["id"])
def test_what_must_be_shown(case: Case) -> None:
    assert all(text in shown(case) for text in case["expect"]["must_show"])


@pytest.mark.parametrize("case", cases("must_not_show"), ids=lambda case: case["id"])
def test_what_must_not_be_shown(case: Case) -> None:
    text = shown(case)
    assert not [hidden for hidden in case["expect"]["must_not_show"] if hidden in text]


def test_uni_13_blanks_do_not_push_the_command_off_the_screen() -> None:
    case = next(case for case in permission_cases() if case["id"] == "uni-13")
    call = read_request(json.loads(expand(case))["params"], {}, ASKING).call
    assert "; rm -rf ~" in on_screen(lines(drawn(call)))
