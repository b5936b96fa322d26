"""Changes text files: a whole file, or one place in it.

What is written is the `after` that `look` showed, onto a file that still holds the `before`. Both are exact:
only UTF-8 is changed, and contents with NUL or lone surrogates are refused like such paths, because nobody
can be shown them as they are. A file whose lines all end in CRLF keeps that, whatever the arguments hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import partial

from anyio import to_thread

from consent.call import Change, Place, Tier, Unrunnable
from consent.key import Kind
from orchestrator.paths import Unusable
from orchestrator.tools.arguments import check_arguments, hidden, text_schema
from orchestrator.tools.base import Arguments, BadArguments, Outcome, Seen, Tool, Workplace
from orchestrator.tools.files import content, locate, replace

PATH = "the file; relative paths start in the working folder"
WRITE = text_schema({"path": PATH, "content": "the whole new text of the file"})
EDIT = text_schema(
    {
        "path": PATH,
        "old": "the text to replace, exactly as it stands in the file, long enough to stand there once",
        "new": "the text to put in its place",
    }
)

After = Callable[[Arguments, str | None], str]
"""The new text of a file, from the arguments and the old text, None where there is no file."""

NOT_TEXT = re.compile("[\0\ud800-\udfff]")

LINES, WIDTH = 5000, 500
"""How far into a file, and into its lines, the nearest text is looked for."""


def _look(arguments: Arguments, place: Workplace, *, schema: Mapping[str, object], after: After) -> Seen:
    check_arguments(schema, arguments)
    path = arguments["path"]
    if unrunnable := hidden(path) or _no_text(arguments.values()):
        return Seen(Place(path), Tier.WRITE, unrunnable=unrunnable)
    named = locate(path, place)
    try:
        before = content(named.target)
    except Unusable as error:
        raise BadArguments(str(error)) from error
    except OSError as error:
        raise BadArguments(f"{path}: {error.strerror}") from error
    change = Change(path, str(named.target), before, after(arguments, before))
    return Seen(change, Tier.WRITE, (change.target,), named.fenced)


async def _run(_arguments: Arguments, seen: Seen, place: Workplace) -> Outcome:
    if not isinstance(seen.detail, Change):
        return Outcome("no change was shown, so nothing is written", ok=False)
    try:
        return Outcome(await to_thread.run_sync(_write, seen.detail, place))
    except Unusable as error:
        return Outcome(str(error), ok=False)
    except OSError as error:
        return Outcome(f"{seen.detail.target} is not written: {error.strerror}", ok=False)


def _write(change: Change, place: Workplace) -> str:
    target = locate(change.path, place).target
    if str(target) != change.target or not replace(target, change.before, change.after):
        raise Unusable(f"{change.path} changed since it was shown; read it again")
    return f"{target} is written"


def _no_text(values: Iterable[str]) -> Unrunnable | None:
    return Unrunnable.HIDDEN_CHARACTERS if any(map(NOT_TEXT.search, values)) else None


def _written(arguments: Arguments, before: str | None) -> str:
    return _ends_like(before, arguments["content"])


def _edited(arguments: Arguments, before: str | None) -> str:
    path = arguments["path"]
    if before is None:
        raise BadArguments(f"{path}: there is no such file; write_file creates it")
    old, new = (_ends_like(before, arguments[name]) for name in ("old", "new"))
    if not old or old == new:
        raise BadArguments("old is empty or the same as new, so there is nothing to replace")
    first = before.find(old)
    if first < 0:
        raise BadArguments(f"{path}: the old text does not stand there. {_nearest(before, old)}")
    if before.find(old, first + 1) >= 0:
        times = max(2, before.count(old))  # places that overlap count as two
        raise BadArguments(f"{path}: the old text stands there {times} times; take in more lines around it")
    return before.replace(old, new)


def _ends_like(before: str | None, text: str) -> str:
    """`text` with CRLF if all lines of `before` end so."""
    crlf = before is not None and "\n" in before and not re.search("(?<!\r)\n", before)
    return re.sub("\r?\n", "\r\n", text) if crlf else text


def _nearest(before: str, old: str) -> str:
    """The lines of a file that look most like `old`, judged by its longest line."""
    lines = [line[:WIDTH] for line in before.splitlines()[:LINES]]
    wanted = [line[:WIDTH] for line in old.splitlines()]
    longest = max(wanted, key=len)
    for line in get_close_matches(longest, lines, n=1, cutoff=0.5):
        first = max(0, lines.index(line) - wanted.index(longest))
        near = enumerate(lines[first : first + len(wanted)], first + 1)
        return "The nearest is:\n" + "\n".join(f"{number}: {text}" for number, text in near)
    return "Nothing there looks like it; read the file again"


WRITE_FILE = Tool(
    "write_file",
    "Write a whole text file. Folders that are missing are made.",
    WRITE,
    Kind.EDIT,
    partial(_look, schema=WRITE, after=_written),
    _run,
)

EDIT_FILE = Tool(
    "edit_file",
    "Replace one place in a text file.",
    EDIT,
    Kind.EDIT,
    partial(_look, schema=EDIT, after=_edited),
    _run,
)
