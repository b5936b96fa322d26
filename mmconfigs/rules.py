"""What a valid file must keep beyond the types of its keys. Knows no tool but those named to it."""

from __future__ import annotations

import errno
import pathlib
import stat
from typing import TYPE_CHECKING

from mmconfigs.environ import stances
from mmconfigs.model import NOT_BUILT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mmconfigs.errors import Fault
    from mmconfigs.loaded import Loaded
    from mmconfigs.model import Config
    from mmconfigs.tree import Path, Value


def contradictions(loaded: Loaded) -> Iterator[Fault]:
    """Yield a fault for each key that contradicts an earlier one about asking."""
    said = stances(loaded.config)
    first = next(iter(said), "")
    for key, mode in said.items():
        if mode != said[first]:
            message = (
                f"says {mode}, while {first} ({loaded.where(first)}) says {said[first]}; keep one of them"
            )
            yield loaded.fault(tuple(key.split(".")), message, found=mode, accepted=said[first])


def forms(loaded: Loaded) -> Iterator[Fault]:
    """Yield a fault for each entry and server that is written in no form, or in more than one.

    Counts the keys as they are written, so that a fault in one of them is not told as its absence.
    """
    yield from _one_form(
        loaded, "mmConfigs", {"path", "config", "command"}, "an entry", "path, config and command"
    )
    yield from _one_form(loaded, "mcpServers", {"command", "url"}, "a server", "command and url")


def _one_form(loaded: Loaded, place: str, keys: set[str], what: str, listed: str) -> Iterator[Fault]:
    for path, written in _find(loaded.raw, [place, "*"]):
        if isinstance(written, dict) and len(written.keys() & keys) != 1:
            yield loaded.fault(path, f"{what} needs exactly one of {listed}", accepted=listed)


def profiles(loaded: Loaded) -> Iterator[Fault]:
    """Yield a fault for each profile of an agent that is not started by `command`."""
    for path, written in _find(loaded.raw, ["mmConfigs", "*"]):
        if isinstance(written, dict) and "profile" in written and "command" not in written:
            yield loaded.fault(
                (*path, "profile"), "a profile is for an agent that `command` starts; take it out"
            )


def not_built(loaded: Loaded) -> Iterator[Fault]:
    """Yield a fault for each key that would protect or act and whose feature does not exist yet."""
    for pattern, fine in NOT_BUILT.items():
        for path, value in _find(loaded.raw, pattern.split(".")):
            if value not in fine:
                yield loaded.fault(path, "this is not built yet, and mm does not ignore it; take the key out")


def _find(value: Value, steps: list[str], path: Path = ()) -> Iterator[tuple[Path, Value]]:
    if not steps:
        yield path, value
    elif isinstance(value, dict):
        for key in value if steps[0] == "*" else value.keys() & {steps[0]}:
            yield from _find(value[key], steps[1:], (*path, key))


def paths(loaded: Loaded) -> Iterator[Fault]:
    """Yield a fault for each entry or server whose file or folder, or hook whose program cannot be used."""
    for key, text in _named_paths(loaded.config):
        reason = _unusable(loaded, text, folder=key[-1] == "cwd")
        if reason:
            yield loaded.fault(key, reason, found=text)
    for place, hook in enumerate(loaded.config.hooks.pre_tool_call):
        program = loaded.words(hook.command)[0]
        reason = no_file(pathlib.Path(program)) if "/" in program else None
        if reason:
            key = ("hooks", "preToolCall", str(place), "command")
            yield loaded.fault(key, f"{program}: {reason}", found=hook.command[0])


def _named_paths(config: Config) -> Iterator[tuple[Path, str]]:
    for name, entry in config.mm_configs.items():
        if entry.path:
            yield ("mmConfigs", name, "path"), entry.path
        if entry.cwd:
            yield ("mmConfigs", name, "cwd"), entry.cwd
    for name, server in config.mcp_servers.items():
        if server.cwd:
            yield ("mcpServers", name, "cwd"), server.cwd


def _unusable(loaded: Loaded, text: str, *, folder: bool) -> str | None:
    path = loaded.resolve(text)
    reason = _not_this_kind(path, stat.S_ISDIR, "not a folder") if folder else no_file(path)
    if reason:
        return f"{path}: {reason}"
    if path.resolve() == loaded.file:
        return "an entry names the file that it stands in; an agent cannot ask itself"
    return None


def script(loaded: Loaded) -> Iterator[Fault]:
    """Yield a fault for a model `script:FILE` without that file. Only for a check: `-m` may name another."""
    kind, _, name = (loaded.config.model or "").partition(":")
    if kind == "script":
        path = loaded.file.parent / name
        reason = no_file(path)
        if reason:
            yield loaded.fault(("model",), f"{path}: {reason}", found=loaded.config.model)


def no_file(path: pathlib.Path) -> str | None:
    """Tell why `path` is no file that can be read, or None."""
    return _not_this_kind(path, stat.S_ISREG, "not a regular file")


def _not_this_kind(path: pathlib.Path, is_kind: Callable[[int], bool], otherwise: str) -> str | None:
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return "not found"
    except ValueError:  # half a surrogate pair, which no file system takes
        return "no name of a file"
    except OSError as error:
        return "its links lead in a circle" if error.errno == errno.ELOOP else str(error.strerror).lower()
    if is_kind(mode):
        return None
    return "a folder, not a file" if stat.S_ISDIR(mode) else otherwise
