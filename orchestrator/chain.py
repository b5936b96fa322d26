"""The chain of asking agents above this process, as it travels in `MM_CHAIN`.

Each asking agent is its name and a digest of what identifies its file, so that one file under two names is
still a cycle. The depth limit of the launched agent travels along: no file below can raise it. Pure.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

VARIABLE = "MM_CHAIN"
DEPTH = 4
"""Default of `limits.depth`: the longest agent path."""

_LINK = re.compile(r"([a-z][a-z0-9_-]{0,63}):([0-9a-f]{16})")


@dataclass(frozen=True, slots=True)
class Link:
    """One asking agent: its name, and the digest of its file's identity."""

    name: str
    digest: str


@dataclass(frozen=True, slots=True)
class Chain:
    """The asking agents above, the launched one first, and how deep agents may go. Empty for a launched one.

    `readable` is false for a chain that says nothing usable: nothing may be started below it.
    """

    links: tuple[Link, ...] = ()
    depth: int = DEPTH
    readable: bool = True

    @property
    def asked(self) -> bool:
        """Whether this process was started by an asking agent."""
        return bool(self.links) or not self.readable

    def through(self, name: str, identity: str, depth: int) -> Chain:
        """The chain that an agent asked by this process gets: this process added, the lower limit kept."""
        return Chain((*self.links, Link(name, digest(identity))), min(self.depth, depth), self.readable)

    def refuses(self, target: str, identity: str) -> str:
        """Why no agent `target` may be started at the end of this chain; empty if it may."""
        names = " > ".join((*(link.name for link in self.links), target))
        if not self.readable:
            return f"the chain of asking agents in {VARIABLE} cannot be read, so no agent is asked from here"
        if identity and digest(identity) in {link.digest for link in self.links}:
            return f"{names} is a cycle: {target} is already waiting further up in this chain"
        if len(self.links) > self.depth:
            return f"{names} is deeper than limits.depth: {self.depth}"
        return ""

    def __str__(self) -> str:
        return ";".join((str(self.depth), *(f"{link.name}:{link.digest}" for link in self.links)))


def digest(identity: str) -> str:
    """A short digest of a file's identity (its real path)."""
    return hashlib.sha256(identity.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def read_chain(environ: Mapping[str, str], depth: int) -> Chain:
    """The chain in the environment; `depth` is this file's own limit. Anything unreadable stops here."""
    text = environ.get(VARIABLE)
    if text is None:
        return Chain(depth=depth)
    limit, *links = text.split(";")
    found = [_LINK.fullmatch(link) for link in links]
    if not (limit.isascii() and limit.isdigit() and len(limit) <= 3 and links and all(found)):
        return Chain(depth=0, readable=False)
    return Chain(tuple(Link(m[1], m[2]) for m in found if m), min(int(limit), depth))
