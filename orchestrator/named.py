"""The paths and the commands that a call names, wherever in its arguments. Looks at no file.

Which fields the tools of another agent have is not known here, so every field counts: of any name, however
deep, the keys of objects and JSON inside of texts included. How much is looked at is bounded; where there is
more, what was found says so.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from consent.call import Arguments, Change, Command, Origin, Place, Task, ToolCall
from orchestrator.patch import holds_header, patched
from orchestrator.paths import LONGEST as LONGEST_PATH
from orchestrator.paths import usable
from orchestrator.words.shown import PATH_FIELDS

MOST_PATHS, MOST_COMMANDS, MOST_VALUES = 250, 4, 10_000
"""How many of each are looked at in one call."""
LONGEST, MOST_TEXT = 16 * 1024, 256 * 1024
"""Characters of one text, and of all of them, that are looked at."""
MOST_JSON = 4 * 1024 * 1024
"""Characters of arguments that are parsed once more."""


def _plain(field: str) -> str:
    """The name of a field without what only tells spellings apart: `new_text` is `newText`."""
    short = field[:64].lower()
    return short if short.isalnum() else "".join(filter(str.isalnum, short))


_PATHS = frozenset(map(_plain, PATH_FIELDS))
_CONTENT = frozenset(
    {f"{age}{what}" for age in ("old", "new") for what in ("string", "str", "text", "content", "contents")}
    | {"content", "contents", "filetext", "inserttext", "codeedit", "diff", "patch", "unifieddiff"}
)
_PIECES = frozenset({"old", "new"})  # content only beside a file: of a renaming they are the files
_PROSE = frozenset({"question", "context"})
_COMMANDS = frozenset(
    {"command", "cmd", "commandline", "shellcommand", "program", "executable", "exec", "run"}
)
_LISTED = frozenset({"commands", "cmds"})
_SCRIPTS = _LISTED | {"script", "code", "bash", "shell", "sh"}
_ARGUMENTS = ("args", "argv", "arguments")
_WORKS_IN = frozenset({"cwd", "workdir", "workingdir", "workingdirectory"})
_MAY_WORK_IN = frozenset({"dir", "directory", "dirpath"})  # beside a command
_LISTS = re.compile("file|path")
_SEPARATED = re.compile(r"[\s,;=]+")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+):(.*)", re.DOTALL | re.IGNORECASE)
_WEB = frozenset({"http", "https", "ftp", "ws", "wss", "git", "ssh", "data", "mailto"})
_HOME = re.compile(r"\$(?:HOME\b|\{HOME\b[^}/]*\})")
_HERE = re.compile(r"(?:\$PWD\b|\$\{PWD\b[^}/]*\}|~\+)(?=/|$)")
_AT_LINE = re.compile(r":\d+(?::\d+)?$")


@dataclass(frozen=True, slots=True)
class Named:
    """What was found: `files` that known fields name, and `paths` that other texts are.

    `words` name a file only where there is one, or where it would be critical by its own name. `texts` are
    the first that no field calls a command, and that may be one. `folders` are those that the call says to
    work in. `whole` is false where there is more than is looked at.
    """

    files: tuple[str, ...]
    paths: tuple[str, ...]
    words: tuple[str, ...]
    commands: tuple[str, ...]
    texts: tuple[str, ...]
    folders: tuple[str, ...]
    whole: bool


def named(call: ToolCall) -> Named:
    """What a call names: in its detail, beside its arguments, and in them."""
    search = _Search(_CONTENT | _PROSE if isinstance(call.detail, Task) else _CONTENT)
    match call.detail:
        case Command(text):
            search.command(text)
        case Change(path, target):
            search.files((path, target))
        case Arguments(text) if text != call.arguments:
            search.arguments(text)
    search.files(call.beside)
    if call.origin is not Origin.OWN or isinstance(call.detail, Arguments | Place):
        search.arguments(call.arguments)  # of own calls, every other detail shows all of them
    return search.found()


def spellings(text: str, home: str) -> Iterator[str]:
    """The paths that a text may mean, absolute or from the folder of a call; none for a page of the web."""
    for path in _addressed(text):
        for each in dict.fromkeys((path, _AT_LINE.sub("", path))):
            yield from dict.fromkeys((each, _expanded(each, home)))


def _addressed(text: str) -> Iterator[str]:
    """A path as it is, and those behind a scheme such as `file:`."""
    scheme = _SCHEME.fullmatch(text)
    web = scheme is not None and scheme[1].lower() in _WEB
    if not web or "/../" in text:
        yield text
    if scheme and not web:
        for rest in dict.fromkeys((scheme[2], re.split("[?#]", scheme[2])[0])):
            path = unquote(rest)
            yield from ("/" + path[2:].partition("/")[2], path[2:]) if path.startswith("//") else (path,)


def _expanded(path: str, home: str) -> str:
    """A path as a shell expands it that knows only the home and the folder."""
    path = _HERE.sub(".", _HOME.sub(lambda _: home, path), count=1)
    if not path.startswith("~"):
        return path
    name, slash, below = path[1:].partition("/")
    return (f"/home/{name}" if name not in ("", "root") else "/root" if name else home) + slash + below


def _parsed(text: str) -> Any:
    """What a text is as JSON, None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _words(value: Any) -> list[str]:
    """A list of texts as it is, nothing of anything else."""
    return value if isinstance(value, list) and all(isinstance(each, str) for each in value) else []


_Fields = Iterator[tuple[str, Any]]


class _Search:
    """One search through one call. Of `content` fields only the headers of a patch count."""

    def __init__(self, content: frozenset[str]) -> None:
        self._content = content
        self._files: dict[str, None] = {}
        self._paths: dict[str, None] = {}
        self._words: dict[str, None] = {}
        self._commands: dict[str, None] = {}
        self._texts: dict[str, None] = {}
        self._folders: dict[str, None] = {}
        self._values, self._text_left = MOST_VALUES, MOST_TEXT
        self._whole = True

    def found(self) -> Named:
        """All that was found."""
        return Named(
            files=tuple(self._files),
            paths=tuple(self._paths),
            words=tuple(self._words),
            commands=tuple(self._commands),
            texts=tuple(self._texts),
            folders=tuple(self._folders),
            whole=self._whole,
        )

    def files(self, paths: Iterable[str]) -> None:
        """Keep paths that are named as such."""
        for path in paths:
            self._keep(path, sure=True)

    def command(self, text: str, longest: int | None = None) -> None:
        """Keep a command, the first `longest` characters of it."""
        self._patched(text)
        if text in self._commands:
            return
        if len(self._commands) >= MOST_COMMANDS:
            self._whole = False
            return
        self._commands[text[:longest]] = None
        self._whole = self._whole and len(text) <= (longest or len(text))

    def arguments(self, text: str) -> None:
        """Look through arguments, as JSON text or as plain text; a list alone may be a command as well."""
        if len(text) > MOST_JSON:
            self._whole = False
            return
        value = text if (parsed := _parsed(text)) is None else parsed
        self._may_run(self._joined(_words(value)))
        stack: list[_Fields] = [iter((("", value),))]
        while stack:
            if (each := next(stack[-1], None)) is None:
                stack.pop()
            elif self._values <= 0 or self._text_left <= 0:
                self._whole = False
                return
            else:
                self._values -= 1
                stack += self._below(*each)

    def _below(self, field: str, value: Any) -> Iterator[_Fields]:
        """Look at one value; gives what is to be looked at in it."""
        if isinstance(value, dict):
            yield self._object(value)
        elif isinstance(value, list):
            yield ((field, each) for each in value)
        elif isinstance(value, str):
            self._patched(value)
            if field not in self._content:
                self._may_run(value)
                yield from self._text(field, value)

    def _object(self, value: Mapping[str, Any]) -> _Fields:
        edits = any(field in value for field in PATH_FIELDS)
        words = next((words for name in _ARGUMENTS if (words := _words(value.get(name)))), [])
        line = next((line for name in _ARGUMENTS if isinstance(line := value.get(name), str)), "")
        behind = self._joined(words) if words else line
        runs = any(isinstance(value.get(name), str) for name in _COMMANDS)
        for key, each in value.items():
            field = _plain(key)
            self._keep(key)
            if field in _COMMANDS | _SCRIPTS:
                yield from self._run(field, each, behind)
            elif words and each is words:
                yield from ((field, None),) if runs else self._run(field, each)
            elif field in _WORKS_IN and isinstance(each, str):
                self._folder(each)
                yield field, None
            elif runs and field in _MAY_WORK_IN and isinstance(each, str):
                self._folder(each)
                yield field, each
            else:
                yield ("content" if edits and field in _PIECES else field), each

    def _run(self, field: str, value: Any, behind: str = "") -> _Fields:
        """Read a field as a command, or as several; what is none is looked at like any other."""
        if field in _LISTED and isinstance(value, list) and not _words(value):
            for each in value:
                yield from self._run("command", each)
            return
        if isinstance(value, str):
            self.command(f"{value} {behind}" if behind else value, LONGEST)
        for text in _words(value) if field in _LISTED else [*filter(None, [self._joined(_words(value))])]:
            self.command(text, LONGEST)
            yield field, None
        command = isinstance(value, str) or _words(value)
        yield field, None if command and not self._may_name(field, value) else value

    def _may_name(self, field: str, value: Any) -> bool:
        """Whether what was read as a command may name files, too: a lone script, arguments of no program."""
        return field in _ARGUMENTS or (field in _SCRIPTS and isinstance(value, str) and not value.split()[1:])

    def _joined(self, words: list[str]) -> str:
        """Words as the command that they are, the first of them."""
        self._whole = self._whole and len(words) <= MOST_PATHS
        return shlex.join(words[:MOST_PATHS])

    def _may_run(self, text: str) -> None:
        if text and len(self._texts) < MOST_COMMANDS:
            self._texts[text[:LONGEST]] = None

    def _folder(self, path: str) -> None:
        self._whole = self._whole and (not self._folders or path in self._folders)
        if not self._folders and usable(path):
            self._folders[path] = None

    def _text(self, field: str, text: str) -> Iterator[_Fields]:
        """A text may be JSON, a path, or a list of them; where it is too long for that, it is prose."""
        lists = _LISTS.search(field) is not None
        self._text_left -= min(len(text), LONGEST)
        text = text.strip(" \t\r\n")
        inner = text.startswith(("{", "[", '"'))
        if len(text) > LONGEST:
            self._whole = self._whole and not (lists or inner)
        elif inner and isinstance(value := _parsed(text), dict | list | str):
            yield iter(((field if isinstance(value, str) else "", value),))
        else:
            self._listed(text.strip(" \t\r\n'\"`"), sure=field in _PATHS, lists=lists)

    def _listed(self, text: str, *, sure: bool, lists: bool) -> None:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) == 1:
            self._keep(text, sure=sure)
        if lists or len(text.split()) == len(lines):
            for part in _SEPARATED.split(text):
                self._keep(part)

    def _patched(self, text: str) -> None:
        """Keep the files of a patch, looking no further than a text is looked at."""
        if not holds_header(text):
            return
        end = len(text) if len(text) <= LONGEST else max(text.rfind("\n", 0, LONGEST), 0)
        for path in patched(text, end):
            self._keep(path)
        self._whole = self._whole and (end == len(text) or not holds_header(text, max(end, 1)))

    def _keep(self, text: str, *, sure: bool = False) -> None:
        if not text or len(text) > LONGEST_PATH or "\n" in text or not usable(text):
            return
        path = "/" in text or text.startswith(("~", "$"))
        kept = self._files if sure else self._paths if path else self._words
        if text in kept or text in self._files:
            return
        if len(self._files) + len(self._paths) + len(self._words) >= MOST_PATHS:
            self._whole = False
        else:
            kept[text] = None
