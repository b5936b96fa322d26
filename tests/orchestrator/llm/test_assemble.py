"""Replies from chunks: what the corpus of real servers does not hold."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.llm.assemble import Assembler, error_of
from orchestrator.llm.messages import Reply, Usage
from orchestrator.llm.written import WrittenCalls


def fragment(
    arguments: object = None, name: object = None, ident: object = None, **rest: object
) -> dict[str, Any]:
    return {"id": ident, "function": {"name": name, "arguments": arguments}, **rest}


def chunk(finish: object = None, **delta: object) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def assembled(*chunks: dict[str, Any], ended: bool = True, taken: tuple[str, ...] = ()) -> Reply:
    assembler = Assembler(WrittenCalls(["bash"]), taken)
    pieces = [piece for part in chunks for piece in assembler.add(part)]
    rest, reply = assembler.end(ended=ended)
    pieces += rest
    assert all(piece.text for piece in pieces)
    assert reply.text == "".join(piece.text for piece in pieces if not piece.thought)
    return reply


def calls(*fragments: dict[str, Any], **rest: Any) -> list[tuple[str, str]]:
    reply = assembled(*(chunk(tool_calls=[part]) for part in fragments), **rest)
    return [(call.name, call.arguments) for call in reply.calls]


def test_calls_without_ids_and_indices_are_told_apart_when_the_first_is_whole() -> None:
    both = calls(fragment('{"a":1}', "bash"), fragment('{"b":', "read_file"), fragment("2}"))
    assert both == [("bash", '{"a":1}'), ("read_file", '{"b":2}')]


def test_a_new_id_without_a_name_goes_on_with_the_call() -> None:
    assert calls(fragment('{"a"', "bash", "x"), fragment(":1}", None, "y")) == [("bash", '{"a":1}')]


def test_a_call_without_arguments_and_the_next_one_stay_apart() -> None:
    both = calls(fragment(None, "plan", "x", index=0), fragment("{}", "plan", "y", index=0))
    assert both == [("plan", "{}"), ("plan", "{}")]


def test_a_name_in_pieces_is_joined() -> None:
    assert calls(fragment("", "read", "x"), fragment("", "_file"), fragment("{}")) == [("read_file", "{}")]


def test_fragments_that_say_nothing_are_no_call() -> None:
    assert assembled(chunk(tool_calls=[{}, None, 7, {"function": None}])).calls == ()
    assert assembled(chunk(tool_calls={"id": "x"})).calls == ()


def test_an_id_of_an_earlier_reply_is_not_used_again() -> None:
    reply = assembled(chunk(tool_calls=[fragment("{}", "bash", "call_0")]), taken=("call_0",))
    assert reply.calls[0].id not in ("", "call_0")


@pytest.mark.parametrize("finish", ["length", "content_filter", "abort"])
@pytest.mark.parametrize("arguments", ["", '{"a"', '"{}"'])
def test_a_cut_reply_keeps_its_arguments_as_they_came(finish: str, arguments: str) -> None:
    reply = assembled(chunk(finish, tool_calls=[fragment(arguments, "bash", "x")]))
    assert (reply.finish, reply.calls[0].arguments) == (finish, arguments)


def test_a_stream_without_any_end_is_truncated_and_one_with_an_end_mark_is_not() -> None:
    assert assembled(chunk(content="Hi"), ended=False) == Reply("Hi", (), "truncated")
    assert assembled(chunk(content="Hi"), ended=True) == Reply("Hi", (), "stop")
    assert assembled(chunk("stop", content="Hi"), ended=False) == Reply("Hi", (), "stop")


def test_a_whole_completion_is_a_reply_too() -> None:
    message = {
        "content": "Hi",
        "tool_calls": [fragment({"a": 1}, "bash", "x"), fragment({"b": 2}, "bash", "y")],
    }
    whole = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": chunk_usage(3, 4)}
    reply = assembled(whole)
    assert [call.arguments for call in reply.calls] == ['{"a": 1}', '{"b": 2}']
    assert (reply.text, reply.finish, reply.usage) == ("Hi", "tool_calls", Usage(3, 4))


def chunk_usage(prompt: int, completion: int) -> dict[str, int]:
    return {"prompt_tokens": prompt, "completion_tokens": completion}


def test_both_names_of_reasoning_are_thoughts_said_once() -> None:
    assembler = Assembler(WrittenCalls(()))
    pieces = assembler.add(chunk(reasoning="hm", reasoning_content="hm")) + assembler.add(
        chunk(reasoning="!")
    )
    assert [(piece.text, piece.thought) for piece in pieces] == [("hm", True), ("!", True)]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": "x"}, "x"),
        ({"error": {"message": "x", "code": 1}}, "x"),
        ({"error": {"code": 1}}, '{"code": 1}'),
        ({"detail": "x"}, "x"),
        ({"object": "error", "message": "x"}, "x"),
        ({"error": None, "choices": []}, None),
        ([], None),
        (None, None),
    ],
)
def test_errors_have_many_shapes(body: object, said: str | None) -> None:
    assert error_of(body) == said


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "delta", "message", "tool_calls", "function", "content", "id", "index", "name"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=200)
@given(
    st.lists(st.dictionaries(st.sampled_from(["choices", "usage", "error"]), JSON), max_size=3), st.booleans()
)
def test_no_chunk_is_odd_enough_to_break_the_assembler(chunks: list[dict[str, Any]], ended: bool) -> None:
    assembled(*chunks, ended=ended)
