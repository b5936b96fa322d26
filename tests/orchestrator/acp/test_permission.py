"""A permission request read into a call: names, keys, doubts, and what our own agents say along."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from consent.call import Change, Doubt, Origin, Tier, Unrunnable
from consent.key import Key, Kind
from orchestrator.acp.known import KnownCalls
from orchestrator.acp.permission import Asking, BadRequest, Request, name_of, read_request, said_of
from orchestrator.acp.profiles import GENERIC

FOLDER = "/nowhere/project"
JAN = Asking(("jan",), Origin.OURS, FOLDER)
GEM = Asking(("gem",), Origin.FOREIGN, FOLDER)
OPTIONS = [
    {"optionId": "y", "name": "Yes", "kind": "allow_once"},
    {"optionId": "n", "name": "No", "kind": "reject_once"},
]
LS = {"command": "ls"}
AGENTS = Path(__file__).parents[2] / "corpus" / "agents"
UNCLEAR = ("deepagents",)
"""Agents whose request and earlier updates of the same call hold neither a name nor a kind."""
OTHER = ("openhands",)
"""Agents whose request is of a call of its own, and says nothing about it."""


def request(
    asking: Asking = JAN, known: dict[str, Any] | None = None, meta: Any = None, **call: Any
) -> Request:
    params = {"toolCall": {"toolCallId": "1", **call}, "options": OPTIONS, "_meta": {"mm": meta or {}}}
    return read_request(params, known or {}, asking)


def doubts(asking: Asking = JAN, known: dict[str, Any] | None = None, **call: Any) -> set[Doubt]:
    return set(request(asking, known, **call).call.doubts)


# --- real agents, without a profile


RECORDED = sorted(AGENTS.glob("*/*.json"))


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_real_agent_without_a_profile_has_its_key_by_kind(file: Path) -> None:
    recorded = json.loads(file.read_text(encoding="utf-8"))
    known = KnownCalls()
    for update in recorded["before"]:
        known.update(update)
    params = recorded["request"]["params"]
    read = read_request(params, known.get(params["toolCall"]["toolCallId"]), GEM)
    kind = "execute" if file.stem == "shell" else "edit"
    agent = file.parent.name
    expected = "unclear" if agent in UNCLEAR else "other" if agent in OTHER else kind
    assert str(read.call.key) == f"gem/({expected})"
    # Two plain yeses, of which only a profile can name the right one: a choice of the person.
    assert len(read.options.allow) == (2 if agent in OTHER else 1)
    assert (len(read.call.yeses) == 2) is (agent in OTHER)
    assert read.options.refuse is not None


def test_twelve_real_agents_are_looked_at() -> None:
    assert len({file.parent for file in RECORDED}) == 12


# --- the tool name of a request


@pytest.mark.parametrize(
    ("known", "call", "key"),
    [
        ({}, {"name": "bash", "kind": "execute"}, "jan/bash"),
        ({"name": "bash"}, {"kind": "execute"}, "jan/bash"),
        ({"name": "bash"}, {"name": None, "kind": "execute"}, "jan/bash"),
        ({"kind": "execute"}, {"title": "bash: ls"}, "jan/(execute)"),
        ({"kind": "other"}, {"kind": "execute"}, "jan/(execute)"),
        ({}, {"kind": "execute", "name": "execute"}, "jan/execute"),
        ({}, {"title": "bash: ls"}, "jan/(unclear)"),
        ({}, {"kind": "switch_mode"}, "jan/(unclear)"),
        ({}, {"kind": "x_future"}, "jan/(unclear)"),
        ({}, {"kind": ["execute"]}, "jan/(unclear)"),
        ({}, {"name": "no name", "kind": "execute"}, "jan/(unclear)"),
        ({"name": "bash"}, {"name": "", "kind": "execute"}, "jan/(unclear)"),
        ({"name": "no name"}, {"kind": "execute"}, "jan/(unclear)"),
        ({}, {"name": 5, "kind": "execute"}, "jan/(unclear)"),
    ],
)
def test_the_first_name_that_is_present_makes_the_key(
    known: dict[str, Any], call: dict[str, Any], key: str
) -> None:
    read = request(known=known, rawInput=LS, **call).call
    assert str(read.key) == key
    assert (Doubt.NAME_INVALID in read.doubts) is (read.name is not None and "unclear" in key)


# --- doubts


@pytest.mark.parametrize(
    ("call", "doubt"),
    [
        ({"name": "no name", "rawInput": LS}, Doubt.NAME_INVALID),
        ({"rawInput": LS}, Doubt.NAME_MISSING),
        ({"name": "read_file", "kind": "execute", "rawInput": {"path": "a"}}, Doubt.KIND_DISAGREES),
        ({"name": "Bash", "kind": "read", "rawInput": LS}, Doubt.KIND_DISAGREES),
        ({"name": "bash"}, Doubt.NO_ARGUMENTS),
        ({"name": "bash", "rawInput": {}}, Doubt.NO_ARGUMENTS),
        ({"name": "x", "rawInput": []}, Doubt.NO_ARGUMENTS),
        ({"name": "x", "content": [{"type": "terminal", "terminalId": "t"}]}, Doubt.NO_ARGUMENTS),
        ({"name": "x", "content": [{"type": "content", "content": {"type": "text"}}]}, Doubt.NO_ARGUMENTS),
        ({"name": "x", "content": [{"type": "image", "data": "AA=="}]}, Doubt.NO_ARGUMENTS),
        ({"name": "x", "content": [{"type": "content", "content": {"text": " \n"}}]}, Doubt.NO_ARGUMENTS),
        ({"name": "bash", "rawInput": LS | {"cmd": "rm"}}, Doubt.UNKNOWN_SHAPE),
        ({"name": "bash", "rawInput": {"command": 5}}, Doubt.UNKNOWN_SHAPE),
        ({"name": "bash", "rawInput": {"command": []}}, Doubt.UNKNOWN_SHAPE),
        ({"name": "bash", "rawInput": {"command": ["ls", 5]}}, Doubt.UNKNOWN_SHAPE),
        ({"name": "write_file", "rawInput": {"path": "a"}}, Doubt.UNKNOWN_SHAPE),
        ({"name": "write_file", "rawInput": {"path": "a", "content": ["x"]}}, Doubt.UNKNOWN_SHAPE),
        ({"name": "fetch_content", "rawInput": {"url": "x", "output": 5}}, Doubt.UNKNOWN_SHAPE),
        ({"name": "x", "rawInput": {"path": "a"}, "locations": [{"path": "b"}]}, Doubt.PATHS_DISAGREE),
        ({"name": "x", "rawInput": {"command": "x" * 65537}}, Doubt.TOO_LONG),
        ({"name": "x", "rawInput": {"command": ["x" * 40_000, "x" * 40_000]}}, Doubt.TOO_LONG),
        ({"name": "x", "rawInput": {str(n): n for n in range(21)}}, Doubt.TOO_LARGE),
        ({"name": "x", "rawInput": {"a": [[[[[[[[1]]]]]]]]}}, Doubt.TOO_LARGE),
        ({"name": "bash", "rawInput": LS, "status": "completed"}, Doubt.AFTER_THE_FACT),
        ({"name": "bash", "rawInput": LS, "status": "failed"}, Doubt.AFTER_THE_FACT),
    ],
)
def test_a_call_that_cannot_be_taken_at_its_word(call: dict[str, Any], doubt: Doubt) -> None:
    assert doubts(**call) == {doubt}


@pytest.mark.parametrize(
    "call",
    [
        {"name": "bash", "kind": "execute", "rawInput": LS, "status": "pending"},
        {"name": "bash", "rawInput": {"command": ["sh", "-c", "ls"]}},
        {"kind": "execute", "rawInput": LS},
        {"name": "fetch_content", "kind": "fetch", "rawInput": {"url": "x", "output": "y"}},
        {"name": "x", "content": [{"type": "content", "content": {"type": "text", "text": "ls"}}]},
        {"name": "x", "kind": "other", "content": [{"type": "diff", "path": "a", "newText": "x"}]},
        {"name": "x", "rawInput": {"path": "a/../b"}, "locations": [{"path": f"{FOLDER}/b"}]},
        {"name": "x", "rawInput": {"command": "x" * 65536}},
        {"name": "x", "rawInput": {str(n): n for n in range(20)}},
        {"name": "x", "rawInput": {"a": [[[[[[1]]]]]]}},
        {"name": "bash", "title": "read_file: harmless", "rawInput": LS},
    ],
)
def test_a_call_without_a_doubt(call: dict[str, Any]) -> None:
    assert doubts(**call) == set()


def test_two_names_of_one_call_disagree() -> None:
    assert doubts(known={"name": "read_file"}, name="bash", rawInput=LS) == {Doubt.NAMES_DISAGREE}


def test_the_shapes_of_our_tools_are_not_those_of_a_foreign_agent() -> None:
    assert doubts(GEM, name="bash", rawInput=LS | {"timeout": 5}) == set()


@pytest.mark.parametrize("hidden", ["a\0b", "a\x7fb", "a\ud800b"])
@pytest.mark.parametrize(
    "call",
    [
        lambda text: {"rawInput": {"command": text}},
        lambda text: {"rawInput": {"command": ["ls", text]}},
        lambda text: {"rawInput": {"file_path": text}},
        lambda text: {"locations": [{"path": text}]},
        lambda text: {"content": [{"type": "diff", "path": text, "newText": ""}]},
    ],
)
def test_a_command_or_path_that_cannot_run_as_shown(hidden: str, call: Any) -> None:
    assert request(name="x", **call(hidden)).call.unrunnable is Unrunnable.HIDDEN_CHARACTERS


def test_files_beside_the_arguments_go_with_the_call() -> None:
    diff = {"type": "diff", "path": "b", "newText": ""}
    call = request(
        name="x", rawInput={"path": "a"}, content=[diff], locations=[{"path": "c"}, {"path": "b"}]
    ).call
    assert call.beside == ("b", "c")


def test_a_path_that_no_system_can_open_is_refused_without_a_question() -> None:
    assert request(name="x", rawInput={"path": "a" * 5000}).call.unrunnable is Unrunnable.PATH_TOO_LONG


def test_what_is_shown_comes_from_the_name_then_from_the_kind() -> None:
    diff = {"type": "diff", "path": "a", "oldText": "x", "newText": "y"}
    written = request(name="write_file", rawInput={"path": "a", "content": "x"}).call
    assert written.detail == Change("a", f"{FOLDER}/a", None, "x")
    edited = request(kind="edit", rawInput={"file_path": "a"}, content=[diff]).call
    assert edited.detail == Change("a", f"{FOLDER}/a", "x", "y")


@pytest.mark.parametrize(
    ("name", "found"), [("bash", "bash"), ("", ""), (5, ""), (["bash"], ""), (None, None)]
)
def test_a_name_that_is_no_text_is_there_and_invalid(name: object, found: str | None) -> None:
    assert name_of({"name": name}) == found


def test_what_is_shown_is_made_from_the_title_only_where_the_profile_says_so() -> None:
    call = {"name": "bash", "kind": "execute", "title": "ls"}
    by_title = replace(GENERIC, title_is_command=True)
    assert said_of(call, GENERIC) == ("bash", Kind.EXECUTE, "")
    assert said_of(call, by_title) == ("bash", Kind.EXECUTE, "ls")
    assert said_of({}, by_title) == (None, None, "")


def test_the_arguments_are_kept_as_they_came() -> None:
    assert request(name="bash", rawInput={"command": "ls", "b": [1.5, None]}).call.arguments == (
        '{"command": "ls", "b": [1.5, null]}'
    )
    assert request(name="bash").call.arguments == ""


def test_what_an_agent_says_of_its_call_frees_none_of_them() -> None:
    assert request(name="read_file", kind="read", rawInput={"path": "a"}).call.tier is Tier.EXEC


@pytest.mark.parametrize(("title", "kept"), [("List the files", "List the files"), (None, ""), (5, "")])
def test_the_title_is_kept_as_the_agents_own_words(title: object, kept: str) -> None:
    assert request(name="bash", title=title, rawInput=LS).call.title == kept


def test_a_title_may_hold_anything() -> None:
    assert request(name="bash", rawInput=LS, title="a\0\ud800").call.unrunnable is None


def test_without_a_usable_yes_the_call_is_not_even_asked_about() -> None:
    params = {"toolCall": {"toolCallId": "1", "name": "bash", "rawInput": LS}, "options": OPTIONS[1:]}
    assert read_request(params, {}, JAN).call.unrunnable is Unrunnable.NO_USABLE_OPTIONS


# --- requests that are none


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"toolCall": None}, "toolCall"),
        ({"toolCall": []}, "toolCall"),
        ({"toolCall": {}}, "toolCallId"),
        ({"toolCall": {"toolCallId": 7}}, "toolCallId"),
        ({"options": None}, "options"),
        ({"options": {"optionId": "y", "kind": "allow_once"}}, "options"),
        ({"options": ["y"]}, "option"),
        ({"options": [{"optionId": 1, "kind": "allow_once"}]}, "optionId"),
        ({"options": [{"optionId": "y", "kind": None}]}, "kind"),
        ({"_meta": {"mm": {"path": "homer"}}}, "path"),
        ({"_meta": {"mm": {"path": ["no/name"]}}}, "path"),
        ({"_meta": {"mm": {"path": ["homer"], "folder": 5}}}, "folder"),
    ],
)
def test_a_request_of_another_shape_is_named_by_its_field(change: dict[str, Any], field: str) -> None:
    params: dict[str, Any] = {"toolCall": {"toolCallId": "1"}, "options": OPTIONS}
    with pytest.raises(BadRequest, match=field):
        read_request({**params, **change}, {}, JAN)


# --- what our own agent says along


def test_our_agent_speaks_for_the_agents_below_it() -> None:
    meta = {"path": ["homer", "gem"], "foreign": True, "folder": "/elsewhere", "ask": True}
    call = request(meta=meta, name="bash", rawInput=LS | {"timeout": 5}).call
    assert call.path == ("jan", "homer", "gem")
    assert (call.origin, call.folder, call.marked) == (Origin.FOREIGN, "/elsewhere", True)
    assert call.doubts == ()


def test_of_itself_our_agent_cannot_say_that_it_is_foreign_or_works_elsewhere() -> None:
    """That would take the doubt about its arguments away."""
    meta = {"path": [], "foreign": True, "folder": "/elsewhere"}
    call = request(meta=meta, name="bash", rawInput=LS | {"timeout": 5}).call
    assert (call.origin, call.folder) == (Origin.OURS, FOLDER)
    assert call.doubts == (Doubt.UNKNOWN_SHAPE,)


def test_a_path_is_resolved_where_the_agent_below_works() -> None:
    meta = {"path": ["homer"], "folder": "/elsewhere"}
    place = [{"path": "/elsewhere/a"}]
    call = request(meta=meta, name="read_file", rawInput={"path": "a"}, locations=place).call
    assert call.doubts == ()


@pytest.mark.parametrize("ask", ["true", 1, None, {}])
def test_a_mark_is_true_and_nothing_else(ask: object) -> None:
    assert not request(meta={"ask": ask}, name="bash", rawInput=LS).call.marked


@pytest.mark.parametrize("sent", [["too-long", "x_future"], "too-long", {"a": 1}, [None]])
def test_a_doubt_that_comes_along_is_never_lost(sent: object) -> None:
    assert request(meta={"doubts": sent}, name="bash", rawInput=LS).call.doubts


def test_a_doubt_that_comes_along_and_is_known_stays_what_it_is() -> None:
    sent = ["too-long", "x_future", "paths-disagree"]
    call = request(meta={"doubts": sent}, name="bash", rawInput=LS).call
    assert call.doubts == (Doubt.TOO_LONG, Doubt.UNKNOWN_SHAPE, Doubt.PATHS_DISAGREE)


def test_what_a_foreign_agent_says_along_is_ignored() -> None:
    meta = {"path": ["jan"], "foreign": False, "folder": "/", "ask": True, "doubts": ["too-long"]}
    plain = request(GEM, name="bash", rawInput=LS)
    assert request(GEM, meta=meta, name="bash", rawInput=LS) == plain


def test_what_our_agent_says_along_takes_no_doubt_and_no_mark_away() -> None:
    calls: list[dict[str, Any]] = [
        {"name": "bash"},
        {"rawInput": LS},
        {"name": "bash", "rawInput": LS, "status": "failed"},
    ]
    for call in calls:
        plain = request(**call).call
        said = request(meta={"doubts": [], "ask": False, "foreign": True}, **call).call
        assert said == replace(plain, path=said.path)


# --- MCP tools of our own agents


DELETE = "mcp__files__delete"


def test_the_server_that_our_agent_names_is_part_of_the_key() -> None:
    call = request(meta={"server": "files"}, name=DELETE, kind="other", rawInput={"path": "x"}).call
    assert call.key == Key(("jan",), "delete", server="files")
    assert str(call.key) == "jan/mcp__files__delete"
    assert call.doubts == ()


def test_without_a_server_the_name_is_one_opaque_text() -> None:
    call = request(name=DELETE, kind="other", rawInput={"path": "x"}).call
    assert call.key == Key(("jan",), DELETE)


@pytest.mark.parametrize("server", ["other", "file", "files__delete", "Files", "files\n", 7, None, [], {}])
def test_a_server_that_does_not_fit_is_a_doubt(server: Any) -> None:
    call = request(meta={"server": server}, name=DELETE, kind="other", rawInput={"path": "x"}).call
    assert call.key == Key(("jan",), DELETE)
    assert call.doubts == (Doubt.NAMES_DISAGREE,)


def test_a_server_of_a_foreign_agent_is_ignored_also_below_ours() -> None:
    call: dict[str, Any] = {"name": DELETE, "kind": "other", "rawInput": {"path": "x"}}
    assert request(GEM, meta={"server": "files"}, **call).call.key == Key(("gem",), DELETE)
    below = {"server": "files", "path": ["gem"], "foreign": True}
    assert request(meta=below, **call).call.key == Key(("jan", "gem"), DELETE)
    ours = {"server": "files", "path": ["homer"]}
    assert request(meta=ours, **call).call.key == Key(("jan", "homer"), "delete", server="files")
