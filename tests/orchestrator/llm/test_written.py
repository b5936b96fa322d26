"""Calls in text count only where they are no quotation; all else is text, and shown as it comes."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.llm.written import MOST_BLOCKS, MOST_READ, WrittenCall, WrittenCalls, describes_call

LS = '{"name": "bash", "arguments": {"command": "ls"}}'
CALL = ("bash", '{"command": "ls"}')
BLOCK = f"<tool_call>\n{LS}\n</tool_call>"
UNKNOWN_TICKED = BLOCK.replace("bash", "`rm`")


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
        ("I look.\n", "", "I look."),
        ("a\n", "\nb", "a\n\nb"),
        ("1 < 2, <b>, a <tool\n", "", "1 < 2, <b>, a <tool"),
        ("~~ \n   ", "", "~~"),
        ("hm</think>\n", "", "hm</think>"),
        ("", "\n`code`", "\n`code`"),
    ],
)
def test_text_around_a_tagged_call_stays(before: str, after: str, kept: str) -> None:
    text = before + BLOCK + after
    assert read(text) == read(*text) == (kept, (CALL,))


def test_blocks_follow_each_other_and_what_is_no_call_stays_between_them() -> None:
    unknown = BLOCK.replace("bash", "rm")
    assert read(f"a\n{BLOCK}\n{unknown}\n{BLOCK}") == (f"a\n\n{unknown}", (CALL, CALL))


def test_what_stands_in_a_call_is_no_sign_of_quoting() -> None:
    ticked = BLOCK.replace("ls", "echo `date` ~~~ <pre>").replace("{", "{\n    ")
    calls = read(f"{ticked}\n{BLOCK}")[1]
    assert calls == (("bash", '{"command": "echo `date` ~~~ <pre>"}'), CALL)


QUOTED = [
    f"```sh\necho '```'\n{BLOCK}\n```",
    f"A stray ` there.\n{BLOCK}",
    f"`code` and\n{BLOCK}",
    f"```\ncode\n```\n{BLOCK}",
    f"~~~\n~~~\n{BLOCK}",
    f"It is:\n\n    {BLOCK}",
    f"It is:\n\n    code\n{BLOCK}",
    f"It is:\n\n\t{BLOCK}",
    f"It is:\n\n \t{BLOCK}",
    f"\tcode\n{BLOCK}",
    f"> {BLOCK}",
    f">\n{BLOCK}",
    f" > so\n{BLOCK}",
    f"<pre>\n{BLOCK}\n</pre>",
    f"<PRE class='x'>\n</PRE>\n{BLOCK}",
    f"<code>\n{BLOCK}\n</code>",
    f"<!--\n{BLOCK}\n-->",
    f'It says "{BLOCK}".',
    f"'{BLOCK}'",
    f"- {BLOCK}",
    f"The tag <tool_call> begins it.\n{BLOCK}",
    f"<think>\n</think>\n{BLOCK}",
    f"maybe\n{BLOCK}\n</think>No.",
    f"{UNKNOWN_TICKED}\n{BLOCK}",
    "\n" * 99 + BLOCK,
]


@pytest.mark.parametrize("text", QUOTED)
def test_after_the_first_sign_of_quoting_all_is_text_and_looks_like_a_call(text: str) -> None:
    assert read(text) == read(*text) == (text, ())
    assert describes_call(text)


def test_a_sign_after_a_call_ends_the_calls() -> None:
    for sign in ("", "`\n", "~~~\n", "> so\n", "    "):
        rest = f"{sign}{BLOCK}"
        text = f"{BLOCK}{rest}" if not sign else f"{BLOCK}\n{rest}"
        assert read(text) == read(*text) == (text.removeprefix(BLOCK), (CALL,))


def test_so_many_blocks_are_calls_and_no_more() -> None:
    shown, calls = read(f"{BLOCK}\n" * (MOST_BLOCKS + 1))
    assert calls == (CALL,) * MOST_BLOCKS
    assert shown.strip() == BLOCK


def test_so_much_is_read_for_calls_and_no_more() -> None:
    fits = "x" * (MOST_READ - len(BLOCK) - 1) + "\n"
    assert read(fits + BLOCK) == read(fits, BLOCK) == (fits.rstrip(), (CALL,))
    for text in (f"x{fits}{BLOCK}", BLOCK.replace("ls", "x" * MOST_READ), LS.replace("ls", "x" * MOST_READ)):
        assert read(text) == read(text[:-20], text[-20:]) == (text, ())


HOSTILE = [
    "<tool_call>x</tool_call>",
    "<tool_call>x</tool_call>\n",
    "<tool_call>\n",
    "<tools>\n<tool_call>\n",
    "<tool_call>\n</tools>\n",
    "x <tool_call>",
    "\n",
    "\n <",
    "~~ ",
]


@pytest.mark.parametrize("part", HOSTILE)
def test_a_megabyte_is_read_in_linear_time(part: str) -> None:
    text = part * (2**20 // len(part))
    pieces = [text[at : at + 5] for at in range(0, len(text), 5)]
    assert read(text) == read(*pieces) == (text, ())


@pytest.mark.parametrize("head", ["```", '{{"', "```json\n{", '<tool_call>{{"'])
@pytest.mark.parametrize("part", ["a", '\\"', " ", "["])
def test_a_megabyte_that_begins_like_a_call_is_too(head: str, part: str) -> None:
    for size in (MOST_READ - 100, 2**20):
        text = head + part * (size // len(part)) + "</tool_call>"
        assert read(text) == (text, ())


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


@pytest.mark.parametrize("text", [LS, BLOCK, f"```json\n{LS}\n```", LS[:-1], f"I look.\n{BLOCK}"])
def test_nothing_of_an_answer_that_was_cut_is_a_call(text: str) -> None:
    assert read(text, whole=False) == read(*text, whole=False) == (text, ())


@pytest.mark.parametrize("text", ["Hi there", "```python\nx", "[link](x)", "`ls` lists", "a < b", "# {"])
def test_what_cannot_be_a_call_is_shown_at_once(text: str) -> None:
    reader = WrittenCalls(["bash"])
    assert "".join(map(reader.feed, text)) == text


PARTS = [
    "<tool_call>",
    "</tool_call>",
    "<tools>",
    LS,
    "{",
    "`",
    "```",
    "</think>",
    "~~",
    "~",
    "<pre",
    "<",
    ">",
    " ",
    "\n",
    "\t",
    BLOCK,
    "\n" + BLOCK,
    "a",
    '"',
]


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
