"""Do the patterns of `tools.approval` and of hooks name agents and tools that exist? Decides no call."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mmconfigs import sentences as say
from mmconfigs.errors import cut, hinted, nearest
from mmconfigs.language import Text, saying

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from mmconfigs.errors import Fault
    from mmconfigs.loaded import Loaded
    from mmconfigs.tree import Path

_TOOL: Final = "[A-Za-z][A-Za-z0-9_.-]{0,127}"
_EVERY: Final = ("*", "**")


@dataclass(frozen=True, slots=True)
class _Problem:
    text: Text
    near: str | None = None


def faults(loaded: Loaded, tools: Collection[str]) -> Iterator[Fault]:
    """Yield a fault for each pattern that matches nothing. `tools` are the names of the built-in tools."""
    for path, pattern in _patterns(loaded):
        problem = _problem(loaded, pattern, tools)
        if problem:
            yield loaded.fault(path, hinted(problem.text, problem.near), found=pattern, near=problem.near)


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
        return _Problem(saying(say.BARE, pattern=tool))
    if tool not in _EVERY and not re.fullmatch(_TOOL, tool):
        return _Problem(saying(say.NO_PATTERN, pattern=cut(pattern)))
    asker: Loaded | None = loaded
    for agent in agents:
        if asker is None:  # what cannot be read says so itself
            return None
        names = asker.names_in("mmConfigs")
        if agent not in names:
            return _Problem(
                saying(say.NO_AGENT, agent=cut(agent), file=asker.source.file), nearest(agent, names)
            )
        entry = asker.config.mm_configs.get(agent)
        if entry and entry.command:
            return _foreign(agent, agents)
        asker = asker.follow(agent)
    return None if tool in _EVERY else _unknown(tool, asker, tools)


def _foreign(agent: str, agents: list[str]) -> _Problem | None:
    if agent == agents[-1]:
        return None  # any tool name
    return _Problem(saying(say.OF_FOREIGN, agent=agent))


def _unknown(tool: str, owner: Loaded | None, tools: Collection[str]) -> _Problem | None:
    kind, _, rest = tool.partition("__")
    server = rest.partition("__")[0] if kind == "mcp" else None
    if owner is None:
        known, of_server = {*tools}, server or tool.startswith("ask_")
    else:
        known = {*tools, *(f"ask_{name}" for name in owner.names_in("mmConfigs"))}
        of_server = server in owner.names_in("mcpServers")
    if tool in known or of_server:
        return None
    return _Problem(saying(say.NO_TOOL, tool=tool), nearest(tool, known))
