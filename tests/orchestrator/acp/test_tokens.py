"""How many tokens a turn took is a number that another process says: shown, and never trusted."""

from __future__ import annotations

from typing import Any

import pytest

from orchestrator.acp.tokens import MOST, as_meta, tokens_in


@pytest.mark.parametrize("tokens", [0, 12, MOST, None])
def test_what_is_said_is_heard(tokens: int | None) -> None:
    assert tokens_in({"stopReason": "end_turn", **as_meta(tokens)}) == tokens


def test_others_may_say_it_their_way() -> None:
    assert tokens_in({"usage": {"totalTokens": 7, "inputTokens": 5, "outputTokens": 2}}) == 7


@pytest.mark.parametrize("found", [-1, MOST + 1, True, 1.5, "12", None, [1], {"n": 1}])
@pytest.mark.parametrize("answer", [{"_meta": {"mm": {"tokens": ...}}}, {"usage": {"totalTokens": ...}}])
def test_anything_else_is_no_number(found: object, answer: dict[str, dict[str, Any]]) -> None:
    filled = {
        key: {name: found if value is ... else dict.fromkeys(value, found) for name, value in inner.items()}
        for key, inner in answer.items()
    }
    assert tokens_in(filled) is None


@pytest.mark.parametrize("answer", [{}, {"_meta": None}, {"_meta": {"mm": 3}}, {"usage": 3}])
def test_an_agent_may_say_nothing(answer: dict[str, Any]) -> None:
    assert tokens_in(answer) is None
