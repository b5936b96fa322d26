"""Patterns of `tools.approval`, and which calls a narrowing rule might mean.

A widening rule matches the exact key. A narrowing rule matches every call that it might mean: for a call
whose name is missing or invalid the match may be uncertain (`MIGHT`), which leads to a question.
Source: consent.md, "Matching".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum
from typing import assert_never

from consent.call import Origin, ToolCall
from consent.key import BUILTIN_KINDS, Key, Kind, Path, Sort

_PATTERN = re.compile(r"(?:[^*/]+/)*(?:\*\*?|[^*/]+)")


class Effect(StrEnum):
    """What a rule of the file does with the calls that it matches; HOOK has a program look at them."""

    DENY = "deny"
    PROMPT = "prompt"
    ALLOW = "allow"
    HOOK = "hook"


class Reach(Enum):
    """How far a pattern reaches: one tool, every tool of one agent, or also of the agents below."""

    TOOL = "tool"
    AGENT = "*"
    BELOW = "**"


class Match(IntEnum):
    """Whether a narrowing rule means a call. Ordered: the strongest match of several counts."""

    NO = 0
    MIGHT = 1
    YES = 2


@dataclass(frozen=True, slots=True)
class Pattern:
    """`tool`, `path/tool`, `path/*` or `path/**`; `tool` is empty unless `reach` is TOOL."""

    path: Path
    tool: str
    reach: Reach

    def __str__(self) -> str:
        return "/".join((*self.path, self.tool if self.reach is Reach.TOOL else self.reach.value))

    def under(self, name: str) -> Pattern | None:
        """This pattern as the agent `name` sees it, None where it cannot mean a call of that agent."""
        if not self.path:
            return None if self.reach is Reach.AGENT else self
        return Pattern(self.path[1:], self.tool, self.reach) if self.path[0] == name else None


def parse_pattern(text: str) -> Pattern:
    """Read a pattern; raises ValueError for anything else than the four forms.

    A bare `*` or `**` is the agent's own view of `jan/*`; the file does not know it, asking agents send it,
    and a hook without a pattern has it.
    """
    found = _PATTERN.fullmatch(text)
    if found is None:
        raise ValueError(text)
    *path, last = text.split("/")
    match last:
        case "*":
            return Pattern(tuple(path), "", Reach.AGENT)
        case "**":
            return Pattern(tuple(path), "", Reach.BELOW)
        case _:
            return Pattern(tuple(path), last, Reach.TOOL)


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of `tools.approval`, or a hook. `where` is its file, line and column, shown with a refusal.

    `inherited` marks a rule that an asking agent sent: it makes this agent submit the call, no more.
    """

    pattern: Pattern
    effect: Effect
    where: str = ""
    inherited: bool = False


def submitted(rules: Iterable[Rule], name: str) -> tuple[str, ...]:
    """The narrowing rules as the agent `name` sees them: it must submit the calls that they are about."""
    narrowing = (rule.pattern.under(name) for rule in rules if rule.effect is not Effect.ALLOW)
    return tuple(dict.fromkeys(str(pattern) for pattern in narrowing if pattern))


def widens(pattern: Pattern, key: Key) -> bool:
    """Whether an `allow` with this pattern covers exactly this key. Without an agent: own calls only."""
    match pattern.reach:
        case Reach.BELOW:
            return key.path[: len(pattern.path)] == pattern.path
        case Reach.AGENT:
            return key.path == pattern.path
        case Reach.TOOL:
            return key.path == pattern.path and key.sort is Sort.NAME and tool_text(key) == pattern.tool
        case _:
            assert_never(pattern.reach)


def narrows(pattern: Pattern, call: ToolCall) -> Match:
    """How surely a `deny` or `prompt` with this pattern means the call."""
    match pattern.reach:
        case Reach.BELOW:
            return _sure(call.path[: len(pattern.path)] == pattern.path)
        case Reach.AGENT:
            return _sure(call.path == pattern.path)
        case Reach.TOOL:
            in_scope = not pattern.path or call.path == pattern.path
            return _named(pattern.tool).means(call) if in_scope else Match.NO
        case _:
            assert_never(pattern.reach)


def never_matches(never: Key, call: ToolCall) -> Match:
    """How surely a remembered "never" means the call: wide, but only for the same agent."""
    if never.path != call.path:
        return Match.NO
    return Match.YES if call.key == never else _remembered(never).means(call)


def kind_disagrees(name: str | None, kind: Kind | None) -> bool:
    """Whether a built-in tool's name comes with a kind that is not that tool's."""
    kinds = builtin_kinds(name)
    return bool(kinds) and kind is not None and kind not in kinds


def builtin_kinds(name: str | None) -> frozenset[Kind]:
    """The kinds of a built-in tool, letter case aside; none for any other name."""
    return BUILTIN_KINDS.get((name or "").lower(), frozenset())


def tool_text(key: Key) -> str:
    """The tool part of a key as a rule of the file spells it."""
    return f"mcp__{key.server}__{key.tool}" if key.server else key.tool


@dataclass(frozen=True, slots=True)
class _Target:
    """What a narrowing rule is about: a tool by its name, with the kinds that it may come as.

    `kind` is set instead of a name where "never" was said of a call that had no name but a kind.
    """

    tool: str
    kinds: frozenset[Kind]
    kind: Kind | None = None

    def means(self, call: ToolCall) -> Match:
        """How surely this is the tool of the call, agents left aside."""
        match call.key.sort:
            case Sort.NAME:
                return _sure(self._is_name(call) or self._is_kind(call))
            case Sort.KIND:
                return self._without_name(call)
            case Sort.UNCLEAR:
                return Match.MIGHT
            case _:
                assert_never(call.key.sort)

    def _is_name(self, call: ToolCall) -> bool:
        # Names are ASCII where they are valid, so lower() folds nothing but letter case.
        same = self.tool.lower() == tool_text(call.key).lower()
        return same or self.kind in builtin_kinds(call.full_name)

    def _is_kind(self, call: ToolCall) -> bool:
        """Whether a named call may be this tool under another name."""
        if call.origin is Origin.FOREIGN:
            # Its names are not ours. One that names no kind says as little as one that says "other".
            anything = call.kind in (None, Kind.OTHER, Kind.SWITCH_MODE)
            return bool(self.kinds) if anything else call.kind in self.kinds
        own = builtin_kinds(call.full_name)
        anything = call.kind is Kind.OTHER and bool(own)
        return bool(self.kinds) if anything else call.kind in self.kinds - own

    def _without_name(self, call: ToolCall) -> Match:
        if self.kinds and (call.kind is Kind.OTHER or call.kind in self.kinds):
            return Match.YES
        return Match.MIGHT if self.kinds <= {Kind.OTHER} else Match.NO


def _named(tool: str) -> _Target:
    return _Target(tool, builtin_kinds(tool))


def _remembered(never: Key) -> _Target:
    match never.sort:
        case Sort.NAME:
            return _named(tool_text(never))
        case Sort.KIND:
            return _Target("", frozenset({Kind(never.tool)}), Kind(never.tool))
        case Sort.UNCLEAR:
            return _Target("", frozenset())
        case _:
            assert_never(never.sort)


def _sure(yes: bool) -> Match:
    return Match.YES if yes else Match.NO
