"""Fixtures of the middle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.orchestrator.team import Team
from tests.walks.builder import Walk


@pytest.fixture
def team(tmp_path: Path) -> Team:
    """Scripted agents in a folder of their own."""
    return Team(tmp_path)


@pytest.fixture
def walk(tmp_path: Path) -> Iterator[Walk]:
    """The program itself, in a folder of its own; it must leave no process behind."""
    walk = Walk(tmp_path)
    yield walk
    walk.leaves_nothing()
