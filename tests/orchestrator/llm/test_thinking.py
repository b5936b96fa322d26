"""Reasoning and answer are told apart, however they are cut."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.llm.thinking import ThinkSplitter


def split(*texts: str) -> tuple[str, str]:
    splitter = ThinkSplitter()
    pieces = [piece for text in texts for piece in splitter.feed(text)] + splitter.end()
    assert all(piece.text for piece in pieces)
    thought = "".join(piece.text for piece in pieces if piece.thought)
    return thought, "".join(piece.text for piece in pieces if not piece.thought)


@pytest.mark.parametrize(
    ("text", "thought", "answer"),
    [
        ("Hi", "", "Hi"),
        ("\n <think>hm</think>\n\nHi\n", "hm", "Hi\n"),
        ("<think>a </thin b</think>c", "a </thin b", "c"),
        ("<think>a</think>b <think>c</think>", "a", "b <think>c</think>"),
        ("Write <think> first, then </think>.", "", "Write <think> first, then </think>."),
        ("<think>never closed </th", "never closed </th", ""),
        ("<thi", "", "<thi"),
        ("  ", "", "  "),
    ],
)
def test_only_a_leading_think_block_is_thought(text: str, thought: str, answer: str) -> None:
    assert split(text) == (thought, answer)
    assert split(*text) == (thought, answer)


@settings(max_examples=200)
@given(
    st.lists(st.sampled_from(["<think>", "</think>", "<", "/", "think>", " ", "\n", "a"]), max_size=8),
    st.data(),
)
def test_the_cuts_change_nothing(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    at = data.draw(st.integers(0, len(text)))
    assert split(text[:at], text[at:]) == split(text)
