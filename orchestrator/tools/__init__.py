"""The built-in tools. A new one is one file here and its line in `BUILTIN`."""

from __future__ import annotations

from dataclasses import dataclass

from mmconfigs.model import Config
from orchestrator.tools.base import Tool
from orchestrator.tools.bash import bash_tool
from orchestrator.tools.edit import EDIT_FILE, WRITE_FILE
from orchestrator.tools.read import READ_FILE


@dataclass(frozen=True, slots=True)
class Builtin:
    """A tool with the key of the file that says whether it exists; without a key it always does."""

    tool: Tool
    key: str | None = None

    def exists(self, config: Config) -> bool:
        """Whether an agent of this configuration has the tool."""
        return {"bashTool": config.bash_tool, "editTools": config.edit_tools}.get(self.key or "", True)


BUILTIN = (
    Builtin(READ_FILE),
    Builtin(WRITE_FILE, "editTools"),
    Builtin(EDIT_FILE, "editTools"),
    Builtin(bash_tool(), "bashTool"),
)


def tools_of(config: Config) -> tuple[Tool, ...]:
    """The built-in tools that an agent of this configuration has."""
    return tuple(builtin.tool for builtin in BUILTIN if builtin.exists(config))
