"""One task of an asked agent: its clock, and what comes of a stop at an odd moment."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio
import pytest

from consent.answer import Answer
from orchestrator.agent import Reason, Stop
from orchestrator.turn import Turn
from tests.orchestrator.asked import CANCELLED, Scene, asked_agent, chosen
from tests.orchestrator.parts import DEADLINE, Outcomes, running

pytestmark = pytest.mark.anyio


@dataclass
class Clock:
    """Time that passes only when the test says so, a step of the turn's own clock at a time."""

    ticks: anyio.abc.ObjectSendStream[None]
    steps: list[float]

    async def passes(self, steps: int) -> None:
        """Returns once the turn waits for the last of these steps to pass, and it did."""
        with anyio.fail_after(DEADLINE):
            for _ in range(steps):
                await self.ticks.send(None)


@dataclass
class Prompted:
    """A turn that runs: the agent has read its prompt."""

    scene: Scene
    turn: Turn
    clock: Clock
    outcomes: Outcomes
    prompt: dict[str, Any]
    given_up: anyio.Event

    async def answers(self, word: str = "end_turn") -> None:
        await self.scene.agent.say(
            {"jsonrpc": "2.0", "id": self.prompt["id"], "result": {"stopReason": word}}
        )

    async def end(self) -> Stop:
        found = await self.outcomes.result("turn")
        assert isinstance(found, Stop), found
        return found


@asynccontextmanager
async def prompted(seconds: float | None = None, cancel_seconds: float = 30) -> AsyncIterator[Prompted]:
    send, receive = anyio.create_memory_object_stream[None]()
    clock, given_up = Clock(send, []), anyio.Event()

    async def sleep(step: float) -> None:
        clock.steps.append(step)
        await receive.receive()

    with send, receive:
        async with asked_agent() as scene, running() as tasks:
            turn = Turn(
                ("jan",),
                scene.listener,
                scene.connection,
                scene.shared,
                given_up.set,
                seconds,
                cancel_seconds,
                sleep,
            )
            outcomes = Outcomes(tasks)
            tasks.start_soon(turn.run, "work")
            outcomes.start("turn", turn.end())
            try:
                yield Prompted(scene, turn, clock, outcomes, await scene.agent.hear(), given_up)
            finally:
                turn.lost("")


async def test_a_turn_ends_when_its_time_is_over() -> None:
    async with prompted(seconds=2.5) as jan:
        await jan.clock.passes(3)
        assert (await jan.scene.agent.hear())["method"] == "session/cancel"
        await jan.answers("cancelled")
        end = await jan.end()
        assert (end.reason, str(end.detail)) == (
            Reason.FAILED,
            "jan: it took longer than its timeout of 2.5 s",
        )
        assert jan.clock.steps == [1.0, 1.0, 0.5]


async def test_an_open_question_stops_the_clock() -> None:
    async with prompted(seconds=2) as jan:
        await jan.scene.requests(1)
        await jan.scene.person.sees(1)
        await jan.clock.passes(20)  # far longer than its time: this is what must not count
        jan.scene.person.decides(Answer.ALLOW_ONCE)
        assert await jan.scene.outcome() == chosen("yes")
        await jan.answers()
        assert await jan.end() == Stop(Reason.END_TURN)


async def test_a_turn_that_is_stopped_before_it_began_takes_no_questions() -> None:
    async with asked_agent() as scene, running() as tasks:
        turn = Turn(("jan",), scene.listener, scene.connection, scene.shared, lambda: None)
        turn.stop()
        tasks.start_soon(turn.run, "work")
        assert [(await scene.agent.hear())["method"] for _ in range(2)] == [
            "session/prompt",
            "session/cancel",
        ]
        await scene.requests(1)
        assert await scene.outcome() == CANCELLED
        assert scene.person.asked == []


async def test_an_agent_is_told_to_stop_only_once() -> None:
    async with prompted() as jan:
        jan.turn.stop()
        jan.turn.stop()
        assert (await jan.scene.agent.hear())["method"] == "session/cancel"
        await jan.scene.all_is_read()
        assert jan.turn.stopping
        await jan.answers("cancelled")
        assert await jan.end() == Stop(Reason.CANCELLED)
        assert not jan.turn.stopping
        assert not jan.given_up.is_set()


async def test_an_agent_that_goes_on_is_given_up() -> None:
    async with prompted(cancel_seconds=0.01) as jan:
        jan.turn.stop()
        await jan.scene.agent.hear()
        await jan.given_up.wait()
        jan.turn.lost("it was ended")
        end = await jan.end()
        assert (end.reason, str(end.detail)) == (Reason.CANCELLED, "jan: it was ended")


async def test_the_first_end_counts() -> None:
    async with prompted() as jan:
        jan.turn.lost("")
        jan.turn.lost("later")
        end = await jan.end()
        assert (end.reason, str(end.detail)) == (Reason.FAILED, "jan: it went away")
