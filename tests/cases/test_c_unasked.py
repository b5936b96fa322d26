"""Group c, the sixth: an agent that never asks gives nothing to refuse."""

from __future__ import annotations

import json

from tests.cases.telling import foreign, turn
from tests.contract.facades import Facade
from tests.walks.builder import Walk


def test_c6_a_jan_that_ignores_the_setting_is_told_of_and_allowed_by_nobody(
    walk: Walk, facade: type[Facade]
) -> None:
    ran = {"toolCallId": "1", "title": "make", "kind": "execute", "status": "completed"}
    foreign(walk, [{"update": {"sessionUpdate": "tool_call", **ran}}, {"say": "Done."}])
    with facade.starts(walk) as mm:
        turn(mm, "/ask-jan work")
        assert mm.shown().count("jan ran a command without asking") == 1
    (line,) = [json.loads(text) for text in walk.runs("log", "--json").stdout.splitlines()]
    assert (line["key"], line["allowed"], line["who"]) == ("jan/(execute)", False, "nobody")
