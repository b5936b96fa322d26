"""The slash commands: each does what its line of `/help` says, and no command reaches a model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from consent.answer import Answer
from consent.matching import Effect, Rule, parse_pattern
from consent.setting import Mode, Setting
from mmconfigs.language import Words
from orchestrator.agent import Reason, Stop
from orchestrator.commands import COMMANDS, Talk
from orchestrator.conversation import Quit, Shown
from orchestrator.llm.messages import User
from orchestrator.words.banner import Asks
from tests.orchestrator.parts import Outcomes, Person, running
from tests.orchestrator.team import Conversation, Team, conversation


@asynccontextmanager
async def talking(team: Team, *answers: Answer) -> AsyncIterator[tuple[Talk, Conversation]]:
    async with conversation(team, person=Person(*answers)) as talk:
        yield Talk(talk.session, Words("en")), talk


async def shown(talk: Talk, line: str) -> str:
    submitted = await talk.submit(line)
    assert isinstance(submitted, Shown)
    return submitted.text


@pytest.mark.parametrize(
    "line", ["hello", "/etc/hosts is a file", "//", "/ hello", "/2", "see /help", "", "-/help"]
)
async def test_what_is_no_command_is_a_prompt_as_it_was_typed(team: Team, line: str) -> None:
    async with talking(team) as (talk, parts):
        assert await talk.submit(line) == Stop(Reason.END_TURN, "done")
        assert parts.model.heard == [(User(line),)]


@pytest.mark.parametrize("line", ["/nonsense", "/nonsense with words", "  /nonsense\n", "/ask", "/etc"])
async def test_an_unknown_command_is_said_and_sent_to_nobody(team: Team, line: str) -> None:
    async with talking(team) as (talk, parts):
        assert line.split(maxsplit=1)[0].strip("/") in await shown(talk, line)
        assert parts.model.heard == []


async def test_ask_asks_an_agent(team: Team) -> None:
    team.has("jan", "{log: jan.log, prompts: [[{say: '42'}]]}")
    async with talking(team) as (talk, parts):
        assert await talk.submit("  /ask-jan  what is\nit? ") == Stop(Reason.END_TURN, "42")
        assert parts.model.heard == []
    assert team.frames("jan")[-1]["params"]["prompt"][0]["text"] == "what is\nit?"


async def test_a_task_that_looks_like_a_command_is_only_a_task(team: Team) -> None:
    team.has("jan", "{log: jan.log, prompts: [[{say: '42'}]]}")
    async with talking(team) as (talk, _):
        await talk.submit("/ask-jan /revoke *")
    assert team.frames("jan")[-1]["params"]["prompt"][0]["text"] == "/revoke *"


async def test_ask_of_an_unknown_agent_names_the_known_ones(team: Team) -> None:
    async with talking(team) as (talk, parts):
        said = await shown(talk, "/ask-nobody run it")
        assert "nobody" in said
        assert "jan, homer, marge" in said
        assert parts.model.heard == []
    assert team.launched == []


async def test_ask_without_a_question_starts_nobody(team: Team) -> None:
    async with talking(team) as (talk, _):
        assert "jan" in await shown(talk, "/ask-jan  ")
    assert team.launched == []


async def test_agents_marks_those_that_run(team: Team) -> None:
    team.has("homer", "prompts: [[]]")
    async with talking(team) as (talk, _):
        assert await shown(talk, "/agents") == "jan\nhomer\nmarge"
        await talk.submit("/ask-homer work")
        assert await shown(talk, "/agents") == "jan\nhomer *\nmarge"


async def test_grants_are_listed_and_taken_back_by_key_or_agent(team: Team) -> None:
    for name in ("jan", "homer"):
        team.asks(name)
    answers = (Answer.ALLOW_SESSION, Answer.NEVER, Answer.REFUSE_ONCE, Answer.ALLOW_ONCE)
    async with talking(team, *answers) as (talk, parts):
        nothing = await shown(talk, "/grants")
        await talk.submit("/ask-jan work")
        await talk.submit("/ask-homer work")
        lines = (await shown(talk, "/grants")).splitlines()
        assert [line.partition(": ")[0] for line in lines] == ["jan/shell", "homer/shell"]
        assert "jan/nothing" in await shown(talk, "/revoke jan/nothing")
        assert "jan/shell" in await shown(talk, "/revoke jan/shell")
        assert "homer/shell" in await shown(talk, "/revoke homer/*")
        assert await shown(talk, "/grants") == nothing
        for name in ("jan", "homer"):  # both are asked about again
            await talk.submit(f"/ask-{name} work")
        assert len(parts.person.questions) == 4


@pytest.mark.parametrize("text", ["", "**", "jan", "/*", "ja*", "homer/*"])
async def test_revoke_takes_nothing_back_that_was_not_named(team: Team, text: str) -> None:
    team.asks("jan")
    async with talking(team, Answer.ALLOW_SESSION) as (talk, parts):
        await talk.submit("/ask-jan work")
        await shown(talk, f"/revoke {text}")
        assert len(parts.desk.grants) == 1


async def test_revoke_takes_everything_back_where_that_is_said(team: Team) -> None:
    team.asks("jan")
    async with talking(team, Answer.ALLOW_SESSION) as (talk, parts):
        await talk.submit("/ask-jan work")
        assert await shown(talk, "/revoke *") == "taken back: jan/shell"
        assert parts.desk.grants == ()


async def test_yolo_takes_its_words_in_any_case(team: Team) -> None:
    async with conversation(team, setting=Setting(somebody=True)) as parts:
        talk = Talk(parts.session, Words("en"))
        assert await shown(talk, "/yolo ON") == "yolo: on (/yolo on)"


async def test_yolo_shows_what_asks_and_changes_it_for_this_conversation(team: Team) -> None:
    setting = Setting(entries={"homer": True}, somebody=True)
    async with conversation(team, setting=setting) as parts:
        talk = Talk(parts.session, Words("en"))
        own = "homer: yolo: on (its own)"
        assert await shown(talk, "/yolo") == f"yolo: off (tools ask) (riker.yaml:1:1)\n{own}"
        said = {word: await shown(talk, f"/yolo {word}") for word in ("write", "on", "off")}
        assert said == {
            "write": f"yolo: write (commands, MCP and asked agents ask) (/yolo write)\n{own}",
            "on": "yolo: on (/yolo on)",
            "off": f"yolo: off (tools ask) (/yolo off)\n{own}",
        }
        assert parts.desk.setting == setting
        assert (await shown(talk, "/help")).startswith("yolo: off (tools ask) (/yolo off)\nriker\n")
        assert parts.model.heard == []


@pytest.mark.parametrize("text", ["true", "offf", "on now", "always-ask", "on;", "\x1b[2J", "of"])
@pytest.mark.parametrize("mode", Mode)
async def test_yolo_takes_three_words_and_changes_nothing_for_another(
    team: Team, text: str, mode: Mode
) -> None:
    setting = Setting(mode, somebody=True)
    async with conversation(team, setting=setting) as parts:
        said = await shown(Talk(parts.session, Words("fr")), f"/yolo {text}")
        assert said.endswith("n'est pas un mode, rien n'a changé ; acceptés : on, off, write")
        assert said.isprintable()
        assert parts.desk.setting == setting


@pytest.mark.parametrize("mode", Mode)
async def test_yolo_never_rises_above_the_floor_and_says_why(team: Team, mode: Mode) -> None:
    setting = Setting(mode, {"homer": True}, floor=True, somebody=True)
    async with conversation(team, setting=setting) as parts:
        talk = Talk(parts.session, Words("en"))
        for word in ("on", "write"):
            assert "AGENT_YOLO=false" in await shown(talk, f"/yolo {word}")
            assert parts.desk.setting == setting
        assert (await shown(talk, "/yolo off")).startswith("yolo: off (tools ask)")
        assert not parts.desk.setting.yolo(("homer",))


async def test_yolo_off_warns_of_agents_that_may_not_ask(team: Team) -> None:
    rules = (Rule(parse_pattern("homer/bash"), Effect.DENY),)
    setting = Setting(Mode.YOLO, rules=rules, somebody=True)
    async with conversation(team, setting=setting) as parts:
        parts.session.launched = replace(
            parts.session.launched, foreign=dict.fromkeys(("jan", "homer"), Asks.UNSURE)
        )
        talk = Talk(parts.session, Words("en"))
        warned = (
            "mm cannot tell whether homer asks before it acts, so `homer/bash: deny` holds only where it does"
        )
        assert await shown(talk, "/yolo on") == f"yolo: on (/yolo on)\n{warned}"
        assert (await shown(talk, "/yolo off")).splitlines()[1:] == [
            "mm cannot tell whether jan asks before it acts; what it does unasked is told",
            warned,
        ]


async def test_what_can_be_typed_behind_a_command_follows_the_conversation(team: Team) -> None:
    team.asks("jan")
    async with talking(team, Answer.ALLOW_SESSION) as (talk, _):

        def words() -> dict[str, tuple[str, ...]]:
            return {command.name: command.words for command in talk.commands if command.words}

        assert words() == {"yolo": ("on", "off", "write")}
        await talk.submit("/ask-jan work")
        assert words()["revoke"] == ("jan/shell", "jan/*")


async def test_new_begins_afresh(team: Team) -> None:
    async with talking(team) as (talk, parts):
        await talk.submit("one")
        await shown(talk, "/new")
        await talk.submit("two")
        assert parts.model.heard[-1] == (User("two"),)


async def test_stop_stops_what_runs(team: Team) -> None:
    team.has("jan", "prompts: [[{say: half}, hang]]")
    async with talking(team) as (talk, parts), running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("jan", talk.submit("/ask-jan work"))
        await parts.events.said("half")
        await shown(talk, "/stop")
        assert (await outcomes.result("jan")).reason is Reason.CANCELLED


async def test_help_names_every_command_below_the_banner(team: Team) -> None:
    async with talking(team) as (talk, _):
        text = await shown(talk, "/help")
        assert text.startswith("yolo: off (tools ask) (riker.yaml:1:1)\nriker\nmodel: scripted\n\n")
        for name in ("ask-jan QUESTION", "revoke KEY", "yolo [on|off|write]", *COMMANDS):
            assert f"\n/{name}" in text
        assert [command.name for command in talk.commands] == ["ask-jan", "ask-homer", "ask-marge", *COMMANDS]


async def test_quit_leaves(team: Team) -> None:
    async with talking(team) as (talk, _):
        assert await talk.submit("/quit") == Quit()
