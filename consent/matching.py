"""Patterns of `tools.approval`, and which calls a narrowing rule might mean.

A widening rule matches the exact key. A narrowing rule matches every call that it might mean: for a call
whose name is missing or invalid the match may be uncertain (`MIGHT`), which leads to a question.
Source: consent.md, "Matching".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum

from consent.call import Origin, ToolCall
from consent.key import BUILTIN_KINDS, Key, Kind, Path, Sort

_PATTERN = re.compile(r"(?:[^*/]+/)*(?:\*\*?|[^*/]+)")


class Effect(StrEnum):
    """What a rule of the file does with the calls that it matches."""

    DENY = "deny"
    PROMPT = "prompt"
    ALLOW = "allow"


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
            return self
        if self.path[0] != name:
            return None
        if len(self.path) > 1 or self.reach is Reach.TOOL:
            return Pattern(self.path[1:], self.tool, self.reach)
        return Pattern((), "", self.reach)


def parse_pattern(text: str) -> Pattern:
    """Read a pattern; raises ValueError for anything else than the four forms.

    A bare `*` or `**` is the agent's own view of `jan/*`; the file does not know it, asking agents send it.
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
    """One line of `tools.approval`. `where` is its file, line and column, shown with a refusal.

    `inherited` marks a rule that an asking agent sent: it makes this agent submit the call, no more.
    """

    pattern: Pattern
    effect: Effect
    where: str = ""
    inherited: bool = False


def widens(pattern: Pattern, key: Key) -> bool:
    """Whether an `allow` with this pattern covers exactly this key. Without an agent: own calls only."""
    match pattern.reach:
        case Reach.BELOW:
            return key.path[: len(pattern.path)] == pattern.path
        case Reach.AGENT:
            return key.path == pattern.path
        case Reach.TOOL:
            return key.path == pattern.path and key.sort is Sort.NAME and tool_text(key) == pattern.tool


def narrows(pattern: Pattern, call: ToolCall) -> Match:
    """How surely a `deny` or `prompt` with this pattern means the call."""
    match pattern.reach:
        case Reach.BELOW:
            return _sure(call.path[: len(pattern.path)] == pattern.path)
        case Reach.AGENT:
            return _sure(call.path == pattern.path)
        case Reach.TOOL:
            in_scope = not pattern.path or call.path == pattern.path
            return might_mean(pattern.tool, call) if in_scope else Match.NO


def never_matches(never: Key, call: ToolCall) -> Match:
    """How surely a remembered "never" means the call: wide, but only for the same agent."""
    if never.path != call.path:
        return Match.NO
    if call.key == never:
        return Match.YES
    return might_mean(tool_text(never), call) if never.sort is Sort.NAME else _kind_never(never, call)


def might_mean(tool: str, call: ToolCall) -> Match:
    """How surely the tool of a narrowing rule is the tool of the call, agents left aside."""
    match call.key.sort:
        case Sort.NAME:
            return _sure(_same_name(tool, call) or _same_kind(tool, call))
        case Sort.KIND:
            return _sure(_kind_fits(tool, call.kind)) if tool in BUILTIN_KINDS else Match.MIGHT
        case Sort.UNCLEAR:
            return Match.MIGHT


def kind_disagrees(name: str | None, kind: Kind | None) -> bool:
    """Whether a built-in tool's name comes with a kind that is not that tool's."""
    kinds = BUILTIN_KINDS.get(name or "")
    return kinds is not None and kind is not None and kind not in kinds


def tool_text(key: Key) -> str:
    """The tool part of a key as a rule of the file spells it."""
    return f"mcp__{key.server}__{key.tool}" if key.server else key.tool


def _sure(yes: bool) -> Match:
    return Match.YES if yes else Match.NO


def _same_name(tool: str, call: ToolCall) -> bool:
    # Names are ASCII where they are valid, so lower() folds nothing but letter case.
    return tool.lower() == tool_text(call.key).lower()


def _same_kind(tool: str, call: ToolCall) -> bool:
    """Whether a named call may be the built-in `tool` under another name."""
    if tool not in BUILTIN_KINDS:
        return False
    if call.origin is Origin.FOREIGN or kind_disagrees(_known(call.name), call.kind):
        return _kind_fits(tool, call.kind)
    return _known(call.name) is None and call.kind in BUILTIN_KINDS[tool]


def _known(name: str | None) -> str | None:
    return next((known for known in BUILTIN_KINDS if known == (name or "").lower()), None)


def _kind_fits(tool: str, kind: Kind | None) -> bool:
    return kind in (None, Kind.OTHER) or kind in BUILTIN_KINDS[tool]


def _kind_never(never: Key, call: ToolCall) -> Match:
    """A "never" under a kind or under (unclear), and a call with another key of that agent."""
    if call.key.sort is Sort.UNCLEAR:
        return Match.MIGHT
    return _sure(never.sort is Sort.KIND and call.kind is not None and never.tool == call.kind.value)
