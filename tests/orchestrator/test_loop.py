"""The loop: every call of the model gets exactly one result, in order, however it ends."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from consent.answer import Answer
from consent.call import Command, Tier
from consent.key import Kind
from consent.matching import Effect, Rule, parse_pattern
from consent.rules import Why
from consent.setting import Mode, Setting
from orchestrator.agent import Reason, Stop
from orchestrator.desk import Desk
from orchestrator.events import CallStarted
from orchestrator.llm.messages import (
    Assistant,
    Call,
    Message,
    Model,
    ModelError,
    OnPiece,
    Piece,
    Reply,
    Result,
    System,
    ToolSpec,
    Usage,
    User,
    Wait,
)
from orchestrator.llm.scripted import Turn
from orchestrator.loop import Loop
from orchestrator.tools.base import Arguments, BadArguments, Outcome, Seen, Tool, Workplace
from orchestrator.watch import Watch
from tests.orchestrator.parts import DEADLINE, Events, HeardModel, Person, refused, running

FREE = Setting(mode=Mode.YOLO, somebody=True)
ASKING = Setting(somebody=True)


class Tools:
    """Tools that do what a test wants, and what they ran with."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, dict[str, Any]]] = []
        self.looked: list[Any] = []
        self.begun = anyio.Event()

    def tool(self, name: str, run: Callable[[dict[str, Any]], Awaitable[Outcome]] | None = None) -> Tool:
        def look(arguments: Arguments, _: Workplace) -> Seen:
            self.looked.append(arguments)
            if arguments.get("look") == "bad":
                raise BadArguments("look must be good")
            if arguments.get("look") == "breaks":
                raise RuntimeError("no look")
            return Seen(Command(str(arguments)), Tier.EXEC)

        async def go(arguments: Arguments, _: Seen, __: Workplace) -> Outcome:
            self.ran.append((name, dict(arguments)))
            return await run(dict(arguments)) if run else Outcome(f"{name} ran")

        return Tool(name, "", {"type": "object", "properties": {}}, Kind.EXECUTE, look, go)


class Story:
    """A loop with its parts. The tools: `work` works, `breaks` raises, `waits` never ends."""

    def __init__(self, *turns: Turn, setting: Setting = FREE, person: Person | None = None, steps: int = 9):
        self.model = HeardModel(*turns, Turn("done", repeat=True))
        self.person = person or Person()
        self.events = Events()
        self.tools = Tools()
        self.scope = anyio.CancelScope()
        self.desk = Desk(setting, self.person, lambda _: self.scope.cancel())
        tools = (
            self.tools.tool("work"),
            self.tools.tool("breaks", self._break),
            self.tools.tool("waits", self._wait),
        )
        self.watch = Watch(self.events, watched=setting.somebody)
        place = Workplace(Path("/work"), {})
        self.loop = Loop(
            self.model,
            tools,
            self.desk,
            self.watch,
            place,
            steps=steps,
            refusal=refused,
        )

    async def _break(self, _: dict[str, Any]) -> Outcome:
        raise ZeroDivisionError("by zero")

    async def _wait(self, _: dict[str, Any]) -> Outcome:
        self.tools.begun.set()
        await anyio.sleep_forever()
        raise AssertionError

    async def prompt(self, text: str = "go") -> Stop | None:
        """One turn; None when it was stopped."""
        with anyio.fail_after(DEADLINE), self.scope:
            return await self.loop.prompt(text, self.events)
        self.scope = anyio.CancelScope()
        return None

    async def results(self) -> list[tuple[str, str]]:
        """The results in the history, as the model hears them in a further turn: tool and text."""
        await self.prompt("what now?")
        assert all_paired(self.model.heard[-1])
        return [(result.name, result.text) for result in self.model.results]


def all_paired(messages: Sequence[Message]) -> bool:
    """Whether each reply's calls are followed at once by exactly their results, in order."""
    for at, message in enumerate(messages):
        calls = message.calls if isinstance(message, Assistant) else ()
        after = messages[at + 1 : at + 1 + len(calls)]
        if [call.id for call in calls] != [m.id for m in after if isinstance(m, Result)]:
            return False
    called = sum(len(m.calls) for m in messages if isinstance(m, Assistant))
    return called == sum(isinstance(m, Result) for m in messages)


def turn(*calls: str | tuple[str, str], say: str = "", finish: str = "") -> Turn:
    """A reply with calls: a tool's name, or a name with its argument text."""
    return Turn(say, tuple((c, "{}") if isinstance(c, str) else c for c in calls), finish)


async def test_results_come_in_order_whatever_became_of_the_calls() -> None:
    deny = Rule(parse_pattern("waits"), Effect.DENY)
    story = Story(
        turn("work", "waits", "nothing", "breaks", ("work", "no json"), ("work", '{"look": "bad"}'), "work"),
        setting=Setting(mode=Mode.YOLO, rules=(deny,), somebody=True),
    )
    assert await story.prompt() == Stop(Reason.END_TURN, "done")
    names, texts = zip(*await story.results(), strict=True)
    assert names == ("work", "waits", "nothing", "breaks", "work", "work", "work")
    assert texts[0] == texts[6] == "work ran"
    assert texts[1] == "refused waits: policy"
    assert "no tool 'nothing'" in texts[2]
    assert "work, breaks, waits" in texts[2]
    assert "ZeroDivisionError: by zero" in texts[3]
    assert "not JSON" in texts[4]
    assert texts[5] == "error: look must be good"
    assert [result.ok for result in story.model.results] == [True, *[False] * 5, True]
    assert len(story.tools.ran) == 3


async def test_a_tool_that_breaks_ends_neither_the_turn_nor_the_conversation() -> None:
    story = Story(turn("breaks"), turn(("work", '{"look": "breaks"}')))
    assert await story.prompt() == Stop(Reason.END_TURN, "done")
    assert [text for _, text in await story.results()] == [
        "error: the tool broke: ZeroDivisionError: by zero",
        "error: the tool broke: RuntimeError: no look",
    ]
    assert story.events.ended == [("1", False)]


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"a": 1} x', "[]", '"text"', "null", "1", "[" * 100_000, '{"a":' * 100_000, "9" * 5000],
)
async def test_arguments_that_are_no_object_are_not_run(text: str) -> None:
    story = Story(turn(("work", text)))
    await story.prompt()
    ((_, said),) = await story.results()
    assert said.startswith("error: the arguments ")
    assert "JSON" in said
    assert story.tools.ran == []


async def test_exactly_the_frozen_arguments_run() -> None:
    person = Person()
    story = Story(turn(("work", '{"n": 1, "n": 2, "deep": {"x": [1]}}')), setting=ASKING, person=person)
    async with running() as tasks:
        tasks.start_soon(story.prompt)
        await person.asked(1)
        (seen,) = story.tools.looked
        seen["n"] = "rm"
        seen["deep"]["x"].append("rm")
        person.says(0, Answer.ALLOW_ONCE)
        await story.events.until(lambda: story.events.ended != [])
    shown = person.questions[0].question.call.arguments
    assert story.tools.ran == [("work", json.loads(shown))] == [("work", {"n": 2, "deep": {"x": [1]}})]
    (started,) = [event for event in story.events.all if isinstance(event, CallStarted)]
    assert started.arguments == shown


async def test_what_a_look_does_to_its_arguments_changes_nothing() -> None:
    story = Story(turn("work"))

    def look(arguments: Arguments, _: Workplace) -> Seen:
        assert isinstance(arguments, dict)
        arguments["command"] = "rm"
        return Seen(Command(""), Tier.EXEC)

    work = story.tools.tool("work")
    tool = Tool("work", "", {}, Kind.EXECUTE, look, work.run)
    story.loop = Loop(story.model, [tool], story.desk, story.watch, Workplace(Path("/"), {}), refusal=refused)
    await story.prompt()
    assert story.tools.ran == [("work", {})]


async def test_a_stop_in_the_middle_of_a_call_leaves_a_whole_history() -> None:
    story = Story(turn("work", "waits", "work", "breaks"))
    async with running() as tasks:
        tasks.start_soon(story.prompt)
        await story.tools.begun.wait()
        story.scope.cancel()
    texts = [text for _, text in await story.results()]
    assert texts[0] == "work ran"
    assert "cancelled while it ran" in texts[1]
    assert ["cancelled before it ran" in text for text in texts[2:]] == [True, True]
    assert story.events.ended == [("1", True), ("2", False)]


async def test_after_stop_at_a_question_not_even_an_allowed_call_runs() -> None:
    allow = Rule(parse_pattern("work"), Effect.ALLOW)
    story = Story(turn("breaks", "work"), setting=Setting(rules=(allow,), somebody=True))
    story.person = Person(Why.CANCELLED)
    story.desk = Desk(story.desk.setting, story.person, lambda _: story.scope.cancel())
    story.loop = Loop(
        story.model,
        [story.tools.tool("breaks"), story.tools.tool("work")],
        story.desk,
        story.watch,
        Workplace(Path("/"), {}),
        refusal=refused,
    )
    assert await story.prompt() is None
    assert story.tools.ran == []
    assert [text for _, text in await story.results()] == [
        "refused breaks: cancelled",
        "error: cancelled before it ran",
    ]


async def test_a_stop_while_a_question_is_open_runs_nothing() -> None:
    story = Story(turn("work", "work"), setting=ASKING)
    async with running() as tasks:
        tasks.start_soon(story.prompt)
        await story.person.asked(1)
        story.scope.cancel()
    assert story.person.withdrawn == [0]
    assert len(await story.results()) == 2
    assert story.tools.ran == []
    assert story.events.started == ["1"]
    assert story.events.ended == [("1", False)]


async def test_a_broken_asker_allows_nothing_and_leaves_a_whole_history() -> None:
    class Broken(Person):
        async def ask(self, *_: object) -> Answer | Why:
            raise ZeroDivisionError

    story = Story(turn("work", "work"), setting=ASKING, person=Broken())
    with pytest.raises(ZeroDivisionError):
        await story.prompt()
    assert len(await story.results()) == 2
    assert story.tools.ran == []


@pytest.mark.parametrize(
    ("finish", "reason"),
    [
        ("length", Reason.MAX_TOKENS),
        ("truncated", Reason.MAX_TOKENS),
        ("content_filter", Reason.REFUSAL),
        ("tired", Reason.UNKNOWN),
        ("stop", Reason.END_TURN),
    ],
)
async def test_the_calls_of_a_reply_that_was_cut_never_run(finish: str, reason: Reason) -> None:
    story = Story(turn("work", "work", say="half", finish=finish))
    assert await story.prompt() == Stop(reason, "half")
    assert [text for _, text in await story.results()] == [
        "error: not run, since the reply was cut; make the call again"
    ] * 2
    assert story.tools.ran == []


async def test_the_tokens_of_a_turn_are_those_of_its_replies() -> None:
    class Counting(HeardModel):
        async def reply(
            self,
            messages: Sequence[Message],
            tools: Sequence[ToolSpec],
            on_piece: Callable[[Piece], Awaitable[None]],
        ) -> Reply:
            reply = await super().reply(messages, tools, on_piece)
            return replace(reply, usage=Usage(10, len(reply.calls)))

    story = Story()
    model = Counting(turn("work"), turn("work", "work"), Turn("done", repeat=True))
    tools = [story.tools.tool("work")]
    story.loop = Loop(model, tools, story.desk, story.watch, Workplace(Path("/"), {}), refusal=refused)
    assert await story.prompt() == Stop(Reason.END_TURN, "done", tokens=33)
    assert await story.prompt() == Stop(Reason.END_TURN, "done", tokens=10)


async def test_a_model_that_breaks_ends_the_turn_and_what_it_had_said_is_kept() -> None:
    class Breaking(HeardModel):
        async def reply(
            self,
            messages: Sequence[Message],
            tools: Sequence[ToolSpec],
            on_piece: Callable[[Piece], Awaitable[None]],
        ) -> Reply:
            if len(messages) > 1:
                return await super().reply(messages, tools, on_piece)
            await on_piece(Piece("hm", thought=True))
            await on_piece(Piece("half a "))
            await on_piece(Piece("word"))
            raise ModelError("the server went away")

    story = Story()
    model = Breaking(Turn("done"))
    story.loop = Loop(model, [], story.desk, story.watch, Workplace(Path("/"), {}), refusal=refused)
    assert await story.prompt() == Stop(Reason.FAILED, "half a word", "the server went away")
    assert await story.prompt("again") == Stop(Reason.END_TURN, "done")
    assert model.heard[-1] == (User("go"), Assistant("half a word"), User("again"))


@pytest.mark.parametrize("finish", ["", "length"])
async def test_a_call_that_was_only_described_is_told(finish: str) -> None:
    story = Story(Turn('```json\n{"name": "work", "arguments": {}}\n```', finish=finish))
    await story.prompt()
    assert story.events.notes == ["the answer describes a tool call, but none was made, and nothing ran"]
    assert story.tools.ran == []


@pytest.mark.parametrize("finish", ["", "length"])
async def test_a_call_that_was_made_is_not_told_as_described(finish: str) -> None:
    story = Story(turn("work", say="<tool_call>", finish=finish))
    await story.prompt()
    assert story.events.notes == []


async def test_a_wait_for_the_model_is_told_and_is_no_part_of_the_answer() -> None:
    class Busy(Model):
        name = "busy"

        async def reply(
            self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_piece: OnPiece
        ) -> Reply:
            await on_piece(Wait(4, "m answered with an error (503): Loading model."))
            await on_piece(Piece("done"))
            return Reply("done", (), "stop")

    story = Story()
    story.loop = Loop(Busy(), [], story.desk, story.watch, Workplace(Path("/"), {}), refusal=refused)
    assert await story.prompt() == Stop(Reason.END_TURN, "done")
    assert story.events.notes == ["m answered with an error (503): Loading model. Trying again in 4 seconds."]
    assert story.events.text == "done"


async def test_a_turn_ends_after_its_steps() -> None:
    story = Story(Turn("", (("work", "{}"),), repeat=True), steps=3)
    stop = await story.prompt()
    assert stop is not None
    assert stop.reason is Reason.MAX_TURN_REQUESTS
    assert "3 steps" in str(stop.detail)
    assert len(story.tools.ran) == 3


async def test_the_model_is_told_its_instructions_and_what_was_overheard() -> None:
    model = HeardModel(Turn("done", repeat=True))
    events = Events()
    loop = Loop(
        model,
        [],
        Desk(FREE, Person(), lambda _: None),
        Watch(events, watched=True),
        Workplace(Path("/"), {}),
        instructions="be good",
        refusal=refused,
    )
    await loop.prompt("one", events)
    loop.overheard("/ask-jan hello", "jan answered: hi")
    await loop.prompt("two", events)
    assert model.heard[-1] == (
        System("be good"),
        User("one"),
        Assistant("done"),
        User("/ask-jan hello"),
        Assistant("jan answered: hi"),
        User("two"),
    )
    assert events.text == "donedone"


async def test_a_free_call_is_never_asked_about() -> None:
    """O-c7"""
    story = Story(turn("work"))
    await story.prompt()
    assert story.person.questions == []
    assert story.tools.ran == [("work", {})]


def test_calls_without_results_would_be_noticed() -> None:
    assert not all_paired([Assistant("", (Call("1", "work", "{}"),))])
    assert not all_paired([Result("1", "work", "")])


async def test_own_calls_that_fail_three_times_in_a_row_are_told_of() -> None:
    story = Story(*(turn(("breaks", f'{{"n": {n}}}')) for n in range(3)), turn("work"))
    assert await story.prompt() == Stop(Reason.END_TURN, "done")
    (note,) = story.events.notes
    assert note.startswith("your agent is going in circles")


async def test_what_stop_takes_back_is_no_refusal() -> None:
    story = Story(turn("work", "work", "breaks"), setting=Setting(somebody=True))
    story.person = Person(Answer.REFUSE_ONCE, Answer.REFUSE_ONCE, Why.CANCELLED)
    story.desk = Desk(ASKING, story.person, lambda _: None)
    place = Workplace(Path("/"), {})
    tools = [story.tools.tool("work"), story.tools.tool("breaks")]
    story.loop = Loop(story.model, tools, story.desk, story.watch, place, refusal=refused)
    await story.prompt()
    assert story.events.notes == []
