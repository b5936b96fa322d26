"""What real agents were recorded to say accuses none of them, in whatever writing they report the end."""

from __future__ import annotations

from typing import Any

import pytest

from consent.answer import Answer
from tests.orchestrator.acp.test_profiles import RECORDED, asks, recorded
from tests.orchestrator.asked import Scene

pytestmark = pytest.mark.anyio

AGAIN = {
    "/project/PROBE_FILE": "PROBE_FILE",
    "touch /project/PROBE_FILE": "touch /project/PROBE_FILE\n",
    "/bin/bash": "bash",
}
"""Texts of the recordings, and another writing of the same."""


def announced(agent: str, deed: str) -> dict[str, Any]:
    """The id and the arguments of the call, as its agent last gave them before it asked or with that."""
    said = recorded(agent, deed)
    calls = [said["request"]["params"]["toolCall"], *said["before"]]
    given = [call["rawInput"] for call in calls if call.get("rawInput")]
    return {"toolCallId": calls[-1]["toolCallId"], "rawInput": given[-1] if given else None}


async def ends(scene: Scene, call: dict[str, Any], *statuses: str) -> None:
    for status in statuses:
        await scene.updates("tool_call_update", status=status, **call)
    await scene.all_is_read()


@pytest.mark.parametrize("other", [False, True])
@pytest.mark.parametrize(("agent", "deed"), RECORDED)
async def test_no_known_agent_is_accused_until_it_runs_the_call_once_more(
    agent: str, deed: str, other: bool
) -> None:
    async with asks(agent, deed, Answer.ALLOW_ONCE) as (scene, _):
        await scene.outcome()
        call = announced(agent, deed)
        if other and isinstance(call["rawInput"], dict):
            call["rawInput"] = {name: AGAIN.get(str(part), part) for name, part in call["rawInput"].items()}
        await ends(scene, call, "in_progress", "completed", "completed")
        assert scene.page.notes == []
        await ends(scene, call, "in_progress", "completed")
        assert len(scene.page.notes) == 1


@pytest.mark.parametrize(("agent", "deed"), RECORDED)
async def test_no_known_agent_is_accused_of_what_failed_when_it_was_refused(agent: str, deed: str) -> None:
    async with asks(agent, deed, Answer.REFUSE_ONCE) as (scene, _):
        await scene.outcome()
        call = announced(agent, deed)
        await ends(scene, call, "failed")
        await scene.listener.close_calls(stopped=False)
        assert scene.page.notes == []
        await ends(scene, call, "in_progress", "completed")
        assert len(scene.page.notes) == 1
