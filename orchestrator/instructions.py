"""What the model is told about itself and its place, before any conversation. Knows no model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from orchestrator.paths import open_regular

LONGEST = 64 * 1024
"""Bytes of one instruction file that are read; a longer file is cut, and the model is told so."""

BASE = """You are {name}, an agent that works on somebody's computer, in the folder {folder}.
Use your tools to look and to act; paths are relative to this folder. A call that was refused did not run: \
do not repeat it. Answer in the language of the request, and say plainly what you did and what you did not."""


def found_in(folder: Path, names: Sequence[str]) -> tuple[Path, ...]:
    """The instruction files that lie in the folder, in the order of the file's `instructionsFrom`."""
    return tuple(path for name in names if (path := folder / name).is_file())


def instructions(name: str, own: str, folder: Path, files: Sequence[Path]) -> str:
    """The whole text: the place, the file's own instructions, then the instruction files of the folder."""
    parts = [BASE.format(name=name, folder=folder), own.strip()]
    parts += [f"From {path.name}:\n\n{_read(path)}" for path in files]
    return "\n\n".join(part for part in parts if part)


def _read(path: Path) -> str:
    with open_regular(path) as file:
        data = file.read(LONGEST + 1)
    text = data[:LONGEST].decode("utf-8", "replace").strip()
    return text if len(data) <= LONGEST else f"{text}\n(cut here: the file is longer)"
