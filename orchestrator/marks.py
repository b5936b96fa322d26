"""The marks of calls, own and asked: what the eyes of consent find, with the files of this computer.

Knows no facade and no person. Source: consent.md, "Marks" and "Critical".
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from posixpath import join, normpath
from typing import Any

from consent.call import Altered, Arguments, Change, Doubt, Origin, Place, Tier, ToolCall
from consent.danger.finding import QUIET, Finding, Reason, Verdict
from consent.key import Kind
from orchestrator.disk import Disk
from orchestrator.named import LONGEST, Named, named, spellings

_BY_KIND = {Kind.DELETE: Reason.DELETES, Kind.MOVE: Reason.MOVES}
_NOTHING = ("", "{}", "[]", '""')
_RANK = {verdict: rank for rank, verdict in enumerate(Verdict)}


@dataclass(frozen=True, slots=True)
class Eyes:
    """What looks at every call. `deciding` are the real paths of the files that decide here."""

    home: str
    deciding: Collection[str] = ()

    def marked(self, call: ToolCall) -> ToolCall:
        """The call with its mark; one that names more than is looked at is doubtful as well."""
        found, whole = self._look(call)
        doubts = call.doubts if whole else tuple(dict.fromkeys((*call.doubts, Doubt.TOO_LARGE)))
        return replace(call, mark=found, doubts=doubts)

    def look(self, call: ToolCall) -> Finding:
        """The worst that is found about a call."""
        return self._look(call)[0]

    def _look(self, call: ToolCall) -> tuple[Finding, bool]:
        """The worst that is found, and whether all that the call names was looked at."""
        if _only_reads(call) or isinstance(call.detail, Altered):
            return QUIET, True
        names, disk = named(call), Disk()
        findings = [*_Look(self, call, names, disk).findings()]
        whole = names.whole and not disk.tired
        findings += [] if whole else [_found(Reason.TOO_MUCH, "")]
        return max(findings, key=lambda found: _RANK[found.verdict], default=QUIET), whole


@dataclass(frozen=True, slots=True)
class _Look:
    """One look at one call: what it names, seen on this disk."""

    eyes: Eyes
    call: ToolCall
    names: Named
    disk: Disk

    def findings(self) -> Iterator[Finding]:
        """What is found; of findings that are as bad as each other the first is to be told."""
        yield from self._commands()
        yield from self._texts()
        yield from self._files()
        yield from self._others()

    def _commands(self) -> Iterator[Finding]:
        for text in self.names.commands:
            for folder in self._folders():
                yield self._assessed(text, folder)

    def _texts(self) -> Iterator[Finding]:
        """Where nothing is called a command, a text may be one; as a sentence it is mostly not clear."""
        nothing = self.call.arguments in _NOTHING and isinstance(self.call.detail, Arguments)
        lone = self.call.kind in (None, Kind.EXECUTE) and not self.names.commands
        titles = (self.call.title,) if nothing else ()
        for text in filter(None, (*titles, *(self.names.texts if lone else ()))):
            found = self._assessed(text[:LONGEST], self.call.folder)
            yield from (found,) if found.verdict is not Verdict.UNCLEAR else ()

    def _files(self) -> Iterator[Finding]:
        """What is found about the files that known fields name; a claimed kind can only add."""
        if self.call.kind in _BY_KIND:
            named = (*self.names.files, *self.names.paths, self.call.title)
            yield _found(_BY_KIND[self.call.kind], named[0])
        for text in self.names.files:
            yield from self._critical(text, whole=True)
        if isinstance(self.call.detail, Change) and self.call.name != "edit_file":
            paths = [*self._meant(self.call.detail.path), self.call.detail.target]
            yield from (_found(Reason.OVERWRITES, self.call.detail.path),) if self._there(paths) else ()

    def _others(self) -> Iterator[Finding]:
        """What is found about all else that may be a file."""
        for text in self.names.paths:
            yield from self._critical(text, whole=self.call.kind in _BY_KIND)
        for text in self.names.words:
            beside = [join(folder, text + "?") for folder in self._folders()]
            if self._there(self._meant(text)) or not self._why(beside):
                yield from self._critical(text)

    def _assessed(self, text: str, folder: str) -> Finding:
        # Only here, since most runs ask about no command, and the patterns take a while to be made.
        assess = importlib.import_module("consent.danger.assess").assess
        around = _paths().Surroundings(folder, self.eyes.home, self.eyes.deciding, self.disk)
        found: Finding = assess(text, around)
        return found

    def _critical(self, text: str, *, whole: bool = False) -> Iterator[Finding]:
        """What is critical about a file; `whole`: about losing a folder with all in it."""
        meant = self._meant(text)
        if reason := self._lost(meant) or self._why(meant, whole=whole):
            yield _found(reason, text)

    def _lost(self, paths: Iterable[str]) -> Reason | None:
        """Whether it is the root or a home that is deleted or moved."""
        if self.call.kind not in _BY_KIND:
            return None
        return next(filter(None, (_paths().root_or_home(path, self.eyes.home) for path in paths)), None)

    def _why(self, paths: Collection[str], *, whole: bool = False) -> Reason | None:
        if any(map(_paths().is_disk, paths)):
            return Reason.DISK
        reason: Reason | None = _paths().critical_path(paths, self.eyes.home, self.eyes.deciding, whole=whole)
        return reason

    def _there(self, paths: Iterable[str]) -> bool:
        return any(map(self.disk.exists, paths))

    def _meant(self, text: str) -> list[str]:
        """All paths that a text may mean, from every folder that it may be seen from."""
        home, readings = self.eyes.home, _paths().readings
        paths = (join(folder, each) for each in spellings(text, home) for folder in self._folders())
        return [each for path in dict.fromkeys(paths) for each in readings(path, home, self.disk)]

    def _folders(self) -> tuple[str, ...]:
        """The folder of the call, and the one that it says to work in."""
        spelled = (tuple(spellings(folder, self.eyes.home)) for folder in self.names.folders)
        said = (normpath(join(self.call.folder, each[-1])) for each in spelled if each)
        return tuple(dict.fromkeys((self.call.folder, *said)))


def deciding(seal: Mapping[str, str], state: Path) -> frozenset[str]:
    """The paths that decide: the files under seal, as named and as they lead, and the state folder."""
    named = (*seal, str(state))
    return frozenset((*map(os.path.normpath, named), *map(os.path.realpath, named)))


def _paths() -> Any:
    """The rules about paths, imported when the first call is looked at: their patterns take a while."""
    return importlib.import_module("consent.danger.paths")


def _found(reason: Reason, what: str) -> Finding:
    return Finding(reason.verdict, reason, what)


def _only_reads(call: ToolCall) -> bool:
    """Own tools and those of our program know what they do; what others say of theirs is not believed."""
    if call.origin is Origin.OURS:
        return call.name == "read_file" and isinstance(call.detail, Place) and not call.doubts
    return call.origin is Origin.OWN and call.tier is Tier.READ
