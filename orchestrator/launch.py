"""From an entry of the launched file to a Launch: which program, which environment, may it be asked at all.

Knows the file and the chain; starts nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from consent.call import Origin
from consent.matching import Rule, submitted
from mmconfigs.errors import ConfigError
from mmconfigs.load import load_entry
from mmconfigs.loaded import Loaded
from mmconfigs.model import Entry
from orchestrator.acp.handed import Handed
from orchestrator.acp.permission import Asking
from orchestrator.acp.profiles import profile_of
from orchestrator.chain import VARIABLE, Chain
from orchestrator.changed import Changed, Seal
from orchestrator.child import START_SECONDS, Launch
from orchestrator.paths import Unusable
from orchestrator.roster import IN_ITS_FOLDER, CannotAsk, Launching, Post
from orchestrator.seal import Marks, first_changed, of_command, of_file
from orchestrator.turn import CANCEL_SECONDS

YOLO = "AGENT_YOLO"
PATHS = "PYTHONPATH"
OWN_PROGRAM = (sys.executable, "-P", "-m", "orchestrator", "--acp")
"""This program. -P: nothing that lies in the working folder is imported in place of it."""


@dataclass(frozen=True, slots=True)
class Launcher:
    """Makes a Launch of each entry. `below` is the chain that asked agents get, this process included.

    `handed` is what this process itself was handed down.
    """

    loaded: Loaded
    rules: tuple[Rule, ...]
    below: Chain
    environ: Mapping[str, str]
    folder: Path
    tools: frozenset[str]
    handed: Handed

    def launch(self, name: str, seal: Seal, post: Post = IN_ITS_FOLDER) -> Launch | Changed:
        """How to start the agent `name` at its post, or which file the person must be asked about before.

        Raises CannotAsk where it may not or cannot be started.
        """
        entry = self.loaded.config.mm_configs.get(name)
        if entry is None:
            known = ", ".join(self.loaded.config.mm_configs) or "none"
            raise CannotAsk(f"there is no agent {name}; known: {known}")
        target = self._target(name, entry)
        if refused := self.below.refuses(name, target.identity if target else ""):
            raise CannotAsk(refused)
        runs_in = post.folder or (self.loaded.resolve(entry.cwd) if entry.cwd else self.folder)
        folder = str(runs_in)
        if changed := first_changed(self._marks(name, entry, target, seal, runs_in), seal):
            return Changed(name, *changed, str(self.folder))
        origin, environ = Origin.OURS if target else Origin.FOREIGN, self._environ(entry, target)
        return Launch(
            asking=Asking((name,), origin, folder, profile_of(entry.profile), environ.get("HOME", "")),
            argv=(*OWN_PROGRAM, *self._file_of(target)) if target else entry.command or (),
            environ=environ,
            start_seconds=entry.timeout or START_SECONDS,
            turn_seconds=entry.timeout,
            handed=self._handed(name, entry, target, seal, post) if target else None,
            # Each level waits longer than the one below it, so that only the agent that hangs is ended.
            cancel_seconds=CANCEL_SECONDS / 2 ** (len(self.below.links) - 1),
        )

    def at(self, post: Post) -> Launching:
        """Makes a Launch of each entry at this post."""
        return partial(self.launch, post=post)

    def _handed(self, name: str, entry: Entry, target: Loaded, seal: Seal, post: Post) -> Handed:
        """What an agent of ours is told. Its own file is known to it by the real path."""
        sealed = {**seal, str(target.file): seal[str(self._named(entry))]}
        path = (*self.handed.path, name)
        without = tuple(sorted({*self.handed.without, *post.without}))
        return Handed(submitted(self.rules, name), sealed, path, self.handed.conversation, without)

    def _named(self, entry: Entry) -> Path:
        """The file of an agent of ours, as it is named: in place, it is the file that names the agent."""
        return self.loaded.resolve(entry.path) if entry.path is not None else self.loaded.file

    def _target(self, name: str, entry: Entry) -> Loaded | None:
        """The file of our own agent as it is now, None for a foreign one. A fault is told with its line."""
        if entry.command:
            return None
        names = () if entry.path is not None else (*self.loaded.names, name)
        try:
            return load_entry(self._named(entry), names, tools=self.tools, environ=None)
        except ConfigError as error:
            raise CannotAsk("\n".join(str(fault) for fault in error.faults)) from error

    def _marks(self, name: str, entry: Entry, target: Loaded | None, seal: Seal, runs_in: Path) -> Marks:
        try:
            if target:
                return of_file(self._named(entry), target)
            return of_command(self.loaded, entry, runs_in, seal)
        except Unusable as error:
            raise CannotAsk(f"{name} is not started: {error}") from error

    def _file_of(self, target: Loaded) -> tuple[str, ...]:
        """Which file the agent reads. It starts only if that is still what was read here."""
        entry = ("--entry", "/".join(target.names)) if target.names else ()
        return ("-c", str(target.file), *entry, "--digest", target.digest)

    def _environ(self, entry: Entry, target: Loaded | None) -> dict[str, str]:
        """The agent's whole environment; `AGENT_YOLO=false` is set last (interface.md, "Environment")."""
        own = {name: self.environ[name] for name in target.secrets if name in self.environ} if target else {}
        return {
            **_only_absolute(without_secrets(self.environ, self.loaded)),
            **own,
            **entry.env,
            **profile_of(entry.profile).environ,
            **floor(self.below),
        }


def _only_absolute(environ: dict[str, str]) -> dict[str, str]:
    """The environment with a PYTHONPATH that never means the working folder, as an empty part of it does."""
    parts = environ.pop(PATHS, "").split(os.pathsep)
    absolute = os.pathsep.join(part for part in parts if Path(part).is_absolute())
    return environ | ({PATHS: absolute} if absolute else {})


def without_secrets(environ: Mapping[str, str], loaded: Loaded) -> dict[str, str]:
    """The environment less the variables that the file names as secrets."""
    return {name: value for name, value in environ.items() if name not in loaded.secrets}


def floor(below: Chain) -> dict[str, str]:
    """The variables that a nested mm gets, so that it is no freer than this one."""
    return {VARIABLE: str(below), YOLO: "false"}


def real_folder(folder: Path) -> Path:
    """The folder as an absolute path; raises ValueError where it is none."""
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder")
    return Path(os.path.abspath(folder))  # noqa: PTH100 - links stay as the person wrote them
