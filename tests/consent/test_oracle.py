"""The oracle against the sentences of the rules, against the corpus, and against the invariants."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.consent.oracle import Call, Decision, Verdict, World, decide, hand_over_tier, key_text, parse
from tests.consent.strategies import INVALID_NAMES, calls, meetings, narrowings, worlds
from tests.corpus.permission_frames import Case, expand, permission_cases

ENTRIES = {"jan": None, "homer": True, "gem": None}
PROTECTED = World(entries=ENTRIES)
FREE = World(entries=ENTRIES, mode="yolo")
FENCED = World(entries=ENTRIES, mode="write")

OWN = Call(kind="execute", builtin=True)
OWN_WRITE = Call(name="write_file", kind="edit", tier="write", builtin=True, fence_holds=True)
OWN_READ = Call(name="read_file", kind="read", tier="read", builtin=True)
JAN = Call(("jan",), "ours", "bash", "execute")
JANS_HOMER = replace(JAN, path=("jan", "homer"))
HOMER = replace(JAN, path=("homer",))
GEM = Call(("gem",), "foreign", "shell", "execute")
NAMELESS = replace(JAN, name=None)  # jan/(execute)
UNCLEAR = replace(JAN, name=None, kind=None)  # jan/(unclear)
MCP = Call(name="mcp__files__delete", tier="write")

DENY, PROMPT = "deny", "prompt"


def ruled(world: World, **patterns: Any) -> World:
    """The world with rules; `__` stands for `/`, and `all` for `*`."""
    rules = tuple((name.replace("__", "/").replace("all", "*"), what) for name, what in patterns.items())
    return replace(world, rules=rules)


def kept(world: World, call: Call, answer: Any) -> World:
    return replace(world, remembered=((call.path, key_text(call), answer),))


ORDER: dict[str, tuple[Call, World, Verdict]] = {
    "0 cannot run as shown": (replace(OWN, invalid=True), FREE, Verdict("refuse", 0, "invalid")),
    "0 before a hook": (replace(OWN, invalid=True, hook_refuses=True), FREE, Verdict("refuse", 0, "invalid")),
    "1 a hook refuses": (replace(OWN, hook_refuses=True), FREE, Verdict("refuse", 1, "hook")),
    "1 before a deny": (
        replace(OWN, hook_refuses=True),
        ruled(FREE, bash=DENY),
        Verdict("refuse", 1, "hook"),
    ),
    "2 a deny, in every mode": (OWN, ruled(FREE, bash=DENY), Verdict("refuse", 2, "policy")),
    "2 before never": (
        OWN,
        kept(ruled(FREE, bash=DENY), OWN, "never"),
        Verdict("refuse", 2, "policy"),
    ),
    "3 never, also when yolo is on": (OWN, kept(FREE, OWN, "never"), Verdict("refuse", 3, "memory")),
    "4 kind switch_mode": (replace(JAN, kind="switch_mode"), FREE, Verdict("ask_once", 4)),
    "4 several yes": (replace(JAN, several_yes=True), FREE, Verdict("ask_once", 4)),
    "4 several yes before a prompt": (
        replace(JAN, several_yes=True),
        ruled(FREE, bash=PROMPT),
        Verdict("ask_once", 4),
    ),
    "4 nameless, and a deny could mean it": (UNCLEAR, ruled(FREE, bash=DENY), Verdict("ask_once", 4)),
    "5 a prompt, also when yolo is on": (OWN, ruled(FREE, bash=PROMPT), Verdict("ask", 5)),
    "5 a mark, also when yolo is on": (replace(MCP, marked=True), FREE, Verdict("ask", 5)),
    "5 once only if doubtful": (
        replace(MCP, marked=True, doubtful=True),
        FREE,
        Verdict("ask_once", 5),
    ),
    "5 once only if critical": (
        replace(OWN, critical=True),
        ruled(FREE, bash=PROMPT),
        Verdict("ask_once", 5),
    ),
    "6 yolo": (OWN, FREE, Verdict("allow", 6, "yolo")),
    "6 before doubts": (replace(JAN, doubtful=True, critical=True), FREE, Verdict("allow", 6, "yolo")),
    "7 doubtful": (replace(JAN, doubtful=True), PROTECTED, Verdict("ask_once", 7)),
    "7 critical, before an allow": (
        replace(OWN, critical=True),
        ruled(PROTECTED, bash="allow"),
        Verdict("ask_once", 7),
    ),
    "7 critical, before read": (replace(OWN_READ, critical=True), PROTECTED, Verdict("ask_once", 7)),
    "8 own read": (OWN_READ, PROTECTED, Verdict("allow", 8, "read")),
    "8 not the read of jan": (replace(OWN_READ, path=("jan",), child="ours"), PROTECTED, Verdict("ask", 11)),
    "8 not a call of no agent that a child sent": (
        replace(OWN_READ, child="ours"),
        PROTECTED,
        Verdict("ask", 11),
    ),
    "9 an allow": (OWN, ruled(PROTECTED, bash="allow"), Verdict("allow", 9, "policy")),
    "10 mode write": (OWN_WRITE, FENCED, Verdict("allow", 10, "mode")),
    "10 not outside the fence": (replace(OWN_WRITE, fence_holds=False), FENCED, Verdict("ask", 11)),
    "10 not for exec": (replace(OWN, fence_holds=True), FENCED, Verdict("ask", 11)),
    "10 not for MCP": (replace(MCP, fence_holds=True), FENCED, Verdict("ask", 11)),
    "10 not for asked agents": (
        replace(OWN_WRITE, path=("jan",), child="ours"),
        FENCED,
        Verdict("ask", 11),
    ),
    "11 otherwise ask": (OWN, PROTECTED, Verdict("ask", 11)),
    "12 allowed for the session": (JAN, kept(PROTECTED, JAN, "allow"), Verdict("allow", 12, "memory")),
    "12 answers a prompt too": (
        JAN,
        kept(ruled(FREE, bash=PROMPT), JAN, "allow"),
        Verdict("allow", 12, "memory"),
    ),
    "12 never once-only": (
        replace(JAN, doubtful=True),
        kept(PROTECTED, JAN, "allow"),
        Verdict("ask_once", 7),
    ),
    "13 nobody can answer": (OWN, replace(PROTECTED, somebody=False), Verdict("refuse", 13, "nobody")),
    "13 nobody for once-only": (
        replace(OWN, doubtful=True),
        replace(PROTECTED, somebody=False),
        Verdict("refuse", 13, "nobody"),
    ),
    "13 after memory": (
        JAN,
        replace(kept(PROTECTED, JAN, "allow"), somebody=False),
        Verdict("allow", 12, "memory"),
    ),
}


@pytest.mark.parametrize("sentence", ORDER)
def test_the_order(sentence: str) -> None:
    call, world, verdict = ORDER[sentence]
    assert decide(call, world) == verdict


def test_every_line_of_the_order_is_tried() -> None:
    assert {int(sentence.split()[0]) for sentence in ORDER} == set(range(14))
    assert {verdict.line for _, _, verdict in ORDER.values()} == set(range(14))


# The line under a free launch tells how a deny fits: 2 it means the call, 4 it might, 6 it does not.
MATCHING: dict[str, tuple[str, Call, int]] = {
    "the name": ("jan/bash", JAN, 2),
    "names that differ only in letter case": ("jan/bash", replace(JAN, name="BASH"), 2),
    "letter case of the rule": ("jan/Bash", JAN, 2),
    "jan's (execute)": ("jan/bash", NAMELESS, 2),
    "jan's (other) may be any": ("jan/bash", replace(NAMELESS, kind="other"), 2),
    "not jan's (read)": ("jan/bash", replace(NAMELESS, kind="read"), 6),
    "a rule for no built-in might mean (execute)": ("jan/shell", NAMELESS, 4),
    "of the whole tree too": ("shell", NAMELESS, 4),
    "a tool outside the table counts as no built-in": ("ask_homer", NAMELESS, 4),
    "not of another agent": ("homer/shell", NAMELESS, 6),
    "unnamed": ("jan/bash", UNCLEAR, 4),
    "invalidly named": ("jan/bash", replace(JAN, name="jan/bash"), 4),
    "invalidly named with another kind": ("jan/bash", replace(JAN, name="", kind="read"), 4),
    "invalidly named by a foreign child": ("gem/bash", replace(GEM, name=""), 4),
    "unnamed, by the star": ("jan/*", UNCLEAR, 2),
    "unnamed, by two stars": ("jan/**", UNCLEAR, 2),
    "a kind that nobody knows says nothing": ("jan/bash", replace(NAMELESS, kind="EXECUTE"), 4),
    "no agent: the whole tree": ("bash", JANS_HOMER, 2),
    "path/tool is exactly that agent": ("jan/bash", JANS_HOMER, 6),
    "path/* is exactly that agent": ("jan/*", JANS_HOMER, 6),
    "path/** is also the agents below": ("jan/**", JANS_HOMER, 2),
    "a longer path": ("jan/homer/bash", JANS_HOMER, 2),
    "homer of jan is not homer": ("homer/bash", JANS_HOMER, 6),
    "a name whose kind disagrees may be a tool of that kind": ("bash", replace(JAN, name="read_file"), 2),
    "or its own": ("read_file", replace(JAN, name="read_file"), 2),
    "of kind other any": ("fetch_content", replace(JAN, kind="other"), 2),
    "of kind other any, whatever the letters": ("write_file", replace(JAN, name="Bash", kind="other"), 2),
    "but where they agree its own only": ("edit_file", OWN_WRITE, 6),
    "ours, no built-in, of the kind": ("write_file", replace(MCP, kind="delete"), 2),
    "ours, no built-in, kind other": ("write_file", replace(MCP, kind="other"), 6),
    "ours, no built-in, no kind": ("write_file", MCP, 6),
    "foreign, of the kind": ("gem/bash", GEM, 2),
    "foreign, of the kind, by a rule for the tree": ("bash", GEM, 2),
    "foreign, kind other": ("gem/bash", replace(GEM, kind="other"), 2),
    "foreign, no kind": ("gem/bash", replace(GEM, kind=None), 2),
    "foreign, another kind": ("gem/bash", replace(GEM, kind="read"), 6),
    "foreign, another kind, by name": ("gem/bash", replace(GEM, name="Bash", kind="read"), 2),
    "foreign, named as another built-in": ("gem/edit_file", replace(GEM, name="write_file", kind="edit"), 2),
    "foreign, a rule for its own tool": ("gem/Shell", GEM, 2),
    "foreign, a rule for another tool of its own": ("gem/run", replace(GEM, kind="other"), 6),
}


@pytest.mark.parametrize("sentence", MATCHING)
def test_a_narrowing_rule_matches_every_call_that_it_might_mean(sentence: str) -> None:
    pattern, call, line = MATCHING[sentence]
    assert decide(call, replace(FREE, rules=((pattern, "deny"),))).line == line
    prompted = {2: Verdict("ask", 5), 4: Verdict("ask_once", 4), 6: Verdict("allow", 6, "yolo")}[line]
    if line == 2 and key_text(call) == "(unclear)":
        prompted = Verdict("ask_once", 5)
    assert decide(call, replace(FREE, rules=((pattern, "prompt"),))) == prompted


# The same scale for what was kept as "never": 3 it means the call, 4 it might, 6 it does not.
NEVER: dict[str, tuple[tuple[str, ...], str, Call, int]] = {
    "stays with its agent": ((), "bash", JAN, 6),
    "nor goes below": (("jan",), "bash", JANS_HOMER, 6),
    "is wide": (("jan",), "bash", NAMELESS, 3),
    "is wide for letter case": (("jan",), "Bash", JAN, 3),
    "is wide for foreign kinds": (("gem",), "Bash", GEM, 3),
    "of an own tool might mean a nameless call": (("jan",), "shell", NAMELESS, 4),
    "(unclear) is every unclear call": (("jan",), "(unclear)", replace(JAN, name=""), 3),
    "(unclear) might be a call known by kind": (("jan",), "(unclear)", NAMELESS, 4),
    "(unclear) is no named call": (("jan",), "(unclear)", JAN, 6),
    "any other might be an unclear call": (("jan",), "(execute)", UNCLEAR, 4),
    "(execute) is its key": (("jan",), "(execute)", NAMELESS, 3),
    "(execute) is a named call of the kind": (("gem",), "(execute)", GEM, 3),
    "(execute) is bash without a kind": (("jan",), "(execute)", replace(JAN, kind=None), 3),
    "(execute) is (other), which may be any": (("jan",), "(execute)", replace(NAMELESS, kind="other"), 3),
    "(execute) is a foreign call without a kind": (("gem",), "(execute)", replace(GEM, kind=None), 3),
    "(execute) is not (read)": (("jan",), "(execute)", replace(NAMELESS, kind="read"), 6),
    "(execute) is not read_file": (("jan",), "(execute)", Call(("jan",), "ours", "read_file", "read"), 6),
    "(other) might be a nameless call": (("jan",), "(other)", NAMELESS, 4),
    "(other) is no named call of another kind": (("jan",), "(other)", JAN, 6),
}


@pytest.mark.parametrize("sentence", NEVER)
def test_never(sentence: str) -> None:
    path, tool, call, line = NEVER[sentence]
    assert decide(call, replace(FREE, remembered=((path, tool, "never"),))).line == line


ALLOWING: dict[str, tuple[str, Call, bool]] = {
    "an own tool": ("bash", OWN, True),
    "own calls only": ("bash", JAN, False),
    "case-sensitive": ("bash", replace(OWN, name="Bash"), False),
    "an agent's tool": ("jan/bash", JAN, True),
    "not by kind": ("jan/bash", NAMELESS, False),
    "a tool named execute is not (execute)": ("jan/execute", NAMELESS, False),
    "every tool of jan": ("jan/*", NAMELESS, True),
    "of exactly jan": ("jan/*", JANS_HOMER, False),
    "also below": ("jan/**", JANS_HOMER, True),
    "not an unclear call": ("jan/**", UNCLEAR, False),
}


@pytest.mark.parametrize("sentence", ALLOWING)
def test_an_allow_matches_the_exact_key(sentence: str) -> None:
    pattern, call, allowed = ALLOWING[sentence]
    verdict = decide(call, replace(PROTECTED, rules=((pattern, "allow"),)))
    assert (verdict == Verdict("allow", 9, "policy")) is allowed
    assert allowed or verdict.decision in ("ask", "ask_once")


def test_a_session_allow_matches_the_exact_key() -> None:
    assert decide(NAMELESS, kept(PROTECTED, NAMELESS, "allow")).decision == "allow"
    for other in (OWN, HOMER, JANS_HOMER, replace(JAN, name="Bash"), NAMELESS):
        assert decide(other, kept(PROTECTED, JAN, "allow")) != Verdict("allow", 12, "memory")
    assert decide(UNCLEAR, kept(PROTECTED, UNCLEAR, "allow")).decision == "ask_once"


def test_deny_then_prompt_then_allow() -> None:
    assert decide(JAN, ruled(FREE, jan__all="allow", jan__bash=PROMPT, bash=DENY)).line == 2
    assert decide(JAN, ruled(PROTECTED, jan__bash="allow", jan__all=PROMPT)).line == 5


@pytest.mark.parametrize(
    "text", ["*", "**", "", "/bash", "jan/", "jan//bash", "jan/*/bash", "*/bash", "Jan/bash"]
)
def test_nothing_else_is_a_pattern(text: str) -> None:
    with pytest.raises(ValueError, match="not a pattern"):
        parse(text)


@pytest.mark.parametrize("text", ["jan/(execute)", "(unclear)", "bash\n", "b\u0430sh"])
def test_a_key_that_is_no_tool_name_is_no_pattern(text: str) -> None:
    with pytest.raises(ValueError, match="not a pattern"):
        parse(text)


def test_which_yolo_counts() -> None:
    strict_jan = replace(FREE, entries={**ENTRIES, "jan": False})
    assert decide(HOMER, PROTECTED).why == "yolo"
    assert decide(JAN, PROTECTED).decision == decide(JAN, strict_jan).decision == "ask"
    assert decide(JAN, FREE).why == decide(OWN, strict_jan).why == "yolo"
    assert decide(JANS_HOMER, PROTECTED).decision == "ask", "the first element of the path decides"
    assert decide(JANS_HOMER, replace(PROTECTED, entries={"jan": True, "homer": False})).why == "yolo"
    assert decide(replace(HOMER, path=("marge",)), FREE).decision == "ask", "no entry, not free"


@pytest.mark.parametrize("call", [OWN, JAN, HOMER, OWN_WRITE], ids=["own", "jan", "homer", "write"])
def test_under_the_floor_nothing_of_the_file_widens(call: Call) -> None:
    for world in (FREE, FENCED, ruled(PROTECTED, bash="allow", write_file="allow", jan__all="allow")):
        assert decide(call, replace(world, floor=True)) == Verdict("ask", 11)


def test_under_the_floor_the_person_and_own_reads_still_count() -> None:
    assert decide(OWN_READ, replace(FREE, floor=True)).why == "read"
    assert decide(JAN, replace(kept(FREE, JAN, "allow"), floor=True)) == Verdict("allow", 12, "memory")
    assert decide(JAN, replace(ruled(FREE, bash=DENY), floor=True)).line == 2


def test_handing_over_asks_only_if_it_frees_something() -> None:
    assert hand_over_tier("homer", PROTECTED) == hand_over_tier("homer", FENCED) == "exec"
    assert hand_over_tier("homer", FREE) == hand_over_tier("jan", FREE) == "read"
    assert (
        hand_over_tier("jan", PROTECTED) == hand_over_tier("homer", replace(PROTECTED, floor=True)) == "read"
    )


def test_a_floor_lets_the_hand_over_pass_and_asks_for_each_call_instead() -> None:
    def hand_over(world: World) -> Decision:
        return decide(Call(name="ask_homer", tier=hand_over_tier("homer", world)), world).decision

    floor = replace(PROTECTED, floor=True)
    assert (hand_over(PROTECTED), decide(HOMER, PROTECTED).decision) == ("ask", "allow")
    assert (hand_over(floor), decide(HOMER, floor).decision) == ("allow", "ask")


# What `acp/permission` finds in the arguments is no matter of the oracle: the doubts of each frame, by hand.
DOUBTFUL = {
    "key-12": "name and kind disagree",
    "key-13": "name and kind disagree",
    "raw-03": "no arguments",
    "raw-04": "another shape of arguments",
    "raw-07": "unknown fields",
    "raw-16": "longer than a person can read",
    "raw-18": "paths disagree",
    "raw-19": "paths disagree",
}
# key-07: such an entry is an error of the file; rpc-13: a fault of the transport; rpc-21: its frame holds no
# name and the title is no source of one (acp.md, "The tool name of a request"), so its key is jan/(execute).
NOT_OF_THE_RULES = {"key-07", "rpc-13", "rpc-21"}
DECISIONS = {"ask": "ask", "ask_once_only": "ask_once", "refuse": "refuse"}
YOLO_ON = {"allow": "allow", "ask": "ask_once", "refused": "refuse", "cancelled": "refuse"}
OF_THE_RULES = [
    case
    for case in permission_cases()
    if case["expect"]["verdict"] in DECISIONS and case["id"] not in NOT_OF_THE_RULES
]


def read(case: Case) -> Call:
    params = json.loads(expand(case))["params"]
    tool_call, options = params["toolCall"], params["options"]
    yes = [option for option in options if option["kind"] == "allow_once"]
    ids = [option["optionId"] for option in options]
    return Call(
        path=("jan",),
        child="ours",
        name=tool_call.get("name"),
        kind=tool_call.get("kind"),
        doubtful=case["id"] in DOUBTFUL,
        several_yes=len(yes) > 1,
        invalid=not yes or len(ids) > 16 or len(set(ids)) < len(ids) or "" in ids,
    )


@pytest.mark.parametrize("case", OF_THE_RULES, ids=[case["id"] for case in OF_THE_RULES])
def test_the_corpus(case: Case) -> None:
    call, expected = read(case), case["expect"]
    assert decide(call, PROTECTED).decision == DECISIONS[expected["verdict"]]
    assert decide(call, FREE).decision == YOLO_ON[expected["yolo_on"]]
    if expected["verdict"] != "refuse":
        assert key_text(call) == (expected["key"] or ["jan", "(unclear)"])[1]


RANK = {"refuse": 0, "ask_once": 1, "ask": 2, "allow": 3}


@given(meetings())
@settings(max_examples=200, deadline=None)
def test_narrowing_never_widens(meeting: tuple[Call, World]) -> None:
    before = decide(*meeting)
    for step, call, world in narrowings(*meeting):
        after = decide(call, world)
        assert RANK[after.decision] <= RANK[before.decision], (step, before, after)


@given(calls(), worlds(), st.sampled_from(INVALID_NAMES))
@settings(max_examples=200, deadline=None)
def test_an_invalid_name_escapes_no_rule(call: Call, world: World, name: str) -> None:
    if decide(call, world).decision != "allow" and call.child != "own":
        assert decide(replace(call, name=name), world).decision != "allow"


@given(meetings())
@settings(max_examples=200, deadline=None)
def test_memory_never_allows_what_is_asked_once_only(meeting: tuple[Call, World]) -> None:
    call, world = meeting
    silent = replace(world, remembered=tuple(item for item in world.remembered if item[2] == "never"))
    if decide(call, silent).decision == "ask_once":
        assert decide(call, world).decision == "ask_once"


@given(meetings())
@settings(max_examples=200, deadline=None)
def test_nobody_refuses_exactly_what_would_be_asked(meeting: tuple[Call, World]) -> None:
    call, world = meeting
    asked = decide(call, replace(world, somebody=True))
    alone = decide(call, replace(world, somebody=False))
    assert alone == (Verdict("refuse", 13, "nobody") if asked.decision in ("ask", "ask_once") else asked)
