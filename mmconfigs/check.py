"""Reads a file and every file that it names, for `mm check`: all faults, and what the files trust."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mmconfigs import rules
from mmconfigs.load import examine

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from mmconfigs.errors import Fault
    from mmconfigs.loaded import Loaded


@dataclass(frozen=True, slots=True)
class Program:
    """A program that mm would start, and the key that names it, as `FILE:LINE:COLUMN` and dotted."""

    where: str
    key: str
    command: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Address:
    """A server that mm would speak to, and the key that names it: a model reads the whole conversation."""

    where: str
    key: str
    url: str


@dataclass(frozen=True, slots=True)
class Report:
    """What `check` found, in the order in which the files name each other."""

    faults: tuple[Fault, ...]
    programs: tuple[Program, ...]
    addresses: tuple[Address, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    path: Path
    names: tuple[str, ...]
    environ: Mapping[str, str]


def check(path: Path, *, tools: Collection[str], environ: Mapping[str, str]) -> Report:
    """Examine the file at `path` and all that it names, each once. Starts nothing."""
    faults: dict[Fault, None] = {}
    programs: list[Program] = []
    addresses: list[Address] = []
    seen: set[str] = set()
    spelled: dict[str, Path] = {}  # one spelling for each file, so that a fault found twice is the same
    waiting = [_Place(path, (), environ)]
    while waiting:
        place = waiting.pop(0)
        file = spelled.setdefault(os.path.realpath(place.path), place.path)
        loaded, found = examine(file, place.names, tools=tools, environ=place.environ)
        faults |= dict.fromkeys(found)
        if loaded and loaded.identity not in seen:
            seen.add(loaded.identity)
            faults |= dict.fromkeys(rules.script(loaded))
            programs += _programs(loaded)
            addresses += _addresses(loaded)
            waiting += _named(loaded, place)
    return Report(tuple(faults), tuple(programs), tuple(addresses))


def _named(loaded: Loaded, place: _Place) -> Iterator[_Place]:
    for name, entry in loaded.config.mm_configs.items():
        environ = {**place.environ, **entry.env}
        if entry.path:
            path = loaded.resolve(entry.path)
            if not rules.no_file(path):  # else the entry is at fault already
                yield _Place(path, (), environ)
        elif entry.config:
            yield _Place(place.path, (*place.names, name), environ)


def _programs(loaded: Loaded) -> Iterator[Program]:
    named = [(f"mmConfigs.{name}.command", entry.command) for name, entry in loaded.config.mm_configs.items()]
    named += [
        (f"mcpServers.{name}.command", server.command) for name, server in loaded.config.mcp_servers.items()
    ]
    hooks = loaded.config.hooks.pre_tool_call
    named += [(f"hooks.preToolCall.{index}.command", hook.command) for index, hook in enumerate(hooks)]
    for key, command in named:
        if command:
            yield Program(loaded.where(key), ".".join([*loaded.prefix, key]), command)


def _addresses(loaded: Loaded) -> Iterator[Address]:
    servers = loaded.config.mcp_servers.items()
    remote = not re.fullmatch("demo|script:.*", loaded.config.model or "demo")
    base = loaded.config.base_url if remote else None
    urls = {"baseUrl": base, **{f"mcpServers.{name}.url": s.url for name, s in servers}}
    for key, url in urls.items():
        if url:
            yield Address(loaded.where(key), ".".join([*loaded.prefix, key]), url)
