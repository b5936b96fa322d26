"""The marks of calls, own and asked: what the eyes of consent find, with the files of this computer.

Knows no facade and no person. Source: consent.md, "Marks" and "Critical".
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from posixpath import join
from typing import Any

from consent.call import Arguments, Change, Command, Origin, Tier, ToolCall
from consent.danger.finding import QUIET, Finding, Reason
from consent.key import Kind
from orchestrator.paths import usable
from orchestrator.words.shown import PATH_FIELDS

_BY_KIND = {Kind.DELETE: Reason.DELETES, Kind.MOVE: Reason.MOVES}


class Disk:
    """This computer's files. What cannot be looked at is there, and leads nowhere else."""

    def exists(self, path: str) -> bool:
        """Whether something is at this path, a link that leads nowhere included."""
        try:
            os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            return False
        except (OSError, ValueError):
            return True
        return True

    def real(self, path: str) -> str:
        """The path behind links."""
        try:
            return os.path.realpath(path) if usable(path) else path
        except ValueError:
            return path


@dataclass(frozen=True, slots=True)
class Eyes:
    """What looks at every call. `deciding` are the real paths of the files that decide here."""

    home: str
    deciding: Collection[str] = ()

    def marked(self, call: ToolCall) -> ToolCall:
        """The call with its mark."""
        return replace(call, mark=self.look(call))

    def look(self, call: ToolCall) -> Finding:
        """The worst that is found about a call."""
        match call.detail:
            case Command(text):
                return self._command(text, call.folder)
            case Change(path, target):
                return self._write(call, path, target)
            case Arguments(text) if not _only_reads(call):
                return next(self._files(call, text), QUIET)
            case _:
                return QUIET

    def _command(self, text: str, folder: str) -> Finding:
        # Only here, since most runs ask about no command, and the patterns take a while to be made.
        assess = importlib.import_module("consent.danger.assess").assess
        surroundings = importlib.import_module("consent.danger.paths").Surroundings
        found: Finding = assess(text, surroundings(folder, self.home, self.deciding, Disk()))
        return found

    def _write(self, call: ToolCall, path: str, target: str) -> Finding:
        if found := self._critical(join(call.folder, path), target):
            return found
        replaces = call.name != "edit_file" and Disk().exists(target)
        return _found(Reason.OVERWRITES, path) if replaces else QUIET

    def _files(self, call: ToolCall, arguments: str) -> Iterator[Finding]:
        """What is found about the files that arguments name; a claimed kind can only add."""
        for path in _named(arguments):
            whole = join(call.folder, path)
            if found := self._critical(whole, Disk().real(whole)):
                yield found
            if call.kind in _BY_KIND:
                yield _found(_BY_KIND[call.kind], path)

    def _critical(self, path: str, target: str) -> Finding | None:
        paths = importlib.import_module("consent.danger.paths")
        meant = paths.readings(path, self.home, Disk())
        reason = paths.critical_path((*meant, target), self.home, self.deciding, whole=True)
        return _found(reason, target) if reason else None


def deciding(seal: Mapping[str, str], state: Path) -> frozenset[str]:
    """The paths that decide: the files under seal, as named and as they lead, and the state folder."""
    named = (*seal, str(state))
    return frozenset((*map(os.path.normpath, named), *map(Disk().real, named)))


def _found(reason: Reason, what: str) -> Finding:
    return Finding(reason.verdict, reason, what)


def _only_reads(call: ToolCall) -> bool:
    """Own tools know what they do; what an asked agent says of its calls is not believed."""
    return call.origin is Origin.OWN and call.tier is Tier.READ


def _named(arguments: str) -> Iterator[str]:
    """The files that arguments name, as JSON text: an object, or a list of them."""
    try:
        value: Any = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        return
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, dict):
            yield from (each[field] for field in PATH_FIELDS if isinstance(each.get(field), str))
