"""YAML text to plain values that remember their lines. The only module that imports yaml.

Takes the part of YAML in which a value means what it looks like: no anchors, tags, merge keys or second
document. What YAML 1.1 readers and people would read differently (`no`, `22:22`, `010`) becomes `Odd`,
which no field accepts. Knows no key of the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

import yaml

from mmconfigs.errors import ConfigError, Fault, cut
from mmconfigs.jargon import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST: Final = 32
MOST_VALUES: Final = 10_000  # PyYAML needs about a second for them; a file for people has a few hundred

Path: TypeAlias = tuple[str, ...]
Value: TypeAlias = Any  # dict[str, Value] | tuple[Value, ...] | str | int | float | bool | Odd


@dataclass(frozen=True, slots=True)
class Odd:
    """A plain scalar that is neither text, nor true or false, nor a decimal number."""

    text: str
    kind: str

    def __str__(self) -> str:
        if self.kind == "nothing":
            return f"{self.text or 'nothing'} (empty)"
        return f"{self.text}, which YAML reads as {self.kind}"


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in the file, counted from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Tree:
    """A file as plain values; `keys` and `values` say where each path has its key and its value."""

    file: str
    root: dict[str, Value] = field(default_factory=dict)
    keys: dict[Path, Mark] = field(default_factory=dict)
    values: dict[Path, Mark] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def at(self, path: Path) -> Value:
        """Return the value at `path`, or None."""
        value: Value = self.root
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        return value

    def mark(self, path: Path) -> Mark:
        """Return the place of the key, or of the nearest key above it that is written in the file."""
        while path and path not in self.keys:
            path = path[:-1]
        return self.keys.get(path, Mark(1, 1))

    def fault(
        self,
        path: Path,
        message: str,
        *,
        value: bool = False,
        found: str | None = None,
        accepted: str | None = None,
        near: str | None = None,
    ) -> Fault:
        """Return a fault of the key at `path`, or of its `value`, which may begin some lines below."""
        mark = self.mark(path)
        if value and path in self.values and self.values[path].line != mark.line:
            mark = self.values[path]
        return Fault(
            file=self.file,
            line=mark.line,
            column=mark.column,
            key=".".join(path) if path else None,
            found=found,
            accepted=accepted,
            near=near,
            message=message,
        )


def parse(text: str, file: str) -> Tree:
    """Return the tree of `text`. Raises ConfigError for text that cannot be read as one mapping."""
    try:
        loader = yaml.SafeLoader(text)
    except yaml.reader.ReaderError as error:
        raise ConfigError(_bad_character(text, file, error.position)) from None
    try:
        return _Composer(loader, _events(loader), Tree(file)).compose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or loader.get_mark()
        message = _plain_words(error, error.context_mark or mark, [*text.splitlines(), ""][mark.line])
    except (ValueError, OverflowError):  # PyYAML's own slip: chr() of "\UFFFFFFFF", int() of a huge version
        mark = loader.get_mark()
        message = "a number here is too large for a character or a version"
    raise ConfigError(Fault(file=file, line=mark.line + 1, column=mark.column + 1, message=message))


def mark_of(before: str) -> Mark:
    """Return the place of the character that follows the text `before`."""
    lines = f"{before}x".splitlines()
    return Mark(len(lines), len(lines[-1]))


def _bad_character(text: str, file: str, position: int) -> Fault:
    mark = mark_of(text[:position])
    name = _character(text[position])
    message = f"found the control character {name}, which no text file holds"
    return Fault(file=file, line=mark.line, column=mark.column, found=name, message=message)


def _character(character: str) -> str:
    return "NUL (U+0000)" if character == "\0" else f"U+{ord(character):04X}"


def _plain_words(error: yaml.MarkedYAMLError, opened: yaml.Mark, line: str) -> str:
    words = plain(f"{error.context or ''}: {error.problem or ''}", opened.line + 1, opened.column + 1)
    return f"{words}; put a text that holds ${{NAME}} in quotes" if "${" in line else words


def _events(loader: Any) -> Iterator[yaml.Event]:
    while loader.check_event():
        yield loader.get_event()


@dataclass(slots=True)
class _Composer:
    """Builds the tree from PyYAML's events, so that nothing deep or repeated is ever built."""

    loader: Any  # a yaml.SafeLoader, most of whose methods its stubs leave untyped
    events: Iterator[yaml.Event]
    tree: Tree
    count: int = 0

    def compose(self) -> Tree:
        next(self.events)  # the stream starts
        if isinstance(next(self.events), yaml.StreamEndEvent):
            raise self._stop((), Mark(1, 1), _EMPTY)
        root = self._value(next(self.events), ())
        next(self.events)  # the document ends
        last = next(self.events)
        if not isinstance(last, yaml.StreamEndEvent):
            raise self._stop((), _mark(last), "found a second document; a file holds one document")
        if not isinstance(root, dict):
            raise self._stop((), self.tree.values[()], _no_mapping(root))
        self.tree.root.update(root)
        return self.tree

    def _value(self, event: yaml.Event, path: Path) -> Value:
        self.tree.values[path] = _mark(event)
        self._guard(event, path)
        match event:
            case yaml.MappingStartEvent():
                return dict(self._pairs(path))
            case yaml.SequenceStartEvent():
                return tuple(self._items(path))
            case _:
                return self._scalar(cast("yaml.ScalarEvent", event), path)

    def _guard(self, event: yaml.Event, path: Path) -> None:
        """Bound the work, and report what this file may not hold."""
        self.count += 1
        if len(path) > DEEPEST:
            raise self._stop(path[:3], _mark(event), f"nested deeper than {DEEPEST} levels")
        if self.count > MOST_VALUES:
            raise self._stop(path, _mark(event), f"more than {MOST_VALUES} keys and values")
        if getattr(event, "anchor", None):
            message = "found an anchor or alias (& or *); write the value out, in quotes if it is text"
            raise self._stop(path, _mark(event), message)
        if getattr(event, "tag", None):
            self._report(path, "found a tag (!); write the plain value, in quotes if it is text")

    def _items(self, path: Path) -> Iterator[Value]:
        index = 0
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            item = (*path, str(index))
            self.tree.keys[item] = _mark(event)
            yield self._value(event, item)
            index += 1

    def _pairs(self, path: Path) -> Iterator[tuple[str, Value]]:
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise self._stop(
                    path, _mark(event), "found a list, a mapping or an alias as a key; a key is a text"
                )
            full = (*path, event.value)
            first = full not in self.tree.keys
            self._key(event, full)
            value = self._value(next(self.events), full)
            if first:
                yield event.value, value

    def _key(self, event: yaml.ScalarEvent, full: Path) -> None:
        before = self.tree.keys.get(full)
        self.tree.keys[full] = _mark(event)
        self._guard(event, full)
        value = self._scalar(event, full)
        if value == Odd("<<", "a merge key"):
            self._report(full, "found a merge key (<<); write the keys out")
        elif not isinstance(value, str):
            message = (
                f"unknown key '{cut(event.value)}': a key or name is a text; put it in quotes if you mean it"
            )
            self._report(full, message, event.value)
        elif before:
            self._report(full, f"this key stands here twice, first in line {before.line}")

    def _scalar(self, event: yaml.ScalarEvent, path: Path) -> Value:
        bad = re.search("[\0\ud800-\udfff]", event.value)
        if bad:
            name = _character(bad[0])
            self._report(path, f"found the character {name}, which no text here may hold", name)
        if event.style:  # quoted or a block
            return event.value
        return _plain(event.value, self.loader.resolve(yaml.ScalarNode, event.value, (True, False)))

    def _report(self, path: Path, message: str, found: str | None = None) -> None:
        self.tree.faults.append(self.tree.fault(path, message, found=found))

    def _stop(self, path: Path, mark: Mark, message: str) -> ConfigError:
        key = ".".join(path) if path else None
        last = Fault(file=self.tree.file, line=mark.line, column=mark.column, key=key, message=message)
        return ConfigError(*self.tree.faults, last)


_EMPTY: Final = "the file is empty; write at least `yolo: false` or `yolo: true`"
_KINDS: Final = {
    "bool": "a boolean",
    "int": "a number",
    "float": "a number",
    "null": "nothing",
    "timestamp": "a date",
    "merge": "a merge key",
    "value": "a sign of its own",
}
_BOOLEANS: Final = dict.fromkeys(("true", "True", "TRUE"), True) | dict.fromkeys(
    ("false", "False", "FALSE"), False
)


def _plain(text: str, tag: str) -> Value:
    kind = tag.rpartition(":")[2]
    if kind == "str":
        return text
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if re.fullmatch("[-+]?(0|[1-9][0-9]{0,17})", text):
        return int(text)
    if re.fullmatch(r"[-+]?(0|[1-9][0-9]{0,17})\.[0-9]{1,17}", text):
        return float(text)
    return Odd(text, _KINDS[kind])


def _no_mapping(root: Value) -> str:
    if isinstance(root, Odd) and root.kind == "nothing":
        return _EMPTY
    shown = "a list" if isinstance(root, tuple) else f"the text '{cut(str(root))}'"
    return f"found {shown}; the file must be a mapping, lines of the form `key: value`"


def _mark(event: yaml.Event) -> Mark:
    start = cast("yaml.Mark", event.start_mark)  # only events made by hand have none
    return Mark(start.line + 1, start.column + 1)
