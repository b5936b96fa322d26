"""Fixtures of the walks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.walks.builder import Walk


@pytest.fixture
def walk(tmp_path: Path) -> Iterator[Walk]:
    """A walk of its own, which must leave no process behind."""
    walk = Walk(tmp_path)
    yield walk
    walk.leaves_nothing()
