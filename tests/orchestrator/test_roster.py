"""The asked agents of a conversation: when they start, how long they live, whose turn it is."""

from __future__ import annotations

from orchestrator.agent import Reason
from tests.orchestrator.parts import Outcomes, running
from tests.orchestrator.team import Team, conversation


async def test_an_agent_is_started_once_and_kept(team: Team) -> None:
    team.has("jan", "{log: jan.log, prompts: [[{say: one}], [{say: two}]]}")
    async with conversation(team) as talk:
        assert team.launched == []
        assert (await talk.session.ask("jan", "count")).text == "one"
        assert (await talk.session.ask("jan", "count")).text == "two"
        assert team.launched == ["jan"]
    assert team.methods("jan") == ["initialize", "session/new", "session/prompt", "session/prompt"]


async def test_two_tasks_to_one_agent_run_in_turn(team: Team) -> None:
    team.has("jan", "{log: jan.log, prompts: [[{say: one}, {wait_for: go}], [{say: two}]]}")
    async with conversation(team) as talk, running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("first", talk.session.ask("jan", "count"))
        outcomes.start("second", talk.session.ask("jan", "count"))
        await talk.events.said("one")
        (team.folder / "go").touch()
        assert (await outcomes.result("first")).text == "one"
        assert (await outcomes.result("second")).text == "two"
    assert team.launched == ["jan"]


async def test_a_task_that_waited_for_a_dead_agent_gets_a_new_one(team: Team) -> None:
    """O-j5"""
    team.has("jan", "prompts: [[{say: half}, {wait_for: go}, {exit: 1}]]")
    async with conversation(team) as talk, running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("first", talk.session.ask("jan", "work"))
        await talk.events.said("half")
        outcomes.start("second", talk.session.ask("jan", "work"))
        (team.folder / "go").touch()
        assert (await outcomes.result("first")).reason is Reason.FAILED
        second = await outcomes.result("second")
        assert (second.reason, second.text) == (Reason.FAILED, "half")
    assert team.launched == ["jan", "jan"]


async def test_agents_work_beside_each_other(team: Team) -> None:
    team.has("jan", "prompts: [[{wait_for: homer}, {say: jan}]]")
    team.has("homer", "prompts: [[{touch: homer}, {say: homer}]]")
    async with conversation(team) as talk, running() as tasks:
        outcomes = Outcomes(tasks)
        for name in ("jan", "homer"):
            outcomes.start(name, talk.session.ask(name, "work"))
        assert (await outcomes.result("jan")).text == "jan"
        assert (await outcomes.result("homer")).text == "homer"
        assert talk.session.running == {"jan", "homer"}


async def test_an_unknown_agent_is_a_failed_turn(team: Team) -> None:
    async with conversation(team) as talk:
        stop = await talk.session.ask("marge", "work")
    assert (stop.reason, stop.detail) == (Reason.FAILED, "there is no marge")
