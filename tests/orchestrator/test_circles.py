"""Which calls of an asked agent count for circles; whom the Watch tells, and which turns it ends."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pytest

from consent.answer import Answer
from consent.circles import End, Made, TooMany
from consent.key import Path
from consent.rules import Why
from orchestrator.watch import Watch
from tests.orchestrator.asked import BASH, GEM, Scene, asked_agent
from tests.orchestrator.parts import Events

pytestmark = pytest.mark.anyio

BELOW: dict[str, Any] = {"_meta": {"mm": {"path": ["homer"]}}}


def call(number: int, command: str | None = None, **more: Any) -> dict[str, Any]:
    """A bash call of its own id and, unless one is given, of its own command."""
    return {**BASH, "toolCallId": str(number), "rawInput": {"command": command or f"make {number}"}, **more}


async def ended(scene: Scene, number: int, status: str = "completed", **more: Any) -> None:
    await scene.updates("tool_call", **call(number, **more), status=status)


async def refused(scene: Scene, number: int, **more: Any) -> None:
    await scene.requests(number, call(number), **more)
    await scene.outcome()


async def circling(scene: Scene) -> list[str]:
    await scene.all_is_read()
    return [note for note in scene.page.notes if "going in circles" in note or "same call again" in note]


async def test_failed_and_refused_calls_are_one_row() -> None:
    async with asked_agent(Answer.REFUSE_ONCE) as scene:
        await ended(scene, 1, "failed")
        await refused(scene, 2)
        assert await circling(scene) == []
        await ended(scene, 3, "failed")
        (note,) = await circling(scene)
        assert note.startswith("jan is going in circles")


async def test_a_refused_call_that_is_then_said_to_have_failed_counts_once() -> None:
    async with asked_agent(Answer.REFUSE_ONCE) as scene:
        for number in (1, 2):
            await refused(scene, number)
            await scene.updates("tool_call_update", toolCallId=str(number), status="failed")
        assert await circling(scene) == []


async def test_a_refused_call_that_says_it_is_completed_is_no_success() -> None:
    async with asked_agent(Answer.REFUSE_ONCE) as scene:
        for number in range(3):
            await refused(scene, number)
            await scene.updates("tool_call_update", toolCallId=str(number), status="completed")
        assert len(await circling(scene)) == 1


async def test_calls_that_mm_closes_at_the_end_of_a_turn_do_not_count() -> None:
    async with asked_agent() as scene:
        for number in range(5):
            await scene.updates("tool_call", **call(number))
        await scene.all_is_read()
        await scene.listener.close_calls(stopped=False)
        assert await circling(scene) == []


async def test_questions_that_stop_cancels_do_not_count() -> None:
    async with asked_agent() as scene:
        for number in range(5):
            await scene.requests(number, call(number))
        await scene.all_is_read()
        scene.person.decides(Why.CANCELLED)
        for _ in range(5):
            await scene.outcome()
        assert await circling(scene) == []


async def test_a_call_that_changes_under_its_question_counts_as_refused() -> None:
    async with asked_agent() as scene:
        for number in range(3):
            await scene.requests(number, call(number))
            await scene.person.sees(number + 1)
            await scene.updates("tool_call_update", **call(number, "rm -rf ~"))
            await scene.outcome()
        assert len(await circling(scene)) == 1


async def test_identical_calls_are_told_by_their_arguments_or_by_what_the_title_says() -> None:
    silent: dict[str, Any] = {"name": None, "rawInput": None}
    async with asked_agent(asking=GEM) as scene:
        for number in range(8):
            await ended(scene, number, title=f"make {number % 4}", **silent)
        for number in range(10, 20):
            await ended(scene, number, title="", **silent)
        assert await circling(scene) == []
        for number in range(20, 24):
            await ended(scene, number, title="make it", **silent)
        (note,) = await circling(scene)
        assert note.startswith("gem makes the same call again")


async def test_edits_between_are_changes_and_reads_are_not() -> None:
    async with asked_agent() as scene:
        for number in range(20):
            await ended(scene, number * 2, command="make test")
            await ended(scene, number * 2 + 1, kind="edit", name="edit_file")
        assert await circling(scene) == []
        for number in range(100, 104):
            await ended(scene, number * 2, command="make test")
            await ended(scene, number * 2 + 1, kind="read", name="read_file")
        assert len(await circling(scene)) == 1


async def test_an_agent_further_below_is_told_of_under_its_own_path() -> None:
    async with asked_agent(Answer.REFUSE_ONCE) as scene:
        for number in range(3):
            await scene.requests(number, call(number), **BELOW)
            await scene.outcome()
            await ended(scene, 10 + number)
        (note,) = await circling(scene)
        assert note.startswith("jan › homer is going in circles")


# --- whom the Watch tells, and what it ends


async def refusals(watch: Watch, number: int, path: Path = ()) -> None:
    for at in range(number):
        await watch.ended(Made(path, str(at).encode(), changing=True), End.REFUSED)


async def test_an_agent_that_is_asked_by_one_of_ours_tells_nobody_and_ends_its_own_turn() -> None:
    watch = Watch(None, watched=False)
    over: list[TooMany] = []
    with watch.turn((), over.append):
        await refusals(watch, 9)
    assert over == [TooMany.IN_A_ROW]


async def test_a_turn_that_a_person_watches_is_told_of_and_goes_on() -> None:
    events = Events()
    watch = Watch(events, watched=True)
    over: list[TooMany] = []
    with watch.turn((), over.append):
        await refusals(watch, 30)
    assert over == []
    assert len(events.notes) == 1


async def test_of_turns_beside_each_other_only_the_one_that_is_refused_ends() -> None:
    watch = Watch(None, watched=True)
    jans: list[TooMany] = []
    homers: list[TooMany] = []
    with watch.turn(("jan",), jans.append), watch.turn(("homer",), homers.append):
        await refusals(watch, 4, ("homer",))
        await refusals(watch, 9, ("jan",))
        assert (jans, homers) == ([TooMany.IN_A_ROW], [])
    await refusals(watch, 9, ("homer",))
    assert homers == []


async def test_a_turn_that_is_left_late_does_not_take_the_next_one_along() -> None:
    watch = Watch(None, watched=False)
    earlier: list[TooMany] = []
    later: list[TooMany] = []
    with ExitStack() as turns:
        with watch.turn((), earlier.append):
            turns.enter_context(watch.turn((), later.append))
        await refusals(watch, 5)
    assert (earlier, later) == ([], [TooMany.IN_A_ROW])
