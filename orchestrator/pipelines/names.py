"""Paths that agents chose, as they can be shown. Knows no git.

A path is a text as `os.fsdecode` gives it.
"""

from __future__ import annotations

SEVERAL = 5
"""How many paths a sentence names."""


def shown(path: str) -> str:
    """A path in one line, told from every other: where it needs escapes it stands in quotes, as of git."""
    if path.isprintable() and not set(path) & {'"', "\\"}:
        return path
    return '"' + "".join(map(_escaped, path)) + '"'


def some(paths: list[str]) -> str:
    """The first of several paths, and how many more there are."""
    more = f" and {len(paths) - SEVERAL} more" if len(paths) > SEVERAL else ""
    return ", ".join(map(shown, paths[:SEVERAL])) + more


def _escaped(char: str) -> str:
    if char.isprintable() and char not in '"\\':
        return char
    return "".join(f"\\{byte:03o}" for byte in char.encode(errors="surrogateescape"))
