"""What the environment and the flags add to a file: `${NAME}`, AGENT_YOLO, the mode of this run."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Final

from mmconfigs import sentences as say
from mmconfigs.errors import ConfigError, Fault, cut
from mmconfigs.language import Saying, saying

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mmconfigs.loaded import Loaded
    from mmconfigs.model import Config
    from mmconfigs.tree import Path, Value
    from mmconfigs.values import Mode

_REFERENCE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_TRUE: Final = ("1", "true", "yes", "on")
_FALSE: Final = ("0", "false", "no", "off")


def agent_yolo(value: str | None) -> bool | None:
    """Return what AGENT_YOLO says, None when it is unset. Raises ConfigError for any other spelling."""
    if value is None:
        return None
    word = value.strip(" \t\r\n").lower()  # no other letter becomes one of these words
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    found, accepted = cut(value), saying(say.EITHER, one=" ".join(_TRUE), other=" ".join(_FALSE))
    text = saying(say.FOUND, found=f"'{found}'", accepted=accepted)
    raise ConfigError(
        Fault(file="environment", key="AGENT_YOLO", found=found, accepted=str(accepted), text=text)
    )


@dataclass(frozen=True, slots=True)
class Decided:
    """The mode of this run, and the flag, variable or place in the file that it comes from."""

    mode: Mode
    origin: str


def stances(config: Config) -> dict[str, Mode]:
    """Return the keys that say something about the mode, and what they say."""
    said: dict[str, Mode] = {}
    if config.yolo is not None:
        said["yolo"] = "yolo" if config.yolo else "always-ask"
    if config.tools.approval_mode:
        said["tools.approvalMode"] = config.tools.approval_mode
    if config.permissions:
        said["permissions"] = "always-ask" if config.permissions == "ask" else "yolo"
    return said


def decide(loaded: Loaded, flags: Mapping[str, Mode], environ: Mapping[str, str]) -> Decided:
    """Return the mode: of the flags, else of AGENT_YOLO, else of the file, else `yolo`.

    `flags` are those given, by their text (`--yolo`). Raises ConfigError when flags and AGENT_YOLO disagree.
    """
    run = dict(flags)
    override = agent_yolo(environ.get("AGENT_YOLO"))
    if override is not None:
        run["AGENT_YOLO"] = "yolo" if override else "always-ask"
    if len(set(run.values())) > 1:
        raise ConfigError(Fault(file="command line", key=next(iter(run)), text=_contradiction(run)))
    for origin, mode in run.items():
        return Decided(mode, origin)
    for key, mode in stances(loaded.config).items():
        return Decided(mode, loaded.where(key))
    return Decided("yolo", "default")


def _contradiction(run: Mapping[str, Mode]) -> Saying:
    """Return who says what, one after the other."""
    first, *others = (saying(say.SAYS, origin=origin, mode=mode) for origin, mode in run.items())
    said = reduce(lambda list_, last: saying(say.LISTED, list=list_, last=last), others, first)
    return saying(say.CONTRADICTION, said=said)


def holds_secret(path: Path) -> bool:
    """Tell whether the value at `path`, from the top of a file, may hold `${NAME}`."""
    while path[:1] == ("mmConfigs",) and path[2:3] == ("config",):
        path = path[3:]
    return _own_secret(path)


def _own_secret(path: Path) -> bool:
    match path:
        case (
            ("apiKey" | "pipelinesDatabase",)
            | ("headers", _)
            | ("mmConfigs" | "mcpServers", _, "env", _)
            | ("mcpServers", _, "headers", _)
        ):
            return True
        case _:
            return False


def _texts(value: Value, path: Path = ()) -> Iterator[tuple[Path, str]]:
    match value:
        case str():
            yield path, value
        case dict():
            for key, inner in value.items():
                yield from _texts(inner, (*path, key))
        case tuple():
            for index, inner in enumerate(value):
                yield from _texts(inner, (*path, str(index)))
        case _:
            return


def secret_texts(value: Value) -> Iterator[tuple[Path, str]]:
    """Yield path and text where `${NAME}` may stand in a configuration, in place below it as well."""
    return ((path, text) for path, text in _texts(value) if holds_secret(path))


def names_in(text: str) -> list[str]:
    """Return the variables that a text names as `${NAME}`."""
    return _REFERENCE.findall(text)


def filled(text: str, environ: Mapping[str, str]) -> str:
    """Return a text with the values of its variables; one that is unset is empty."""
    return _REFERENCE.sub(lambda found: environ.get(found[1], ""), text)


def references(value: Value) -> frozenset[str]:
    """Return the variables that a configuration names, without those in place below it."""
    return frozenset(name for path, text in _texts(value) if _own_secret(path) for name in names_in(text))


def misused(value: Value, environ: Mapping[str, str] | None) -> Iterator[tuple[Path, Saying]]:
    """Yield path and message of each `${` that stands in a wrong place or, given `environ`, has no value."""
    for path, text in _texts(value):
        if "${" not in text:
            continue
        if not holds_secret(path):
            yield path, saying(say.MISPLACED)
        elif "${" in _REFERENCE.sub("", text):
            yield path, saying(say.UNCLOSED)
        elif environ is not None and _own_secret(path):
            for name in names_in(text):
                if not environ.get(name):
                    yield path, saying(say.UNSET, name=name)


def expand(value: Value, environ: Mapping[str, str], path: Path = ()) -> Value:
    """Return a configuration with the values of its variables, except those in place below it."""
    match value:
        case dict():
            return {key: expand(inner, environ, (*path, key)) for key, inner in value.items()}
        case str() if _own_secret(path):
            return filled(value, environ)
        case _:
            return value
