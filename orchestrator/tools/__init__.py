"""The built-in tools. A new one is one file here and its line in `BUILTIN`."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.tools.base import Tool
from orchestrator.tools.bash import bash_tool
from orchestrator.tools.edit import EDIT_FILE, WRITE_FILE
from orchestrator.tools.read import READ_FILE


@dataclass(frozen=True, slots=True)
class Builtin:
    """A tool with the key of the file that says whether it exists; without a key it always does."""

    tool: Tool
    key: str | None = None


BUILTIN = (
    Builtin(READ_FILE),
    Builtin(WRITE_FILE, "editTools"),
    Builtin(EDIT_FILE, "editTools"),
    Builtin(bash_tool(), "bashTool"),
)
