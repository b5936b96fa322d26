"""Do the patterns of `tools.approval` and of hooks name agents and tools that exist? Decides no call."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mmconfigs.errors import cut, nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from mmconfigs.errors import Fault
    from mmconfigs.loaded import Loaded
    from mmconfigs.tree import Path

_TOOL: Final = "[A-Za-z][A-Za-z0-9_.-]{0,127}"
_EVERY: Final = ("*", "**")


@dataclass(frozen=True, slots=True)
class _Problem:
    message: str
    near: str | None = None


def faults(loaded: Loaded, tools: Collection[str]) -> Iterator[Fault]:
    """Yield a fault for each pattern that matches nothing. `tools` are the names of the built-in tools."""
    for path, pattern in _patterns(loaded):
        problem = _problem(loaded, pattern, tools)
        if problem:
            hint = f"; did you mean {problem.near}?" if problem.near else ""
            yield loaded.fault(path, f"{problem.message}{hint}", found=pattern, near=problem.near)


def _patterns(loaded: Loaded) -> Iterator[tuple[Path, str]]:
    """Each pattern, and the key that it is, or that it is the value of."""
    for pattern in loaded.config.tools.approval:
        yield ("tools", "approval", pattern), pattern
    for place, hook in enumerate(loaded.config.hooks.pre_tool_call):
        if hook.match is not None:
            yield ("hooks", "preToolCall", str(place), "match"), hook.match


def _problem(loaded: Loaded, pattern: str, tools: Collection[str]) -> _Problem | None:
    *agents, tool = pattern.split("/")
    if not agents and tool in _EVERY:
        return _Problem(
            f"a bare {tool} is no pattern; name a tool, or write `yolo: false` to be asked for every call, "
            "and a hook without `match` for all own calls"
        )
    if tool not in _EVERY and not re.fullmatch(_TOOL, tool):
        return _Problem(f"{cut(pattern)} is no pattern; accepted: tool, agent/tool, agent/*, agent/**")
    asker: Loaded | None = loaded
    for agent in agents:
        if asker is None:  # what cannot be read says so itself
            return None
        names = asker.names_in("mmConfigs")
        if agent not in names:
            return _Problem(f"no agent {cut(agent)} in {asker.source.file}", nearest(agent, names))
        entry = asker.config.mm_configs.get(agent)
        if entry and entry.command:
            return _foreign(agent, agents)
        asker = asker.follow(agent)
    return None if tool in _EVERY else _unknown(tool, asker, tools)


def _foreign(agent: str, agents: list[str]) -> _Problem | None:
    if agent == agents[-1]:
        return None  # any tool name
    return _Problem(f"{agent} is started by command; what it asks in its turn belongs to {agent} itself")


def _unknown(tool: str, owner: Loaded | None, tools: Collection[str]) -> _Problem | None:
    kind, _, rest = tool.partition("__")
    server = rest.partition("__")[0] if kind == "mcp" else None
    if owner is None:
        known, of_server = {*tools}, server or tool.startswith("ask_")
    else:
        known = {*tools, *(f"ask_{name}" for name in owner.names_in("mmConfigs"))}
        of_server = server in owner.names_in("mcpServers")
    return None if tool in known or of_server else _Problem(f"no tool {tool}", nearest(tool, known))
