"""Invariants 2 and 5 at the Desk: whatever happens at once, each call gets one answer; no error allows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import anyio
from hypothesis import given, settings
from hypothesis import strategies as st

from consent.answer import Answer, Response
from consent.call import ToolCall
from consent.danger.finding import Finding, Reason, Verdict
from consent.docket import Waiting
from consent.gate import Decision
from consent.key import Key, Path
from consent.rules import Why
from consent.setting import Mode, Setting
from orchestrator.desk import Desk
from tests.orchestrator.parts import DEADLINE, bash_call

PATHS: tuple[Path, ...] = ((), ("jan",), ("jan", "homer"), ("marge",))
Said = Response | Why | ZeroDivisionError
Step = tuple[str, Any]

CRITICAL = Finding(Verdict.CRITICAL, Reason.DELETES_ROOT, "/")


@dataclass
class Person:
    """An asker that is told what comes of each question: an answer, a reason for none, or an error."""

    said: dict[int, Said] = field(default_factory=dict)
    asked: dict[int, anyio.Event] = field(default_factory=lambda: defaultdict(anyio.Event))

    async def ask(self, waiting: Waiting, behind: Callable[[], int]) -> Response | Why:
        await self.asked[waiting.ticket].wait()
        said = self.said[waiting.ticket]
        if isinstance(said, ZeroDivisionError):
            raise said
        return said

    def says(self, ticket: int, said: Said) -> None:
        self.said.setdefault(ticket, said)
        self.asked[ticket].set()


class Conversation:
    """A desk at which several calls wait at once; what came of each is kept."""

    def __init__(self) -> None:
        self.person = Person()
        self.written: defaultdict[int, list[Decision]] = defaultdict(list)
        self.desk = Desk(Setting(somebody=True), self.person, lambda path: None, self.write)
        self.came: defaultdict[int, list[Decision | str]] = defaultdict(list)
        self.keys: dict[int, Key] = {}
        self.scopes: dict[int, anyio.CancelScope] = {}
        self.said: list[tuple[int, Said]] = []
        self.modes = {Mode.ALWAYS_ASK}

    def write(self, call: ToolCall, decision: Decision, waited: float, asked: bool) -> None:
        self.written[int(call.id)].append(decision)

    async def submit(self, number: int, path: Path, more: dict[str, Any]) -> None:
        call = bash_call(path=path, id=str(number), **more)
        self.keys[number] = call.key
        with self.scopes[number]:
            try:
                self.came[number].append(await self.desk.decide(call))
            except ZeroDivisionError:
                self.came[number].append("error")
        if self.scopes[number].cancelled_caught:
            self.came[number].append("cancelled")

    async def play(self, steps: list[Step]) -> None:
        with anyio.fail_after(DEADLINE):
            async with anyio.create_task_group() as tasks:
                for step in steps:
                    match step:
                        case ("submit", (path, more)):
                            number = len(self.scopes)
                            self.scopes[number] = anyio.CancelScope()
                            tasks.start_soon(self.submit, number, path, more)
                        case ("settle", _):
                            await anyio.wait_all_tasks_blocked()
                        case _:
                            self.happens(step)
                await anyio.wait_all_tasks_blocked()
                self.desk.stop(())

    def happens(self, step: Step) -> None:
        match step:
            case ("say", (ticket, said)):
                self.said.append((ticket, said))
                self.person.says(ticket, said)
            case ("stop", path):
                self.desk.stop(path)
            case ("cancel", number) if number in self.scopes:
                self.scopes[number].cancel()
            case ("mode", mode):
                self.modes.add(mode)
                self.desk.set_mode(mode)
            case ("revoke", path):
                self.desk.revoke([key for key, _ in self.desk.grants if key.path == path])
            case _:
                pass


TICKETS = st.integers(0, 6)
SAID = st.sampled_from([*Answer, *Why, ZeroDivisionError()])
MORE: list[dict[str, Any]] = [{}, {}, {"name": "write_file"}, {"mark": CRITICAL}]
STEPS = st.one_of(
    st.tuples(st.just("submit"), st.tuples(st.sampled_from(PATHS), st.sampled_from(MORE))),
    st.tuples(st.just("submit"), st.tuples(st.just(("jan",)), st.just(MORE[0]))),
    st.tuples(st.just("say"), st.tuples(TICKETS, SAID)),
    st.tuples(st.just("settle"), st.none()),
    st.tuples(st.just("stop"), st.sampled_from(PATHS)),
    st.tuples(st.just("cancel"), TICKETS),
    st.tuples(st.just("mode"), st.sampled_from(Mode)),
    st.tuples(st.just("revoke"), st.sampled_from(PATHS)),
)


@given(st.lists(STEPS, min_size=4, max_size=30))
@settings(max_examples=150)
def test_each_call_gets_one_answer_and_is_allowed_only_where_somebody_allowed_it(steps: list[Step]) -> None:
    talk = Conversation()
    anyio.run(partial(talk.play, steps))
    assert talk.came.keys() == talk.scopes.keys()
    assert all(len(came) == 1 for came in talk.came.values()), "more than one answer, or none"
    assert {number: len(lines) for number, lines in talk.written.items()} == dict.fromkeys(talk.came, 1)
    answers = {said for _, said in talk.said}
    for number, (outcome,) in talk.came.items():
        (line,) = talk.written[number]
        assert line == outcome if isinstance(outcome, Decision) else line.why is Why.CANCELLED
        match outcome:
            case Decision(allowed=True, why=Why.ANSWER, answer=Answer.ALLOW_ONCE):
                assert Answer.ALLOW_ONCE in answers
            case Decision(allowed=True, why=Why.ANSWER | Why.MEMORY):
                assert Answer.ALLOW_SESSION in answers
            case Decision(allowed=True, why=why):
                assert (why, Mode.YOLO in talk.modes) == (Why.YOLO, True), talk.keys[number]
            case _:
                pass


@given(st.lists(STEPS, max_size=20), st.sampled_from([*Why, ZeroDivisionError()]))
@settings(max_examples=100)
def test_nothing_but_an_answer_that_allows_ever_allows(steps: list[Step], instead: Said) -> None:
    """Every question breaks off, or has a reason instead of an answer; yolo is never switched on."""

    def without_yes(step: Step) -> Step:
        match step:
            case ("say", (ticket, Answer() as answer)) if answer.allows:
                return "say", (ticket, instead)
            case ("mode", Mode.YOLO):
                return "mode", Mode.WRITE
            case _:
                return step

    talk = Conversation()
    anyio.run(partial(talk.play, list(map(without_yes, steps))))
    assert not any(
        isinstance(each, Decision) and each.allowed for came in talk.came.values() for each in came
    )
    assert not any(answer is Answer.ALLOW_SESSION for _, answer in talk.desk.grants)
