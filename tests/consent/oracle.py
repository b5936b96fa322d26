"""The rules of consent once more, slowly: the oracle that the Gate is tested against.

It follows the page of rules alone, shares nothing with `consent/` and is naive on purpose: no value is
prepared, every question walks over every rule. It knows no ACP, no file, no argument of a call; doubts,
critical calls, hooks and the fence come in as plain yes or no. An MCP tool is its whole name here
(`mcp__files__delete`): a server's name holds no `__`, so nothing is lost.

Where the page leaves a choice the stricter reading is taken:

 1. A call without a name whose kind is a key (`(execute)`) is meant by a rule that names a tool of the table
    of kinds if the kind is among the tool's, or is `other`. Any other narrowing rule that reaches the agent,
    of the whole tree too, only might mean it (line 4); tools outside the table (`lsp`, `ask_homer`) count
    as such others.
 2. `(unclear)` is: named invalidly, whatever the kind, of a foreign child too; or without a name and without
    a kind that is a key. Only `path/*`, `path/**` and a "never" kept under `(unclear)` mean it; each other
    narrowing rule that reaches the agent might. It counts as doubtful even if nobody noted a doubt.
 3. Kinds outside the list of keys (an unknown text) say as little as a missing kind. `switch_mode` is line 4
    whatever the name, and never a key.
 4. A foreign child that gives a name but no kind is treated as kind `other`, ACP's default for a missing
    kind: every rule that names a tool of the table means it.
 5. Narrowing ignores ASCII case also when it asks "is this a built-in?", of the rule's name (a "never" for
    `Bash` counts as one for `bash`) and of the call's (`Bash` of kind `other` may be any built-in).
 6. A "never" kept under `(execute)` means, for that agent: its calls without a name of kind `execute` or
    `other`, its calls of kind `execute` whatever their name, calls named like a tool of that kind, and
    those that reading 4 or 5 lets be any tool. It might mean a call that is `(unclear)`.
 7. A "never" kept under `(unclear)` or `(other)` might mean each nameless call of that agent (line 4),
    besides those it means.
 8. `(execute)` and `(unclear)` are words of memory, not patterns: in a file they match nothing, they are
    errors, as is a bare `*`.
 9. `path/tool` and `path/*` are exactly that agent; only `path/**` also goes below it.
10. An agent that is no entry of the launched file never runs free.
11. A mark counts whoever is said to have sent it: leaving out a foreign child's is the reader's work.
12. "Own" takes both: the empty path and a call that no child sent.
13. The tier of a call is given. `hand_over_tier` computes that of `ask_NAME`, and taking yolo away may lower
    it (exec to read), which is the one way in which narrowing lets a call through; the page says so.
14. Under the floor a session's allow still counts: a person gave it there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Path = tuple[str, ...]
Decision = Literal["allow", "ask", "ask_once", "refuse"]

KINDS_OF_BUILT_IN = {
    "bash": {"execute"},
    "write_file": {"edit", "delete", "move"},
    "edit_file": {"edit", "delete", "move"},
    "read_file": {"read"},
    "fetch_content": {"fetch"},
}
KINDS_THAT_ARE_KEYS = {"execute", "edit", "delete", "move", "fetch", "read", "search", "think", "other"}
TOOL_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,127}")
ENTRY_NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}")
UNCLEAR = "(unclear)"


@dataclass(frozen=True, slots=True)
class Call:
    """One call as it came in; `name` and `kind` are the texts of the wire, valid or not."""

    path: Path = ()
    child: Literal["own", "ours", "foreign"] = "own"
    name: str | None = "bash"
    kind: str | None = None
    tier: Literal["read", "write", "exec"] = "exec"
    doubtful: bool = False
    critical: bool = False
    invalid: bool = False  # cannot run as shown, or no usable options
    several_yes: bool = False  # several options allow_once, and no profile names the plain one
    marked: bool = False  # by the MCP server's `ask`, or sent along by our child
    hook_refuses: bool = False
    fence_holds: bool = False
    builtin: bool = False


@dataclass(frozen=True, slots=True)
class World:
    """The launched file, how it was started, and what the conversation remembers."""

    mode: Literal["always-ask", "write", "yolo"] = "always-ask"
    entries: Mapping[str, bool | None] = field(default_factory=dict)  # yolo of each, None where it has none
    rules: tuple[tuple[str, Literal["allow", "prompt", "deny"]], ...] = ()
    floor: bool = False
    somebody: bool = True  # is there anybody who can answer?
    remembered: tuple[tuple[Path, str, Literal["allow", "never"]], ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome, the line of the order that gave it, and the audit's word for it."""

    decision: Decision
    line: int
    why: str | None = None


def decide(call: Call, world: World) -> Verdict:
    """The whole order, lines 0 to 13."""
    verdict = first_line_that_applies(call, world)
    if verdict.decision == "ask" and (call.path, key_text(call), "allow") in world.remembered:
        return Verdict("allow", 12, "memory")
    if verdict.decision in ("ask", "ask_once") and not world.somebody:
        return Verdict("refuse", 13, "nobody")
    return verdict


def first_line_that_applies(call: Call, world: World) -> Verdict:
    """Lines 0 to 11, each worked out whether it is reached or not."""
    deny, never, prompt = fits("deny", call, world), fits("never", call, world), fits("prompt", call, world)
    unsure = call.doubtful or call.critical or key_text(call) == UNCLEAR
    might = "might" in deny | never | prompt
    lines: tuple[tuple[int, bool, Decision, str | None], ...] = (
        (0, call.invalid, "refuse", "invalid"),
        (1, call.hook_refuses, "refuse", "hook"),
        (2, "means" in deny, "refuse", "policy"),
        (3, "means" in never, "refuse", "memory"),
        (4, call.kind == "switch_mode" or call.several_yes or might, "ask_once", None),
        (5, "means" in prompt or call.marked, "ask_once" if unsure else "ask", None),
        (6, yolo_counts(call.path, world), "allow", "yolo"),
        (7, unsure, "ask_once", None),
        (8, is_own(call) and call.tier == "read", "allow", "read"),
        (9, not world.floor and allowed_by_a_rule(call, world), "allow", "policy"),
        (10, not world.floor and world.mode == "write" and fenced_write(call), "allow", "mode"),
        (11, True, "ask", None),
    )
    return next(Verdict(decision, line, why) for line, applies, decision, why in lines if applies)


def yolo_counts(path: Path, world: World) -> bool:
    """Whether yolo is on for the agent at `path`: by its first entry, else as launched; never on a floor."""
    launched = world.mode == "yolo"
    entry = launched
    if path:
        own = world.entries.get(path[0], False)
        entry = launched if own is None else own
    return entry and not world.floor


def hand_over_tier(agent: str, world: World) -> Literal["read", "exec"]:
    """The tier of the model's own `ask_AGENT`: exec if it frees something, else read."""
    frees = yolo_counts((agent,), world) and not yolo_counts((), world)
    return "exec" if frees else "read"


def is_own(call: Call) -> bool:
    return call.path == () and call.child == "own"


def fenced_write(call: Call) -> bool:
    return is_own(call) and call.builtin and call.tier == "write" and call.fence_holds


def kind_of(call: Call) -> str | None:
    return call.kind if call.kind in KINDS_THAT_ARE_KEYS else None


def key_text(call: Call) -> str:
    """The tool part of the key: a valid name, `(kind)`, or `(unclear)`; brackets keep the sorts apart."""
    if call.name is not None:
        return call.name if TOOL_NAME.fullmatch(call.name) else UNCLEAR
    kind = kind_of(call)
    return f"({kind})" if kind else UNCLEAR


def parse(pattern: str) -> tuple[Path | None, str, bool]:
    """A pattern as (agent path or None, tool or `*`, does it go below); ValueError if it is none."""
    *agents, tool = pattern.split("/")
    star = tool in ("*", "**") and bool(agents)
    if not (star or TOOL_NAME.fullmatch(tool)) or not all(ENTRY_NAME.fullmatch(agent) for agent in agents):
        raise ValueError(f"not a pattern: {pattern!r}")
    return tuple(agents) or None, "*" if star else tool, tool == "**"


def reaches(path: Path, below: bool, call: Call) -> bool:
    return call.path == path or (below and call.path[: len(path)] == path)


def allowed_by_a_rule(call: Call, world: World) -> bool:
    """Line 9: the exact key; without an agent, own calls only."""
    for pattern, effect in world.rules:
        path, tool, below = parse(pattern)
        right_agent = is_own(call) if path is None else reaches(path, below, call)
        if effect == "allow" and right_agent and tool in ("*", key_text(call)):
            return True
    return False


def fits(effect: str, call: Call, world: World) -> set[str]:
    """How the narrowing rules of one effect that reach the call's agent fit it: means, might, no."""
    tools = []
    for pattern, its_effect in world.rules:
        path, tool, below = parse(pattern)
        if its_effect == effect and (path is None or reaches(path, below, call)):
            tools.append(tool)
    for path, tool, kept in world.remembered:
        if kept == effect and path == call.path:
            tools.append(tool)
    return {fit(tool, call) for tool in tools}


def fit(tool: str, call: Call) -> str:
    """Whether a narrowing rule for `tool` means the call, might mean it, or does not (`no`)."""
    key = key_text(call)
    if tool in ("*", key):
        return "means"
    if key == UNCLEAR:
        return "might"
    if call.name is None:
        return fit_by_kind(tool, call)
    return "means" if meant_by_name(tool, call) else "no"


def kinds_meant(tool: str) -> set[str]:
    """The kinds that a narrowing rule stands for: those of a built-in tool, or the one kind of `(kind)`."""
    if tool.startswith("(") and tool != UNCLEAR:
        return {tool.strip("()")}
    return KINDS_OF_BUILT_IN.get(tool.lower(), set())


def fit_by_kind(tool: str, call: Call) -> str:
    """For a call without a name whose kind is its key."""
    kinds = kinds_meant(tool)
    if kinds and (call.kind in kinds or call.kind == "other"):
        return "means"
    return "no" if kinds and kinds != {"other"} else "might"


def meant_by_name(tool: str, call: Call) -> bool:
    """For a call with a valid name: by the name, by kind, and where the two disagree by either."""
    name, kind, kinds = (call.name or "").lower(), kind_of(call), kinds_meant(tool)
    kinds_of_name = KINDS_OF_BUILT_IN.get(name, set())
    if name == tool.lower() or tool in {f"({kind_of_name})" for kind_of_name in kinds_of_name}:
        return True
    if call.child == "foreign":
        return kind in kinds or (bool(kinds) and kind in ("other", None))
    if kinds_of_name and kind == "other":
        return bool(kinds)
    return kind in kinds and kind not in kinds_of_name
