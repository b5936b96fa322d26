"""What the tests of all tools share."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest

from orchestrator.tools.base import Outcome, Tool, Workplace

Use = Callable[..., Awaitable[Outcome]]


@pytest.fixture(autouse=True)
def _temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of a test stays behind in the machine's temporary folder."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    """An empty folder to work in."""
    folder = tmp_path / "folder"
    folder.mkdir()
    return Workplace(folder, os.environ)


@pytest.fixture
def use(place: Workplace) -> Use:
    """Look and run, as the loop does once a call is allowed."""

    async def run(tool: Tool, **arguments: str) -> Outcome:
        with anyio.fail_after(30):
            return await tool.run(arguments, tool.look(arguments, place), place)

    return run
