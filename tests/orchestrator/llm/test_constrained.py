"""toolProtocol: json: the request constrains the answer, and the final answer streams out of its JSON."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.llm.constrained import Constrained, body
from orchestrator.llm.messages import Assistant, Call, Message, Reply, Result, System, User
from orchestrator.llm.openai import OpenAIModel
from orchestrator.llm.protocols import PROTOCOLS
from orchestrator.llm.written import WrittenCall
from tests.orchestrator.llm.helpers import Heard, ask, tools
from tests.orchestrator.llm.server import Server, serving

LS = '{"name": "bash", "arguments": {"command": "ls"}}'


def final(text: str, **how: Any) -> str:
    return json.dumps({"name": "final_answer", "arguments": {"text": text}}, **how)


def sent(*messages: Message) -> list[tuple[str, str]]:
    return [(said["role"], said["content"]) for said in body("m", messages, tools("bash"))["messages"]]


def test_the_schema_takes_a_call_of_each_tool_and_a_final_answer_and_nothing_else() -> None:
    given = body("m", [User("go")], tools("bash", "plan"))["response_format"]
    assert (given["type"], given["json_schema"]["name"]) == ("json_schema", "answer")
    validator = jsonschema.Draft202012Validator(given["json_schema"]["schema"])
    for right in (LS, LS.replace("bash", "plan"), final("hi")):
        validator.validate(json.loads(right))
    for wrong in (LS.replace("bash", "rm"), '{"name": "bash"}', '{"name": "final_answer", "arguments": {}}'):
        assert not validator.is_valid(json.loads(wrong))


def test_tools_and_instructions_stand_in_one_system_text() -> None:
    (system, user) = sent(System("Be brief."), User("go"))
    assert user == ("user", "go")
    assert system[0] == "system"
    assert system[1].endswith("\n\nBe brief.")
    assert 'bash {"type": "object", "properties": {}}: Runs bash.' in system[1]


def test_calls_results_and_answers_are_plain_messages_that_alternate() -> None:
    call = Call("a", "bash", '{"command": "ls"}')
    history: list[Message] = [
        User("go"),
        Assistant("", (call,)),
        Result("a", "bash", "a.txt"),
        User("and?"),
        Assistant("é"),
    ]
    assert sent(*history)[1:] == [
        ("user", "go"),
        ("assistant", LS),
        ("user", "Result of bash:\na.txt\n\nand?"),
        ("assistant", final("é", ensure_ascii=False)),
    ]


def test_an_unanswered_call_and_arguments_that_are_no_object_are_mended() -> None:
    spoken = sent(User("go"), Assistant("Well.", (Call("a", "bash", "{oops"),)))
    assert spoken[2:] == [
        ("assistant", 'Well.\n{"name": "bash", "arguments": {}}'),
        ("user", "Result of bash:\nerror: cancelled"),
    ]


def read(*texts: str, whole: bool = True) -> tuple[str, str, tuple[WrittenCall, ...]]:
    """What streamed, the rest, the calls."""
    reader = Constrained(["bash"])
    shown = "".join(map(reader.feed, texts))
    return (shown, *reader.end(whole=whole))


def test_a_call_is_a_call_and_shows_nothing() -> None:
    assert read(*LS) == ("", "", (("bash", '{"command": "ls"}'),))


@settings(max_examples=200)
@given(st.text() | st.sampled_from(["\\u\ud83d\ude00", '"}}', "\\", "\ud83d", "a\ud83db"]), st.booleans())
def test_a_final_answer_streams_as_the_text_that_it_is(text: str, ascii_only: bool) -> None:
    answer = final(text, ensure_ascii=ascii_only)
    shown, rest, calls = read(*answer)
    assert calls == ()
    assert shown + rest == json.loads(answer)["arguments"]["text"]


def test_the_text_of_a_final_answer_is_shown_before_its_end() -> None:
    reader = Constrained(["bash"])
    assert reader.feed('{"name":"final_answer","arguments":{"te') == ""
    assert reader.feed('xt":"one \\') == "one "
    assert reader.feed("n\\ud83d") == "\n"
    assert reader.feed("\\ude00 two") == "\U0001f600 two"


def test_a_final_answer_that_was_cut_keeps_its_text() -> None:
    assert read('{"name": "final_answer", "arguments": {"text": "half', whole=False) == ("half", "", ())


@pytest.mark.parametrize("text", ["Plain words.", '{"mood": "good"}', '{"name": "rm", "arguments": {}}'])
def test_a_server_that_does_not_constrain_is_read_as_text(text: str) -> None:
    shown, rest, calls = read(text)
    assert (shown + rest, calls) == (text, ())


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (f"```json\n{final('hi')}\n```", "hi"),
        ('{"arguments": {"text": "hi"}, "name": "final_answer"}', "hi"),
        ('{"name": "final_answer", "arguments": {"text": 7}}', ""),
    ],
)
def test_a_final_answer_in_another_order_is_understood_at_the_end(answer: str, told: str) -> None:
    assert read(answer) == ("", told, ())


async def reply(answer: str, heard: Heard) -> Reply:
    pieces = [answer[at : at + 7] for at in range(0, len(answer), 7)]
    chunks = [json.dumps({"choices": [{"delta": {"content": piece}}]}) for piece in pieces]
    wire = [f"data: {chunk}\n\n".encode() for chunk in chunks]
    async with serving(Server([*wire, b"data: [DONE]\n\n"])) as server:
        model = OpenAIModel("m", server.url, protocol=PROTOCOLS["json"])
        given = await ask(model, [User("go")], "bash", heard=heard)
    assert "tools" not in server.bodies[0]
    assert "response_format" in server.bodies[0]
    return given


async def test_a_real_server_calls_and_answers() -> None:
    heard = Heard()
    called = await reply(LS, heard)
    assert [(call.name, call.arguments) for call in called.calls] == [("bash", '{"command": "ls"}')]
    assert (called.text, called.finish, heard.text) == ("", "tool_calls", "")
    assert await reply(final("There is a.txt."), heard) == Reply("There is a.txt.", (), "stop")
    assert heard.text == "There is a.txt."
    assert len(heard.pieces) > 1
