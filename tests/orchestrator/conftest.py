"""Fixtures of the middle."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.orchestrator.team import Team


@pytest.fixture
def team(tmp_path: Path) -> Team:
    """Scripted agents in a folder of their own."""
    return Team(tmp_path)
