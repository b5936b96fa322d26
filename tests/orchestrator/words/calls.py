"""Calls and questions as the tests of this folder need them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from consent.call import Command, Origin, Tier, ToolCall
from consent.docket import Waiting
from consent.gate import Question
from consent.key import Kind
from mmconfigs.language import Words
from orchestrator.words.card import Card, card
from orchestrator.words.detail import whole_detail

ENGLISH, FRENCH = Words("en"), Words("fr")

JAN = ToolCall(
    path=("jan",),
    origin=Origin.OURS,
    name="bash",
    kind=Kind.EXECUTE,
    tier=Tier.EXEC,
    arguments='{"command": "ls"}',
    detail=Command("ls"),
    folder="/home/me/project",
)
OWN = replace(JAN, path=(), origin=Origin.OWN)
GEM = replace(JAN, path=("gem",), origin=Origin.FOREIGN)


def question(call: ToolCall, *, once_only: bool = False) -> Waiting:
    """The question that this call makes."""
    return Waiting(0, Question(call, 11, once_only))


def drawn(call: ToolCall, words: Words = ENGLISH, *, behind: int = 0, once_only: bool = False) -> Card:
    """The card of this call."""
    return card(question(call, once_only=once_only), words, behind)


def command(text: str, **changes: Any) -> ToolCall:
    """A command of jan."""
    return replace(JAN, detail=Command(text), **{"arguments": json.dumps({"command": text}), **changes})


def lines(shown: Card) -> list[str]:
    """The card as a facade draws it, the answers included."""
    answers = [f"{choice.digit} {choice.label} ({choice.covers})" for choice in shown.choices]
    return [*shown.body, *answers, shown.stop, *filter(None, [shown.behind])]


def everything(call: ToolCall, shown: Card) -> str:
    """Every text of a question, the details included."""
    return "\n".join((shown.title, *lines(shown), *whole_detail(call, ENGLISH)))
