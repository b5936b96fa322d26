"""Prompt blocks of every kind as one text."""

from __future__ import annotations

from typing import Any

import pytest

from orchestrator.acp.prompts import BadPrompt, text_of

TEXT = {"type": "text", "text": "look at"}
LINK = {"type": "resource_link", "uri": "file:///a.py", "name": "a.py"}
EMBEDDED = {"type": "resource", "resource": {"uri": "file:///b.py", "text": "print()", "mimeType": "text/x"}}


def test_texts_links_and_embedded_texts_are_read_in_order() -> None:
    assert text_of([TEXT, LINK, EMBEDDED]) == "look at\n[a.py](file:///a.py)\nfile:///b.py:\nprint()"


def test_a_link_without_a_name_shows_its_address() -> None:
    assert text_of([{"type": "resource_link", "uri": "file:///a.py"}]) == "[file:///a.py](file:///a.py)"


def test_what_else_a_block_holds_is_not_read() -> None:
    assert text_of([{**TEXT, "annotations": {"audience": ["user"]}, "_meta": {"x": 1}}]) == "look at"


@pytest.mark.parametrize("prompt", [None, [], {}, "hello", 5, {"type": "text", "text": "x"}])
def test_a_prompt_is_a_list_of_blocks(prompt: Any) -> None:
    with pytest.raises(BadPrompt, match="prompt must be a list"):
        text_of(prompt)


@pytest.mark.parametrize(
    "block",
    [
        {"type": "image", "data": "AA==", "mimeType": "image/png"},
        {"type": "audio", "data": "AA==", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "file:///c", "blob": "AA=="}},
        {"type": "x_future"},
        {"type": "text", "text": 5},
        {"type": "text"},
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(block: dict[str, Any]) -> None:
    with pytest.raises(BadPrompt, match=rf"prompt\[1\] is '{block['type']}'.*are accepted"):
        text_of([TEXT, block])


@pytest.mark.parametrize("block", [None, "text", 5, [], {}, {"type": 5}])
def test_what_is_no_block_is_named_with_its_place(block: Any) -> None:
    with pytest.raises(BadPrompt, match=r"prompt\[0\] is no content block"):
        text_of([block])
