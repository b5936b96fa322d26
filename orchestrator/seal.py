"""The files that decide, as they were when mm was launched: a file that changed since is not used unasked.

An agent that may write files could otherwise put programs into the file of an agent, or into a script that
an entry names, and ask that agent. The launched agent takes the seal of the whole tree; asked agents get it
from the agent that asks them. Compares only: `orchestrator.changed` asks.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from mmconfigs.load import examine
from mmconfigs.loaded import Loaded
from mmconfigs.model import Entry
from orchestrator.changed import Mark, Seal
from orchestrator.paths import Unusable, open_regular

HASHED = 8 * 1024 * 1024
"""Bytes of a program that are hashed; a larger one is told by its size and its times."""
SCRIPT = "script:"

_TEXT_FOLLOWS = re.compile(r"-[A-Za-z]*c")
_BETWEEN = re.compile(r"[\s;|&<>()'\"`=]+")

Marks = Mapping[str, Mark]
"""What is found now behind the paths that decide, as the files name them."""


def seal(loaded: Loaded, tools: Collection[str], folder: Path, start: Seal | None = None) -> Seal:
    """The seal of a file and of all that its entries and hooks name, however deep; broken files included.

    `folder` is where agents work: the words of a command may be files there. What was sealed at the `start`
    stays as it was, and a file that changed since then names nothing here.
    """
    before = start or {}
    found = {str(loaded.file): str(_mark(loaded)), **_programs(loaded, folder)}
    waiting, seen = list(_named(loaded, folder)), set[tuple[Path, Path]]()
    while waiting:
        path, runs_in = each = waiting.pop()
        if each not in seen:
            seen.add(each)
            below, _ = examine(path, (), tools=tools, environ=None)
            mark = found.setdefault(str(path), str(_mark(below)) if below else "")
            if below and before.get(str(path), mark) == mark:
                found = {**_programs(below, runs_in), **found}
                waiting += _named(below, runs_in)
    return {**found, **before}


def of_file(named: Path, target: Loaded) -> Marks:
    """What decides about an agent of ours: its file, found behind the path `named`, and its model's script.

    Raises Unusable.
    """
    return {str(named): _mark(target), **{str(path): _read(path) for path in _script(target)}}


def of_command(loaded: Loaded, entry: Entry, runs_in: Path, sealed: Seal) -> Marks:
    """What decides about a foreign agent: the files that its command names, or named when they were sealed.

    Raises Unusable where one of them cannot be read.
    """
    return {str(path): _read(path) for path in _files_among(entry.command or (), loaded, runs_in, sealed)}


def of_hook(loaded: Loaded, command: tuple[str, ...], folder: Path, sealed: Seal) -> Marks:
    """What decides about the answers of a hook: the files that its command names, as for a foreign agent.

    Raises Unusable.
    """
    return {str(path): _read(path) for path in _files_among(loaded.words(command), loaded, folder, sealed)}


def first_changed(marks: Marks, sealed: Seal) -> tuple[str, Mark] | None:
    """The first path behind which something else is found than what was sealed."""
    return next(((path, mark) for path, mark in marks.items() if sealed.get(path) != str(mark)), None)


def _mark(loaded: Loaded) -> Mark:
    return Mark(f"sha256:{loaded.digest}", str(loaded.file))


def _in_place(loaded: Loaded, folder: Path) -> Iterator[tuple[Loaded, Path]]:
    """A configuration and those written in place below it, each with the folder in which its agent works."""
    yield loaded, folder
    for name, entry in loaded.config.mm_configs.items():
        if entry.config is not None:
            yield from _in_place(loaded.inside(name, entry.config), _folder_of(loaded, entry, folder))


def _folder_of(loaded: Loaded, entry: Entry, folder: Path) -> Path:
    """The folder in which an agent works that is asked from `folder`."""
    return loaded.resolve(entry.cwd) if entry.cwd else folder


def _named(loaded: Loaded, folder: Path) -> Iterator[tuple[Path, Path]]:
    """The files that entries name, each with the folder in which its agent works."""
    for each, works_in in _in_place(loaded, folder):
        for entry in each.config.mm_configs.values():
            if entry.path is not None:
                yield each.resolve(entry.path), _folder_of(each, entry, works_in)


def _programs(loaded: Loaded, folder: Path) -> dict[str, str]:
    """The files among the words of every command, and the scripts of scripted models."""
    found: dict[str, str] = {}
    for each, works_in in _in_place(loaded, folder):
        for entry in each.config.mm_configs.values():
            found |= {str(path): _sealed(path) for path in _files_of(each, entry, works_in, {})}
        for hook in each.config.hooks.pre_tool_call:
            files = _files_among(each.words(hook.command), each, works_in, {})
            found |= {str(path): _sealed(path) for path in files}
        found |= {str(path): _sealed(path) for path in _script(each)}
    return found


def _script(loaded: Loaded) -> Iterator[Path]:
    """The script of a scripted model."""
    model = loaded.config.model or ""
    if model.startswith(SCRIPT):
        yield loaded.file.parent / model.removeprefix(SCRIPT)


def _files_of(loaded: Loaded, entry: Entry, folder: Path, sealed: Seal) -> Iterator[Path]:
    """The files that the command of a foreign agent names."""
    return _files_among(entry.command or (), loaded, _folder_of(loaded, entry, folder), sealed)


def _files_among(words: Iterable[str], loaded: Loaded, runs_in: Path, sealed: Seal) -> Iterator[Path]:
    """The files that a command names, seen from its file and from the folder that it runs in.

    What was a file when it was sealed still counts as one, whatever stands there now.
    """
    for word in _parts(words):
        for base in dict.fromkeys((loaded.file.parent, runs_in)):
            path = base / word
            if str(path) in sealed or _holds_something(path):
                yield path


def _parts(words: Iterable[str]) -> Iterator[str]:
    """The words of a command, what follows the sign of equality in one, and those of a text for a shell.

    `--config=x`, `sh -c "exec ./x"`.
    """
    before = ""
    for word in words:
        yield word
        if value := word.partition("=")[2]:
            yield value
        if _TEXT_FOLLOWS.fullmatch(before):
            yield from filter(None, _BETWEEN.split(word))
        before = word


def _holds_something(path: Path) -> bool:
    """Whether a program could read bytes here that somebody wrote: a file or a pipe, not /dev/null."""
    try:
        return path.exists() and not path.is_dir() and not path.is_char_device()
    except (OSError, ValueError):
        return False  # too long, or holding what no path holds: no file


def _sealed(path: Path) -> str:
    try:
        return str(_read(path))
    except Unusable:
        return ""


def _read(path: Path) -> Mark:
    """What stands in a file now. Raises Unusable where it cannot be told for sure."""
    try:
        with open_regular(path) as file:
            status = os.fstat(file.fileno())
            if status.st_size > HASHED:
                times = f"modified:{status.st_mtime_ns},changed:{status.st_ctime_ns}"
                return Mark(f"size:{status.st_size},{times}", str(path.resolve()))
            data = file.read(HASHED + 1)
        if len(data) != status.st_size:
            raise Unusable(f"{path} changed while it was read")
        return Mark(f"sha256:{sha256(data).hexdigest()}", str(path.resolve()))
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror}") from error
