"""The files that decide, as they were when mm was launched: a file that changed since starts nothing.

An agent that may write files could otherwise put programs into the file of an agent, or into a script that
an entry names, and ask that agent. The launched agent takes the seal of the whole tree; asked agents get it
from the agent that asks them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from mmconfigs.load import examine
from mmconfigs.loaded import Loaded
from mmconfigs.model import Entry

Seal = Mapping[str, str]
"""Paths as the files name them, each with what was found there: its real path and the SHA-256 of its bytes.

A path behind which nothing could be read has an empty text.
"""

HASHED = 8 * 1024 * 1024
"""Bytes of a program that are hashed; a larger one is told by its size and its time."""
SCRIPT = "script:"


def seal(loaded: Loaded, tools: Collection[str], folder: Path) -> dict[str, str]:
    """The seal of a file and of everything that its entries name, however deep; broken files included.

    `folder` is where agents work: the words of a command may be files there.
    """
    found = {str(loaded.file): _mark(loaded), **_programs(loaded, folder)}
    waiting = list(_named(loaded))
    while waiting:
        path = waiting.pop()
        if str(path) not in found:
            below, _ = examine(path, (), tools=tools, environ=None)
            found[str(path)] = _mark(below) if below else ""
            if below:
                found |= {name: mark for name, mark in _programs(below, folder).items() if name not in found}
                waiting += _named(below)
    return found


def changed(named: Path, target: Loaded, sealed: Seal) -> str:
    """Why the file `target`, found behind the path `named`, may not be used; empty if it is what it was."""
    return "" if sealed.get(str(named)) == _mark(target) else _reason(named)


def changed_program(loaded: Loaded, name: str, folder: Path, sealed: Seal) -> str:
    """Why the program of a foreign agent may not be started; empty if its files are what they were."""
    for path in _files_of(loaded, loaded.config.mm_configs[name], folder):
        if sealed.get(str(path)) != _content(path):
            return _reason(path)
    return ""


def _reason(path: Path) -> str:
    return f"{path} is not what it was when mm was started: start mm anew to use it"


def _mark(loaded: Loaded) -> str:
    return f"{loaded.digest} {loaded.file}"


def _named(loaded: Loaded) -> Iterator[Path]:
    for each in loaded.in_place():
        for entry in each.config.mm_configs.values():
            if entry.path is not None:
                yield each.resolve(entry.path)


def _programs(loaded: Loaded, folder: Path) -> dict[str, str]:
    """The files among the words of every command, and the scripts of scripted models."""
    found: dict[str, str] = {}
    for each in loaded.in_place():
        for entry in each.config.mm_configs.values():
            found |= {str(path): _content(path) for path in _files_of(each, entry, folder)}
        model = each.config.model or ""
        if model.startswith(SCRIPT):
            path = each.file.parent / model.removeprefix(SCRIPT)
            found[str(path)] = _content(path)
    return found


def _files_of(loaded: Loaded, entry: Entry, folder: Path) -> Iterator[Path]:
    """The files that a command names, seen from its file and from the folder that it runs in."""
    runs_in = loaded.resolve(entry.cwd) if entry.cwd else folder
    for word in entry.command or ():
        for base in dict.fromkeys((loaded.file.parent, runs_in)):
            path = base / word
            try:
                if path.is_file():
                    yield path
            except (OSError, ValueError):
                pass  # too long, or holding what no path holds: no file


def _content(path: Path) -> str:
    try:
        stat = path.stat()
        if stat.st_size > HASHED:
            return f"{stat.st_size} {stat.st_mtime_ns} {path.resolve()}"
        return f"{sha256(path.read_bytes()).hexdigest()} {path.resolve()}"
    except OSError:
        return ""
