"""`limits.agents` is counted over the whole tree, and each file on the way may allow fewer."""

from __future__ import annotations

import anyio

from consent.key import Path
from orchestrator.quota import Quota
from tests.walks.builder import Walk

JAN, HOMER, BELOW = ("jan",), ("homer",), ("jan", "homer")


class Asker:
    """The process above: it allows what it is told to, and hears what ends."""

    def __init__(self, refusal: str = "") -> None:
        self.refusal = refusal
        self.ended: list[Path] = []

    async def agent_starts(self, path: Path) -> str:
        return self.refusal

    async def agent_ended(self, path: Path) -> None:
        self.ended.append(path)


async def test_over_the_limit_no_agent_is_started_and_the_running_ones_are_named() -> None:
    quota = Quota(2, None)
    assert await quota.take(JAN) == ""
    assert await quota.take(BELOW) == ""
    full = await quota.take(HOMER)
    assert str(full) == "homer is not started: limits.agents is 2, running: jan, jan/homer"


async def test_an_agent_that_ends_makes_room_for_itself_and_for_all_below_it() -> None:
    quota = Quota(2, None)
    await quota.take(JAN)
    await quota.take(BELOW)
    await quota.give_back(JAN)
    assert await quota.take(HOMER) == ""
    assert await quota.take(JAN) == ""


async def test_what_the_asker_refuses_is_not_counted_here() -> None:
    above = Asker("homer is not started: enough")
    quota = Quota(1, above)
    assert await quota.take(HOMER) == "homer is not started: enough"
    above.refusal = ""
    assert await quota.take(JAN) == ""


async def test_a_start_that_is_cancelled_while_it_is_asked_for_is_not_counted() -> None:
    class Slow(Asker):
        async def agent_starts(self, path: Path) -> str:
            await anyio.sleep_forever()
            return ""

    slow = Slow()
    quota = Quota(1, slow)
    with anyio.move_on_after(0):
        await quota.take(HOMER)
    await quota.regret(HOMER)
    assert slow.ended == [HOMER]
    with anyio.move_on_after(0) as waits:
        await quota.take(JAN)  # there is room: it waits for the asker, and is not refused here
    assert waits.cancelled_caught


async def test_an_agent_that_is_still_ending_counts_beside_the_one_that_took_its_place() -> None:
    quota = Quota(2, None)
    await quota.take(JAN)
    await quota.take(JAN)
    await quota.give_back(JAN)
    assert await quota.take(HOMER) == ""
    assert "not started" in str(await quota.take(BELOW))


async def test_the_asker_hears_of_every_end() -> None:
    above = Asker()
    quota = Quota(1, above)
    await quota.take(HOMER)
    await quota.give_back(HOMER)
    assert above.ended == [HOMER]


def test_an_agent_below_an_agent_counts_and_a_file_further_down_cannot_allow_more(walk: Walk) -> None:
    walk.agent("riker", "yolo: true", "limits: {agents: 1}", "mmConfigs: {jan: {path: jan.yaml}}")
    walk.agent("jan", "limits: {agents: 9}", "mmConfigs: {homer: {path: homer.yaml}}")
    walk.agent("homer")
    ran = walk.runs("--ask", "jan", "ask homer: run touch made")
    assert "homer is not started: limits.agents is 1, running: jan" in ran.stdout
    assert not walk.made("made")


def test_with_room_for_both_the_agent_below_runs(walk: Walk) -> None:
    walk.agent("riker", "yolo: true", "limits: {agents: 2}", "mmConfigs: {jan: {path: jan.yaml}}")
    walk.agent("jan", "mmConfigs: {homer: {path: homer.yaml}}")
    walk.agent("homer")
    assert walk.runs("--ask", "jan", "ask homer: run touch made").code == 0
    assert walk.made("made")
