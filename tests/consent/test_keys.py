"""Keys tell calls apart, whatever names other processes choose; patterns are four forms and no more."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consent.answer import Answer
from consent.call import Command, Origin, Tier, ToolCall
from consent.gate import Decision, Question, check
from consent.key import Key, Kind, Sort, key_of
from consent.matching import (
    Effect,
    Pattern,
    Reach,
    Rule,
    kind_disagrees,
    narrows,
    never_matches,
    parse_pattern,
    submitted,
    widens,
)
from consent.policy import Policy
from consent.setting import Mode, Setting

JAN = ToolCall(("jan",), Origin.OURS, "bash", Kind.EXECUTE, Tier.EXEC, "{}", Command("ls"), "/")
ENTRY = st.from_regex(r"[a-z][a-z0-9_-]{0,5}", fullmatch=True)
PATHS = st.lists(ENTRY, max_size=3).map(tuple)
NAMES = st.one_of(
    st.none(), st.from_regex(r"[A-Za-z][A-Za-z0-9_.-]{0,8}", fullmatch=True), st.text(max_size=8)
)
PARTS = st.tuples(PATHS, NAMES, st.one_of(st.none(), st.sampled_from(Kind)))


Parts = tuple[tuple[str, ...], str | None, Kind | None]


def said(parts: Parts) -> object:
    """What a key must keep apart: the agent, and its clear name, else its kind, else nothing."""
    path, name, kind = parts
    key = key_of(path, name, kind)
    return path, key.sort, name if key.sort is Sort.NAME else kind if key.sort is Sort.KIND else None


@given(PARTS, PARTS)
def test_two_calls_have_one_key_exactly_when_they_say_the_same(one: Parts, other: Parts) -> None:
    same = key_of(*one) == key_of(*other)
    assert same == (said(one) == said(other))


@given(PARTS, PARTS)
def test_two_keys_read_alike_only_when_they_are_the_same(one: Parts, other: Parts) -> None:
    first, second = key_of(*one), key_of(*other)
    assert (str(first) == str(second)) == (first == second)


def test_keys_read_as_the_interface_says() -> None:
    assert str(Key((), "bash")) == "bash"
    assert str(key_of(("jan", "homer"), "bash", None)) == "jan/homer/bash"
    assert str(key_of(("jan",), None, Kind.EXECUTE)) == "jan/(execute)"
    assert str(key_of(("jan",), "jan/bash", Kind.EXECUTE)) == "jan/(unclear)"
    assert str(key_of(("jan",), None, Kind.SWITCH_MODE)) == "jan/(unclear)"
    assert str(key_of(("jan",), "delete", None, server="files")) == "jan/mcp__files__delete"


def test_a_tool_named_like_a_kind_has_a_key_of_its_own() -> None:
    assert key_of(("jan",), "execute", Kind.EXECUTE) != key_of(("jan",), None, Kind.EXECUTE)


@pytest.mark.parametrize(
    "text", ["", "/", "jan/", "/bash", "jan//bash", "*/bash", "jan/b*", "jan/***", "ja*/bash"]
)
def test_nothing_but_the_four_forms_is_a_pattern(text: str) -> None:
    with pytest.raises(ValueError):
        parse_pattern(text)


@pytest.mark.parametrize("text", ["bash", "jan/bash", "jan/homer/bash", "jan/*", "jan/homer/**", "*", "**"])
def test_a_pattern_reads_back_as_it_was_written(text: str) -> None:
    assert str(parse_pattern(text)) == text


def test_an_asked_agent_sees_a_rule_from_its_own_place() -> None:
    assert parse_pattern("bash").under("jan") == Pattern((), "bash", Reach.TOOL)
    assert parse_pattern("jan/bash").under("jan") == Pattern((), "bash", Reach.TOOL)
    assert parse_pattern("jan/homer/bash").under("jan") == Pattern(("homer",), "bash", Reach.TOOL)
    assert parse_pattern("jan/homer/*").under("jan") == Pattern(("homer",), "", Reach.AGENT)
    assert parse_pattern("jan/*").under("jan") == Pattern((), "", Reach.AGENT)
    assert parse_pattern("jan/**").under("jan") == Pattern((), "", Reach.BELOW)
    assert parse_pattern("homer/bash").under("jan") is None


def test_an_asked_agent_is_told_of_the_rules_that_narrow_it_once_each() -> None:
    texts = {"bash": Effect.DENY, "jan/bash": Effect.PROMPT, "jan/*": Effect.DENY, "homer/lsp": Effect.DENY}
    rules = [Rule(parse_pattern(text), effect) for text, effect in texts.items()]
    rules.append(Rule(parse_pattern("jan/read_file"), Effect.ALLOW))
    assert submitted(rules, "jan") == ("bash", "*")


def test_one_key_holds_one_answer_the_latest() -> None:
    key = Key(("jan",), "bash")
    policy = Policy().remember(key, Answer.ALLOW_SESSION).remember(key, Answer.NEVER)
    assert policy.remembered == ((key, Answer.NEVER),)
    assert policy.remember(key, Answer.ALLOW_ONCE) == policy


def test_handing_over_frees_something_only_where_the_asked_agent_runs_free_and_its_asker_does_not() -> None:
    asking = Setting(mode=Mode.ALWAYS_ASK, entries={"homer": True, "jan": False})
    assert asking.frees(("homer",))
    assert not asking.frees(("jan",))
    assert not asking.frees(("marge",))
    assert not asking.frees(("homer", "marge"))
    assert not Setting(mode=Mode.YOLO).frees(("marge",))
    assert not Setting(mode=Mode.ALWAYS_ASK, entries={"homer": True}, floor=True).frees(("homer",))


def test_the_free_setting_of_a_conversation_takes_the_rules_of_an_asking_agent_along() -> None:
    rule = Rule(parse_pattern("read_file"), Effect.PROMPT, inherited=True)
    assert Setting(mode=Mode.YOLO).with_rules((rule,)) == Setting(mode=Mode.YOLO, rules=(rule,))


@pytest.mark.parametrize(("pattern", "covers"), [("jan/*", True), ("jan/**", True), ("homer/*", False)])
def test_a_widening_star_covers_every_tool_of_the_agent_that_it_names(pattern: str, covers: bool) -> None:
    assert widens(parse_pattern(pattern), Key(("jan",), "bash")) is covers


def test_a_named_mcp_tool_is_ruled_by_its_whole_name() -> None:
    key = Key(("jan",), "delete", server="files")
    assert widens(parse_pattern("jan/mcp__files__delete"), key)
    assert not widens(parse_pattern("jan/delete"), key)


@pytest.mark.parametrize("kind", [Kind.EXECUTE, Kind.OTHER, None])
def test_an_allow_for_a_tool_that_is_named_like_a_kind_covers_no_call_without_a_name(
    kind: Kind | None,
) -> None:
    key = key_of(("jan",), None, kind)
    assert not widens(parse_pattern(f"jan/{key.tool}"), key)
    assert widens(parse_pattern(f"jan/{key.tool}"), key_of(("jan",), key.tool, kind))


def test_a_kind_disagrees_only_with_a_known_tool() -> None:
    assert kind_disagrees("read_file", Kind.EXECUTE)
    assert not kind_disagrees("bash", Kind.EXECUTE)
    assert not kind_disagrees("bash", None)
    assert not kind_disagrees("shell", Kind.READ)
    assert not kind_disagrees(None, Kind.READ)


def test_a_tool_of_a_server_is_no_built_in_tool_whatever_it_is_called() -> None:
    """What a rule means must not hang on whether a server stands beside the name or in it."""
    opaque = replace(JAN, name="mcp__files__bash")
    named = replace(JAN, name="bash", server="files")
    assert opaque.full_name == named.full_name
    for text in ("bash", "jan/bash", "write_file", "jan/mcp__files__bash", "jan/*"):
        for kind in Kind:
            pattern = parse_pattern(text)
            assert narrows(pattern, replace(named, kind=kind)) is narrows(pattern, replace(opaque, kind=kind))
    for never in (Key(("jan",), "execute", Sort.KIND), Key(("jan",), "bash")):
        assert never_matches(never, named) is never_matches(never, opaque)


def test_mode_write_frees_no_tool_of_a_server_that_is_called_as_a_built_in_one() -> None:
    """Decided beyond the seeds, 4."""
    own = replace(
        JAN, path=(), origin=Origin.OWN, name="write_file", kind=Kind.EDIT, tier=Tier.WRITE, fenced=True
    )
    writes = Setting(mode=Mode.WRITE, somebody=True)
    assert isinstance(check(own, writes, Policy()), Decision)
    assert isinstance(check(replace(own, server="files"), writes, Policy()), Question)
