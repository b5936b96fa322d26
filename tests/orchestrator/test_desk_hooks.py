"""The Desk and hooks: they see each call first, and Stop does not wait for them."""

from __future__ import annotations

from dataclasses import replace

import anyio
import pytest

from consent.answer import Answer
from consent.call import ToolCall, Unrunnable
from consent.docket import MOST_WAITING
from consent.gate import Decision
from consent.hook import Objection
from consent.key import Path
from consent.matching import Effect, Rule, parse_pattern
from consent.rules import Why
from consent.setting import Mode, Setting
from orchestrator.desk import Desk
from tests.orchestrator.parts import DEADLINE, Changing, Outcomes, Person, bash_call, running

ASKING = Setting(somebody=True)
JAN = ("jan",)
HOMER = ("jan", "homer")


def stopped(_: Path) -> None:
    """Nobody is told."""


class Hooked(Changing):
    """Hooks that look at a call until they are let go."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[ToolCall] = []
        self.over = anyio.Event()

    async def __call__(self, call: ToolCall) -> Objection | None:
        self.seen.append(call)
        self.change()
        await self.over.wait()
        return None

    async def looks_at(self, count: int) -> None:
        await self.until(lambda: len(self.seen) >= count)


async def test_c8_an_objection_decides_before_memory_and_mode_and_asks_nobody() -> None:
    against = Objection(Rule(parse_pattern("bash"), Effect.HOOK, "agents.yaml:7:5"), "no")

    async def objects(_: ToolCall) -> Objection:
        return against

    person = Person()
    for setting in (ASKING, replace(ASKING, mode=Mode.YOLO)):
        desk = Desk(setting, person, stopped, hooks=objects)
        with anyio.fail_after(DEADLINE):
            decision = await desk.decide(bash_call())
        assert (decision.allowed, decision.why, decision.line) == (False, Why.HOOK, 1)
        assert (decision.rule, decision.objection) == (against.rule, against)
    assert person.questions == []


async def test_c8_the_gate_decides_on_the_very_call_that_the_hooks_saw() -> None:
    person, hooked = Person(Answer.ALLOW_ONCE), Hooked()
    hooked.over.set()
    desk = Desk(ASKING, person, stopped, hooks=hooked)
    call = bash_call()
    with anyio.fail_after(DEADLINE):
        assert (await desk.decide(call)).allowed
    assert hooked.seen[0] is call
    assert person.questions[0].question.call is call


async def test_a_call_is_marked_after_its_hooks_have_ended() -> None:
    """What it would overwrite may have come to be meanwhile."""
    order: list[str] = []

    async def looks_long(_: ToolCall) -> None:
        order.append("hooks")

    def mark(call: ToolCall) -> ToolCall:
        order.append("mark")
        return call

    free = replace(ASKING, mode=Mode.YOLO)
    with anyio.fail_after(DEADLINE):
        await Desk(free, Person(), stopped, hooks=looks_long, look=mark).decide(bash_call())
    assert order == ["hooks", "mark"]


async def test_stop_cancels_what_hooks_look_at_of_that_agent_and_below() -> None:
    person, hooked, taken = Person(), Hooked(), Recorded()
    desk = Desk(ASKING, person, stopped, taken, hooked)
    async with running() as tasks:
        outcomes = Outcomes(tasks)
        for count, (name, path) in enumerate((("own", ()), ("jan", JAN), ("homer", HOMER)), 1):
            outcomes.start(name, desk.decide(bash_call(path=path)))
            await hooked.looks_at(count)
        desk.stop(JAN)
        for name in ("jan", "homer"):
            assert (await outcomes.result(name)).why is Why.CANCELLED
        assert set(outcomes.of) == {"jan", "homer"}
        hooked.over.set()
        await person.asked(1)
        person.says(0, Answer.ALLOW_ONCE)
        assert (await outcomes.result("own")).allowed
    assert taken.whys == [Why.CANCELLED, Why.CANCELLED, Why.ANSWER]


async def test_a_call_whose_hook_ended_while_it_was_stopped_is_not_asked_about() -> None:
    person = Person()

    async def stops(call: ToolCall) -> None:
        desk.stop(call.path)

    desk = Desk(replace(ASKING, mode=Mode.YOLO), person, stopped, hooks=stops)
    with anyio.fail_after(DEADLINE):
        assert (await desk.decide(bash_call(path=JAN))).why is Why.CANCELLED


async def test_a_call_that_is_cancelled_or_breaks_at_a_hook_is_written_down_once() -> None:
    async def breaks(_: ToolCall) -> None:
        raise RuntimeError

    taken = Recorded()
    desk = Desk(ASKING, Person(), stopped, taken, breaks)
    with pytest.raises(RuntimeError):
        await desk.decide(bash_call())
    hooked = Hooked()
    desk = Desk(ASKING, Person(), stopped, taken, hooked)
    async with running() as tasks:
        tasks.start_soon(desk.decide, bash_call())
        await hooked.looks_at(1)
        tasks.cancel_scope.cancel()
    assert taken.whys == [Why.CANCELLED, Why.CANCELLED]
    assert taken.allowed == [False, False]


async def test_no_more_calls_of_one_agent_than_may_wait_are_at_hooks() -> None:
    hooked = Hooked()
    desk = Desk(ASKING, Person(), stopped, hooks=hooked)
    async with running() as tasks:
        for _ in range(MOST_WAITING):
            tasks.start_soon(desk.decide, bash_call(path=JAN))
        await hooked.looks_at(MOST_WAITING)
        outcomes = Outcomes(tasks)
        outcomes.start("one more", desk.decide(bash_call(path=JAN)))
        await hooked.looks_at(MOST_WAITING + 1)
        assert hooked.seen[-1].unrunnable is Unrunnable.TOO_MANY_WAITING, "no hook runs for it"
        hooked.over.set()
        assert (await outcomes.result("one more")).unrunnable is Unrunnable.TOO_MANY_WAITING
        tasks.cancel_scope.cancel()


class Recorded:
    """Takes down decisions."""

    def __init__(self) -> None:
        self.decisions: list[Decision] = []

    def __call__(self, call: ToolCall, decision: Decision, waited: float, asked: bool) -> None:
        self.decisions.append(decision)

    @property
    def whys(self) -> list[Why]:
        return [decision.why for decision in self.decisions]

    @property
    def allowed(self) -> list[bool]:
        return [decision.allowed for decision in self.decisions]
