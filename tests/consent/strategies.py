"""What hypothesis feeds to the oracle and to the Gate: small alphabets, so that rules, memory and calls meet.

Every strategy speaks the oracle's plain values; it knows nothing of `consent/`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from hypothesis import strategies as st

from tests.consent.oracle import (
    KINDS_OF_BUILT_IN,
    KINDS_THAT_ARE_KEYS,
    UNCLEAR,
    Call,
    Path,
    World,
    key_text,
)

# jan and homer are ours, jan asks homer too; gem is foreign and hides what it asks behind its entry.
CHILDREN: dict[Path, Literal["own", "ours", "foreign"]] = {
    (): "own",
    ("jan",): "ours",
    ("homer",): "ours",
    ("jan", "homer"): "ours",
    ("gem",): "foreign",
}
PATHS = tuple(CHILDREN)
Tier = Literal["read", "write", "exec"]
TIERS: dict[str, tuple[Tier, ...]] = {  # of own calls; a child's may have any
    "bash": ("exec",),
    "Bash": ("exec",),
    "write_file": ("write",),
    "edit_file": ("write",),
    "read_file": ("read",),
    "fetch_content": ("read", "write"),
    "ask_homer": ("read", "exec"),
    "shell": ("exec",),
    "mcp__files__delete": ("write",),
}
TOOLS = tuple(TIERS)
INVALID_NAMES = ("jan/bash", "", "b\u0430sh", "(execute)", "*", "bash\n")  # the third holds a Cyrillic a
KEY_KINDS = tuple(sorted(KINDS_THAT_ARE_KEYS))
KINDS = (None, "switch_mode", *KEY_KINDS)
KEPT_KEYS = (*TOOLS, *(f"({kind})" for kind in KEY_KINDS), UNCLEAR)
PATTERNS = (
    *TOOLS,
    *("/".join((*path, tool)) for path in PATHS if path for tool in (*TOOLS, "*", "**")),
)
EFFECTS: tuple[Literal["allow", "prompt", "deny"], ...] = ("allow", "prompt", "deny")  # each narrower
ANSWERS: tuple[Literal["allow", "never"], ...] = ("allow", "allow", "never")

seldom = st.sampled_from((False,) * 7 + (True,))
TROUBLES = ("doubtful", "critical", "several_yes", "marked", "invalid", "hook_refuses")
troubles = st.sampled_from((None,) * 12 + TROUBLES)


@st.composite
def calls(draw: st.DrawFn) -> Call:
    """A call of any agent, with two troubles at most; what the launched process calls is a tool it has."""
    path = draw(st.sampled_from((*PATHS, (), ())))
    name = draw(st.sampled_from(TOOLS if not path else (*TOOLS, None, None, *INVALID_NAMES)))
    found = {draw(troubles), draw(troubles)}
    return Call(
        path=path,
        child=CHILDREN[path],
        name=name,
        kind=draw(st.sampled_from(KINDS)),
        tier=draw(st.sampled_from(("read", "write", "exec") if path else TIERS[name or ""])),
        doubtful="doubtful" in found,
        critical="critical" in found,
        invalid="invalid" in found,
        several_yes="several_yes" in found,
        marked="marked" in found and CHILDREN[path] != "foreign",
        hook_refuses="hook_refuses" in found,
        fence_holds=draw(st.booleans()),
        builtin=not path and name in KINDS_OF_BUILT_IN,
    )


def worlds() -> st.SearchStrategy[World]:
    """A launched file and a conversation; at most one effect a pattern, one answer kept a key."""
    rule = st.tuples(st.sampled_from(PATTERNS), st.sampled_from(EFFECTS))
    kept = st.tuples(st.sampled_from(PATHS), st.sampled_from(KEPT_KEYS), st.sampled_from(ANSWERS))
    return st.builds(
        World,
        mode=st.sampled_from(("always-ask", "write", "yolo")),
        entries=st.fixed_dictionaries(
            {agent: st.sampled_from((None, True, False)) for agent in ("jan", "homer", "gem")}
        ),
        rules=st.lists(rule, max_size=3, unique_by=lambda a_rule: a_rule[0]).map(tuple),
        floor=seldom,
        somebody=st.sampled_from((True, True, True, False)),
        remembered=st.lists(kept, max_size=5, unique_by=lambda an_answer: an_answer[:2]).map(tuple),
    )


def patterns_of(call: Call) -> st.SearchStrategy[str]:
    """The patterns whose allow covers the key of the call exactly."""
    tools = (call.name,) if call.name in TOOLS else ()
    stars = ("*", "**") if call.path else ()
    return st.sampled_from((*tools, *stars)).map(lambda tool: "/".join((*call.path, tool)))


@st.composite
def meetings(draw: st.DrawFn) -> tuple[Call, World]:
    """A call and a world, in half of them with one answer or one rule for the very key of the call."""
    call, world = draw(calls()), draw(worlds())
    kept = {(path, tool): answer for path, tool, answer in world.remembered}
    rules = dict(world.rules)
    meet = draw(st.sampled_from(("nowhere", "nowhere", "in memory", "in the file")))
    if meet == "in memory":
        kept[call.path, key_text(call)] = draw(st.sampled_from(ANSWERS))
    elif meet == "in the file":
        rules[draw(patterns_of(call))] = draw(st.sampled_from(("allow", *EFFECTS)))
    remembered = tuple((path, tool, answer) for (path, tool), answer in kept.items())
    return call, replace(world, rules=tuple(rules.items()), remembered=remembered)


def narrowings(call: Call, world: World) -> Iterator[tuple[str, Call, World]]:
    """Every single step that may only narrow, in words, with the call and the world after it.

    The tier stays: the rules speak of a call of given tier.
    """
    yield from ((words, narrower, world) for words, narrower in of_the_call(call))
    yield from ((words, call, narrower) for words, narrower in of_the_start(world))
    yield from ((words, call, narrower) for words, narrower in of_the_rules(world))
    yield from ((words, call, narrower) for words, narrower in of_the_memory(world))


def of_the_call(call: Call) -> Iterator[tuple[str, Call]]:
    yield "marked ask", replace(call, marked=True)
    yield "refused by a hook", replace(call, hook_refuses=True)
    yield "doubtful", replace(call, doubtful=True)
    yield "critical", replace(call, critical=True)
    yield "several yes", replace(call, several_yes=True)
    yield "cannot run as shown", replace(call, invalid=True)
    yield "outside the fence", replace(call, fence_holds=False)


def of_the_start(world: World) -> Iterator[tuple[str, World]]:
    yield "floor", replace(world, floor=True)
    yield "nobody", replace(world, somebody=False)
    yield "mode always-ask", replace(world, mode="always-ask")
    if world.mode == "yolo":
        yield "mode write", replace(world, mode="write")
    for agent in world.entries:
        yield f"{agent} yolo: false", replace(world, entries={**world.entries, agent: False})


def of_the_rules(world: World) -> Iterator[tuple[str, World]]:
    for pattern in PATTERNS:
        present = dict(world.rules).get(pattern, "allow")
        for effect in EFFECTS[EFFECTS.index(present) + 1 :]:
            rules = {**dict(world.rules), pattern: effect}
            yield f"{pattern}: {effect}", replace(world, rules=tuple(rules.items()))
    for rule in world.rules:
        if rule[1] == "allow":
            without = tuple(other for other in world.rules if other != rule)
            yield f"without {rule[0]}: allow", replace(world, rules=without)


def of_the_memory(world: World) -> Iterator[tuple[str, World]]:
    for path in PATHS:
        for tool in KEPT_KEYS:
            others = tuple(kept for kept in world.remembered if kept[:2] != (path, tool))
            never = replace(world, remembered=(*others, (path, tool, "never")))
            yield f"never {'/'.join((*path, tool))}", never
    for kept in world.remembered:
        if kept[2] == "allow":
            without = tuple(other for other in world.remembered if other != kept)
            yield f"revoked {kept[:2]}", replace(world, remembered=without)
