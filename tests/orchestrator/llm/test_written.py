"""Calls in text count only where they are no quotation; all else is text, and shown as it comes."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.llm.written import WrittenCall, WrittenCalls, describes_call

LS = '{"name": "bash", "arguments": {"command": "ls"}}'
CALL = ("bash", '{"command": "ls"}')
BLOCK = f"<tool_call>\n{LS}\n</tool_call>"


def read(*texts: str, whole: bool = True) -> tuple[str, tuple[WrittenCall, ...]]:
    reader = WrittenCalls(["bash", "write_file"])
    shown = "".join(reader.feed(text) for text in texts)
    rest, calls = reader.end(whole=whole)
    return shown + rest, calls


@pytest.mark.parametrize(
    "text",
    [
        LS,
        f"  \n{LS}\n",
        f"```json\n{LS}\n```",
        f"```\n{LS}```\n",
        BLOCK,
        f"<tools>[{LS}]</tools>",
        f"[{LS}]",
        '{"name": "bash", "arguments": "{\\"command\\": \\"ls\\"}"}',
        '{"id": "x", "type": "function", "name": "bash", "parameters": {"command": "ls"}}',
        '{{"name": "bash", "arguments": {{"command": "ls"}}}}',
        '{"name": "bash", "arguments": {"command": "ls"',
        '<tool_call>{"name": "bash", "arguments": {"command": "ls"}</tool_call>',
    ],
)
def test_a_call_is_taken_out_of_the_text(text: str) -> None:
    assert read(text) == read(*text) == ("", (CALL,))


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("I look. ", "", "I look."),
        ("a\n", "\nb", "a\n\nb"),
        ("`code` and ", "", "`code` and"),
        ("```\ncode\n```\n", "", "```\ncode\n```"),
        ("1 < 2, <b>, a <tool", "", "1 < 2, <b>, a <tool"),
        ("<think>hm</think>No. ", "", "<think>hm</think>No."),
    ],
)
def test_text_around_a_tagged_call_stays(before: str, after: str, kept: str) -> None:
    text = before + BLOCK + after
    assert read(text) == read(*text) == (kept, (CALL,))


def test_blocks_follow_each_other_and_what_is_no_call_stays_between_them() -> None:
    unknown = BLOCK.replace("bash", "rm")
    assert read(f"a {BLOCK}{unknown}\n{BLOCK}") == (f"a {unknown}", (CALL, CALL))


@pytest.mark.parametrize(
    "text",
    [
        f"The log holds:\n```json\n{LS}\n```\nIt failed.",
        f"{LS}\nis what the file says",
        f"The file says {LS}",
        f"```json\n{LS}\n```\n```json\n{LS}\n```",
        f"```\n{BLOCK}\n```",
        f"````\n```\n{BLOCK}\n````",
        f"~~~\n{BLOCK}\n~~~",
        f"It says `{BLOCK}` there.",
        f"``{BLOCK}``",
        f"maybe {BLOCK}</think>No.",
        f"Well. <think>maybe {BLOCK}",
        f"<tool_call>{LS}",
        f"<tool_call>{LS}</tools>",
        BLOCK.replace("bash", "rm"),
        BLOCK.replace('"ls"', '"ls'),
        LS.replace("bash", "Alice"),
        f"[{LS}, 7]",
        '{"name": "bash"}',
        '{"name": ["bash"], "arguments": {}}',
        '{"name": "bash", "arguments": null}',
        '{"name": "bash", "arguments": "ls"}',
        '{"name": "bash", "arguments": ["ls"]}',
        '{"name": "bash", "description": "Runs.", "parameters": {"type": "object"}}',
        '{"name": "bash", "arguments": {"command": "ls',
        '{"name": "bash", "arguments": {"command": "ls}}',
        "[]",
        "{{",
        "```json\n```",
    ],
)
def test_what_may_be_quoted_is_text_to_the_letter(text: str) -> None:
    assert read(text) == read(*text) == (text, ())


def test_a_string_that_holds_tags_or_braces_is_not_touched() -> None:
    content = '</tool_call> {{x}} <tool_call>{"name": "bash", "arguments": {}}</tool_call> ```'
    call = {"name": "write_file", "arguments": {"path": "a", "content": content}}
    text, calls = read(json.dumps(call))
    assert (text, calls) == ("", (("write_file", json.dumps(call["arguments"])),))
    assert read(f"<tool_call>{json.dumps(call)}</tool_call>")[1] == ()
    doubled = json.dumps(call).replace('{"name": "write', '{{"name": "write') + "}"
    assert json.loads(read(doubled)[1][0][1])["content"] == content


@pytest.mark.parametrize("text", [LS, BLOCK, f"```json\n{LS}\n```", LS[:-1], f"I look. {BLOCK}"])
def test_nothing_of_an_answer_that_was_cut_is_a_call(text: str) -> None:
    assert read(text, whole=False) == read(*text, whole=False) == (text, ())


@pytest.mark.parametrize("text", ["Hi there", "```python\nx", "[link](x)", "`ls` lists", "a < b", "# {"])
def test_what_cannot_be_a_call_is_shown_at_once(text: str) -> None:
    reader = WrittenCalls(["bash"])
    assert "".join(map(reader.feed, text)) == text


PARTS = ["<tool_call>", "</tool_call>", "<tools>", LS, "{", "`", "```", "</think>", "<", " ", "\n", "a", '"']


@settings(max_examples=200)
@given(st.lists(st.sampled_from(PARTS), max_size=8).map("".join), st.data())
def test_the_cuts_change_nothing_and_no_text_is_lost(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    assert read(text[:at], text[at:]) == read(text)
    assert read(text[:at], text[at:], whole=False) == (text, ())
    if not read(text)[1]:
        assert read(text)[0] == text


@pytest.mark.parametrize("part", ["<tool_call>", " ", "`", "<", "{", "<tool_call>{", "```", "[\n"])
def test_a_model_that_babbles_is_read_in_no_time(part: str) -> None:
    text = part * (200_000 // len(part))
    begun = time.monotonic()
    assert read(text) == (text, ())
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    ("text", "described"),
    [
        (LS, True),
        ('{"name":"append_line","parameters":{}}', True),
        (f"```json\n{LS}\n```", True),
        ("<tool_call>{", True),
        ("<function=bash>", True),
        ("[TOOL_CALLS]", True),
        ("", False),
        ("My name is mm; I have arguments.", False),
        ('{"name": "bash", "description": "x"}', False),
    ],
)
def test_an_answer_that_looks_like_a_call_is_recognised(text: str, described: bool) -> None:
    assert describes_call(text) is described
