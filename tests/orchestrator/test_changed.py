"""The question about a file that changed: who may answer it, what it is kept under, what a yes covers."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from consent.answer import Answer
from consent.call import Altered, Unrunnable
from consent.gate import Question, check
from consent.matching import Effect, Rule, parse_pattern
from consent.policy import Policy
from consent.rules import Why
from consent.setting import Mode, Setting
from orchestrator.agent import Reason
from orchestrator.changed import Changed, Mark, Seal
from orchestrator.child import Launch
from orchestrator.roster import MOST_QUESTIONS
from orchestrator.session import Plan, open_session
from tests.orchestrator.parts import Events, HeardModel, Outcomes, Person, running
from tests.orchestrator.team import Team, plan_of

FILE = "/w/jan.yaml"
CHANGED = Changed("jan", FILE, Mark("sha256:new", "/w/real.yaml"), "/work")
FREE = Setting(mode=Mode.YOLO, somebody=True)
ALLOWED = (Rule(parse_pattern("ask_jan"), Effect.ALLOW),)


class Files(Team):
    """A team in which jan's file is what `contents` says, one content after the other, the last for good."""

    contents: list[str]

    def launching(self, name: str, seal: Seal) -> Launch | Changed:
        now = self.contents.pop(0) if len(self.contents) > 1 else self.contents[0]
        mark = Mark(now, FILE)
        return self.launch(name) if seal.get(FILE) == str(mark) else replace(CHANGED, mark=mark)


@pytest.fixture
def files(team: Team) -> Files:
    files = Files(team.folder)
    files.has("jan", "prompts: [[{say: hello}], [{say: again}]]")
    return files


class Asked:
    """How asking jan once ended, and what the person saw."""

    def __init__(self, files: Files, person: Person, *contents: str, setting: Setting = FREE) -> None:
        files.contents = list(contents)
        self.files, self.person, self.setting, self.events = files, person, setting, Events()
        self.unasked: dict[str, int] = {}

    @property
    def plan(self) -> Plan:
        plan = plan_of(self.files, HeardModel(), self.setting)
        return replace(plan, launch=self.files.launching, seal={FILE: f"old {FILE}"})


async def ask(asked: Asked, times: int = 1) -> list[str]:
    """What came of asking jan so many times in one conversation."""
    ends = []
    async with open_session(asked.plan, asked.events, asked.person) as session:
        for _ in range(times):
            stop = await session.ask("jan", "work")
            ends.append(stop.text if stop.done else str(stop.detail))
        asked.unasked = {str(key): times for key, times in session.desk.unasked.items()}
    await asked.files.leaves_nothing()
    return ends


@pytest.mark.parametrize("setting", [FREE, replace(FREE, rules=ALLOWED), Setting(somebody=True)])
def test_only_a_person_may_allow_it_also_where_everything_is_free(setting: Setting) -> None:
    asked = check(CHANGED.call(1), setting, Policy(((CHANGED.call(1).key, Answer.ALLOW_SESSION),)))
    assert isinstance(asked, Question)
    assert (asked.line, asked.once_only) == (4, True)


def test_the_question_is_about_exactly_these_bytes() -> None:
    call = CHANGED.call(1)
    assert str(call.key) == "ask_jan"
    assert call.detail == Altered("jan", FILE, "/w/real.yaml")
    assert json.loads(call.arguments) == {
        "agent": "jan",
        "path": FILE,
        "file": "/w/real.yaml",
        "content": "sha256:new",
    }
    assert CHANGED.accepted({FILE: "old", "/w/b": "b"}) == {FILE: "sha256:new /w/real.yaml", "/w/b": "b"}


def test_a_name_that_nobody_can_see_is_refused_without_a_question() -> None:
    call = replace(CHANGED, path="/w/j\x7fan.yaml").call(1)
    assert call.unrunnable is Unrunnable.HIDDEN_CHARACTERS


async def test_after_a_yes_the_agent_starts_and_the_same_content_is_not_asked_about_again(
    files: Files,
) -> None:
    asked = Asked(files, Person(Answer.ALLOW_ONCE), "new")
    assert await ask(asked, 2) == ["hello", "again"]
    assert len(asked.person.questions) == 1
    assert asked.events.started[0] == asked.events.ended[0][0] == "changed-1"
    assert asked.events.ended[0][1]


@pytest.mark.parametrize("answer", [Answer.REFUSE_ONCE, Answer.NEVER])
async def test_after_a_no_nothing_starts_and_the_person_is_named(files: Files, answer: Answer) -> None:
    asked = Asked(files, Person(answer), "new")
    (end,) = await ask(asked)
    assert end.startswith(f"jan is not started: {FILE} changed since mm was started. Not allowed: the person")
    assert "do not try again" in end
    assert files.launched == []
    assert asked.events.ended == [("changed-1", False)]


async def test_a_never_is_kept_under_ask_jan_and_asks_no_more(files: Files) -> None:
    asked = Asked(files, Person(Answer.NEVER), "new")
    _, second = await ask(asked, 2)
    assert "the person said before that ask_jan never runs" in second
    assert len(asked.person.questions) == 1


async def test_a_no_to_one_question_asks_again_the_next_time(files: Files) -> None:
    asked = Asked(files, Person(Answer.REFUSE_ONCE, Answer.ALLOW_ONCE), "new")
    assert (await ask(asked, 2))[1] == "hello"


@pytest.mark.parametrize(
    ("person", "setting"),
    [(Person(Why.NOBODY), FREE), (Person(), replace(FREE, somebody=False))],
    ids=["an editor that cannot ask", "headless"],
)
async def test_where_nobody_can_be_asked_it_is_an_error_that_is_counted(
    files: Files, person: Person, setting: Setting
) -> None:
    asked = Asked(files, person, "new", setting=setting)
    (end,) = await ask(asked)
    assert (
        end == f"jan is not started: {FILE} is not what it was when mm was started: start mm anew to use it"
    )
    assert asked.unasked == {"ask_jan": 1}
    assert files.launched == []


async def test_a_deny_of_the_file_refuses_without_a_question(files: Files) -> None:
    denied = replace(FREE, rules=(Rule(parse_pattern("ask_jan"), Effect.DENY),))
    asked = Asked(files, Person(), "new", setting=denied)
    assert "a rule of the agent's file refuses ask_jan" in (await ask(asked))[0]
    assert asked.person.questions == []


async def test_a_file_that_changed_again_while_it_was_asked_about_is_asked_about_again(files: Files) -> None:
    asked = Asked(files, Person(Answer.ALLOW_ONCE, Answer.ALLOW_ONCE), "new", "newer")
    assert await ask(asked) == ["hello"]
    contents = [json.loads(waiting.question.call.arguments)["content"] for waiting in asked.person.questions]
    assert contents == ["new", "newer"]


async def test_a_file_that_changes_for_ever_is_refused(files: Files) -> None:
    asked = Asked(files, Person(*[Answer.ALLOW_ONCE] * 9), *map(str, range(9)))
    assert await ask(asked) == [f"jan is not started: {FILE} changes again and again"]
    assert len(asked.person.questions) == MOST_QUESTIONS
    assert files.launched == []


async def test_stop_at_the_question_ends_the_turn_and_starts_nothing(files: Files) -> None:
    asked = Asked(files, Person(Why.CANCELLED), "new")
    async with open_session(asked.plan, asked.events, asked.person) as session:
        assert (await session.ask("jan", "work")).reason is Reason.CANCELLED
    assert files.launched == []


async def test_a_turn_that_is_stopped_takes_its_question_along(files: Files) -> None:
    asked = Asked(files, Person(), "new")
    async with open_session(asked.plan, asked.events, asked.person) as session, running() as tasks:
        outcomes = Outcomes(tasks)
        outcomes.start("jan", session.ask("jan", "work"))
        await asked.person.asked(1)
        session.stop()
        assert (await outcomes.result("jan")).reason is Reason.CANCELLED
        assert asked.person.withdrawn == [0]
        assert asked.events.ended == [("changed-1", False)]
