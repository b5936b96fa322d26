"""Fixtures of the documents' tests: a reader with a folder of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.reader import Reader
from tests.walks.builder import Walk


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    """Somebody who follows one document, and must leave no process behind."""
    walk = Walk(tmp_path)
    yield Reader(walk)
    walk.leaves_nothing()
