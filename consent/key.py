"""Keys: what an answer is remembered under, and what a rule of the file names.

A key is a tuple, never joined text: no name that another process chooses can make two keys equal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

Path = tuple[str, ...]
"""Entry names from the launched agent down: `()` is the launched agent itself."""

VALID_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,127}")
"""A tool name that may become a key; case-sensitive, nothing is folded (acp.md, "The tool name")."""


class Kind(StrEnum):
    """What a call says it does: the tool kinds of ACP."""

    READ = "read"
    EDIT = "edit"
    DELETE = "delete"
    MOVE = "move"
    SEARCH = "search"
    EXECUTE = "execute"
    THINK = "think"
    FETCH = "fetch"
    SWITCH_MODE = "switch_mode"
    OTHER = "other"


BUILTIN_KINDS = {
    "bash": frozenset({Kind.EXECUTE}),
    "write_file": frozenset({Kind.EDIT, Kind.DELETE, Kind.MOVE}),
    "edit_file": frozenset({Kind.EDIT, Kind.DELETE, Kind.MOVE}),
    "read_file": frozenset({Kind.READ}),
    "fetch_content": frozenset({Kind.FETCH}),
}
"""The kinds that a call of each built-in tool may carry (consent.md, "Matching")."""


class Sort(StrEnum):
    """Where the tool part of a key comes from; keys of two sorts are never equal."""

    NAME = "name"
    KIND = "kind"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """(agent path, tool), or (agent path, server, tool) for an MCP tool of ours."""

    path: Path
    tool: str
    sort: Sort = Sort.NAME
    server: str = ""

    def __str__(self) -> str:
        tool = f"mcp__{self.server}__{self.tool}" if self.server else self.tool
        return "/".join((*self.path, tool if self.sort is Sort.NAME else f"({tool})"))


def key_of(path: Path, name: str | None, kind: Kind | None, server: str = "") -> Key:
    """The key of a call.

    `name` is the first tool name found, valid or not, None where none was given. A name that is present
    and invalid gives no key by kind: it is kept apart as `(unclear)`.
    """
    if name is not None and VALID_NAME.fullmatch(name):
        return Key(path, name, Sort.NAME, server)
    if name is None and kind not in (None, Kind.SWITCH_MODE):
        return Key(path, kind.value, Sort.KIND)
    return Key(path, "unclear", Sort.UNCLEAR)
