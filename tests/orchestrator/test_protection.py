"""Agents of another make under protection: each is made to ask, or is not asked. acp.md, "Real agents"."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from consent.answer import Answer
from consent.call import Origin
from consent.setting import Mode, Setting
from orchestrator.acp.profiles import PROFILES
from orchestrator.agent import Reason, Stop
from orchestrator.events import State
from tests.orchestrator.parts import Outcomes, running
from tests.orchestrator.team import Team, conversation

PROTECTED = Setting(somebody=True)
FREE = Setting(mode=Mode.YOLO, somebody=True)
DONE = Stop(Reason.END_TURN, "done")
YOLO = "{sessionUpdate: current_mode_update, currentModeId: yolo}"
YOLO_OPTION = (
    "{sessionUpdate: config_option_update, configOptions: [{id: m, category: mode, currentValue: yolo}]}"
)


def agent(team: Team, profile: str, script: str = "prompts: [[{say: done}]]", **more: Any) -> None:
    """jan of another make."""
    team.has("jan", script)
    team.has("jan", script, asking=replace(team.launch("jan").asking, profile=PROFILES[profile], **more))


async def ask(team: Team, setting: Setting = PROTECTED) -> Stop:
    async with conversation(team, setting=setting) as talk:
        return await talk.session.ask("jan", "work")


NEVER = [name for name, profile in PROFILES.items() if profile.asks == "never"]


@pytest.mark.parametrize("profile", NEVER)
async def test_one_that_cannot_be_made_to_ask_is_not_started(team: Team, profile: str) -> None:
    agent(team, profile, "start: [{touch: started}]")
    async with conversation(team) as talk:
        stop = await talk.session.ask("jan", "work")
        assert stop.reason is Reason.FAILED
        assert str(stop.detail).startswith("jan: mm cannot make it ask before it acts")
        assert "`yolo: true` in its entry" in str(stop.detail)
        assert talk.session.running == frozenset()
        assert talk.events.states("jan") == []
    assert not (team.folder / "started").exists()


@pytest.mark.parametrize(
    ("setting", "works"),
    [
        (FREE, True),
        (replace(PROTECTED, entries={"jan": True}), True),
        (replace(FREE, entries={"jan": False}), False),
        (replace(FREE, entries={"jan": True}, floor=True), False),
    ],
)
async def test_whether_its_calls_must_ask_is_what_counts(team: Team, setting: Setting, works: bool) -> None:
    agent(team, "codex")
    assert ((await ask(team, setting)) == DONE) is works


async def test_after_yolo_off_it_is_ended_instead_of_asked(team: Team) -> None:
    agent(team, "codex")
    async with conversation(team, setting=FREE) as talk:
        assert await talk.session.ask("jan", "work") == DONE
        talk.session.set_mode(Mode.ALWAYS_ASK, "/yolo off")
        assert "cannot make it ask" in str((await talk.session.ask("jan", "work")).detail)
        await team.leaves_nothing()
        talk.session.set_mode(Mode.YOLO, "/yolo on")
        assert await talk.session.ask("jan", "work") == DONE


@pytest.mark.parametrize("setting", [PROTECTED, FREE])
async def test_one_with_a_mode_in_which_it_asks_is_put_into_it_before_its_first_task(
    team: Team, setting: Setting
) -> None:
    script = "{log: jan.log, session/set_mode: [], prompts: [[{say: done}]]}"
    agent(team, "vibe", script)
    assert await ask(team, setting) == DONE
    assert team.methods("jan") == ["initialize", "session/new", "session/set_mode", "session/prompt"]
    assert team.frames("jan")[2]["params"] == {"sessionId": "s1", "modeId": "ask"}


async def test_one_that_refuses_this_mode_gets_no_task(team: Team) -> None:
    agent(team, "vibe", "{log: jan.log, prompts: [[{say: done}]]}")
    stop = await ask(team)
    assert stop.reason is Reason.FAILED
    assert "its mode ask could not be set: Method not found" in str(stop.detail)
    assert "session/prompt" not in team.methods("jan")


async def test_others_are_put_into_no_mode(team: Team) -> None:
    agent(team, "gemini", "{log: jan.log, prompts: [[{say: done}]]}")
    assert await ask(team) == DONE
    assert "session/set_mode" not in team.methods("jan")


@pytest.mark.parametrize("update", [YOLO, YOLO_OPTION])
@pytest.mark.parametrize("profile", ["generic", "gemini"])
async def test_one_that_goes_free_in_mid_session_is_ended_and_that_is_told(
    team: Team, profile: str, update: str
) -> None:
    agent(team, profile, f"prompts: [[{{say: I go free}}, {{update: {update}}}, hang], [{{say: done}}]]")
    async with conversation(team) as talk:
        stop = await talk.session.ask("jan", "work")
        assert (stop.reason, stop.text) == (Reason.FAILED, "I go free")
        told = "jan: it says that it is in its mode yolo, in which it acts without asking, so it was ended"
        assert str(stop.detail) == told
        assert talk.events.notes == [told]
        await team.leaves_nothing()
        await talk.events.until(lambda: State.ENDED in talk.events.states("jan"))


async def test_its_open_question_goes_with_it(team: Team) -> None:
    steps = "{ask_no_wait: {toolCall: {name: shell, kind: execute, rawInput: {command: ls}}}}"
    agent(team, "gemini", f"prompts: [[{steps}, {{wait_for: asked}}, {{update: {YOLO}}}, hang]]")
    async with conversation(team) as talk, running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("jan", talk.session.ask("jan", "work"))
        await talk.person.asked(1)
        (team.folder / "asked").touch()
        assert "mode yolo" in str((await outcomes.result("jan")).detail)
        assert talk.person.withdrawn == [0]
        talk.person.says(0, Answer.ALLOW_ONCE)
        assert not talk.desk.waits(())


async def test_one_that_starts_free_gets_no_task(team: Team) -> None:
    session = "session/new: [{answer: {sessionId: s1, modes: {currentModeId: acceptEdits}}}]"
    agent(team, "claude", f"{{log: jan.log, {session}}}")
    stop = await ask(team)
    assert "its mode acceptEdits" in str(stop.detail)
    assert team.methods("jan") == ["initialize", "session/new"]
    assert await ask(team, FREE) == Stop(Reason.END_TURN, "")


async def test_one_that_went_free_while_yolo_counted_is_ended_after_yolo_off(team: Team) -> None:
    agent(team, "gemini", f"prompts: [[{{update: {YOLO}}}, {{say: done}}]]")
    async with conversation(team, setting=FREE) as talk:
        assert await talk.session.ask("jan", "work") == DONE
        talk.session.set_mode(Mode.ALWAYS_ASK, "/yolo off")
        assert "mode yolo" in str((await talk.session.ask("jan", "work")).detail)
        await team.leaves_nothing()


async def test_a_mode_of_our_own_agent_frees_nothing_and_ends_nothing(team: Team) -> None:
    agent(team, "generic", f"prompts: [[{{update: {YOLO}}}, {{say: done}}]]", origin=Origin.OURS)
    assert await ask(team) == DONE
