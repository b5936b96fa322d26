"""What a valid file must keep beyond the types of its keys. Knows no tool but those named to it."""

from __future__ import annotations

import errno
import os
import pathlib
import stat
from typing import TYPE_CHECKING

from mmconfigs import sentences as say
from mmconfigs.environ import stances
from mmconfigs.language import Saying, Sentence, Text, saying
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
            text = saying(
                say.CONTRADICTS, mode=mode, first=first, where=loaded.where(first), other=said[first]
            )
            yield loaded.fault(tuple(key.split(".")), text, found=mode, accepted=said[first])


def forms(loaded: Loaded) -> Iterator[Fault]:
    """Yield a fault for each entry and server that is written in no form, or in more than one.

    Counts the keys as they are written, so that a fault in one of them is not told as its absence.
    """
    yield from _one_form(loaded, "mmConfigs", ("path", "config", "command"), say.ENTRY_FORM)
    yield from _one_form(loaded, "mcpServers", ("command", "url"), say.SERVER_FORM)


def _one_form(loaded: Loaded, place: str, keys: tuple[str, ...], sentence: Sentence) -> Iterator[Fault]:
    accepted = " and ".join([", ".join(keys[:-1]), keys[-1]])
    for path, written in _find(loaded.raw, [place, "*"]):
        if isinstance(written, dict) and len(written.keys() & {*keys}) != 1:
            yield loaded.fault(path, saying(sentence), accepted=accepted)


def profiles(loaded: Loaded) -> Iterator[Fault]:
    """Yield a fault for each profile of an agent that is not started by `command`."""
    for path, written in _find(loaded.raw, ["mmConfigs", "*"]):
        if isinstance(written, dict) and "profile" in written and "command" not in written:
            yield loaded.fault((*path, "profile"), saying(say.PROFILE))


def not_built(loaded: Loaded) -> Iterator[Fault]:
    """Yield a fault for each key that would protect or act and whose feature does not exist yet."""
    for pattern, fine in NOT_BUILT.items():
        for path, value in _find(loaded.raw, pattern.split(".")):
            if value not in fine:
                yield loaded.fault(path, saying(say.NOT_BUILT))


def _find(value: Value, steps: list[str], path: Path = ()) -> Iterator[tuple[Path, Value]]:
    if not steps:
        yield path, value
    elif isinstance(value, dict):
        for key in value if steps[0] == "*" else value.keys() & {steps[0]}:
            yield from _find(value[key], steps[1:], (*path, key))


def paths(loaded: Loaded) -> Iterator[Fault]:
    """Yield a fault for each entry or server whose file or folder, or hook whose program cannot be used."""
    for key, text in _named_paths(loaded.config):
        if unusable := _unusable(loaded, text, folder=key[-1] == "cwd"):
            yield loaded.fault(key, unusable, found=text)
    for place, hook in enumerate(loaded.config.hooks.pre_tool_call):
        program = loaded.words(hook.command)[0]
        reason = _no_program(pathlib.Path(program)) if "/" in program else None
        if reason:
            key = ("hooks", "preToolCall", str(place), "command")
            yield loaded.fault(key, _of(program, reason), found=hook.command[0])


def _named_paths(config: Config) -> Iterator[tuple[Path, str]]:
    for name, entry in config.mm_configs.items():
        if entry.path:
            yield ("mmConfigs", name, "path"), entry.path
        if entry.cwd:
            yield ("mmConfigs", name, "cwd"), entry.cwd
    for name, server in config.mcp_servers.items():
        if server.cwd:
            yield ("mcpServers", name, "cwd"), server.cwd


def _unusable(loaded: Loaded, text: str, *, folder: bool) -> Text | None:
    path = loaded.resolve(text)
    reason = _not_this_kind(path, stat.S_ISDIR, say.NO_FOLDER) if folder else no_file(path)
    if reason:
        return _of(path, reason)
    if path.resolve() == loaded.file:
        return saying(say.OF_ITSELF)
    return None


def script(loaded: Loaded) -> Iterator[Fault]:
    """Yield a fault for a model `script:FILE` without that file. Only for a check: `-m` may name another."""
    kind, _, name = (loaded.config.model or "").partition(":")
    if kind == "script":
        path = loaded.file.parent / name
        reason = no_file(path)
        if reason:
            yield loaded.fault(("model",), _of(path, reason), found=loaded.config.model)


def _of(path: pathlib.Path | str, reason: Text) -> Saying:
    return saying(say.OF_FILE, file=str(path), reason=reason)


def _no_program(path: pathlib.Path) -> Text | None:
    """Tell why `path` is no program of the person's own, or None."""
    if reason := no_file(path):
        return reason
    return None if os.access(path, os.X_OK) else saying(say.NOT_EXECUTABLE)


def no_file(path: pathlib.Path) -> Text | None:
    """Tell why `path` is no file that can be read, or None."""
    return _not_this_kind(path, stat.S_ISREG, say.NOT_REGULAR)


def _not_this_kind(path: pathlib.Path, is_kind: Callable[[int], bool], otherwise: Sentence) -> Text | None:
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return saying(say.NOT_FOUND)
    except ValueError:  # half a surrogate pair, which no file system takes
        return saying(say.NO_FILE_NAME)
    except OSError as error:
        return saying(say.CIRCLE) if error.errno == errno.ELOOP else str(error.strerror).lower()
    if is_kind(mode):
        return None
    return saying(say.FOLDER if stat.S_ISDIR(mode) else otherwise)
