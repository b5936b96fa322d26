"""The one detail of an asked agent's call that counts for a person, from the raw fields of ACP.

What is shown is what would run: the arguments. A diff beside them is the own account of the agent. It is the
detail of a call that changes a file; what it leaves out of the arguments is then drawn, too (`words.shown`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from consent.call import Altered, Arguments, Change, Command, Detail, Place, Task
from consent.key import Kind
from orchestrator.disk import real
from orchestrator.words.shown import PATH_FIELDS, PIECES, WHOLE, joined, task_text

NOTHING: tuple[Any, ...] = (None, {}, [], "")
"""Arguments that say nothing: then the content of the call is all that there is to see."""
CHANGES = (None, Kind.EDIT, Kind.DELETE, Kind.MOVE)
"""The kinds of calls that a diff tells of; of any other kind it may be only a part of what would happen."""


def detail_of(name: str | None, kind: Kind | None, call: Mapping[str, Any], folder: str) -> Detail:
    """The detail of a call with these raw fields, best known first."""
    raw = call.get("rawInput")
    fields: Mapping[str, Any] = raw if isinstance(raw, dict) else {}
    match name, fields:
        case (str(asking), {"agent": str(agent), "path": str(path), "file": str(file)}) if (
            kind is Kind.SWITCH_MODE and asking == f"ask_{agent}"
        ):
            return Altered(agent, path, file)
        case ("write_file" | "edit_file", _) if contents_disagree(call):
            return _by_kind(kind, call, fields, folder)
        case ("write_file", {"path": str(path), "content": str(content)}):
            return Change(path, real(folder, path), None, content)
        case ("edit_file", {"path": str(path), "old": str(old), "new": str(new)}):
            return Change(path, real(folder, path), old, new)
        case ("read_file", {"path": str(path)}):
            return Place(real(folder, path))
        case ("fetch_content", {"url": str(url)}):
            return Place(url)
        case (str(asked), {"question": str(question)}) if asked.startswith("ask_"):
            return Task(asked.removeprefix("ask_"), task_text(question, fields.get("context")))
        case _:
            return _by_kind(kind, call, fields, folder)


def _by_kind(kind: Kind | None, call: Mapping[str, Any], fields: Mapping[str, Any], folder: str) -> Detail:
    match fields:
        case {"command": str(command)} if not (kind is Kind.EDIT and any(f in fields for f in PATH_FIELDS)):
            return Command(command)  # beside a path it is what an editor does with a file: "create"
        case {"command": [*_] as words} if run := joined(words):
            return Command(run)
    raw, diffs = call.get("rawInput"), list(_diffs(call))
    if len(diffs) == 1 and kind in CHANGES:
        return _change(diffs[0], folder)
    if raw in NOTHING:
        return Arguments("\n".join(filter(None, (_content_text(call), arguments_text(diffs or None)))))
    return Arguments(arguments_text(raw))


def contents_disagree(call: Mapping[str, Any]) -> bool:
    """Whether the one diff of a call makes another text than its arguments do, however they are read."""
    raw, diffs = call.get("rawInput"), list(_diffs(call))
    if not isinstance(raw, dict) or len(diffs) != 1:
        return False
    before, after = _text(diffs[0].get("oldText")) or "", _text(diffs[0].get("newText")) or ""
    readings = [*_make(raw, before, after)]
    return bool(readings) and not any(readings)


def _make(raw: Mapping[str, Any], before: str, after: str) -> Iterator[bool]:
    """Whether the arguments make this text of a file, for each way that they can be read."""
    whole = _text(raw.get(WHOLE))
    if whole is not None:
        yield whole == after
    for old, new in ((_text(raw.get(old)), _text(raw.get(new))) for old, new in PIECES):
        if new is not None:
            yield new == after
            yield bool(old) and _replaces(before, old or "", new, after)


def _replaces(before: str, old: str, new: str, after: str) -> bool:
    """Whether `old`, replaced once or everywhere, makes this text. No longer one is ever put together."""
    found = before.count(old)
    return any(
        len(before) + times * (len(new) - len(old)) == len(after) and before.replace(old, new, times) == after
        for times in {min(found, 1), found}
    )


def _text(value: Any) -> str | None:
    """A text with one kind of line ends, since a file's own ones win."""
    return value.replace("\r\n", "\n") if isinstance(value, str) else None


def _change(diff: Mapping[str, Any], folder: str) -> Change:
    before, after = diff.get("oldText"), diff.get("newText")
    path = str(diff["path"])
    return Change(path, real(folder, path), before if isinstance(before, str) else None, str(after or ""))


def arguments_text(raw: Any) -> str:
    """Arguments as JSON text, byte for byte what is decided about; empty where none were given."""
    return "" if raw is None else json.dumps(raw, ensure_ascii=True)


def paths_of(call: Mapping[str, Any]) -> list[str]:
    """Every file that a call names: in its arguments, its diffs and its locations."""
    raw, places = call.get("rawInput"), call.get("locations")
    named = [raw.get(field) for field in PATH_FIELDS] if isinstance(raw, dict) else []
    located = (
        [place.get("path") for place in places if isinstance(place, dict)] if isinstance(places, list) else []
    )
    return [p for p in (*named, *(d["path"] for d in _diffs(call)), *located) if isinstance(p, str)]


def _diffs(call: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    content = call.get("content")
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "diff" and isinstance(block.get("path"), str):
            yield block


def _content_text(call: Mapping[str, Any]) -> str:
    content = call.get("content")
    blocks = [b.get("content") for b in content if isinstance(b, dict)] if isinstance(content, list) else []
    return "\n".join(str(b["text"]) for b in blocks if isinstance(b, dict) and isinstance(b.get("text"), str))
