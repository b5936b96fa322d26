"""Markdown of models: cut into blocks wherever it is split, drawn without hiding or inventing anything."""

from __future__ import annotations

from io import StringIO
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from consent.show import safe
from orchestrator.facades.markdown import Blocks, markdown


def drawn(text: str) -> str:
    console = Console(file=StringIO(), force_terminal=True, width=60)
    with console.capture() as captured:
        console.print(markdown(safe(text)))
    return captured.get()


def blocks(*pieces: str) -> list[str]:
    cutter = Blocks()
    return [*(block for piece in pieces for block in cutter.feed(piece)), cutter.rest()]


def test_a_block_ends_at_a_blank_line() -> None:
    assert blocks("one\ntwo\n\nthr", "ee") == ["one\ntwo", "three"]
    assert Blocks().feed("one\n") == []


@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_a_fence_keeps_its_blank_lines_and_ends_its_block(fence: str) -> None:
    assert blocks(f"text\n{fence}py\na\n\n``\n~~\nb\n{fence}\nend") == [
        f"text\n{fence}py\na\n\n``\n~~\nb\n{fence}",
        "end",
    ]


def test_a_fence_that_never_ends_is_drawn_at_the_end() -> None:
    assert blocks("```\na\n\nb") == ["```\na\n\nb"]


@settings(max_examples=100)
@given(st.text(alphabet="a \n`", max_size=60), st.lists(st.integers(0, 60), max_size=4))
def test_where_the_stream_is_split_does_not_matter(text: str, cuts: list[int]) -> None:
    at = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    pieces = [text[a:b] for a, b in pairwise(at)]
    assert blocks(*pieces) == blocks(text)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("[click](http://evil.example/x)", "click (http://evil.example/x)"),
        ("![cat](http://evil.example/c.png)", "!cat (http://evil.example/c.png)"),
        ("a <!-- hidden --> b", "<!-- hidden -->"),
        ("Vec<String> and <b>bold</b>", "Vec<String> and <b>bold</b>"),
        ("<div>\nhidden\n</div>", "hidden"),
        ("[x]: http://evil.example", "[x]: http://evil.example"),
        ("&#x1F510; &#x202E;", "&#x1F510; &#x202E;"),
        ("[bold red]not markup[/]", "[bold red]not markup[/]"),
        (":lock: stays", ":lock: stays"),
        ("`C:\\new` and \\d", "C:\\new"),
    ],
)
def test_nothing_hides_or_turns_into_something_else(text: str, seen: str) -> None:
    plain = drawn(text)
    for style in ("\x1b[1m", "\x1b[0m", "\x1b[36m", "\x1b[1;36;40m", "\x1b[4;34m", "\x1b[94m"):
        plain = plain.replace(style, "")
    assert seen in plain
    assert "\x1b]" not in plain


@pytest.mark.parametrize("char", ["\x1b", "\x9b", "\r", "\u202e", "\u200b", "\U0001f510", "\x07", "\udc80"])
@pytest.mark.parametrize(
    "frame", ["a{}b", "`a{}b`", "```\na{}b\n```", "# a{}b", "- a{}b", "[a{}b](http://x{}y)", "|a{}b|\n|-|\n"]
)
def test_what_a_terminal_would_obey_is_escaped(char: str, frame: str) -> None:
    text = frame.replace("{}", f"{char}[2J")
    assert f"{char}[2J" not in drawn(text)


def test_a_line_that_never_ends_is_drawn_in_parts_and_takes_no_longer_than_its_length() -> None:
    blocks = Blocks()
    drawn = [block for _ in range(100_000) for block in blocks.feed("xyz")]
    assert len(drawn) > 10
    assert "".join((*drawn, blocks.rest())) == "xyz" * 100_000


def test_a_long_fence_is_cut_into_fences() -> None:
    blocks = Blocks()
    drawn = [*blocks.feed("```\n" + "code\n" * 10_000 + "```\n"), blocks.rest()]
    assert len([block for block in drawn if block]) > 2
    for block in filter(None, drawn):
        assert block.startswith("```")
        assert block.endswith("```")
    assert sum(block.count("code") for block in drawn) == 10_000


def test_code_begins_at_the_margin() -> None:
    assert drawn("```\nfirst\n  second\n```").rstrip().split("\n")[0].startswith("first")
