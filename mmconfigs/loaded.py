"""A configuration that was read, with the places of its keys. Reads nothing itself."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from mmconfigs import sentences as say
from mmconfigs import tree
from mmconfigs.environ import references
from mmconfigs.language import saying
from mmconfigs.values import NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mmconfigs.errors import Fault
    from mmconfigs.language import Saying, Text
    from mmconfigs.model import Config

BESIDE = ("./", "../", "~/")
"""How a word of a command begins that names a file beside the one it stands in."""
Peek: TypeAlias = "Callable[[Path], Loaded | None]"  # the configuration in a file, if it can be read


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file, or the `config` of an entry in it (`prefix` leads there).

    `file` is the real path, `digest` the SHA-256 of its bytes in hexadecimal digits. `peek` looks into the
    files that entries name.
    """

    config: Config
    file: Path
    digest: str
    source: tree.Tree
    prefix: tree.Path
    peek: Peek = field(repr=False, compare=False)

    @property
    def raw(self) -> dict[str, tree.Value]:
        """The values as they are written, with `${NAME}` and without defaults."""
        raw: dict[str, tree.Value] = self.source.at(self.prefix)
        return raw

    @property
    def name(self) -> str:
        """The agent's own name, else the name of its entry, else the file's stem as far as it is a name."""
        stem = re.sub("[^a-z0-9_-]+", "-", self.file.stem.lower()).strip("-_")
        inherited = self.prefix[-2] if self.prefix else stem
        return self.config.name or (inherited if re.fullmatch(NAME, inherited) else "agent")

    @property
    def names(self) -> tuple[str, ...]:
        """The entries, from the top of the file down, in which this configuration is written in place."""
        return self.prefix[1::3]

    @property
    def identity(self) -> str:
        """A text that is equal for two configurations exactly when they are the same one."""
        return "\0".join([str(self.file), *self.names])

    @property
    def secrets(self) -> frozenset[str]:
        """The environment variables that this configuration, without those below it, names as `${NAME}`."""
        return references(self.raw)

    @property
    def notices(self) -> tuple[Saying, ...]:
        """One line for each deprecated key."""
        old = self.config.permissions
        if old is None:
            return ()
        new = "false" if old == "ask" else "true"
        return (saying(say.DEPRECATED, where=self.where("permissions"), new=new),)

    @property
    def idle_servers(self) -> tuple[str, ...]:
        """The MCP servers that the file names; mm does not start servers yet and says so."""
        return tuple(self.config.mcp_servers)

    def where(self, key: str) -> str:
        """Return `FILE:LINE:COLUMN` of a dotted key, or of the nearest key above it in the file."""
        depth = len(self.prefix)
        written = {".".join(path[depth:]): path for path in self.source.keys if path[:depth] == self.prefix}
        while key and key not in written:
            key = key.rpartition(".")[0]
        mark = self.source.mark(written.get(key, self.prefix))
        return f"{self.source.file}:{mark.line}:{mark.column}"

    def fault(
        self,
        path: tree.Path,
        text: Text,
        *,
        found: str | None = None,
        accepted: str | None = None,
        near: str | None = None,
    ) -> Fault:
        """Return a fault of the key at `path`."""
        full = (*self.prefix, *path)
        return self.source.fault(full, text, found=found, accepted=accepted, near=near)

    def resolve(self, text: str) -> Path:
        """Return the path that `text` means in this file; an unknown `~user` is a name like any other."""
        try:
            path = Path(text).expanduser()
        except RuntimeError:
            path = Path(text)
        return self.file.parent / path

    def words(self, command: tuple[str, ...]) -> tuple[str, ...]:
        """Return a command in which the words that name a file beside this one are whole paths."""
        program, *rest = command
        first = str(self.resolve(program)) if "/" in program else program
        return (first, *(str(self.resolve(w)) if w.startswith(BESIDE) else w for w in rest))

    def inside(self, name: str, config: Config) -> Loaded:
        """Return the `config` of the entry `name`."""
        return replace(self, config=config, prefix=(*self.prefix, "mmConfigs", name, "config"))

    def follow(self, name: str) -> Loaded | None:
        """Return the configuration of the entry `name`, None for a foreign one or one that cannot be read."""
        entry = self.config.mm_configs.get(name)
        if entry and entry.config:
            return self.inside(name, entry.config)
        return self.peek(self.resolve(entry.path)) if entry and entry.path else None

    def description_of(self, name: str) -> str:
        """Return what the entry `name` says of its agent, else what that agent's own file says, else ""."""
        entry = self.config.mm_configs.get(name)
        if entry and entry.description:
            return entry.description
        own = self.follow(name)
        return (own and own.config.description) or ""

    def names_in(self, place: str) -> frozenset[str]:
        """Return the names in the mapping `place`, those at fault too, in small letters as names must be."""
        written = self.raw.get(place)
        return frozenset(map(str.lower, written)) if isinstance(written, dict) else frozenset()

    def in_place(self) -> Iterator[Loaded]:
        """Yield this configuration and all that are written in place below it."""
        yield self
        for name, entry in self.config.mm_configs.items():
            if entry.config:
                yield from self.inside(name, entry.config).in_place()
