"""A conversation's open questions once more, slowly: the oracle that the docket is tested against.

It follows "Memory", "A question" and "Acting without asking" of the page of rules alone, and shares nothing
with `consent/`. Where the page leaves a choice the stricter reading is taken:

 1. "Never" settles the waiting questions of its key, as the page says. Those of other keys that it might mean
    go on waiting: somebody sees them anyway. Once they are looked at again, they are refused.
 2. An alarm about an agent also drops what was allowed to the agents below it.
 3. A question that goes on waiting stays the question that was drawn: what can be answered does not change.
 4. What was asked while a "never" or a grant was said later is answered by its own answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from tests.consent import oracle
from tests.consent.oracle import Call, Path, Verdict, World, key_text

Answer = Literal["allow once", "allow for the session", "never", "refuse once", "yes 0", "yes 1"]
ANSWERS: tuple[Answer, ...] = ("allow once", "allow for the session", "never", "refuse once")
MOST_WAITING = 1000
YESES: tuple[Answer, ...] = ("yes 0", "yes 1")
"""The yeses of a request that offers several: two here."""


def offered(call: Call, decision: oracle.Decision) -> tuple[Answer, ...]:
    """The answers to a question, in order."""
    if call.several_yes:
        return (*YESES, "never", "refuse once")
    return tuple(each for each in ANSWERS if decision == "ask" or each != "allow for the session")


@dataclass(frozen=True, slots=True)
class Open:
    """A question that waits."""

    ticket: int
    call: Call
    answers: tuple[Answer, ...]

    @property
    def key(self) -> tuple[Path, str]:
        return self.call.path, key_text(self.call)


Settled = dict[int, tuple[bool, str]]
"""What came out for each ticket: may it run, and the audit's word."""


@dataclass
class Conversation:
    """Everything that may happen to the questions of a conversation."""

    world: World
    waiting: list[Open] = field(default_factory=list)
    issued: int = 0

    def submit(self, call: Call) -> Verdict | Open:
        """A call comes in."""
        if len([each for each in self.waiting if each.call.path == call.path]) >= MOST_WAITING:
            return Verdict("refuse", 0, "invalid")
        verdict = oracle.decide(call, self.world)
        if verdict.decision in ("allow", "refuse"):
            return verdict
        question = Open(self.issued, call, offered(call, verdict.decision))
        self.issued += 1
        self.waiting.append(question)
        return question

    def answer(self, ticket: int, answer: Answer) -> Settled:
        """The person answers one question."""
        for question in self.waiting:
            if question.ticket == ticket and answer in question.answers:
                self._remember(question.key, answer)
                same = [each for each in self.waiting if answers_too(question, answer, each)]
                return self._leave(same, allowed=answer not in ("never", "refuse once"), why="answer")
        return {}

    def refuse(self, ticket: int, why: str) -> Settled:
        """Nobody answered one question, for this reason."""
        return self._leave([each for each in self.waiting if each.ticket == ticket], allowed=False, why=why)

    def withdraw(self, ticket: int) -> Settled:
        """The request was cancelled, its agent died, or its arguments changed."""
        return self.refuse(ticket, "cancelled")

    def stop(self, path: Path) -> Settled:
        """Stop: everything of that agent and below."""
        below = [each for each in self.waiting if each.call.path[: len(path)] == path]
        return self._leave(below, allowed=False, why="cancelled")

    def revoke(self, path: Path) -> None:
        """Every lasting answer for exactly this agent is taken back."""
        self._keep(lambda at, _: at != path)

    def alarm(self, path: Path) -> None:
        """The agent acted past the answers: its grants are dropped, nevers stay."""
        self._keep(lambda at, answer: answer == "never" or at[: len(path)] != path)

    def switch(self, mode: Literal["always-ask", "write", "yolo"]) -> Settled:
        """`/yolo`: counts from the next decision, and waiting questions are looked at again."""
        self.world = replace(self.world, mode=mode)
        settled: Settled = {}
        for question in list(self.waiting):
            verdict = oracle.decide(question.call, self.world)
            if verdict.decision in ("allow", "refuse"):
                allowed = verdict.decision == "allow"
                settled |= self._leave([question], allowed=allowed, why=verdict.why or "")
        return settled

    def _remember(self, key: tuple[Path, str], answer: Answer) -> None:
        if answer in ("allow for the session", "never"):
            kept: Literal["allow", "never"] = "never" if answer == "never" else "allow"
            others = tuple(each for each in self.world.remembered if each[:2] != key)
            self.world = replace(self.world, remembered=(*others, (*key, kept)))

    def _keep(self, wanted: Callable[[Path, str], bool]) -> None:
        remembered = tuple(each for each in self.world.remembered if wanted(each[0], each[2]))
        self.world = replace(self.world, remembered=remembered)

    def _leave(self, questions: list[Open], *, allowed: bool, why: str) -> Settled:
        self.waiting = [each for each in self.waiting if each not in questions]
        return {each.ticket: (allowed, why) for each in questions}


def answers_too(answered: Open, answer: Answer, other: Open) -> bool:
    """Whether the answer to one question settles the other: itself, or all of its key that offer it."""
    if answer in ("allow for the session", "never"):
        return other.key == answered.key and answer in other.answers
    return other is answered
