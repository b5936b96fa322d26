"""One conversation with its agents: who is stopped, what is remembered, and what the model hears of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from consent.answer import Answer
from consent.key import Key
from consent.rules import Why
from consent.setting import Mode, Setting
from orchestrator.agent import Reason, Stop
from orchestrator.events import State
from orchestrator.llm.messages import Result
from orchestrator.llm.scripted import Turn
from tests.orchestrator.parts import Outcomes, Person, running
from tests.orchestrator.team import Team, conversation

FREE = Setting(mode=Mode.YOLO, somebody=True)
JAN_SHELL = Key(("jan",), "shell")


def ask_turn(name: str, say: str = "") -> Turn:
    return Turn(say, ((f"ask_{name}", '{"question": "work"}'),))


async def test_the_model_hears_what_a_person_and_an_agent_said(team: Team) -> None:
    team.has("jan", "prompts: [[{say: It is done.}]]")
    async with conversation(team) as talk:
        await talk.session.ask("jan", "work")
        heard = await talk.heard()
    assert "/ask-jan work" in heard
    assert "jan answered:\n\nIt is done." in heard


async def test_new_starts_afresh_and_keeps_the_memory(team: Team) -> None:
    """O-b2"""
    team.asks("jan")
    async with conversation(team, person=Person(Answer.ALLOW_SESSION)) as talk:
        assert (await talk.session.ask("jan", "secret")).text == "allowed"
        talk.session.new()
        assert talk.session.running == frozenset()
        assert "secret" not in await talk.heard()
        assert (await talk.session.ask("jan", "work")).text == "allowed"
        assert talk.desk.grants == ((JAN_SHELL, Answer.ALLOW_SESSION),)
        assert len(talk.person.questions) == 1
    assert team.launched == ["jan", "jan"]


async def test_what_is_asked_before_new_is_not_told_to_the_new_conversation(team: Team) -> None:
    team.has("jan", "prompts: [[{say: secret}, hang]]")
    async with conversation(team) as talk, running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("jan", talk.session.ask("jan", "work"))
        await talk.events.said("secret")
        talk.session.new()
        assert (await outcomes.result("jan")).reason is Reason.CANCELLED
        assert "secret" not in await talk.heard()


async def test_a_start_can_be_stopped(team: Team) -> None:
    """O-j6"""
    team.has("jan", "initialize: [{touch: started}, hang]")
    async with conversation(team) as talk, running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("jan", talk.session.ask("jan", "work"))
        await team.made("started")
        assert talk.events.states("jan") == [State.STARTING]
        talk.session.stop()
        assert (await outcomes.result("jan")).reason is Reason.CANCELLED
        await team.leaves_nothing()
        team.has("jan", "prompts: [[{say: done}]]")
        assert (await talk.session.ask("jan", "work")).text == "done"


async def test_stop_at_one_agents_question_leaves_the_other(team: Team) -> None:
    """O-e1, O-e3: and the stopped one can be asked again."""
    team.asks("jan", "date")
    team.asks("homer", "ls")
    async with conversation(team) as talk, running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("jan", talk.session.ask("jan", "work"))
        await talk.person.asked(1)
        outcomes.start("homer", talk.session.ask("homer", "work"))
        await talk.person.asked(2)
        talk.person.says(0, Why.CANCELLED)
        assert (await outcomes.result("jan")).reason is Reason.CANCELLED
        await team.made("jan.cancelled")
        assert talk.desk.waits(("homer",))
        talk.person.says(1, Answer.ALLOW_ONCE)
        assert await outcomes.result("homer") == Stop(Reason.END_TURN, "allowed")
        outcomes.start("again", talk.session.ask("jan", "work"))
        await talk.person.asked(3)
        talk.person.says(2, Answer.ALLOW_ONCE)
        assert (await outcomes.result("again")).text == "allowed"
    assert team.outcomes("jan") == ["cancelled", "allow_once-id"]
    assert team.methods("jan").count("session/cancel") == 1
    assert "session/cancel" not in team.methods("homer")


async def test_stop_of_the_conversation_stops_the_agent_that_the_model_asked(team: Team) -> None:
    """O-e3: what had arrived is handed over, and nothing more runs."""
    team.has("jan", "{log: jan.log, prompts: [[{say: half of it}, hang]]}")
    turns = Turn("", (*ask_turn("jan").calls, ("bash", '{"command": "touch made"}')))
    async with conversation(team, turns, setting=FREE) as talk, running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("turn", talk.session.prompt("go"))
        await talk.events.said("half of it")
        talk.session.stop()
        assert await outcomes.result("turn") == Stop(Reason.CANCELLED)
        await talk.heard()
        handed, not_run = (m for m in talk.model.heard[-1] if isinstance(m, Result))
        assert handed.text.startswith("cancelled: jan did not finish")
        assert "half of it" in handed.text
        assert "before it ran" in not_run.text
    assert not (team.folder / "made").exists()
    assert "session/cancel" in team.methods("jan")


async def test_stop_at_an_own_question_ends_the_turn(team: Team) -> None:
    call = Turn("", (("bash", '{"command": "touch made"}'),))
    async with conversation(team, call, person=Person(Why.CANCELLED)) as talk:
        assert await talk.session.prompt("go") == Stop(Reason.CANCELLED)
        assert (await talk.session.prompt("and now?")).done
    assert not (team.folder / "made").exists()


async def test_stop_without_a_turn_does_nothing(team: Team) -> None:
    async with conversation(team) as talk:
        talk.session.stop()
        assert (await talk.session.prompt("go")).done


async def test_the_end_of_a_conversation_ends_open_questions(team: Team) -> None:
    """O-e1"""
    team.asks("jan")
    async with conversation(team) as talk, running() as tasks:
        Outcomes(tasks).start("jan", talk.session.ask("jan", "work"))
        await talk.person.asked(1)
    assert talk.person.withdrawn == [0]
    assert "allow_once-id" not in team.outcomes("jan")


async def test_the_models_ask_hands_the_answer_over(team: Team) -> None:
    team.has("jan", "{log: jan.log, prompts: [[{say: '42'}]]}")
    async with conversation(team, ask_turn("jan")) as talk:
        assert (await talk.session.prompt("go")).done
        assert [(r.name, r.text, r.ok) for r in talk.model.results] == [("ask_jan", "42", True)]
        assert talk.person.questions == []


async def test_the_models_ask_is_asked_about_where_it_frees_something(team: Team) -> None:
    team.has("homer", "{log: homer.log, prompts: [[{say: '42'}]]}")
    setting = Setting(entries={"homer": True}, somebody=True)
    refuses = Person(Answer.REFUSE_ONCE)
    async with conversation(team, ask_turn("homer"), setting=setting, person=refuses) as talk:
        await talk.session.prompt("go")
        assert [r.text for r in talk.model.results] == ["refused ask_homer: answer"]
        assert len(talk.person.questions) == 1
        assert (await talk.session.ask("homer", "work")).text == "42"  # typing it is consent
    assert team.launched == ["homer"]


async def test_an_agent_that_does_not_exist_fails_the_task_only(team: Team) -> None:
    async with conversation(team, ask_turn("jan")) as talk:
        assert (await talk.session.prompt("go")).done
        assert talk.model.results[0].text.startswith("failed: jan did not finish: there is no jan")


async def test_each_question_is_decided_afresh(team: Team) -> None:
    """O-c4: the first task, a second one to the same process, and one to the next process."""
    team.asks("jan")
    async with conversation(team, setting=FREE) as talk:
        for _ in range(2):
            assert (await talk.session.ask("jan", "work")).text == "allowed"
        talk.session.new()
        assert (await talk.session.ask("jan", "work")).text == "allowed"
        assert talk.person.questions == []
    assert team.launched == ["jan", "jan"]


async def test_c4_an_agent_that_runs_follows_the_mode_that_is_switched(team: Team) -> None:
    team.asks("jan")
    async with conversation(team, setting=FREE, person=Person(Answer.REFUSE_ONCE)) as talk:
        assert (await talk.session.ask("jan", "work")).text == "allowed"
        assert talk.session.set_mode(Mode.ALWAYS_ASK, "/yolo off")
        assert (await talk.session.ask("jan", "work")).text == "refused"
        assert talk.session.set_mode(Mode.YOLO, "/yolo on")
        assert (await talk.session.ask("jan", "work")).text == "allowed"
        assert len(talk.person.questions) == 1
    assert team.launched == ["jan"]


async def test_the_models_ask_follows_the_mode_that_is_switched(team: Team) -> None:
    """What frees nothing while mm runs free asks once it does not."""
    team.has("homer", "{log: homer.log, prompts: [[{say: '42'}]]}")
    setting = replace(FREE, entries={"homer": True})
    turns = (ask_turn("homer"), Turn("done"), ask_turn("homer"))
    async with conversation(team, *turns, setting=setting, person=Person(Answer.REFUSE_ONCE)) as talk:
        await talk.session.prompt("go")
        assert talk.person.questions == []
        talk.session.set_mode(Mode.WRITE, "/yolo write")
        await talk.session.prompt("go")
        assert [result.ok for result in talk.model.results] == [True, False]
        assert len(talk.person.questions) == 1


async def test_the_question_about_a_hand_over_goes_away_where_it_frees_nothing_any_more(team: Team) -> None:
    team.has("homer", "{log: homer.log, prompts: [[{say: '42'}]]}")
    setting = Setting(entries={"homer": True}, somebody=True)
    async with conversation(team, ask_turn("homer"), setting=setting) as talk, running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("turn", talk.session.prompt("go"))
        await talk.person.asked(1)
        talk.session.set_mode(Mode.YOLO, "/yolo on")
        assert (await outcomes.result("turn")).done
        assert talk.person.withdrawn == [0]
        assert talk.model.results[0].text == "42"


@pytest.mark.parametrize(("entry", "questions"), [(True, 0), (False, 1)])
async def test_the_entrys_own_yolo_decides_in_both_directions(
    team: Team, entry: bool, questions: int
) -> None:
    """O-c3"""
    team.asks("jan")
    setting = replace(Setting(somebody=True) if entry else FREE, entries={"jan": entry})
    async with conversation(team, setting=setting, person=Person(Answer.ALLOW_ONCE)) as talk:
        assert (await talk.session.ask("jan", "work")).text == "allowed"
        assert len(talk.person.questions) == questions


async def test_own_calls_ask_again_after_a_free_agent_has_died(team: Team) -> None:
    """O-c2"""
    team.has("homer", "prompts: [[{exit: 1}]]")
    call = Turn("", (("bash", '{"command": "touch made"}'),))
    setting = Setting(entries={"homer": True}, somebody=True)
    async with conversation(team, call, setting=setting, person=Person(Answer.REFUSE_ONCE)) as talk:
        assert (await talk.session.ask("homer", "work")).reason is Reason.FAILED
        await talk.session.prompt("go")
        assert talk.person.commands == ["touch made"]
