"""The programs that are compared: how each is started by itself, and how a file of mm names it."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

AGENTS = Path(__file__).with_name("agents")
ECHO = (sys.executable, "-S", str(AGENTS / "echo.py"))
MINIMAL = (sys.executable, str(AGENTS / "minimal.py"))


Keys = dict[str, Any]
"""A mapping of the file."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A program: the command that starts it, and the entry of `mmConfigs` for it."""

    argv: tuple[str, ...]
    entry: Keys


def subjects(folder: Path) -> tuple[Subject, Subject, Subject]:
    """The bare process, the minimal agent and mm, in the order of the table."""
    return (
        Subject(ECHO, {"command": ECHO}),
        Subject(MINIMAL, {"command": MINIMAL}),
        Subject(mm(folder, "mm"), {"path": "mm.yaml"}),
    )


def asking(folder: Path, entry: Keys, *, yolo: bool = True, number: int = 1) -> tuple[str, ...]:
    """The command of an mm that may ask `number` agents of this entry: a1, a2 and so on."""
    entries = {f"a{at}": entry for at in range(1, number + 1)}
    return mm(folder, "asking", yolo=yolo, limits={"agents": number}, mmConfigs=entries)


def mm(folder: Path, name: str, **keys: Any) -> tuple[str, ...]:
    """Write NAME.yaml, an agent with the demo model; gives the command that serves it."""
    file = folder / f"{name}.yaml"
    file.write_text(json.dumps({"model": "demo", **keys}), encoding="utf-8")
    return (sys.executable, "-m", "orchestrator", "--acp", "-c", str(file))
