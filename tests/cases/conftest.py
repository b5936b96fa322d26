"""Fixtures of the cases: a walk, and each facade that has a person in front of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.facades import FACADES, Facade
from tests.walks.builder import Walk


@pytest.fixture
def walk(tmp_path: Path) -> Iterator[Walk]:
    """A walk of its own, which must leave no process behind."""
    walk = Walk(tmp_path)
    yield walk
    walk.leaves_nothing()


@pytest.fixture(params=[name for name, facade in FACADES.items() if facade.somebody])
def facade(request: pytest.FixtureRequest) -> type[Facade]:
    """Each facade in front of which somebody sits."""
    return FACADES[request.param]
