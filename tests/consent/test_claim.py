"""Claims: one act in two writings is no contradiction, and no two acts are one."""

from __future__ import annotations

import json
import shlex
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consent.claim import MOST_FIELDS, NOTHING, Claim, Ground, alike, claim_of, contradicts, covers, titled

PROJECT = Ground("/project", "/project", "/home/ann")
LINKED = Ground("/link/project", "/real/project", "/home/ann")
NOWHERE = Ground()


def claim(arguments: Any, ground: Ground = PROJECT) -> Claim:
    return claim_of(json.dumps(arguments), ground)


def differ(shown: Any, told: Any, ground: Ground = PROJECT) -> bool:
    return contradicts(claim(shown, ground), claim(told, ground))


def command(text: Any) -> dict[str, Any]:
    return {"command": text}


def path(text: str) -> dict[str, str]:
    return {"path": text}


# --- one act in two writings

ONE_ACT: list[tuple[Any, Any]] = [
    # Paths.
    (path("notes.txt"), path("/project/notes.txt")),
    (path("notes.txt"), path("./notes.txt")),
    (path("a/notes.txt"), path("/project//a/./notes.txt")),
    (path("../notes.txt"), path("/notes.txt")),
    (path("~/notes.txt"), path("/home/ann/notes.txt")),
    (path("~"), path("/home/ann")),
    ({"cwd": "sub", "path": "x"}, path("/project/sub/x")),
    ({"cwd": ".", "path": "x"}, {"cwd": "/project/", "path": "/project/x"}),
    ({"cwd": "/"}, {"cwd": "//"}),
    # Names of fields.
    ({"filepath": "/a", "diff": "…"}, {"filePath": "/a", "content": "x"}),
    ({"file_path": "a"}, {"filePath": "/project/a"}),
    ({"abs_path": "/project/a"}, path("a")),
    ({"file_path": "a", "path": "/"}, {"filePath": "a", "path": "/"}),
    ({"cmd": "ls"}, command("ls")),
    ({"workdir": "sub"}, {"cwd": "/project/sub"}),
    # Numbers, yes and no, nothing.
    ({"a": 1}, {"a": 1.0}),
    ({"a": 1}, {"a": "1"}),
    ({"a": 1.0}, {"a": "1"}),
    ({"a": 1}, {"a": "1.0"}),
    ({"a": 0.5}, {"a": "0.5"}),
    ({"a": {"x": 1, "y": [2.0], "z": None}}, {"a": {"y": [2], "x": 1.0}}),
    ({"a": True}, {"a": "true"}),
    ({"a": False}, {"a": "False"}),
    ({"a": "", "b": 1}, {"a": [], "b": 1}),
    ({"a": None, "b": 1}, {"a": "x", "b": 1}),
    # Commands.
    (command("ls"), command("ls\n")),
    (command("ls -l"), command("ls -l \t")),
    (command(["ls", "-l", "a b"]), command("ls -l 'a b'")),
    (command(["bash", "-lc", "ls; rm a"]), command("ls; rm a")),
    (command(["/bin/zsh", "-c", "ls\n"]), command("ls")),
    (command(["bash", "-lc", "ls"]), command("bash -lc ls")),
    (command(["bash", "-lc", "echo a  b"]), command('bash  -lc "echo a  b"')),
    (command(["bash", "-lc", "ls $HOME"]), command("bash -lc 'ls $HOME'")),
    (command("bash -lc 'ls $HOME'"), command("ls $HOME")),
    (command(["bash", "-c", "a'b"]), command(r"bash -c a\'b")),
    (command(["bash", "run", "é"]), command("bash run é")),
    # More, or less.
    (command("ls"), {"command": "ls", "cwd": "/project"}),
    ({"a": {"x": 1, "y": 2}}, {"a": {"y": 2, "x": 1}}),
    ({}, command("ls")),
    (command("ls"), {}),
    # When codex spoke of it.
    ({"command": "ls", "started_at_ms": 1}, {"command": "ls", "started_at_ms": 2}),
]


@pytest.mark.parametrize(("shown", "told"), ONE_ACT)
def test_one_act_in_two_writings_is_no_contradiction(shown: Any, told: Any) -> None:
    assert not differ(shown, told)
    assert not differ(told, shown)


@pytest.mark.parametrize(
    ("shown", "told"),
    [("a", "/link/project/a"), ("a", "/real/project/a"), ("../a", "/real/a"), ("./a", "a")],
)
def test_a_folder_is_the_same_by_its_name_and_behind_its_links(shown: str, told: str) -> None:
    assert not differ(path(shown), path(told), LINKED)
    assert not differ(path(told), path(shown), LINKED)


def test_of_two_that_were_shown_one_is_enough_but_not_two_of_one() -> None:
    assert not differ({"command": "ls", "cmd": "rm"}, {"cmd": "rm"})
    assert differ({"cmd": "rm"}, {"command": "ls", "cmd": "rm"})


# --- two acts

TWO_ACTS: list[tuple[Any, Any]] = [
    # Paths.
    (path("a"), path("b")),
    (path("a"), path("/a")),
    (path("a"), path("/other/a")),
    (path("a"), path("A")),
    (path("a"), path("a ")),
    (path("link/../a"), path("a")),
    (path("link"), path("link/")),
    (path("~/a"), path("/project/~/a")),
    (path("~/a"), path("./~/a")),
    (path("~bob/a"), path("/home/ann/bob/a")),
    (path("~/a"), path("/home/bob/a")),
    ({"cwd": "/other", "path": "a"}, path("/project/a")),
    ({"cwd": "/other", "path": "a"}, path("a")),
    ({"cwd": "link", "path": "../a"}, path("/project/a")),
    ({"cwd": "link/..", "path": "../a"}, path("/project/link/a")),
    ({"cwd": "~/b", "path": "a"}, path("/project/a")),
    ({"cwd": ["/b"], "path": "a"}, path("/project/a")),
    # Names of fields.
    ({"filePath": "a"}, {"filePath": "a", "file_path": "b"}),
    (path("a"), {"path": "a", "abs_path": "/b"}),
    ({"command": "ls", "cmd": "rm"}, {"command": "rm", "cmd": "ls"}),
    (command("ls"), {"cmd": "rm"}),
    (command("ls"), ["ls"]),
    # Numbers, yes and no, nothing.
    ({"a": "1"}, {"a": "1.0"}),
    ({"a": 1}, {"a": 2}),
    ({"a": 1}, {"a": True}),
    ({"a": 0.5}, {"a": "0.50"}),
    ({"a": 9007199254740992.0}, {"a": 9007199254740993}),
    ({"a": False}, {"a": "true"}),
    ({"a": 0}, {"a": ""}),
    ({"a": "x"}, {"a": ""}),
    ({"a": ["x"]}, {"a": [["x"]]}),
    ({"content": "a"}, {"content": "a\n"}),
    ({"content": "./a"}, {"content": "a"}),
    # Commands.
    (command("ls"), command(" ls")),
    (command("ls"), command("LS")),
    (command("ls"), {"command": "rm", "cwd": "/project"}),
    (command("rm -rf a b"), command('rm -rf "a b"')),
    (command(["rm", "a b"]), command("rm a b")),
    (command(["rm", "a", "b"]), command(["rm", "a b"])),
    (command(["rm", "*"]), command("rm *")),
    (command(["A=1", "ls"]), command("A=1 ls")),
    (command("rm a\\ "), command("rm a\\")),
    (command("ls"), command("ls\r")),
    (command(["bash", "-lc", "ls"]), command(["bash", "-c", "ls"])),
    (command(["bash", "-c", "ls"]), command(["zsh", "-c", "ls"])),
    (command(["bash", "-c", "ls", "x"]), command("ls")),
    (command(["bash", "-ic", "ls"]), command("ls")),
    (command(["/tmp/bash", "-c", "ls"]), command("ls")),
    (command(["./bash", "-c", "ls"]), command("ls")),
    (command(["fish", "-c", "ls"]), command("ls")),
    (command(["bash", "-c", "ls;rm"]), command("bash -c ls;rm")),
    (command(["bash", "-c", "$A"]), command('bash -c "$A"')),
    (command(["bash", "-c", "ls", "rm"]), command("bash -c ls\nrm")),
    (command(["bash", "~/a"]), command("bash ~/a")),
    (command(["bash", "a", "b"]), command("bash {a,b}")),
    (command(["bash", 1]), command("bash 1")),
    (command("l" * 70_000), command("bash -c " + "l" * 70_000)),
    ("ls", "rm"),
]


@pytest.mark.parametrize(("shown", "told"), TWO_ACTS)
def test_no_two_acts_are_one(shown: Any, told: Any) -> None:
    assert differ(shown, told)


def test_without_the_folder_a_path_from_there_is_none_from_the_root() -> None:
    assert differ(path("a"), path("/project/a"), NOWHERE)
    assert differ({"cwd": "sub", "path": "a"}, path("/sub/a"), NOWHERE)
    assert differ(path("~/a"), path("/a"), NOWHERE)
    assert differ(path("~/a"), path("./~/a"), NOWHERE)
    assert not differ(path("./a"), path("a"), NOWHERE)
    assert not differ({"cwd": "/b", "path": "a"}, path("/b/a"), NOWHERE)


words = st.lists(st.text(st.sampled_from("ab -'\"\\$~*;=\n{,}#!é"), max_size=4), min_size=1, max_size=4)


@given(words, words)
def test_words_and_a_line_are_one_only_where_a_shell_reads_these_words(
    one: list[str], other: list[str]
) -> None:
    line = shlex.join(["bash", *one])
    assert not differ(command(["bash", *one]), command(line))
    assert differ(command(["bash", *other]), command(line)) == (one != other)


# --- what is said


def test_arguments_that_are_no_json_are_one_text() -> None:
    assert claim_of("ls -l") != claim_of("ls") == claim_of("ls")
    assert claim_of("") == claim_of("null") == claim_of("{}") == claim_of('{"a": null}') == NOTHING


def test_what_covers_another_says_all_of_it() -> None:
    more = {"command": "ls", "cwd": "."}
    assert covers(claim(more), claim(command("ls")))
    assert not covers(claim(command("ls")), claim(more))
    assert not alike(claim(command("ls")), claim(more))
    assert not alike(claim(more), claim(command("ls")))
    assert alike(claim({"cmd": ["ls"], "cwd": "/project"}), claim(more))


def test_a_title_is_a_part_of_its_own() -> None:
    ls = claim(command("ls"))
    assert titled(ls, "") == ls
    assert contradicts(titled(ls, "List"), titled(ls, "Remove"))
    assert covers(titled(ls, "List"), titled(ls, "List"))


# --- bounded


def test_many_arguments_are_one_thing() -> None:
    many = {f"a{number}": number for number in range(MOST_FIELDS + 1)}
    assert len(claim(many)) == 1
    assert not differ(many, dict(reversed(many.items())))
    assert differ(many, {**many, "a0": 1})


def test_a_long_name_is_kept_short() -> None:
    (field,) = claim({"a" * 1000: 1})
    assert max(map(len, field.names)) <= 64
    assert differ({"a" * 1000: 1}, {"a" * 999 + "b": 1})


@pytest.mark.parametrize(
    "said",
    [
        command("bash -c " + "l" * 10_000_000),
        command("bash -c " + "'l' " * 10_000),
        command("bash " + "'" * 65_000),
        {"path": "../" * 3_000_000, "cwd": "a/" * 3_000_000},
    ],
)
def test_nothing_takes_long(said: dict[str, Any]) -> None:
    began = time.process_time()
    assert not differ(said, said)
    assert time.process_time() - began < 5


def test_a_long_path_is_compared_as_it_is() -> None:
    assert differ(path("a" * 70_000), path("/project/" + "a" * 70_000))
    assert differ({"cwd": "/" + "a" * 70_000, "path": "x"}, path("/" + "a" * 70_000 + "/x"))
    assert differ({"cwd": "/" + "a" * 70_000}, {"cwd": "/" + "a" * 70_000 + "/"})
