"""The one detail of a call that counts: what would run, as an agent's raw fields tell it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from consent.call import Altered, Arguments, Change, Command, Detail, Place, Task
from consent.key import Kind
from orchestrator.acp.details import contents_disagree, detail_of, paths_of
from orchestrator.words.shown import unshown

FOLDER = "/nowhere/project"


def text(*lines: str) -> list[dict[str, Any]]:
    return [{"type": "content", "content": {"type": "text", "text": line}} for line in lines]


def diff(path: str, before: str | None = "old", after: str = "new") -> dict[str, Any]:
    return {"type": "diff", "path": path, "oldText": before, "newText": after}


@pytest.mark.parametrize(
    ("name", "arguments", "detail"),
    [
        ("bash", {"command": "ls"}, Command("ls")),
        ("bash", {"command": ["sh", "-c", "rm -rf ~"]}, Command("sh -c 'rm -rf ~'")),
        ("anything", {"command": "ls", "timeout": 5}, Command("ls")),
        ("read_file", {"path": "a"}, Place(f"{FOLDER}/a")),
        ("write_file", {"path": "../a", "content": "x"}, Change("../a", "/nowhere/a", None, "x")),
        ("edit_file", {"path": "/a", "old": "x", "new": "y"}, Change("/a", "/a", "x", "y")),
        ("fetch_content", {"url": "http://x"}, Place("http://x")),
        ("ask_homer", {"question": "why?"}, Task("homer", "why?")),
        ("ask_homer", {"question": "why?", "context": "it broke"}, Task("homer", "it broke\n\nwhy?")),
        ("ask_homer", {"question": "why?", "context": 5}, Task("homer", "5\n\nwhy?")),
        ("other", {"x": [1, "é"]}, Arguments('{"x": [1, "\\u00e9"]}')),
        ("bash", {"command": ["ls", 5]}, Arguments('{"command": ["ls", 5]}')),
        ("bash", {"command": []}, Arguments('{"command": []}')),
        ("bash", "rm -rf ~", Arguments('"rm -rf ~"')),
    ],
)
def test_the_arguments_are_the_detail(name: str, arguments: Any, detail: Detail) -> None:
    assert detail_of(name, None, {"rawInput": arguments}, FOLDER) == detail


ALTERED = {"agent": "homer", "path": "/w/link.yaml", "file": "/w/homer.yaml", "content": "sha256:1"}


def test_a_file_that_changed_is_what_only_a_change_of_mode_of_its_own_agent_is_about() -> None:
    call = {"rawInput": ALTERED}
    altered = Altered("homer", "/w/link.yaml", "/w/homer.yaml")
    assert detail_of("ask_homer", Kind.SWITCH_MODE, call, FOLDER) == altered
    for name, kind in (("ask_homer", Kind.OTHER), ("ask_marge", Kind.SWITCH_MODE), (None, Kind.SWITCH_MODE)):
        assert isinstance(detail_of(name, kind, call, FOLDER), Arguments)
    task = {"rawInput": {**ALTERED, "path": 5, "question": "why?"}}
    assert detail_of("ask_homer", Kind.SWITCH_MODE, task, FOLDER) == Task("homer", "why?")


@pytest.mark.parametrize("nothing", [None, {}, [], ""])
def test_without_arguments_the_text_is_all_there_is(nothing: object) -> None:
    call = {"rawInput": nothing, "content": text("touch x", "twice")}
    assert detail_of("bash", Kind.EXECUTE, call, FOLDER) == Arguments("touch x\ntwice")


def test_without_arguments_a_diff_is_shown_as_a_change_where_the_call_changes_a_file() -> None:
    call = {"content": [*text("I edit a"), diff("a")]}
    for kind in (None, Kind.EDIT, Kind.DELETE, Kind.MOVE):
        assert detail_of(None, kind, call, FOLDER) == Change("a", f"{FOLDER}/a", "old", "new")


@pytest.mark.parametrize("kind", sorted({*Kind} - {Kind.EDIT, Kind.DELETE, Kind.MOVE}))
def test_beside_any_other_call_a_diff_hides_no_text(kind: Kind) -> None:
    detail = detail_of(None, kind, {"content": [*text("rm -rf ~"), diff("a")]}, FOLDER)
    assert detail == Arguments("rm -rf ~\n" + json.dumps([diff("a")]))


def test_the_arguments_win_over_a_diff_unless_the_call_edits() -> None:
    call = {"rawInput": {"command": "rm x"}, "content": [diff("a")]}
    assert detail_of(None, Kind.EDIT, call, FOLDER) == Command("rm x")
    call = {"rawInput": {"x": 1}, "content": [diff("a")]}
    assert detail_of(None, Kind.OTHER, call, FOLDER) == Arguments('{"x": 1}')
    assert detail_of(None, Kind.EDIT, call, FOLDER) == Change("a", f"{FOLDER}/a", "old", "new")


@pytest.mark.parametrize(
    ("raw", "before", "after", "disagrees"),
    [
        ({"content": "new"}, None, "new", False),
        ({"content": "new\r\n"}, None, "new\n", False),
        ({"content": "EVIL"}, "old", "new", True),
        ({"old": "l", "new": "w"}, "hello", "hewlo", False),
        ({"old": "l", "new": "w"}, "hello", "hewwo", False),
        ({"old_string": "l", "new_string": "EVIL"}, "hello", "hewwo", True),
        ({"old": "", "new": "EVIL"}, "old", "new", True),
        ({"oldString": "old", "newString": "new"}, "old", "new", False),
        ({"content": 5, "new": None, "x": "EVIL"}, "old", "new", False),
        (["EVIL"], "old", "new", False),
    ],
)
def test_a_diff_that_the_arguments_do_not_make_disagrees(
    raw: object, before: str | None, after: str, disagrees: bool
) -> None:
    call = {"rawInput": raw, "content": [diff("a", before, after)]}
    assert contents_disagree(call) is disagrees
    assert not contents_disagree({**call, "content": []})


def test_a_text_that_would_be_much_longer_than_the_call_is_never_put_together() -> None:
    many = 1_000_000
    raw = {"path": "a", "old": "a", "new": "b" * many}
    assert contents_disagree({"rawInput": raw, "content": [diff("a", "a" * many, "c" * many)]})


def test_a_diff_that_disagrees_is_the_detail_and_the_arguments_stand_beside_it() -> None:
    call = {"rawInput": {"path": "a", "content": "EVIL"}, "content": [diff("a")]}
    change = detail_of("write_file", Kind.EDIT, call, FOLDER)
    assert change == Change("a", f"{FOLDER}/a", "old", "new")
    assert unshown(change, call["rawInput"], FOLDER) == {"content": "EVIL"}


def test_of_several_diffs_none_is_left_out() -> None:
    both = [diff("a"), diff("a", after="rm -rf ~")]
    detail = detail_of(None, Kind.EDIT, {"content": both}, FOLDER)
    assert isinstance(detail, Arguments)
    assert "rm -rf ~" in detail.text
    with_arguments = {"rawInput": {"edits": 2}, "content": both}
    assert detail_of(None, Kind.EDIT, with_arguments, FOLDER) == Arguments('{"edits": 2}')


@pytest.mark.parametrize("content", [None, 5, "x", [None, 5], [{"type": "terminal", "terminalId": "nope"}]])
def test_what_shows_nothing_is_no_detail(content: object) -> None:
    assert detail_of("bash", Kind.EXECUTE, {"content": content}, FOLDER) == Arguments("")


def test_paths_come_from_arguments_diffs_and_locations() -> None:
    call = {
        "rawInput": {"filePath": "a", "path": 5},
        "content": [diff("b"), {"type": "diff", "path": 5}],
        "locations": [{"path": "c", "line": 1}, "d", {"path": None}],
    }
    assert paths_of(call) == ["a", "b", "c"]
