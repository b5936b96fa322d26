"""What Tab completes at the prompt: slash commands, their arguments, and names of files.

Reads folders; runs nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from pathlib import Path

from consent.show import show
from orchestrator.conversation import CommandHelp

MOST_READ = 10_000
"""Names of a folder that are looked at; of a larger one, the rest is never completed."""

_WORD = re.compile(r"[^\s'\"`(@]*\Z")


@dataclass(frozen=True, slots=True)
class Completion:
    """What can be inserted behind what is typed, and every choice as it is shown: escaped."""

    inserted: str = ""
    choices: tuple[str, ...] = ()


def complete(before: str, commands: Sequence[CommandHelp], folder: Path) -> Completion:
    """How `before`, the text up to the cursor, goes on: as a command, its argument, or a file of `folder`."""
    for command in commands:
        if command.words and before.startswith(f"/{command.name} "):
            return _words(before.removeprefix(f"/{command.name} ").lstrip(), command.words)
    if before.startswith("/"):
        begun = [command for command in commands if command.name.startswith(before[1:])]
        if begun:
            ends = {c.name + " " * bool(c.hint): f"/{c.name} {c.hint}".rstrip() for c in begun}
            return _completion(before[1:], ends)
    word = _WORD.search(before)
    return _file(word[0], folder) if word and word[0] else Completion()


def _words(begun: str, words: Sequence[str]) -> Completion:
    return _completion(begun, {word: show(word) for word in words if word.startswith(begun)})


def _file(word: str, folder: Path) -> Completion:
    head, begun = os.path.split(word)
    try:
        with os.scandir(folder / os.path.expanduser(head)) as entries:  # noqa: PTH111 - Path's own one raises
            names = [_name(entry) for entry in islice(entries, MOST_READ) if _continues(entry.name, begun)]
    except (OSError, ValueError):  # no such folder; no name at all
        return Completion()
    return _completion(begun, {name: show(name) for name in sorted(names)})


def _continues(name: str, begun: str) -> bool:
    return name.startswith(begun) and (begun.startswith(".") or not name.startswith("."))


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name + "/" * entry.is_dir()


def _completion(begun: str, ends: Mapping[str, str]) -> Completion:
    """`ends` maps what would stand there to how it is shown. What cannot be seen is never inserted."""
    alike = takewhile(lambda chars: len(set(chars)) == 1, zip(*ends, strict=False))
    inserted = "".join(chars[0] for chars in alike)[len(begun) :]
    return Completion(inserted if show(inserted) == inserted else "", tuple(ends.values()))
