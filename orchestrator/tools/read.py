"""Shows text files. Changes nothing."""

from __future__ import annotations

import os
from pathlib import Path

from anyio import to_thread

from consent.call import Place, Tier
from consent.key import Kind
from orchestrator.paths import Unusable, open_exact
from orchestrator.tools.arguments import check_arguments, hidden, text_schema
from orchestrator.tools.base import Arguments, Outcome, Seen, Tool, Workplace
from orchestrator.tools.files import locate

SHOWN = 256 * 1024
"""Bytes that are shown of one file."""

ENTRIES = 200
"""Entries that are listed of a folder."""

PARAMETERS = text_schema({"path": "the file; relative paths start in the working folder"})


def _look(arguments: Arguments, place: Workplace) -> Seen:
    path = check_arguments(PARAMETERS, arguments)["path"]
    if unrunnable := hidden(path):
        return Seen(Place(path), Tier.READ, unrunnable=unrunnable)
    named = locate(path, place)
    return Seen(Place(path), Tier.READ, (str(named.target),), named.fenced)


async def _run(_arguments: Arguments, seen: Seen, _place: Workplace) -> Outcome:
    (target,) = seen.paths
    try:
        return Outcome(await to_thread.run_sync(_read, Path(target)))
    except Unusable as error:
        return Outcome(str(error), ok=False)
    except OSError as error:
        return Outcome(f"{target}: {error.strerror}", ok=False)


def _read(path: Path) -> str:
    if path.is_dir():
        raise Unusable(f"{path} is a folder. It holds: {_entries(path)}")
    with open_exact(path) as file:
        data = file.read(SHOWN + 1)
        if len(data) > SHOWN:
            size = file.seek(0, os.SEEK_END)
            file.seek(size - SHOWN // 2)
            mark = f"\n[... {size - SHOWN} bytes left out ...]\n"
            data = data[: SHOWN // 2] + mark.encode() + file.read(SHOWN // 2)
    if b"\0" in data:
        raise Unusable(f"{path} is a binary file, which cannot be shown as text")
    return data.decode(errors="backslashreplace")


def _entries(folder: Path) -> str:
    names = sorted(entry.name + "/" * entry.is_dir() for entry in folder.iterdir())
    more = [f"and {len(names) - ENTRIES} more"] if len(names) > ENTRIES else []
    return ", ".join(names[:ENTRIES] + more) or "nothing"


READ_FILE = Tool(
    "read_file",
    f"Show a text file. Of a file over {SHOWN // 1024} KiB the start and the end are shown.",
    PARAMETERS,
    Kind.READ,
    _look,
    _run,
)
