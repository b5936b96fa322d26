"""Where runs live on this computer. Knows nothing of what they are."""

from __future__ import annotations

from pathlib import Path

import platformdirs


class EngineError(Exception):
    """The engine, or its database, cannot be used. Says why."""


class Unreachable(EngineError):
    """The database cannot be used now: what it has of a run is kept."""


SQLITE = "sqlite:///"
"""How the address of a file begins."""
HELD = "runs"
"""The folder of the state folder in which the files of driven runs lie."""
DATABASE = "runs/runs.sqlite"
"""The user's own database, in the state folder."""


def trees_folder() -> Path:
    """Where worktrees lie: with the user's data, since they hold work; not with mm's own files."""
    return platformdirs.user_data_path("mm") / "worktrees"
