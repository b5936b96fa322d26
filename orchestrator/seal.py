"""The files that decide, as they were when mm was launched: a file that changed since starts nothing.

An agent that may write files could otherwise put programs into the file of an agent, and ask that agent.
The launched agent takes the seal of the whole tree; asked agents get it from the asking one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from mmconfigs.load import examine
from mmconfigs.loaded import Loaded

Seal = Mapping[str, str]
"""Real paths of files, each with the SHA-256 of its bytes as they were, empty where it could not be read."""


def seal(loaded: Loaded, tools: Collection[str]) -> dict[str, str]:
    """The seal of a file and of every file that its entries name, however deep; broken ones included."""
    found = {str(loaded.file): loaded.digest}
    waiting = list(_named(loaded))
    while waiting:
        path = waiting.pop()
        key = str(path.resolve())
        if key not in found:
            below, _ = examine(path, (), tools=tools, environ=None)
            found[key] = below.digest if below else ""
            waiting += _named(below) if below else ()
    return found


def changed(loaded: Loaded, sealed: Seal) -> str:
    """Why this file may not be used, if it is not what it was; empty if it is."""
    if sealed.get(str(loaded.file)) == loaded.digest:
        return ""
    return f"{loaded.file} is not what it was when mm was started: start mm anew to use it"


def _named(loaded: Loaded) -> Iterator[Path]:
    for each in loaded.in_place():
        for entry in each.config.mm_configs.values():
            if entry.path is not None:
                yield each.resolve(entry.path)
