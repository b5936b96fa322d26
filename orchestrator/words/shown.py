"""Which arguments of a call its one detail shows; all else is shown beside it. Looks at no file.

An argument is shown where the detail holds what it holds, in its place: that a field has the name of one that
is shown says nothing.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from posixpath import join, normpath
from typing import Any

from consent.call import Altered, Arguments, Change, Command, Detail, Origin, Place, Task, ToolCall

LONGEST = 64 * 1024
"""Characters of the longest text that a person can read (consent.md, "Doubtful calls")."""
PATH_FIELDS = ("path", "file_path", "filePath", "filepath", "abs_path")
"""Fields of arguments that name the file of a call, as real agents spell them."""
WHOLE = "content"
"""The field of the whole new text of a file."""
PIECES = (("old", "new"), ("oldString", "newString"), ("old_string", "new_string"), ("old_str", "new_str"))
"""Fields of a piece of a file and of what replaces it."""

_BEFORE = frozenset(old for old, _ in PIECES)
_AFTER = frozenset({WHOLE, *(new for _, new in PIECES)})
_ALTERED = frozenset({"agent", "path", "file", WHOLE})


def left_out(call: ToolCall) -> bool:
    """Whether a call has arguments that its detail does not show."""
    if call.origin is Origin.OWN:
        return False  # our own tools refuse arguments that they do not know
    try:
        arguments = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        return True
    return bool(unshown(call.detail, arguments, call.folder))


def unshown(detail: Detail, arguments: Any, folder: str) -> Any:
    """What of the arguments of an asked agent's call its detail does not show: nothing, fields, or all."""
    if isinstance(detail, Arguments):
        return {}
    if not isinstance(arguments, dict):
        return arguments
    shown = _task(detail, arguments) if isinstance(detail, Task) else _fields(detail, arguments, folder)
    return {field: value for field, value in arguments.items() if field not in shown}


def task_text(question: str, context: Any) -> str:
    """A task as it is sent to an asked agent: the context first, if there is one."""
    return f"{context}\n\n{question}" if context else question


def joined(command: Any) -> str | None:
    """A list of words as the command that it is, None for anything else."""
    words = isinstance(command, list) and command and all(isinstance(word, str) for word in command)
    return shlex.join(command) if words else None


def _task(task: Task, arguments: Mapping[str, Any]) -> frozenset[str]:
    question, context = arguments.get("question"), arguments.get("context")
    sound = isinstance(question, str) and isinstance(context, str | None)
    whole = sound and task.text == task_text(str(question), context)
    return frozenset({"question", "context"}) if whole else frozenset()


def _fields(detail: Detail, arguments: Mapping[str, Any], folder: str) -> frozenset[str]:
    return frozenset(field for field, value in arguments.items() if _shows(detail, field, value, folder))


def _shows(detail: Detail, field: str, value: Any, folder: str) -> bool:
    match detail:
        case Command(text=text):
            return field == "command" and text in (value, joined(value))
        case Change(path=path, target=target) if field in PATH_FIELDS:
            return value == path or _is(value, target, folder)
        case Change(before=before, after=after):
            return isinstance(value, str) and (
                (field in _BEFORE and value == before) or (field in _AFTER and value == after)
            )
        case Place(text=text):
            return (field == "url" and value == text) or (field == "path" and _is(value, text, folder))
        case _:
            return isinstance(detail, Altered) and field in _ALTERED


def _is(path: Any, target: str, folder: str) -> bool:
    return isinstance(path, str) and normpath(join(folder, path)) == target
