"""Invariant 3: what another process says of itself may add a question, and never removes one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from consent.answer import Answer
from consent.call import Doubt, Origin, ToolCall
from consent.gate import Decision, check
from consent.key import Key, Sort
from consent.matching import Effect, Rule, parse_pattern
from consent.policy import Policy
from consent.setting import Mode, Setting
from orchestrator.acp.permission import Asking, read_request

FREEDOM = ("refuse", "ask_once", "ask", "allow")
OPTIONS = [
    {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
    {"optionId": "no", "name": "No", "kind": "reject_once"},
]
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=6)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)
RULED = ("bash", "jan/bash", "jan/*", "jan/shell", "write_file", "jan/mcp__files__bash")
CLAIMS = st.fixed_dictionaries(
    {},
    optional={
        "ask": st.sampled_from([True, False, None, 1, "no"]),
        "doubts": st.one_of(st.lists(st.text(max_size=8), max_size=2), JSON),
        "foreign": st.sampled_from([True, False, None, "no"]),
        "server": st.one_of(st.sampled_from(["files", "bash", "files__x", "", None]), JSON),
        "approved": JSON,
        "yolo": JSON,
        "allow": JSON,
    },
)
BELOW = st.fixed_dictionaries(
    {"path": st.just(["homer"])}, optional={"folder": st.just("/elsewhere"), "ask": st.just(True)}
)
SETTINGS = st.builds(
    Setting,
    mode=st.sampled_from([Mode.ALWAYS_ASK, Mode.YOLO]),
    entries=st.sampled_from([{}, {"jan": True}, {"jan": False}]),
    rules=st.lists(
        st.builds(
            Rule,
            st.sampled_from(RULED).map(parse_pattern),
            st.sampled_from(Effect),
        ),
        max_size=2,
    ).map(tuple),
    floor=st.booleans(),
    somebody=st.just(True),
)
CALLS = st.fixed_dictionaries(
    {"toolCallId": st.just("1")},
    optional={
        "name": st.sampled_from(
            ["bash", "shell", "Bash", "jan/bash", "", "mcp__files__bash", "mcp__files__files__x"]
        ),
        "kind": st.sampled_from(["execute", "read", "other", "edit"]),
        "rawInput": st.sampled_from([{"command": "ls"}, {"command": "ls", "more": 1}, {}, "ls"]),
    },
)
REMEMBERED = Policy().remember(Key(("jan",), "bash"), Answer.ALLOW_SESSION)


def read(call: dict[str, Any], origin: Origin, **more: Any) -> ToolCall:
    """The call as the Gate sees it, asked by jan."""
    params = {"sessionId": "s", "toolCall": call, "options": OPTIONS, **more}
    return read_request(params, {}, Asking(("jan",), origin, "/w")).call


def freedom(call: ToolCall, setting: Setting) -> int:
    """How far the outcome is toward allow."""
    outcome = check(call, setting, REMEMBERED)
    if isinstance(outcome, Decision):
        return FREEDOM.index("allow" if outcome.allowed else "refuse")
    return FREEDOM.index("ask_once" if outcome.once_only else "ask")


@given(CALLS, CLAIMS, SETTINGS)
def test_what_our_own_agent_claims_beside_a_call_never_removes_a_question(
    call: dict[str, Any], claims: dict[str, Any], setting: Setting
) -> None:
    silent = read(call, Origin.OURS)
    claiming = read(call, Origin.OURS, _meta={"mm": claims})
    assert freedom(claiming, setting) <= freedom(silent, setting)


@given(CALLS, CLAIMS | BELOW | JSON, st.text(max_size=20), JSON)
def test_what_a_foreign_agent_claims_beside_a_call_changes_nothing(
    call: dict[str, Any], meta: Any, title: str, extra: Any
) -> None:
    silent = read(call, Origin.FOREIGN)
    claiming = read(
        {**call, "title": title, "_meta": meta}, Origin.FOREIGN, _meta={"mm": meta}, approved=extra
    )
    assert replace(claiming, title="") == replace(silent, title="")


@given(CALLS, SETTINGS)
def test_an_agent_that_is_not_ours_is_never_freer_than_one_that_is(
    call: dict[str, Any], setting: Setting
) -> None:
    """Rules reach a foreign agent at least as far; only what is known of our tools' arguments differs."""
    ours, foreign = read(call, Origin.OURS), read(call, Origin.FOREIGN)
    if ours.doubts == foreign.doubts:
        assert freedom(foreign, setting) <= freedom(ours, setting)


NAMES = st.one_of(
    st.sampled_from(
        ["bash", "mcp__files__bash", "mcp__files__x__y", "mcp__a__b__c", "mcp__files__", "mcp__files__2x"]
    ),
    st.from_regex(r"mcp__[a-c_]{1,6}__[a-c_]{1,6}", fullmatch=True),
)
SERVERS = st.one_of(
    st.none(), st.sampled_from(["files", "a", "a__b", "files__x"]), st.from_regex(r"[a-c_]{1,6}")
)


def third_party(name: str, server: str | None) -> ToolCall:
    meta = {} if server is None else {"_meta": {"mm": {"server": server}}}
    return read({"toolCallId": "1", "name": name, "kind": "other", "rawInput": {}}, Origin.OURS, **meta)


@given(NAMES, SERVERS, NAMES, SERVERS)
def test_two_keys_of_third_party_tools_never_fall_together(
    name: str, server: str | None, other_name: str, other_server: str | None
) -> None:
    one, other = third_party(name, server), third_party(other_name, other_server)
    same = (one.full_name, one.server) == (other.full_name, other.server)
    assert (one.key == other.key) is same or Sort.UNCLEAR in (one.key.sort, other.key.sort)


@given(NAMES, SERVERS)
def test_a_server_that_does_not_fit_the_name_is_a_doubt_and_no_part_of_the_key(
    name: str, server: str | None
) -> None:
    call = third_party(name, server)
    assert call.full_name == name
    if not call.server:
        assert call.key == third_party(name, None).key
    assert (Doubt.NAMES_DISAGREE in call.doubts) is (not call.server and server is not None)
