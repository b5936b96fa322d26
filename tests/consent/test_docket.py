"""The docket over requests, answers, stops, deaths, revocations and changed settings: one answer each."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from consent.answer import Answer, Yes
from consent.call import Doubt, Unrunnable
from consent.docket import MOST_WAITING, Docket, Waiting
from consent.gate import Decision
from consent.key import Key
from consent.matching import Effect, Rule, parse_pattern
from consent.policy import Policy
from consent.rules import Why
from consent.setting import Mode, Setting
from tests.consent.adapter import call_of
from tests.consent.oracle import Call

ASKING = Setting(mode=Mode.ALWAYS_ASK, somebody=True)
JAN, HOMER = ("jan",), ("jan", "homer")


def jans(name: str = "bash", **more: object) -> Call:
    return replace(Call(path=JAN, child="ours", name=name, kind="execute"), **more)  # type: ignore[arg-type]


def submitted(docket: Docket, call: Call) -> tuple[Docket, int]:
    """Submit a call that must ask; the docket after it, and its ticket."""
    docket, waiting = docket.submit(call_of(call))
    assert isinstance(waiting, Waiting)
    return docket, waiting.ticket


def test_an_answer_for_the_session_settles_every_waiting_question_of_its_key_and_no_other() -> None:
    docket, first = submitted(Docket(ASKING), jans())
    docket, same = submitted(docket, jans())
    docket, other_tool = submitted(docket, jans("write_file", kind="edit"))
    docket, other_agent = submitted(docket, jans(path=HOMER))
    docket, own = submitted(docket, Call(kind="execute"))
    docket, settled = docket.answer(first, Answer.ALLOW_SESSION)
    assert [ticket for ticket, decision in settled if decision.allowed] == [first, same]
    assert [entry.ticket for entry in docket.waiting] == [other_tool, other_agent, own]
    assert docket.policy.allows(Key(JAN, "bash"))
    assert not docket.policy.allows(Key((), "bash"))


def test_one_of_several_yeses_settles_one_question_and_is_never_remembered() -> None:
    docket, first = submitted(Docket(Setting(mode=Mode.YOLO, somebody=True)), jans(several_yes=True))
    docket, same = submitted(docket, jans(several_yes=True))
    (entry, _) = docket.waiting
    assert entry.question.answers == (Yes(0), Yes(1), Answer.NEVER, Answer.REFUSE_ONCE)
    assert docket.answer(first, Answer.ALLOW_ONCE) == (docket, ())
    assert docket.answer(first, Yes(2)) == (docket, ())
    docket, settled = docket.answer(first, Yes(1))
    assert [(ticket, decision.allowed, decision.answer) for ticket, decision in settled] == [
        (first, True, Yes(1))
    ]
    assert [entry.ticket for entry in docket.waiting] == [same]
    assert docket.policy == Policy()


def test_an_alarm_drops_what_the_agent_and_those_below_were_allowed_and_keeps_what_was_refused() -> None:
    docket = Docket(ASKING)
    said = ((JAN, "bash"), (HOMER, "bash"), (("lisa",), "bash"), ((), "bash"))
    docket = replace(docket, policy=Policy(tuple((Key(*key), Answer.ALLOW_SESSION) for key in said)))
    docket = replace(docket, policy=docket.policy.remember(Key(JAN, "write_file"), Answer.NEVER))
    left = docket.alarm(JAN).policy.remembered
    assert [str(key) for key, _ in left] == ["lisa/bash", "bash", "jan/write_file"]


def test_an_allow_for_the_session_does_not_settle_a_doubtful_question_of_the_key() -> None:
    docket, first = submitted(Docket(ASKING), jans())
    docket, doubtful = submitted(docket, jans(doubtful=True))
    docket, settled = docket.answer(first, Answer.ALLOW_SESSION)
    assert [ticket for ticket, _ in settled] == [first]
    assert [entry.ticket for entry in docket.waiting] == [doubtful]


def test_never_settles_every_question_of_the_key_doubtful_ones_too() -> None:
    docket, first = submitted(Docket(ASKING), jans())
    docket, doubtful = submitted(docket, jans(doubtful=True))
    docket, settled = docket.answer(doubtful, Answer.NEVER)
    assert [(ticket, decision.allowed) for ticket, decision in settled] == [(first, False), (doubtful, False)]


def test_an_answer_that_is_not_on_offer_changes_nothing() -> None:
    docket, doubtful = submitted(Docket(ASKING), jans(doubtful=True))
    assert docket.answer(doubtful, Answer.ALLOW_SESSION) == (docket, ())
    assert not docket.waiting[0].question.decide(Answer.ALLOW_SESSION).allowed


def test_an_answer_once_settles_exactly_one() -> None:
    docket, first = submitted(Docket(ASKING), jans())
    docket, _ = submitted(docket, jans())
    docket, settled = docket.answer(first, Answer.ALLOW_ONCE)
    assert [ticket for ticket, _ in settled] == [first]
    assert docket.policy == Policy()


def test_an_answer_to_a_settled_question_does_nothing() -> None:
    docket, first = submitted(Docket(ASKING), jans())
    docket, _ = docket.withdraw([first])
    assert docket.answer(first, Answer.ALLOW_SESSION) == (docket, ())


def test_stop_cancels_the_questions_of_the_agent_and_of_those_below_it_only() -> None:
    docket, jan = submitted(Docket(ASKING), jans())
    docket, homer = submitted(docket, jans(path=HOMER))
    docket, own = submitted(docket, Call(kind="execute"))
    docket, settled = docket.stop(JAN)
    assert [(ticket, decision.why) for ticket, decision in settled] == [
        (jan, Why.CANCELLED),
        (homer, Why.CANCELLED),
    ]
    assert [entry.ticket for entry in docket.waiting] == [own]


def test_a_question_that_nobody_answered_is_refused_for_that_reason_and_nothing_is_remembered() -> None:
    docket, first = submitted(Docket(ASKING), jans())
    docket, second = submitted(docket, jans())
    docket, settled = docket.refuse(first, Why.NOBODY)
    assert settled == ((first, Decision(False, Why.NOBODY, 13)),)
    assert [entry.ticket for entry in docket.waiting] == [second] == [first + 1]
    assert docket.policy == Policy()


def test_a_decision_names_the_line_and_the_rule_that_asked() -> None:
    rule = Rule(parse_pattern("jan/bash"), Effect.PROMPT, "riker.yaml:3:5")
    docket, ticket = submitted(Docket(replace(ASKING, rules=(rule,))), jans())
    said = [docket.answer(ticket, answer)[1][0][1] for answer in Answer]
    assert {(decision.why, decision.line, decision.rule) for decision in said} == {(Why.ANSWER, 5, rule)}
    ((_, stopped),) = docket.stop(JAN)[1]
    assert (stopped.line, stopped.rule) == (5, rule)
    ((_, nobody),) = docket.refuse(ticket, Why.NOBODY)[1]
    assert (nobody.line, nobody.rule) == (13, rule)


def test_a_refusal_made_further_up_names_no_rule_of_this_file() -> None:
    rule = Rule(parse_pattern("jan/bash"), Effect.PROMPT)
    docket, ticket = submitted(Docket(replace(ASKING, rules=(rule,))), jans())
    assert docket.refuse(ticket, Why.POLICY)[1] == ((ticket, Decision(False, Why.POLICY, 5)),)


def test_no_reason_for_a_missing_answer_ever_allows() -> None:
    for why in Why:
        docket, first = submitted(Docket(ASKING), jans())
        _, settled = docket.refuse(first, why)
        assert not settled[0][1].allowed


def test_yolo_switched_on_settles_what_waits_but_not_a_marked_question() -> None:
    docket, plain = submitted(Docket(ASKING), jans())
    docket, marked = submitted(docket, jans(marked=True))
    docket, settled = docket.recheck(replace(ASKING, mode=Mode.YOLO))
    assert docket.setting.mode is Mode.YOLO
    assert [(ticket, decision.why) for ticket, decision in settled] == [(plain, Why.YOLO)]
    assert [entry.ticket for entry in docket.waiting] == [marked]


def test_a_revoked_answer_asks_again() -> None:
    docket, first = submitted(Docket(ASKING), jans())
    docket, _ = docket.answer(first, Answer.ALLOW_SESSION)
    _, silent = docket.submit(call_of(jans()))
    assert isinstance(silent, Decision)
    assert (silent.allowed, silent.why, silent.line) == (True, Why.MEMORY, 12)
    submitted(docket.revoke([Key(JAN, "bash")]), jans())


def test_over_a_thousand_waiting_questions_of_one_agent_are_refused_and_those_of_another_still_ask() -> None:
    docket = Docket(ASKING)
    for _ in range(MOST_WAITING):
        docket, _ = submitted(docket, jans())
    _, crowded = docket.submit(call_of(jans()))
    assert isinstance(crowded, Decision)
    assert (crowded.allowed, crowded.unrunnable) == (False, Unrunnable.TOO_MANY_WAITING)
    submitted(docket, Call(kind="execute"))


def test_a_call_without_a_clear_name_is_asked_once_only_and_never_is_kept_for_all_of_them() -> None:
    docket, unclear = submitted(Docket(ASKING), jans("jan/bash"))
    assert docket.waiting[0].question.answers == (Answer.ALLOW_ONCE, Answer.NEVER, Answer.REFUSE_ONCE)
    docket, _ = docket.answer(unclear, Answer.NEVER)
    assert [str(key) for key in docket.policy.nevers] == ["jan/(unclear)"]
    _, refused = docket.submit(call_of(jans("b\u0430sh")))
    assert isinstance(refused, Decision)
    assert refused.why is Why.MEMORY


def test_a_call_that_cannot_run_as_shown_is_refused_even_when_yolo_is_on() -> None:
    _, refused = Docket(replace(ASKING, mode=Mode.YOLO)).submit(call_of(jans(invalid=True)))
    assert isinstance(refused, Decision)
    assert (refused.allowed, refused.line) == (False, 0)


class Conversations(RuleBasedStateMachine):
    """Anything that may happen to the questions of a conversation, in any order."""

    asked = Bundle("asked")

    def __init__(self) -> None:
        super().__init__()
        self.docket = Docket(ASKING)
        self.answered: dict[int, Decision] = {}
        self.tickets: set[int] = set()
        self.granted: set[Key] = set()

    def take(self, docket: Docket, settled: tuple[tuple[int, Decision], ...]) -> None:
        for ticket, decision in settled:
            assert ticket not in self.answered, "a second answer to one request"
            self.answered[ticket] = decision
        self.docket = docket

    @rule(
        target=asked,
        name=st.sampled_from(["bash", "write_file", None, "jan/bash"]),
        path=st.sampled_from([(), JAN, HOMER]),
        doubtful=st.booleans(),
    )
    def request(self, name: str | None, path: tuple[str, ...], doubtful: bool) -> object:
        child = "ours" if path else "own"
        call = call_of(Call(path=path, child=child, name=name, kind="execute", doubtful=doubtful))  # type: ignore[arg-type]
        self.docket, outcome = self.docket.submit(call)
        if isinstance(outcome, Decision):
            free = self.docket.setting.yolo(path) or call.key in self.granted
            assert not outcome.allowed or free, "allowed without a reason"
            return multiple()
        self.tickets.add(outcome.ticket)
        return outcome.ticket

    @rule(ticket=consumes(asked), answer=st.sampled_from(Answer))
    def answer(self, ticket: int, answer: Answer) -> None:
        key = next((e.question.call.key for e in self.docket.waiting if e.ticket == ticket), None)
        docket, settled = self.docket.answer(ticket, answer)
        if key and settled and answer is Answer.ALLOW_SESSION:
            self.granted.add(key)
        if key and settled and answer is Answer.NEVER:
            self.granted.discard(key)
        assert all(decision.allowed is answer.allows for _, decision in settled)
        self.take(docket, settled)

    @rule(ticket=asked, why=st.sampled_from(Why))
    def nobody_answers(self, ticket: int, why: Why) -> None:
        docket, settled = self.docket.refuse(ticket, why)
        assert not any(decision.allowed for _, decision in settled)
        self.take(docket, settled)

    @rule(path=st.sampled_from([(), JAN, HOMER]))
    def stop_or_die(self, path: tuple[str, ...]) -> None:
        docket, settled = self.docket.stop(path)
        assert not any(decision.allowed for _, decision in settled)
        self.take(docket, settled)

    @rule(tickets=st.lists(asked, max_size=3))
    def withdraw(self, tickets: list[int]) -> None:
        docket, settled = self.docket.withdraw(tickets)
        assert not any(decision.allowed for _, decision in settled)
        self.take(docket, settled)

    @rule()
    def revoke_everything(self) -> None:
        self.docket = self.docket.revoke([key for key, _ in self.docket.policy.remembered])
        self.granted.clear()

    @rule(mode=st.sampled_from(Mode))
    def switch(self, mode: Mode) -> None:
        docket, settled = self.docket.recheck(replace(self.docket.setting, mode=mode))
        assert mode is Mode.YOLO or not any(decision.why is Why.YOLO for _, decision in settled)
        self.take(docket, settled)

    @invariant()
    def every_request_waits_or_is_answered_and_never_both(self) -> None:
        waiting = [entry.ticket for entry in self.docket.waiting]
        assert sorted(waiting) == waiting, "the order of arrival was lost"
        assert set(waiting) | set(self.answered) == self.tickets
        assert not set(waiting) & set(self.answered)


TestConversations = Conversations.TestCase


def test_every_doubt_has_its_own_word() -> None:
    assert len({doubt.value for doubt in Doubt}) == len(Doubt)
