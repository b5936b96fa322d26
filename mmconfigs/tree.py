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

from mmconfigs import sentences as say
from mmconfigs.errors import ConfigError, Fault, cut
from mmconfigs.jargon import plain
from mmconfigs.language import Saying, Text, saying

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST: Final = 32
MOST_VALUES: Final = 10_000  # PyYAML needs about a second for them; a file for people has a few hundred

Path: TypeAlias = tuple[str, ...]
Value: TypeAlias = Any  # dict[str, Value] | tuple[Value, ...] | str | int | float | bool | Odd


@dataclass(frozen=True, slots=True)
class Odd:
    """A plain scalar that is neither text, nor true or false, nor a decimal number; `kind` is YAML's tag."""

    text: str
    kind: str

    def __str__(self) -> str:
        return str(self.told)

    @property
    def told(self) -> Saying:
        """What it is, in words; its text is cut to what a person reads."""
        text = cut(self.text, 60)
        if self.kind == "null":
            return saying(say.EMPTY_VALUE, text=text or saying(say.NOTHING))
        return saying(say.READ_AS, text=text, kind=saying(say.KINDS[self.kind]))


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
        text: Text,
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
            text=text,
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
        said = _plain_words(error, error.context_mark or mark, [*text.splitlines(), ""][mark.line])
    except (ValueError, OverflowError):  # PyYAML's own slip: chr() of "\UFFFFFFFF", int() of a huge version
        mark = loader.get_mark()
        said = saying(say.HUGE_NUMBER)
    raise ConfigError(Fault(file=file, line=mark.line + 1, column=mark.column + 1, text=said))


def mark_of(before: str) -> Mark:
    """Return the place of the character that follows the text `before`."""
    lines = f"{before}x".splitlines()
    return Mark(len(lines), len(lines[-1]))


def _bad_character(text: str, file: str, position: int) -> Fault:
    mark = mark_of(text[:position])
    name = _character(text[position])
    return Fault(
        file=file, line=mark.line, column=mark.column, found=name, text=saying(say.CONTROL, name=name)
    )


def _character(character: str) -> str:
    return "NUL (U+0000)" if character == "\0" else f"U+{ord(character):04X}"


def _plain_words(error: yaml.MarkedYAMLError, opened: yaml.Mark, line: str) -> Saying:
    words = plain(f"{error.context or ''}: {error.problem or ''}", opened.line + 1, opened.column + 1)
    return saying(say.QUOTE_VARIABLE, words=words) if "${" in line else words


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
            raise self._stop((), Mark(1, 1), saying(say.EMPTY))
        root = self._value(next(self.events), ())
        next(self.events)  # the document ends
        last = next(self.events)
        if not isinstance(last, yaml.StreamEndEvent):
            raise self._stop((), _mark(last), saying(say.SECOND_DOCUMENT))
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
            raise self._stop(path[:3], _mark(event), saying(say.TOO_DEEP, most=str(DEEPEST)))
        if self.count > MOST_VALUES:
            raise self._stop(path, _mark(event), saying(say.TOO_MANY, most=str(MOST_VALUES)))
        if getattr(event, "anchor", None):
            raise self._stop(path, _mark(event), saying(say.ANCHOR))
        if getattr(event, "tag", None):
            self._report(path, saying(say.TAG))

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
                raise self._stop(path, _mark(event), saying(say.ODD_KEY))
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
        if value == Odd("<<", "merge"):
            self._report(full, saying(say.MERGE_KEY))
        elif not isinstance(value, str):
            self._report(full, saying(say.KEY_IS_TEXT, key=cut(event.value)), event.value)
        elif before:
            self._report(full, saying(say.TWICE, line=str(before.line)))

    def _scalar(self, event: yaml.ScalarEvent, path: Path) -> Value:
        bad = re.search("[\0\ud800-\udfff]", event.value)
        if bad:
            name = _character(bad[0])
            self._report(path, saying(say.BAD_CHARACTER, name=name), name)
        if event.style:  # quoted or a block
            return event.value
        return _plain(event.value, self.loader.resolve(yaml.ScalarNode, event.value, (True, False)))

    def _report(self, path: Path, text: Text, found: str | None = None) -> None:
        self.tree.faults.append(self.tree.fault(path, text, found=found))

    def _stop(self, path: Path, mark: Mark, text: Text) -> ConfigError:
        key = ".".join(path) if path else None
        last = Fault(file=self.tree.file, line=mark.line, column=mark.column, key=key, text=text)
        return ConfigError(*self.tree.faults, last)


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
    return Odd(text, kind)


def _no_mapping(root: Value) -> Saying:
    if isinstance(root, Odd) and root.kind == "null":
        return saying(say.EMPTY)
    found = saying(say.A_LIST) if isinstance(root, tuple) else saying(say.THE_TEXT, text=cut(str(root)))
    return saying(say.NO_MAPPING, found=found)


def _mark(event: yaml.Event) -> Mark:
    start = cast("yaml.Mark", event.start_mark)  # only events made by hand have none
    return Mark(start.line + 1, start.column + 1)
