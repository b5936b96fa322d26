"""An argument counts as shown where the detail holds what it holds, never because of its name."""

from __future__ import annotations

import json
from typing import Any

import pytest

from consent.call import Origin
from consent.key import Kind
from orchestrator.acp.permission import Asking, read_request
from tests.orchestrator.words.calls import FRENCH, drawn

OPTIONS = [{"optionId": "y", "name": "y", "kind": "allow_once"}]
HARMLESS = {"type": "diff", "path": "a.txt", "oldText": "x", "newText": "harmless"}


def body(origin: Origin, **fields: Any) -> str:
    params = {"toolCall": {"toolCallId": "1", **fields}, "options": OPTIONS}
    call = read_request(params, {}, Asking(("gem",), origin, "/w")).call
    return "\n".join(drawn(call).body)


@pytest.mark.parametrize("origin", [Origin.FOREIGN, Origin.OURS])
@pytest.mark.parametrize(
    ("name", "kind", "arguments", "content"),
    [
        (None, Kind.EDIT, {"path": "a.txt", "content": "EVIL"}, [HARMLESS]),
        (None, Kind.EDIT, {"path": "a.txt", "old": "x", "new": "EVIL"}, [HARMLESS]),
        (None, Kind.EDIT, {"path": "a.txt", "old": "EVIL", "new": "harmless"}, [HARMLESS]),
        (None, Kind.EDIT, {"path": "EVIL", "content": "harmless"}, [HARMLESS]),
        (None, Kind.EDIT, ["EVIL"], [HARMLESS]),
        ("write_file", Kind.EDIT, {"path": "a.txt", "content": "harmless", "old": "x", "new": "EVIL"}, []),
        ("write_file", Kind.EDIT, {"path": "a.txt", "content": "EVIL"}, [HARMLESS]),
        ("edit_file", Kind.EDIT, {"path": "a.txt", "old": "a", "new": "b", "content": "EVIL"}, []),
        ("fetch_content", Kind.FETCH, {"url": "http://x", "path": "EVIL"}, []),
        ("read_file", Kind.READ, {"path": "a.txt", "url": "EVIL"}, []),
        ("ask_homer", Kind.OTHER, {"question": "why?", "content": "EVIL"}, []),
        ("bash", Kind.EXECUTE, {"command": "ls", "cwd": "EVIL"}, []),
        (
            None,
            Kind.EXECUTE,
            None,
            [{"type": "content", "content": {"type": "text", "text": "EVIL"}}, HARMLESS],
        ),
        (None, Kind.EXECUTE, {}, [{**HARMLESS, "newText": "EVIL"}]),
    ],
)
def test_no_argument_is_hidden_behind_another(
    origin: Origin, name: str | None, kind: Kind, arguments: Any, content: list[Any]
) -> None:
    assert "EVIL" in body(origin, name=name, kind=kind.value, rawInput=arguments, content=content)


@pytest.mark.parametrize(
    ("name", "kind", "arguments", "content"),
    [
        ("bash", Kind.EXECUTE, {"command": "ls"}, []),
        ("bash", Kind.EXECUTE, {"command": ["ls", "a b"]}, []),
        ("write_file", Kind.EDIT, {"path": "a.txt", "content": "x"}, []),
        ("edit_file", Kind.EDIT, {"path": "a.txt", "old": "a", "new": "b"}, []),
        ("read_file", Kind.READ, {"path": "a.txt"}, []),
        ("fetch_content", Kind.FETCH, {"url": "http://x"}, []),
        ("ask_homer", Kind.OTHER, {"question": "why?", "context": "so"}, []),
        (None, Kind.EDIT, {"file_path": "/w/a.txt", "content": "harmless"}, [HARMLESS]),
        (None, Kind.EDIT, {"filePath": "a.txt", "oldString": "x", "newString": "harmless"}, [HARMLESS]),
    ],
)
def test_what_is_shown_is_not_shown_twice(
    name: str | None, kind: Kind, arguments: Any, content: list[Any]
) -> None:
    assert "arguments" not in body(
        Origin.FOREIGN, name=name, kind=kind.value, rawInput=arguments, content=content
    )


def test_a_diff_that_disagrees_with_the_arguments_is_a_doubt_in_words() -> None:
    params = {
        "toolCall": {
            "toolCallId": "1",
            "kind": "edit",
            "rawInput": {"path": "a.txt", "content": "EVIL"},
            "content": [HARMLESS],
        },
        "options": OPTIONS,
    }
    call = read_request(params, {}, Asking(("gem",), Origin.FOREIGN, "/w")).call
    assert [str(doubt) for doubt in call.doubts] == ["contents-disagree"]
    assert drawn(call).doubts == (
        "gem showed another change than its arguments make: one does not match the other",
    )
    assert "un autre changement que celui de ses arguments" in drawn(call, FRENCH).doubts[0]
    assert json.loads(call.arguments)["content"] == "EVIL"


@pytest.mark.parametrize("kind", [Kind.DELETE, Kind.MOVE])
def test_a_deletion_does_not_read_as_writing(kind: Kind) -> None:
    gone = {"type": "diff", "path": "a.txt", "oldText": None, "newText": ""}
    text = body(Origin.FOREIGN, kind=kind.value, content=[gone])
    assert f"wants to {kind.value}" in text
    assert "whole content" not in text
    with_text = body(Origin.FOREIGN, kind=kind.value, content=[{**gone, "newText": "x"}])
    assert "whole content" in with_text
