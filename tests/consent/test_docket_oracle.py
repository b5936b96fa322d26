"""The docket, in any order of events, against the oracle of a conversation."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from consent.answer import Answer, Response, Yes
from consent.docket import Docket, Settled, Waiting
from consent.rules import Why
from consent.setting import Mode
from tests.consent import oracle_docket
from tests.consent.adapter import call_of, policy_of, setting_of, verdict_of
from tests.consent.oracle import Call, Path, World
from tests.consent.oracle_docket import YESES, Conversation

MEANT: dict[oracle_docket.Answer, Response] = {
    "allow once": Answer.ALLOW_ONCE,
    "allow for the session": Answer.ALLOW_SESSION,
    "never": Answer.NEVER,
    "refuse once": Answer.REFUSE_ONCE,
    **{word: Yes(number) for number, word in enumerate(YESES)},
}
PATHS: tuple[Path, ...] = ((), ("jan",), ("jan", "homer"))
JAN = Call(PATHS[1], "ours", kind="execute")
CALLS = (
    JAN,
    JAN,
    replace(JAN, doubtful=True),
    replace(JAN, several_yes=True),
    replace(JAN, name="shell"),
    replace(JAN, name=None),
    replace(JAN, name="no name"),
    replace(JAN, path=PATHS[2]),
    Call(kind="execute"),
    Call(name="read_file", kind="read", tier="read"),
)
WORLDS = (
    World(entries={"jan": None}),
    World(entries={"jan": False}, mode="yolo"),
    World(entries={"jan": None}, mode="yolo", rules=(("jan/bash", "prompt"),)),
    World(entries={"jan": None}, rules=(("shell", "deny"), ("jan/homer/bash", "allow"))),
    World(entries={"jan": True}, mode="yolo", floor=True),
)
WALKS, STEPS = 300, 30
"""Walks from each world, each with its own seed, and the events of each."""


class Both:
    """A docket and its oracle. Each event goes to both; what comes of it must be the same."""

    def __init__(self, world: World, chance: Random) -> None:
        self.expected = Conversation(world)
        self.docket = Docket(setting_of(world))
        self.chance = chance
        self.settled: set[int] = set()

    def walk(self) -> None:
        """Many events, each chosen anew; calls come in and are answered more often than the rest happens."""
        events = [self.submit] * 6 + [self.answer] * 3
        events += [self.answer_late_or_wrongly, self.refuse, self.withdraw, self.stop, self.switch]
        events += [self.alarm, self.revoke]
        for _ in range(STEPS):
            self.chance.choice(events)()
            self.same_questions_wait_in_the_same_order()

    def submit(self) -> None:
        call = self.chance.choice(CALLS)
        expected = self.expected.submit(call)
        self.docket, outcome = self.docket.submit(call_of(call))
        if isinstance(outcome, Waiting):
            assert isinstance(expected, oracle_docket.Open)
            assert outcome.ticket == expected.ticket
            assert outcome.question.answers == tuple(MEANT[word] for word in expected.answers)
        else:
            assert verdict_of(outcome) == expected

    def answer(self) -> None:
        if self.expected.waiting:
            question = self.chance.choice(self.expected.waiting)
            self.answers(question.ticket, self.chance.choice(question.answers))

    def answer_late_or_wrongly(self) -> None:
        self.answers(self.ticket(), self.chance.choice(list(MEANT)))

    def answers(self, ticket: int, answer: oracle_docket.Answer) -> None:
        self.compare(self.docket.answer(ticket, MEANT[answer]), self.expected.answer(ticket, answer))

    def refuse(self) -> None:
        ticket, why = self.ticket(), self.chance.choice([Why.NOBODY, Why.POLICY, Why.CANCELLED])
        self.compare(self.docket.refuse(ticket, why), self.expected.refuse(ticket, why.value))

    def withdraw(self) -> None:
        ticket = self.ticket()
        self.compare(self.docket.withdraw([ticket]), self.expected.withdraw(ticket))

    def stop(self) -> None:
        path = self.chance.choice(PATHS)
        self.compare(self.docket.stop(path), self.expected.stop(path))

    def switch(self) -> None:
        mode = self.chance.choice(list(Mode))
        setting = self.docket.setting.with_mode(mode)
        self.compare(self.docket.recheck(setting), self.expected.switch(mode.value))

    def alarm(self) -> None:
        path = self.chance.choice(PATHS)
        self.docket = self.docket.alarm(path)
        self.expected.alarm(path)

    def revoke(self) -> None:
        path = self.chance.choice(PATHS)
        self.docket = self.docket.revoke(key for key, _ in self.docket.policy.remembered if key.path == path)
        self.expected.revoke(path)

    def ticket(self) -> int:
        """One of the latest tickets, open or not, or one that was never given out."""
        return self.expected.issued - self.chance.randrange(5)

    def compare(self, came: tuple[Docket, Settled], expected: oracle_docket.Settled) -> None:
        self.docket, settled = came
        assert {ticket: (each.allowed, each.why.value) for ticket, each in settled} == expected
        assert not self.settled & expected.keys(), "a second answer to one call"
        self.settled |= expected.keys()

    def same_questions_wait_in_the_same_order(self) -> None:
        waiting = [entry.ticket for entry in self.docket.waiting]
        assert waiting == [question.ticket for question in self.expected.waiting]
        assert self.docket.policy == policy_of(self.expected.world)
        assert len(self.settled) + len(waiting) == self.docket.issued


@pytest.mark.parametrize("world", WORLDS, ids=range(len(WORLDS)))
def test_every_event_settles_what_the_oracle_says_and_nothing_else(world: World) -> None:
    for seed in range(WALKS):
        try:
            Both(world, Random(seed)).walk()
        except AssertionError as wrong:
            wrong.add_note(f"the walk with seed {seed}")
            raise
