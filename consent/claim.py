"""Claims: what the arguments of a call say that would run, and whether a report contradicts what was shown.

Source: consent.md, "Acting without asking". Agents write one act in several ways: a path from the folder or
from the root, a number as a text, a command as words or as a line. Such writings agree; no two acts do, so
where it is not sure, things differ. Pure: knows no file and no protocol. What is kept is bounded.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

LONGEST = 64 * 1024
"""Characters of a command or a path that is looked into; a longer one is compared as it is."""
MOST_FIELDS = 50
"""Arguments that are compared one by one; more of them are one thing."""
SHELLS = frozenset(
    f"{folder}{name}"
    for folder in ("", "/bin/", "/usr/bin/", "/usr/local/bin/")
    for name in ("sh", "ash", "bash", "dash", "ksh", "zsh")
)
"""Shells that run what stands behind `-c` as it would run alone. Elsewhere, such a name may be anything."""

_RUNS_TEXT = ("-c", "-lc")
_COMMAND, _PATH, _FOLDER = "command", "path", "cwd"
_MEANINGS: Mapping[str, str] = {
    "cmd": _COMMAND,
    "commandline": _COMMAND,
    "abspath": _PATH,
    "absolutepath": _PATH,
    "filepath": _PATH,
    "workdir": _FOLDER,
    "workingdir": _FOLDER,
    "workingdirectory": _FOLDER,
}
"""Fields that are one thing under several names, in small letters without `_`."""
_NO_ARGUMENTS = frozenset({"startedatms"})
"""Fields that say when, not what: codex gives a call another one each time it speaks of it."""
_LONGEST_NAME = 64
_PIECE = r"""(?:[\w@%+=:,./-]|'[^']*+'|"[^"$`\\!]*+"|\\[^\n])++"""
_PLAIN = re.compile(rf"{_PIECE}(?:[ \t]++{_PIECE})*+")
"""A line whose words are what they are in any shell: nothing is expanded, and no second command begins."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Where an agent works: its folder, the real one behind it, and its home. Empty where it is not known."""

    folder: str = ""
    real: str = ""
    home: str = ""


class Value(NamedTuple):
    """What an argument is, and which other writings may be the same; all as digests."""

    exact: bytes
    also: frozenset[bytes] = frozenset()

    def agrees(self, other: Value) -> bool:
        """Whether both may say the same. Two writings that may each be a third are not yet equal."""
        return self.exact == other.exact or self.exact in other.also or other.exact in self.also


class Field(NamedTuple):
    """One argument by its names, from the one that is written to the one of its meaning, and its value."""

    names: tuple[str, str, str]
    value: Value


Claim = frozenset[Field]
"""The arguments of a call. Empty where nothing is said."""
NOTHING: Claim = frozenset()
NOWHERE = Ground()


def claim_of(arguments: str, ground: Ground = NOWHERE) -> Claim:
    """What these frozen arguments say would run; what is null, or only says when, is not said."""
    try:
        value = json.loads(arguments or "null")
    except (ValueError, RecursionError):
        value = arguments
    given: Mapping[str, Any] = value if isinstance(value, dict) else {"": value}
    if len(given) > MOST_FIELDS:
        given = {"": given}
    said = {
        name: part for name, part in given.items() if part is not None and _plain(name) not in _NO_ARGUMENTS
    }
    base = _base(said, ground)
    return frozenset(
        Field(_names(name), _value(_meaning(name), part, ground, base)) for name, part in said.items()
    )


def titled(claim: Claim, title: str) -> Claim:
    """The claim with a title beside it."""
    name = "\0title"
    return claim | {Field((name, name, name), Value(_digest(title)))} if title else claim


def contradicts(shown: Claim, told: Claim) -> bool:
    """Whether what is told is something other than what was shown.

    Fields that only one of them has are no contradiction, for requests of honest agents say less or more
    than their reports; but something must be common to both.
    """
    if not shown or not told:
        return False
    found = [*_compared(shown, told)]
    return False in found or True not in found


def covers(said: Claim, more: Claim) -> bool:
    """Whether each argument of `more` was said already."""
    return all(_compared(said, more))


def alike(one: Claim, other: Claim) -> bool:
    """Whether both say the same, and all of it."""
    return covers(one, other) and covers(other, one)


def _compared(shown: Claim, told: Claim) -> Iterator[bool | None]:
    """For each argument that is told, whether it was shown so; None where it was not shown at all.

    It is held against the one of the same name, else against those that are spelled like it, else against
    those that mean the same.
    """
    places: dict[tuple[int, str], list[Value]] = {}
    for field in shown:
        for place in enumerate(field.names):
            places.setdefault(place, []).append(field.value)
    for field in told:
        there = next((places[place] for place in enumerate(field.names) if place in places), None)
        yield None if there is None else any(map(field.value.agrees, there))


def _plain(name: str) -> str:
    """A name as it is compared: agents spell theirs `filePath` here and `file_path` there."""
    return name.replace("_", "").lower()


def _meaning(name: str) -> str:
    return _MEANINGS.get(_plain(name), _plain(name))


def _names(name: str) -> tuple[str, str, str]:
    written, plain, meaning = (_short(text) for text in (name, _plain(name), _meaning(name)))
    return written, plain, meaning


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else _digest(name).hex()


def _digest(value: object) -> bytes:
    return sha256(json.dumps(value, sort_keys=True).encode()).digest()


def _value(meaning: str, value: Any, ground: Ground, base: str) -> Value:
    match value:
        case str() | list() | dict() if not value:
            return Value(_digest(None))  # nothing, in any writing
        case bool():
            return Value(_digest(value), _digests(str(value), str(value).lower()))
        case int() | float():
            number = _folded(value)
            return Value(_digest(number), _digests(str(number), f"{number}.0"))
        case str() if meaning == _COMMAND:
            return _line(value)
        case [*words] if meaning == _COMMAND and all(isinstance(word, str) for word in words):
            return _words(words)
        case str() if meaning == _PATH and len(value) <= LONGEST:
            return _place(value, ground, base)
        case str() if meaning == _FOLDER and len(value) <= LONGEST:
            return _place(value.rstrip("/") or "/", ground, ground.real)
        case _:
            return Value(_digest(_folded(value)))


def _digests(*texts: str) -> frozenset[bytes]:
    return frozenset(map(_digest, texts))


def _folded(value: Any) -> Any:
    """A value with numbers in one writing, and without what is null."""
    match value:
        case float():
            return int(value) if value.is_integer() else value
        case dict():
            return {name: _folded(part) for name, part in value.items() if part is not None}
        case list():
            return [_folded(part) for part in value]
        case _:
            return value


def _line(text: str) -> Value:
    """A command as a line. The one that a shell runs is also the line behind `-c`, and its words."""
    line = _ended(text)
    words = _split(line)
    return Value(_digest(line), _behind(words) | {_digest(words)} if words else frozenset())


def _words(words: list[str]) -> Value:
    """A command as words; also the line that a shell reads as these, and the one that its shell runs."""
    is_line = sum(map(len, words)) <= LONGEST and "=" not in words[0]  # which sets a variable in a line
    return Value(_digest(words), _behind(words) | (_digests(shlex.join(words)) if is_line else frozenset()))


def _behind(words: list[str]) -> frozenset[bytes]:
    """The line that these words hand to a shell."""
    match words:
        case [shell, flag, line] if flag in _RUNS_TEXT and shell in SHELLS:
            return frozenset({_digest(_ended(line))})
        case _:
            return frozenset()


def _split(line: str) -> list[str]:
    """The words of a line that begins with a shell; none where they are not plain, or it is too long."""
    if len(line) > LONGEST or line.split(" ", 1)[0] not in SHELLS or not _PLAIN.fullmatch(line):
        return []
    return shlex.split(line)


def _ended(line: str) -> str:
    """A line without blanks and ends of lines behind it, unless a backslash keeps them."""
    bare = line.rstrip(" \t\n")
    return line if bare.endswith("\\") else bare


def _base(said: Mapping[str, Any], ground: Ground) -> str:
    """Where relative paths of a call begin: the folder that it names, else the agent's; "" if unclear."""
    named = [part for name, part in said.items() if _meaning(name) == _FOLDER]
    match named:
        case []:
            return ground.real
        case [str(folder)] if not folder.startswith("~") and len(folder) <= LONGEST:
            base = _absolute(folder, ground, ground.real)
            return base if base.startswith("/") else ""
        case _:
            return ""


def _place(path: str, ground: Ground, base: str) -> Value:
    """A path; `~` may be the home, and may be a name."""
    if not path.startswith("~"):
        return Value(_digest(_absolute(path, ground, base)))
    at_home = ground.home + path[1:]
    known = ground.home and path[1:2] in ("", "/")
    return Value(_digest(path), _digests(_absolute(at_home, ground, base)) if known else frozenset())


def _absolute(path: str, ground: Ground, base: str) -> str:
    """A path from the root. A `..` behind a name stays, since that may be a link; so does a last `/`."""
    names, folder, root = _parts(path), _parts(ground.folder), "/"
    if path.startswith("/"):
        if folder and names[: len(folder)] == folder:
            names = _parts(ground.real) + names[len(folder) :]
    elif base:
        names = _below(_parts(base), names) if base == ground.real else _parts(base) + names
    else:
        root = "./"
    return root + "/".join(names) + ("/" if path.endswith("/") else "")


def _below(folder: list[str], names: list[str]) -> list[str]:
    """The names from a real folder on, where `..` in front are sure to leave it."""
    up = next((at for at, name in enumerate(names) if name != ".."), len(names))
    up = min(up, len(folder))
    return folder[: len(folder) - up] + names[up:]


def _parts(path: str) -> list[str]:
    return [name for name in path.split("/") if name not in ("", ".")]
