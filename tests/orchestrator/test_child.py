"""An asked agent as a real process: its start, its turns, its end, and every way in which these go wrong."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from signal import SIGSTOP

import pytest

from consent.answer import Answer
from consent.key import Key
from consent.setting import Mode, Setting
from orchestrator import child, last_words
from orchestrator.agent import Reason, Stop
from orchestrator.events import State
from tests.orchestrator.parts import Outcomes, Person, running
from tests.orchestrator.team import Team, conversation

FLOOD = "{stderr: {text: 0123456789abcdef, times: 320000}}"
FREE = Setting(mode=Mode.YOLO, somebody=True)


async def ask(team: Team, *, setting: Setting | None = None) -> Stop:
    async with conversation(team, setting=setting) as talk:
        return await talk.session.ask("jan", "work")


async def test_an_answer_comes_back(team: Team) -> None:
    team.has("jan", "{log: jan.log, prompts: [[{say: 'It is '}, {say: done.}]]}")
    async with conversation(team) as talk:
        assert await talk.session.ask("jan", "work") == Stop(Reason.END_TURN, "It is done.")
        assert talk.events.states("jan") == [State.STARTING, State.WORKING, State.DONE]
        assert talk.session.running == {"jan"}
    new = next(f for f in team.frames("jan") if f.get("method") == "session/new")
    assert new["params"]["cwd"] == str(team.folder)
    assert team.frames("jan")[-1]["params"]["prompt"] == [{"type": "text", "text": "work"}]


async def test_no_second_door_is_offered(team: Team) -> None:
    team.has("jan", "{log: jan.log, prompts: [[]]}")
    await ask(team)
    offered = team.frames("jan")[0]["params"]["clientCapabilities"]
    assert offered == {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False}


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("start: [{stderr: {text: no key}}, {exit: 7}]", "exit code 7.*no key"),
        ("initialize: [{stderr: {text: no key}}, {exit: 0}]", "exit code 0.*no key"),
        ("session/new: [{stderr: {text: no key}}, {kill: 9}]", "signal 9.*no key"),
        ("initialize: [{error: {code: -32000, message: log in}}]", "log in"),
        ("session/new: [{error: {code: -32000, message: log in}}]", "log in"),
        ("initialize: [{answer: {protocolVersion: 2}}]", "ACP version 1"),
        ("initialize: [{answer: {protocolVersion: '1'}}]", "ACP version 1"),
        ("initialize: [{answer: {}}]", "ACP version 1"),
        ("session/new: [{answer: {}}]", "no session"),
        ("session/new: [{answer: {sessionId: 5}}]", "no session"),
        (f"start: [{{raw: '{'x' * 9}\n'}}, {FLOOD}, {{stderr: {{text: no key}}}}, {{exit: 7}}]", "7.*no key"),
        ("start: [{stderr: {text: no key}}, close_stdout, hang]", "no key"),
        ('initialize: [{raw: "' + "rubbish\\n" * 200 + '"}, hang]', "no messages.*rubbish"),
    ],
    ids=lambda text: text[:40] if ":" in text else "",
)
async def test_an_agent_that_does_not_start_is_said_with_its_last_words(
    team: Team, script: str, said: str
) -> None:
    """O-j4, O-j5"""
    team.has("jan", f"{{{script}}}")
    async with conversation(team) as talk:
        stop = await talk.session.ask("jan", "work")
        assert stop.reason is Reason.FAILED
        assert str(stop.detail).startswith("jan: ")
        assert re.search(said, str(stop.detail), re.DOTALL), str(stop.detail)
        assert talk.events.states("jan") == [State.STARTING, State.ENDED]
        assert talk.session.running == frozenset()
        assert "jan did not finish" in await talk.heard()


async def test_an_agent_that_never_answers_is_given_up(team: Team) -> None:
    """O-j6"""
    team.has("jan", "initialize: [{stderr: {text: waiting}}, hang]", start_seconds=0.5)
    stop = await ask(team)
    assert stop.reason is Reason.FAILED
    assert "did not start within 0.5 s" in str(stop.detail)
    assert "waiting" in str(stop.detail)


def test_the_time_to_start_is_generous() -> None:
    """O-j6"""
    assert child.START_SECONDS >= 60


async def test_a_program_that_is_not_there(team: Team) -> None:
    team.has("jan", argv=("no-such-agent", "--acp"))
    stop = await ask(team)
    assert stop.reason is Reason.FAILED
    assert "no-such-agent" in str(stop.detail)


async def test_a_folder_that_is_not_there(team: Team) -> None:
    """O-m4"""
    team.has("jan", "log: jan.log")
    launch = team.launch("jan")
    team.has("jan", asking=replace(launch.asking, folder=str(team.folder / "nowhere")))
    stop = await ask(team)
    assert stop.reason is Reason.FAILED
    assert "nowhere" in str(stop.detail)
    assert not (team.folder / "jan.log").exists()


async def test_a_flood_on_stderr_stalls_nothing(team: Team) -> None:
    """O-j4"""
    team.has("jan", f"{{initialize: [{FLOOD}], prompts: [[{FLOOD}, {{say: done}}]]}}")
    assert await ask(team) == Stop(Reason.END_TURN, "done")


async def test_the_last_words_are_the_last_ones_and_escaped(team: Team) -> None:
    """O-j4"""
    team.has("jan", f'prompts: [[{FLOOD}, {{stderr: {{text: "\\n no memory \\e[2J"}}}}, {{exit: 3}}]]')
    stop = await ask(team)
    assert "exit code 3" in str(stop.detail)
    assert "no memory" in str(stop.detail)
    assert "\x1b" not in str(stop.detail)
    assert len(str(stop.detail)) < 2 * last_words.TAIL


async def test_words_that_come_after_the_end_are_waited_for(team: Team) -> None:
    """What an agent has started may still hold its stderr, and say why."""
    run = "(until [ -e gone ]; do sleep 0.05; done; echo late words >&2) > /dev/null &"
    team.has("jan", f"prompts: [[{{run: '{run}'}}, {{touch: gone}}, {{exit: 7}}]]")
    stop = await ask(team)
    assert "exit code 7" in str(stop.detail)
    assert "late words" in str(stop.detail)


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("{stderr: {text: no memory}}, {exit: 7}", "exit code 7.*no memory"),
        ('{raw: \'{"jsonrpc": "2.0", "met\'}, {kill: 9}', "signal 9"),
        ("{stderr: {text: no memory}}, close_stdout, hang", "no memory"),
    ],
    ids=["exits", "killed in half a frame", "closes stdout only"],
)
async def test_an_agent_that_dies_in_mid_turn_can_be_asked_again(team: Team, end: str, said: str) -> None:
    """O-j5"""
    team.has("jan", f"{{log: jan.log, prompts: [[{{say: Half a word}}, {end}]]}}")
    async with conversation(team) as talk:
        for _ in range(2):
            stop = await talk.session.ask("jan", "work")
            assert (stop.reason, stop.text) == (Reason.FAILED, "Half a word")
            assert re.search(said, str(stop.detail)), str(stop.detail)
            assert talk.session.running == frozenset()
        states = talk.events.states
        await talk.events.until(lambda: states("jan").count(State.ENDED) == 2)
        assert (states("jan").count(State.STARTING), State.DONE in states("jan")) == (2, False)
    assert team.methods("jan").count("initialize") == 2


async def test_an_agent_that_dies_takes_its_question_along(team: Team) -> None:
    """O-j5"""
    ask_no_wait = "ask_no_wait: {toolCall: {name: shell, kind: execute, rawInput: {command: ls}}}"
    team.has("jan", f"prompts: [[{{{ask_no_wait}}}, {{wait_for: asked}}, {{exit: 7}}]]")
    async with conversation(team) as talk, running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("jan", talk.session.ask("jan", "work"))
        await talk.person.asked(1)
        (team.folder / "asked").touch()
        assert (await outcomes.result("jan")).reason is Reason.FAILED
        assert talk.person.withdrawn == [0]
        talk.person.says(0, Answer.ALLOW_SESSION)
        assert not talk.desk.waits(())
        assert talk.desk.grants == ()


async def test_a_stopped_agent_is_told_and_what_it_had_said_is_kept(team: Team) -> None:
    """O-e1, O-m2"""
    team.has("jan", "{log: jan.log, prompts: [[{say: Two paragraphs.}, hang]]}")
    async with conversation(team) as talk, running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("jan", talk.session.ask("jan", "work"))
        await talk.events.said("Two paragraphs.")
        talk.session.stop()
        assert await outcomes.result("jan") == Stop(Reason.CANCELLED, "Two paragraphs.")
        assert "Two paragraphs." in await talk.heard()
        assert talk.session.running == {"jan"}
    assert team.methods("jan").count("session/cancel") == 1


async def test_an_agent_that_ignores_its_cancel_is_killed(team: Team) -> None:
    """After 3 s, as one that SIGSTOP holds up and SIGTERM does not end. What it started ends with it."""
    run = "sleep 600 > /dev/null 2>&1 & touch started"
    team.has("jan", f'prompts: [[{{say: I go on}}, {{run: "{run}"}}, {{kill: {SIGSTOP.value}}}]]')
    async with conversation(team, setting=FREE) as talk, running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("jan", talk.session.ask("jan", "work"))
        await team.made("started")
        began = time.monotonic()
        talk.session.stop()
        stop = await outcomes.result("jan")
        assert stop.reason is Reason.CANCELLED
        assert stop.text == "I go on"
        await team.leaves_nothing()
        assert time.monotonic() - began < 20


async def test_a_second_stop_ends_an_agent_that_has_not_stopped_yet(team: Team) -> None:
    team.has("jan", f"prompts: [[{{say: I go on}}, {{touch: started}}, {{kill: {SIGSTOP.value}}}]]")
    async with conversation(team) as talk, running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("jan", talk.session.ask("jan", "work"))
        await team.made("started")
        talk.session.stop()
        talk.session.stop()
        assert "stopped twice" in str((await outcomes.result("jan")).detail)
        await team.leaves_nothing()


async def test_a_turn_that_takes_longer_than_its_timeout_is_stopped(team: Team) -> None:
    team.has("jan", "{log: jan.log, prompts: [[{say: half}, hang]]}", turn_seconds=0.3)
    async with conversation(team) as talk:
        stop = await talk.session.ask("jan", "work")
        assert (stop.reason, stop.text) == (Reason.FAILED, "half")
        assert "timeout of 0.3 s" in str(stop.detail)
    assert "session/cancel" in team.methods("jan")


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("max_tokens", Reason.MAX_TOKENS),
        ("max_turn_requests", Reason.MAX_TURN_REQUESTS),
        ("refusal", Reason.REFUSAL),
        ("cancelled", Reason.CANCELLED),
        ("tired", Reason.UNKNOWN),
        ("failed", Reason.FAILED),
        ("42", Reason.UNKNOWN),
    ],
)
async def test_only_the_end_of_a_turn_is_done(team: Team, word: str, reason: Reason) -> None:
    """O-m1"""
    team.has("jan", f"prompts: [[{{say: half}}, {{answer: {{stopReason: {word}}}}}]]")
    stop = await ask(team)
    assert (stop.reason, stop.text, stop.done) == (reason, "half", False)


async def test_an_error_is_no_answer(team: Team) -> None:
    team.has("jan", "prompts: [[{say: half}, {error: {code: -32603, message: no money}}]]")
    stop = await ask(team)
    assert (stop.reason, stop.text) == (Reason.FAILED, "half")
    assert "no money" in str(stop.detail)


async def test_the_refused_calls_are_named(team: Team) -> None:
    team.asks("jan")
    async with conversation(team, person=Person(Answer.REFUSE_ONCE)) as talk:
        stop = await talk.session.ask("jan", "work")
    assert stop == Stop(Reason.END_TURN, "refused", refused=("jan/shell (the person refused)",))
    assert team.outcomes("jan") == ["reject_once-id"]


async def test_nobody_to_ask_is_counted_under_the_agent(team: Team) -> None:
    """O-d1"""
    team.asks("jan")
    async with conversation(team, setting=Setting(somebody=False)) as talk:
        stop = await talk.session.ask("jan", "work")
        assert stop.refused == ("jan/shell (nobody could be asked)",)
        assert talk.desk.unasked == {Key(("jan",), "shell"): 1}
