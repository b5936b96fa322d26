"""Invariant 4: what runs is what was shown. Whatever an agent says of a call that is being asked about."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import anyio
from hypothesis import given, settings
from hypothesis import strategies as st

from consent.answer import Answer
from tests.orchestrator.asked import BASH, CANCELLED, GEM, JAN, asked_agent, chosen

SHOWN = ("name", "kind", "rawInput")
"""The fields of a call with arguments that make what is shown."""
COMMANDS: list[Any] = [{"command": "ls"}, {"command": "ls "}, {"command": ["ls"]}, {"command": "ls", "n": 1}]
UPDATES = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["bash", "bash", "Bash", "read_file", None]),
        "kind": st.sampled_from(["execute", "execute", "read", "other", None]),
        "rawInput": st.sampled_from([*COMMANDS, COMMANDS[0], COMMANDS[0], None, {}]),
        "title": st.text(max_size=5),
        "status": st.sampled_from(["pending", "in_progress"]),
        "content": st.just([{"type": "content", "content": {"type": "text", "text": "other words"}}]),
        "locations": st.just([{"path": "a.txt"}]),
    },
)


def changes(update: dict[str, Any]) -> bool:
    """Whether the update says anything else of the call than what was shown; null says nothing."""
    return any(
        json.dumps(update[field]) not in ("null", json.dumps(BASH[field])) for field in update.keys() & SHOWN
    )


async def play(updates: list[dict[str, Any]], ours: bool) -> None:
    async with asked_agent(asking=JAN if ours else GEM) as scene:
        await scene.requests(1)
        await scene.person.sees(1)
        for update in updates:
            await scene.updates("tool_call_update", toolCallId="1", **update)
        await scene.agent.ask("fence", "no/such/method")  # answered when all before it was read
        first = await scene.agent.hear()
        scene.person.decides(Answer.ALLOW_ONCE)
        answers = {answer["id"]: answer for answer in (first, await scene.agent.hear())}
        changed = any(map(changes, updates))
        assert answers[1]["result"]["outcome"] == (CANCELLED if changed else chosen("yes"))["outcome"]


@given(st.lists(UPDATES, max_size=4), st.booleans())
@settings(max_examples=100)
def test_an_answer_counts_exactly_where_the_call_is_still_the_one_that_was_shown(
    updates: list[dict[str, Any]], ours: bool
) -> None:
    anyio.run(partial(play, updates, ours))
