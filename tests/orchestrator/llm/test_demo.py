"""The demo model: a handful of sentences, each call one reply."""

from __future__ import annotations

import json

import pytest

from orchestrator.llm.demo import LABEL, DemoModel
from orchestrator.llm.messages import Assistant, Message, Reply, Result, System, User
from orchestrator.words.refusals import ADVICE
from tests.orchestrator.llm.helpers import Heard, ask

TOOLS = ("bash", "read_file", "write_file", "edit_file", "ask_jan")
EARLIER: list[Message] = [User("hello"), Assistant(LABEL)]


async def calls(sentence: str) -> list[tuple[str, dict[str, str]]]:
    """The calls that a sentence makes when each of them succeeds."""
    history: list[Message] = [*EARLIER, User(sentence)]
    made = []
    while (reply := await ask(DemoModel(), history, *TOOLS)).calls:
        (call,) = reply.calls
        made.append((call.name, json.loads(call.arguments)))
        history += [Assistant(reply.text, reply.calls), Result(call.id, call.name, "done")]
    return made


@pytest.mark.parametrize(
    ("sentence", "tool", "arguments"),
    [
        ("run ls -l | wc", "bash", {"command": "ls -l | wc"}),
        ("Lance ls", "bash", {"command": "ls"}),
        ("read a b.txt", "read_file", {"path": "a b.txt"}),
        ("lis notes.md", "read_file", {"path": "notes.md"}),
        ("write a.txt: hello: you", "write_file", {"path": "a.txt", "content": "hello: you"}),
        ("écris a.txt : salut", "write_file", {"path": "a.txt", "content": "salut"}),
        ("e\u0301cris a.txt : salut", "write_file", {"path": "a.txt", "content": "salut"}),
        (
            "edit a.txt: old text => new text",
            "edit_file",
            {"path": "a.txt", "old": "old text", "new": "new text"},
        ),
        ("edit a.txt: gone =>", "edit_file", {"path": "a.txt", "old": "gone", "new": ""}),
        ("ask jan: run ls", "ask_jan", {"question": "run ls"}),
        ("ask Jan to run ls", "ask_jan", {"question": "run ls"}),
        ("demande à jan : lance ls", "ask_jan", {"question": "lance ls"}),
        ("ask jan: ask homer: run ls", "ask_jan", {"question": "ask homer: run ls"}),
        (
            "write a.txt: first this then that",
            "write_file",
            {"path": "a.txt", "content": "first this then that"},
        ),
        ("Some context.\n\n  run ls  \nrun pwd", "bash", {"command": "ls"}),
    ],
)
async def test_a_sentence_is_one_call(sentence: str, tool: str, arguments: dict[str, str]) -> None:
    assert await calls(sentence) == [(tool, arguments)]


async def test_joined_sentences_are_one_call_after_the_other() -> None:
    made = await calls("run ls then write a: x then y then ask jan to run pwd puis lis a")
    assert [tool for tool, _ in made] == ["bash", "write_file", "ask_jan", "read_file"]
    assert made[1][1]["content"] == "x then y"
    assert made[2][1]["question"] == "run pwd"


async def test_many_thens_are_understood_in_no_time() -> None:
    assert len(await calls("run a" + " then b" * 300)) == 1


@pytest.mark.parametrize(
    "sentence", ["hello", "", "run", "ask jan", "write a.txt", "please run ls", "edit a: b"]
)
async def test_what_is_not_understood_gets_the_label_once(sentence: str) -> None:
    for history in ([User(sentence)], [*EARLIER, User(sentence)]):
        assert await ask(DemoModel(), history, *TOOLS) == Reply(LABEL, (), "stop")


async def test_the_first_answer_of_a_conversation_says_that_it_is_no_ai() -> None:
    reply = await ask(DemoModel(), [System("be brief"), User("run ls")], *TOOLS)
    assert "no AI" in reply.text
    assert [call.name for call in reply.calls] == ["bash"]
    assert (await ask(DemoModel(), [*EARLIER, User("run ls")], *TOOLS)).text == ""


async def after(
    result: str, sentence: str = "run ls", *, ok: bool = True, names: tuple[str, ...] = TOOLS
) -> Reply:
    first = await ask(DemoModel(), [*EARLIER, User(sentence)], *TOOLS)
    call = first.calls[0]
    history = [*EARLIER, User(sentence), Assistant("", first.calls), Result(call.id, call.name, result, ok)]
    return await ask(DemoModel(), history, *names)


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ("a.txt\n", "a.txt"),
        ("a.txt\nb.txt\n", "```\na.txt\nb.txt\n```"),
        ("see\n```\nx\n```", "````\nsee\n```\nx\n```\n````"),
        ("", "(no output)"),
    ],
)
async def test_a_result_is_told_plainly(result: str, told: str) -> None:
    assert await after(result) == Reply(told, (), "stop")


async def test_a_refusal_is_repeated_and_nothing_is_tried_again() -> None:
    reply = await after(f"The person refused this call. {ADVICE}", "run ls then run pwd", ok=False)
    assert reply.calls == ()
    assert reply.text.endswith("I was told:\n\nThe person refused this call.")


async def test_a_result_and_the_next_call_come_in_one_reply() -> None:
    reply = await after("a.txt", "run ls then run pwd")
    assert (reply.text, reply.finish) == ("a.txt", "tool_calls")
    assert json.loads(reply.calls[0].arguments) == {"command": "pwd"}


async def test_a_tool_that_is_not_declared_is_named_and_not_called() -> None:
    reply = await ask(DemoModel(), [*EARLIER, User("ask homer: run ls")], *TOOLS)
    assert reply == Reply("I have no tool ask_homer here, so I stop.", (), "stop")
    later = await after("a.txt", "run ls then read a.txt", names=("bash",))
    assert later == Reply("a.txt\n\nI have no tool read_file here, so I stop.", (), "stop")


async def test_it_streams_in_pieces_that_are_the_text_and_calls_never_share_an_id() -> None:
    heard = Heard()
    reply = await ask(DemoModel(), [User("run ls")], *TOOLS, heard=heard)
    again = await ask(DemoModel(), [User("run ls")], *TOOLS)
    assert len(heard.pieces) > 1
    assert heard.text == reply.text
    assert reply.calls[0].id != again.calls[0].id
