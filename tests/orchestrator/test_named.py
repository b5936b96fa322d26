"""What a call names is found wherever it stands in its arguments, and looked for in a bounded time."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consent.call import Arguments, Change, Command, Detail, Origin, Task, ToolCall
from orchestrator.named import (
    LONGEST,
    MOST_COMMANDS,
    MOST_JSON,
    MOST_PATHS,
    MOST_TEXT,
    MOST_VALUES,
    Named,
    named,
    spellings,
)
from tests.orchestrator.parts import bash_call

X = "/x/file"
ASKED = replace(bash_call(path=("gem",)), origin=Origin.FOREIGN)
PATCH = "*** Begin Patch\n*** Update File: /x/file\n@@\n-a\n+b\n*** End Patch"
GIT = "diff --git a/x/file b/x/file\n--- a/x/file\n+++ b/x/file\n@@ -1 +1 @@\n"


def of(arguments: Any, detail: Detail | None = None, **changes: Any) -> Named:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return named(replace(ASKED, arguments=text, detail=detail or Arguments(text), **changes))


@pytest.mark.parametrize(
    "arguments",
    [
        {"path": X},
        {"destination": X},
        {"edits": [{"file": "a"}, {"file": X}]},
        {"deep": {"deeper": [[{"target": X}]]}},
        {"uri": X},
        {X: "new text"},
        [X],
        X,
        {"input": PATCH},
        {"patch": PATCH},
        {"content": PATCH},
        {"files": "a.py /x/file"},
        {"paths": "a.py,/x/file"},
        {"list": "a.py\n/x/file\n"},
        {"arguments": json.dumps({"path": X})},
        {"args": ["--output=/x/file"]},
        {"script": X},
        {"quoted": f'"{X}"'},
        {"old": "a", "new": X},
    ],
)
def test_a_path_is_found_in_any_field(arguments: Any) -> None:
    found = of(arguments)
    assert X in found.files + found.paths
    assert found.whole


@pytest.mark.parametrize(
    "text",
    [
        GIT,
        "--- a/x/file\t2026-01-01 00:00:00\n+++ /dev/null\n",
        "diff --git a/x/file b/x/file\nold mode 100644\nnew mode 100755\n",
        "diff --git a/y b/y\nrename from y\nrename to x/file\n",
        'diff --git a/y b/y\n--- a/y\n+++ "b/x/fil\\145"\n',
        "*** Begin Patch\n  *** Add File: x/file\n+a\n",
        "*** Update File: y\n*** Move to: x/file\r\n",
        "Index: x/file\n====\n",
        "text before\n*** Delete File: x/file",
    ],
)
@pytest.mark.parametrize("field", ["diff", "new_string", "anything"])
def test_the_headers_of_a_patch_name_files(field: str, text: str) -> None:
    assert "x/file" in of({field: text}).paths


@pytest.mark.parametrize(
    "field", ["content", "new_string", "newText", "old_str", "newString", "new_text", "file_text", "diff"]
)
def test_what_a_file_is_to_hold_names_none(field: str) -> None:
    found = of({"path": "a", field: X, "old": X, "new": X})
    assert X not in found.files + found.paths


@pytest.mark.parametrize(
    "text",
    ["Write the alias to\n~/.bashrc\nas it was before.", "see:\n\n    cat ~/.bashrc\n", "x " * LONGEST],
)
def test_prose_names_no_file(text: str) -> None:
    found = of({"prompt": text})
    assert (found.files, found.paths, found.whole) == ((), (), True)


def test_a_task_is_prose() -> None:
    arguments = {"question": "~/.bashrc", "context": "/x/file", "file": "/y"}
    assert of(arguments, Task("bob", "")).paths == ("/y",)
    assert "/x/file" in of(arguments).paths


def test_what_only_a_look_can_tell_is_a_word() -> None:
    found = of({"file": "innocent", "path": "new", "mode": "fast"})
    assert found.files == ("new",)
    assert found.words == ("file", "innocent", "path", "mode", "fast")


def test_files_beside_the_arguments_and_in_the_detail_are_named() -> None:
    assert of({}, beside=(X,)).files == (X,)
    assert of("", Arguments(f"Changes:\n{GIT}")).paths
    assert of({}, Change("a", "/w/a", None, "text")).files == ("a", "/w/a")


@pytest.mark.parametrize(
    ("arguments", "commands"),
    [
        ({"command": "rm x"}, ("rm x",)),
        ({"run": {"cmd": "rm x"}}, ("rm x",)),
        ({"cmd": ["rm", "a b"]}, ("rm 'a b'",)),
        ({"command": "rm", "args": ["-rf", "/"]}, ("rm -rf /",)),
        ({"args": ["rm", "x"]}, ("rm x",)),
        ({"steps": [{"script": "ls"}, {"code": "rm x"}]}, ("ls", "rm x")),
        ({"commands": ["ls", "rm x"]}, ("ls", "rm x")),
        ({"command": {"cmd": 1, "script": [1]}}, ()),
        ({"description": "rm x"}, ()),
    ],
)
def test_commands_are_found_in_any_depth(arguments: Any, commands: tuple[str, ...]) -> None:
    found = of(arguments)
    assert (found.commands, found.whole) == (commands, True)


def test_a_command_is_kept_once_and_is_no_path() -> None:
    found = of({"command": "cat a/.git/config", "cwd": "/w/sub"}, Command("cat a/.git/config"))
    assert found.commands == ("cat a/.git/config",)
    assert (found.files, found.paths, found.folders) == ((), (), ("/w/sub",))


def test_own_calls_show_all_that_they_name() -> None:
    own = replace(ASKED, origin=Origin.OWN, arguments=json.dumps({"content": PATCH}))
    assert named(replace(own, detail=Change("a", "/w/a", None, PATCH))).paths == ()
    assert X in named(replace(own, detail=Arguments(""))).paths


@pytest.mark.parametrize(
    "arguments",
    [
        [f"/{number}" for number in range(MOST_PATHS + 1)],
        [{"cmd": f"run {number}"} for number in range(MOST_COMMANDS + 1)],
        [1] * (MOST_VALUES + 1),
        [f"{number} a b" * 3000 for number in range(MOST_TEXT // 15_000 + 2)],
        {"cmd": "l" * (LONGEST + 1)},
        {"cmd": ["l"] * (MOST_PATHS + 1)},
        {"diff": f"--- a\n{'+' * LONGEST}\n+++ b\n"},
        {"diff": f"{'+' * LONGEST}\n--- a\n"},
        {"text": "{" + " " * LONGEST + "}"},
        {"files": "a " * LONGEST},
        [{"cwd": "/a"}, {"cwd": "/b"}],
        {"content": "a" * MOST_JSON},
    ],
)
def test_what_is_more_than_is_looked_at_is_said(arguments: Any) -> None:
    found = of(arguments)
    assert not found.whole
    assert len(found.files + found.paths + found.words) <= MOST_PATHS
    assert len(found.commands) <= MOST_COMMANDS


def test_the_first_of_what_is_too_much_is_found() -> None:
    assert of({"diff": f"--- a/x/file\n{'+' * LONGEST}\n+++ b\n"}).paths[:2] == ("a/x/file", "x/file")
    assert of({"content": "a" * (LONGEST * 2)}).whole


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a/b", ["a/b"]),
        ("~/.bashrc", ["~/.bashrc", "/home/ann/.bashrc"]),
        ("~", ["~", "/home/ann"]),
        ("~bob/x", ["~bob/x", "/home/bob/x"]),
        ("~root/x", ["~root/x", "/root/x"]),
        ("~+/x", ["~+/x", "./x"]),
        ("$HOME/x", ["$HOME/x", "/home/ann/x"]),
        ("${HOME}/x", ["${HOME}/x", "/home/ann/x"]),
        ("$HOMER/x", ["$HOMER/x"]),
        ("${PWD}/x", ["${PWD}/x", "./x"]),
        ("/x:12:3", ["/x:12:3", "/x"]),
        ("https://example.com/.git/config", []),
        ("C:/x", ["C:/x"]),
    ],
)
def test_a_path_is_spelled_as_shells_and_editors_spell_it(text: str, wanted: list[str]) -> None:
    assert [*spellings(text, "/home/ann")] == wanted


@pytest.mark.parametrize(
    "text",
    [
        "file:///home/ann/.bashrc",
        "FILE:/home/ann/.bashrc",
        "file://localhost/home/ann/.bashrc",
        "file:///home/ann/%2Ebash%72c",
        "file:///home/ann/.bashrc?x#L3",
        "file:///home/ann/.bashrc:3",
        "file://~/.bashrc",
        "vscode-remote://wsl/home/ann/.bashrc",
    ],
)
def test_an_address_of_a_file_is_a_path(text: str) -> None:
    assert "/home/ann/.bashrc" in spellings(text, "/home/ann")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.text() | st.sampled_from(["command", "args", "cwd", "path", "code"]), inner)
    ),
)
CALLS: st.SearchStrategy[ToolCall] = st.builds(
    lambda arguments, title: replace(ASKED, arguments=arguments, detail=Arguments(arguments), title=title),
    st.text() | JSON.map(json.dumps),
    st.text(),
)


@given(CALLS, st.text())
def test_nothing_that_an_agent_says_raises(call: ToolCall, home: str) -> None:
    found = named(call)
    for text in found.files + found.paths + found.words + found.folders:
        assert all(isinstance(path, str) for path in spellings(text, home))
