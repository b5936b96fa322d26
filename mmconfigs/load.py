"""Reads a file into a frozen configuration, or says everything that is wrong with it."""

from __future__ import annotations

import codecs
import hashlib
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from mmconfigs import environ as environment
from mmconfigs import explain, pipelines, policy, rules, tree
from mmconfigs import sentences as say
from mmconfigs.errors import ConfigError, Fault
from mmconfigs.language import saying
from mmconfigs.loaded import Loaded, Peek
from mmconfigs.model import Config

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

LARGEST: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Source:
    """The bytes of one moment, and what they say."""

    file: Path
    digest: str
    tree: tree.Tree


def load(path: Path, *, tools: Collection[str], environ: Mapping[str, str] | None) -> Loaded:
    """Read the file at `path`. Raises ConfigError with every fault that was found.

    `tools` are the names of the built-in tools, for the patterns of `tools.approval`. `environ` gives
    `${NAME}` its values; without it, for the file of an agent that another process runs, the texts stay.
    """
    return load_entry(path, (), tools=tools, environ=environ)


def load_entry(
    path: Path, names: tuple[str, ...], *, tools: Collection[str], environ: Mapping[str, str] | None
) -> Loaded:
    """Read the `config` written in place below `mmConfigs.NAME`, through each of `names` in turn.

    Raises ConfigError as `load` does, also when no configuration is written there.
    """
    loaded, faults = examine(path, names, tools=tools, environ=environ)
    if loaded is None or faults:
        raise ConfigError(*faults)
    return loaded


def examine(
    path: Path, names: tuple[str, ...], *, tools: Collection[str], environ: Mapping[str, str] | None
) -> tuple[Loaded | None, tuple[Fault, ...]]:
    """Do the work of `load_entry`, but return the faults, and as much of the configuration as can be read.

    A configuration with faults is only for finding more of them: what is at fault is missing in it.
    """
    try:
        source = _read(path)
    except ConfigError as error:
        return None, error.faults
    prefix = tuple(step for name in names for step in ("mmConfigs", name, "config"))
    if not isinstance(source.tree.at(prefix), dict):
        return None, (source.tree.fault(prefix, saying(say.NOTHING_IN_PLACE)),)
    return _examined(source, prefix, tools, environ)


def _read(path: Path) -> _Source:
    reason = rules.no_file(path)
    if reason:
        raise ConfigError(Fault(file=str(path), text=reason))
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:  # rights, or the file went away since
        said = saying(say.UNREADABLE, reason=str(error.strerror))
        raise ConfigError(Fault(file=str(path), text=said)) from None
    if len(data) > LARGEST:
        raise ConfigError(Fault(file=str(path), text=saying(say.TOO_LARGE)))
    text = _decode(data.removeprefix(codecs.BOM_UTF8), str(path))
    return _Source(path.resolve(), hashlib.sha256(data).hexdigest(), tree.parse(text, str(path)))


def _decode(data: bytes, file: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        mark = tree.mark_of(data[: error.start].decode())
        said = saying(say.NO_UTF8, byte=f"{data[error.start]:02x}")
        raise ConfigError(Fault(file=file, line=mark.line, column=mark.column, text=said)) from None


def _examined(
    source: _Source, prefix: tree.Path, tools: Collection[str], environ: Mapping[str, str] | None
) -> tuple[Loaded, tuple[Fault, ...]]:
    written = source.tree.at(prefix)
    found = list(source.tree.faults)
    misused = environment.misused(written, environ)
    found += (source.tree.fault((*prefix, *path), text) for path, text in misused)
    loaded, refused = _validated(source, prefix, environ, _peeker())
    found += _news(found, refused)
    found += _news(found, _rules(loaded, tools))
    found.sort(key=lambda fault: (fault.line or 0, fault.column or 0))
    return loaded, tuple(found[: explain.MOST])


def _news(found: list[Fault], more: Iterable[Fault]) -> list[Fault]:
    """Return the faults of keys that are at fault for no earlier reason; the first explains it best."""
    known = {fault.key for fault in found}
    return [fault for fault in more if fault.key not in known]


def _validated(
    source: _Source, prefix: tree.Path, environ: Mapping[str, str] | None, peek: Peek
) -> tuple[Loaded, list[Fault]]:
    """Return what is right in a configuration, and the faults of all that is left out of it."""
    written = source.tree.at(prefix)
    values = deepcopy(written if environ is None else environment.expand(written, environ))
    faults: list[Fault] = []
    while True:
        try:
            config = Config.model_validate(values)
        except ValidationError as error:
            faults += explain.faults(source.tree, prefix, error)
            explain.without_faults(values, error)
        else:
            loaded = Loaded(config, source.file, source.digest, source.tree, prefix, peek)
            return loaded, _first_hand(faults)


def _first_hand(found: Sequence[Fault]) -> list[Fault]:
    """Leave out what is missing, or too short, only since something at fault in it does not count."""
    keys = [f"{fault.key}" for fault in found]
    return [fault for fault in found if not any(key.startswith(f"{fault.key}.") for key in keys)]


def _rules(loaded: Loaded, tools: Collection[str]) -> Iterator[Fault]:
    for each in loaded.in_place():
        yield from rules.contradictions(each)
        yield from rules.forms(each)
        yield from rules.profiles(each)
        yield from rules.not_built(each)
        yield from rules.paths(each)
        yield from policy.faults(each, tools)
        yield from pipelines.faults(each)


def _peeker() -> Peek:
    """Return a function that looks at each file once, however often it is named."""

    @cache
    def peek(path: Path) -> Loaded | None:
        try:
            source = _read(path)
        except ConfigError:
            return None
        loaded, faults = _validated(source, (), None, peek)
        return None if faults or source.tree.faults else loaded

    return peek
