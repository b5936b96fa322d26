"""The Desk: exactly one decision for every call, whatever happens while a person thinks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import anyio
import pytest

from consent.answer import Answer
from consent.call import Unrunnable
from consent.danger.finding import Finding, Reason, Verdict
from consent.docket import MOST_WAITING, Waiting
from consent.key import Key, Path
from consent.matching import Effect, Rule, parse_pattern
from consent.rules import Why
from consent.setting import Mode, Setting
from orchestrator.desk import Desk
from tests.orchestrator.parts import Outcomes, Person, bash_call, running

ASKING = Setting(somebody=True)
JAN = ("jan",)
HOMER = ("jan", "homer")

CRITICAL = Finding(Verdict.CRITICAL, Reason.DELETES_ROOT, "/")


class Stopped:
    """Remembers which agents a person stopped."""

    def __init__(self) -> None:
        self.paths: list[Path] = []

    def __call__(self, path: Path) -> None:
        self.paths.append(path)


def desk_of(person: Person, setting: Setting = ASKING) -> tuple[Desk, Stopped]:
    stopped = Stopped()
    return Desk(setting, person, stopped), stopped


@pytest.mark.parametrize("answer", Answer)
async def test_the_answer_of_the_person_decides(answer: Answer) -> None:
    desk, _ = desk_of(Person(answer))
    decision = await desk.decide(bash_call())
    assert (decision.allowed, decision.why, decision.answer) == (answer.allows, Why.ANSWER, answer)
    assert desk.grants == (((Key((), "bash"), answer),) if answer.lasts else ())


async def test_what_the_gate_decides_is_not_asked() -> None:
    person = Person()
    desk, _ = desk_of(person, replace(ASKING, mode=Mode.YOLO))
    assert (await desk.decide(bash_call())).why is Why.YOLO
    assert person.questions == []


async def test_nobody_is_counted_by_key() -> None:
    desk, _ = desk_of(Person(), Setting(somebody=False))
    for call in (bash_call(), bash_call(path=JAN), bash_call("rm x", path=JAN)):
        decision = await desk.decide(call)
        assert (decision.allowed, decision.why) == (False, Why.NOBODY)
    assert desk.unasked == {Key((), "bash"): 1, Key(JAN, "bash"): 2}


async def test_an_asker_that_reaches_nobody_is_counted_too() -> None:
    desk, _ = desk_of(Person(Why.NOBODY))
    decision = await desk.decide(bash_call())
    assert (decision.allowed, decision.why) == (False, Why.NOBODY)
    assert desk.unasked == {Key((), "bash"): 1}


async def test_what_a_person_or_a_rule_refuses_is_not_counted() -> None:
    deny = Rule(parse_pattern("jan/bash"), Effect.DENY)
    desk, _ = desk_of(Person(Answer.REFUSE_ONCE), replace(ASKING, rules=(deny,)))
    assert not (await desk.decide(bash_call())).allowed
    assert not (await desk.decide(bash_call(path=JAN))).allowed
    assert desk.unasked == {}


async def test_a_refusal_made_further_up_keeps_its_reason() -> None:
    desk, _ = desk_of(Person(Why.POLICY))
    decision = await desk.decide(bash_call())
    assert (decision.allowed, decision.why) == (False, Why.POLICY)


async def test_an_answer_that_was_not_offered_refuses() -> None:
    person = Person(Answer.ALLOW_SESSION)
    desk, _ = desk_of(person)
    decision = await desk.decide(bash_call(mark=CRITICAL))
    assert (decision.allowed, decision.why) == (False, Why.CANCELLED)
    assert desk.grants == ()


async def test_a_switched_mode_settles_what_waits_once_and_keeps_the_grants() -> None:
    """consent.md, "Changing yolo in mid-session": the question leaves its asker; a marked one stays."""
    person = Person()
    desk, stopped = desk_of(person, replace(ASKING, entries={"homer": False}))
    calls = {
        "own": bash_call("a"),
        "jan": bash_call("b", path=JAN),
        "marked": bash_call("c", path=JAN, marked=True),
        "homer": bash_call("d", path=("homer",)),
    }
    async with running() as tasks:
        outcomes = Outcomes(tasks)
        for count, (name, call) in enumerate(calls.items(), 1):
            outcomes.start(name, desk.decide(call))
            await person.asked(count)
        desk.set_mode(Mode.WRITE)
        assert person.withdrawn == []
        desk.set_mode(Mode.YOLO)
        for name in ("own", "jan"):
            decision = await outcomes.result(name)
            assert (decision.allowed, decision.why) == (True, Why.YOLO)
        assert person.withdrawn == [0, 1]
        assert set(outcomes.of) == {"own", "jan"}
        person.says(0, Answer.REFUSE_ONCE)  # too late
        desk.set_mode(Mode.ALWAYS_ASK)
        person.says(2, Answer.ALLOW_SESSION)
        assert (await outcomes.result("marked")).why is Why.ANSWER
        person.says(3, Answer.REFUSE_ONCE)
        assert not (await outcomes.result("homer")).allowed
    assert stopped.paths == []
    desk.set_mode(Mode.YOLO)
    desk.set_mode(Mode.ALWAYS_ASK)
    assert desk.grants == ((Key(JAN, "bash"), Answer.ALLOW_SESSION),)


async def test_c4_each_call_is_decided_under_the_mode_of_its_moment() -> None:
    person = Person(Answer.REFUSE_ONCE, Answer.REFUSE_ONCE)
    desk, _ = desk_of(person)
    found = []
    for mode in (Mode.ALWAYS_ASK, Mode.YOLO, Mode.WRITE, Mode.YOLO):
        desk.set_mode(mode)
        found.append((await desk.decide(bash_call(path=JAN))).why)
    assert found == [Why.ANSWER, Why.YOLO, Why.ANSWER, Why.YOLO]


async def test_two_calls_of_one_key_are_settled_by_one_lasting_answer() -> None:
    person = Person()
    desk, _ = desk_of(person)
    async with running() as tasks:
        outcomes = Outcomes(tasks)
        for name, call in (("a", bash_call("a")), ("b", bash_call("b")), ("jan", bash_call(path=JAN))):
            outcomes.start(name, desk.decide(call))
        await person.asked(3)
        person.says(0, Answer.ALLOW_SESSION)
        assert (await outcomes.result("a")).allowed
        assert (await outcomes.result("b")).allowed
        assert person.withdrawn == [1]
        assert "jan" not in outcomes.of
        person.says(1, Answer.NEVER)  # too late: nobody waits for it
        person.says(2, Answer.REFUSE_ONCE)
        assert not (await outcomes.result("jan")).allowed
    assert desk.grants == ((Key((), "bash"), Answer.ALLOW_SESSION),)


async def test_answers_to_two_equal_keys_in_the_same_moment_settle_each_once() -> None:
    person = Person()
    desk, _ = desk_of(person)
    async with running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("a", desk.decide(bash_call("a")))
        outcomes.start("b", desk.decide(bash_call("b")))
        await person.asked(2)
        person.says(0, Answer.NEVER)
        person.says(1, Answer.ALLOW_SESSION)
        first, second = await outcomes.result("a"), await outcomes.result("b")
    # The one who came first settled both; the other answer came after the end and changes nothing.
    assert (first.answer, second.answer) == (Answer.NEVER, Answer.NEVER)
    assert desk.grants == ((Key((), "bash"), Answer.NEVER),)


async def test_stop_at_a_question_cancels_that_agent_and_those_below() -> None:
    person = Person()
    desk, stopped = desk_of(person)
    async with running() as tasks:
        outcomes = Outcomes(tasks)
        for name, path in (("own", ()), ("jan", JAN), ("homer", HOMER), ("marge", ("marge",))):
            outcomes.start(name, desk.decide(bash_call(path=path)))
        await person.asked(4)
        assert desk.waits(JAN)
        person.says(1, Why.CANCELLED)
        assert (await outcomes.result("jan")).why is Why.CANCELLED
        assert (await outcomes.result("homer")).why is Why.CANCELLED
        assert stopped.paths == [JAN]
        assert not desk.waits(JAN)
        person.says(0, Answer.ALLOW_ONCE)
        person.says(3, Answer.ALLOW_ONCE)
        assert (await outcomes.result("own")).allowed
        assert (await outcomes.result("marge")).allowed


async def test_stopping_an_agent_withdraws_its_questions_and_stops_nobody_else() -> None:
    person = Person()
    desk, stopped = desk_of(person)
    async with running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("jan", desk.decide(bash_call(path=JAN)))
        outcomes.start("own", desk.decide(bash_call()))
        await person.asked(2)
        desk.stop(JAN)
        assert (await outcomes.result("jan")).why is Why.CANCELLED
        assert person.withdrawn == [0]
        assert stopped.paths == []
        assert desk.waits(())
        person.says(0, Answer.ALLOW_SESSION)  # a late answer does nothing
        person.says(1, Answer.ALLOW_ONCE)
        assert (await outcomes.result("own")).allowed
    assert desk.grants == ()


async def test_a_call_whose_task_is_cancelled_is_withdrawn() -> None:
    person = Person()
    desk, _ = desk_of(person)
    async with running() as tasks:
        outcomes = Outcomes(tasks)
        with anyio.CancelScope() as scope:
            tasks.start_soon(_cancel_when_asked, person, scope)
            await desk.decide(bash_call())
        assert scope.cancelled_caught
        assert not desk.waits(())
        assert person.withdrawn == [0]
        outcomes.start("next", desk.decide(bash_call()))
        await person.asked(2)
        person.says(1, Answer.ALLOW_ONCE)
        assert (await outcomes.result("next")).allowed


async def _cancel_when_asked(person: Person, scope: anyio.CancelScope) -> None:
    await person.asked(1)
    scope.cancel()


async def test_an_asker_that_breaks_allows_nothing_and_leaves_no_question_behind() -> None:
    class Broken:
        async def ask(self, waiting: Waiting, behind: Callable[[], int]) -> Answer | Why:
            raise ZeroDivisionError

    desk = Desk(ASKING, Broken(), Stopped())
    with pytest.raises(ZeroDivisionError):
        await desk.decide(bash_call())
    assert not desk.waits(())
    assert desk.grants == ()


async def test_a_question_knows_how_many_wait_behind_it() -> None:
    person = Person()
    desk, _ = desk_of(person)
    async with running() as tasks:
        outcomes = Outcomes(tasks)
        for name in ("a", "b", "c"):
            outcomes.start(name, desk.decide(bash_call(path=(name,))))
        await person.asked(3)
        assert [behind() for behind in person.behind] == [2, 1, 0]
        desk.stop(("b",))
        assert person.behind[0]() == 1


async def test_too_many_questions_of_one_agent_are_refused_at_once() -> None:
    person = Person()
    desk, _ = desk_of(person)
    async with running() as tasks:
        outcomes = Outcomes(tasks)
        for number in range(MOST_WAITING):
            outcomes.start(str(number), desk.decide(bash_call(path=JAN)))
        await person.asked(MOST_WAITING)
        decision = await desk.decide(bash_call(path=JAN))
        assert decision.unrunnable is Unrunnable.TOO_MANY_WAITING
        outcomes.start("own", desk.decide(bash_call()))
        await person.asked(MOST_WAITING + 1)


async def test_a_revoked_grant_asks_again() -> None:
    person = Person(Answer.ALLOW_SESSION, Answer.REFUSE_ONCE)
    desk, _ = desk_of(person)
    assert (await desk.decide(bash_call())).allowed
    assert (await desk.decide(bash_call())).why is Why.MEMORY
    desk.revoke([Key((), "bash")])
    assert not (await desk.decide(bash_call())).allowed


async def test_an_allowed_tool_frees_no_other() -> None:
    """O-b3"""
    person = Person(Answer.ALLOW_SESSION, Answer.REFUSE_ONCE, Answer.REFUSE_ONCE)
    desk, _ = desk_of(person)
    assert (await desk.decide(bash_call())).allowed
    assert not (await desk.decide(bash_call(name="write_file"))).allowed
    assert not (await desk.decide(bash_call(name="delete", server="files"))).allowed
    assert len(person.questions) == 3
    assert not desk.setting.yolo(())
