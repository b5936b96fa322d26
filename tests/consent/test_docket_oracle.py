"""The docket, in any order of events, against the oracle of a conversation."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

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
CALLS = st.builds(
    Call,
    path=st.sampled_from([("jan",), ("jan",), ("jan", "homer")]),
    child=st.just("ours"),
    name=st.sampled_from(["bash", "bash", "bash", "shell", None, "no name"]),
    kind=st.just("execute"),
    doubtful=st.sampled_from([False, False, True]),
    several_yes=st.sampled_from([False, False, False, True]),
)
OWN = st.sampled_from([Call(kind="execute"), Call(name="read_file", kind="read", tier="read")])
WORLDS = st.builds(
    World,
    mode=st.sampled_from(["always-ask", "yolo"]),
    entries=st.sampled_from([{"jan": None}, {"jan": False}]),
    rules=st.sampled_from([(), (("jan/bash", "prompt"),), (("bash", "deny"),), (("jan/*", "allow"),)]),
    floor=st.booleans(),
)


class Conversations(RuleBasedStateMachine):
    """Each event goes to both; what each says of every call, and what still waits, must be the same."""

    @initialize(world=WORLDS)
    def begins(self, world: World) -> None:
        self.expected = Conversation(world)
        self.docket = Docket(setting_of(world))
        self.settled: set[int] = set()

    @rule(call=CALLS | OWN)
    def submit(self, call: Call) -> None:
        expected = self.expected.submit(call)
        self.docket, outcome = self.docket.submit(call_of(call))
        if isinstance(outcome, Waiting):
            assert isinstance(expected, oracle_docket.Open)
            assert outcome.ticket == expected.ticket
            assert outcome.question.answers == tuple(MEANT[word] for word in expected.answers)
        else:
            assert verdict_of(outcome) == expected

    @rule(back=st.integers(0, 3), answer=st.sampled_from(list(MEANT)))
    def answer(self, back: int, answer: oracle_docket.Answer) -> None:
        ticket = self.expected.issued - 1 - back
        self.compare(self.docket.answer(ticket, MEANT[answer]), self.expected.answer(ticket, answer))

    @rule(back=st.integers(0, 3), why=st.sampled_from([Why.NOBODY, Why.POLICY, Why.CANCELLED]))
    def refuse(self, back: int, why: Why) -> None:
        ticket = self.expected.issued - 1 - back
        self.compare(self.docket.refuse(ticket, why), self.expected.refuse(ticket, why.value))

    @rule(back=st.integers(0, 3))
    def withdraw(self, back: int) -> None:
        ticket = self.expected.issued - 1 - back
        self.compare(self.docket.withdraw([ticket]), self.expected.withdraw(ticket))

    @rule(path=st.sampled_from(PATHS))
    def stop(self, path: Path) -> None:
        self.compare(self.docket.stop(path), self.expected.stop(path))

    @rule(mode=st.sampled_from(Mode))
    def switch(self, mode: Mode) -> None:
        setting = replace(self.docket.setting, mode=mode)
        self.compare(self.docket.recheck(setting), self.expected.switch(mode.value))

    @rule(path=st.sampled_from(PATHS))
    def alarm(self, path: Path) -> None:
        self.docket = self.docket.alarm(path)
        self.expected.alarm(path)

    @rule(path=st.sampled_from(PATHS))
    def revoke(self, path: Path) -> None:
        self.docket = self.docket.revoke(key for key, _ in self.docket.policy.remembered if key.path == path)
        self.expected.revoke(path)

    def compare(self, came: tuple[Docket, Settled], expected: oracle_docket.Settled) -> None:
        self.docket, settled = came
        assert {ticket: (each.allowed, each.why.value) for ticket, each in settled} == expected
        assert not self.settled & expected.keys(), "a second answer to one call"
        self.settled |= expected.keys()

    @invariant()
    def the_same_questions_wait_in_the_same_order(self) -> None:
        if hasattr(self, "docket"):
            waiting = [entry.ticket for entry in self.docket.waiting]
            assert waiting == [question.ticket for question in self.expected.waiting]
            assert self.docket.policy == policy_of(self.expected.world)
            assert len(self.settled) + len(waiting) == self.docket.issued


TestConversations = Conversations.TestCase
TestConversations.settings = settings(max_examples=100, stateful_step_count=25)
