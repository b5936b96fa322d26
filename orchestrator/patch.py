"""The files that a text names as the headers of a patch do: unified, as git writes it, or of `apply_patch`.

Looks at no file, and at no more of a text than it is told to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_HEADS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")
_LINES = ("+++ ", "--- ", "rename from ", "rename to ", "copy from ", "copy to ", "diff --git ", "Index: ")
_HEADER = re.compile(rf"^[ \t]*(?:{'|'.join(map(re.escape, _HEADS + _LINES))})(.+)$", re.MULTILINE)
_QUOTED = re.compile(r"\\([0-7]{1,3}|.)")


def holds_header(text: str, start: int = 0) -> bool:
    """Whether a header may stand behind `start`. Quick, since nearly no text holds one."""
    if start == 0 and text.startswith(_LINES):
        return True
    return any(text.find(head, start) >= 0 for head in (*_HEADS, *("\n" + line for line in _LINES)))


def patched(text: str, end: int) -> Iterator[str]:
    """The files that headers before `end` name, those of git with a/ and b/ and without."""
    for found in _HEADER.finditer(text, 0, end):
        path = found[1].split("\t")[0].strip()
        for each in dict.fromkeys((path, *path.split())):
            name = _unquoted(each)
            yield from (name, name.partition("/")[2])


def _unquoted(path: str) -> str:
    """A path as git means it that puts odd names into quotes."""
    if len(path) < 2 or path[0] != '"' or path[-1] != '"':
        return path
    return _QUOTED.sub(lambda found: chr(int(found[1], 8)) if found[1].isdigit() else found[1], path[1:-1])
