"""The same script through every facade: the person answers the same, so the decisions are the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.facades import FACADES, Facade
from tests.contract.scenes import SCENES
from tests.contract.script import Scene
from tests.contract.stage import play
from tests.walks.builder import Walk


@pytest.fixture
def walk(tmp_path: Path) -> Iterator[Walk]:
    walk = Walk(tmp_path)
    yield walk
    walk.leaves_nothing()


@pytest.mark.parametrize("facade", FACADES, ids=lambda facade: facade.__name__)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.title)
def test_a_facade_decides_as_every_other(scene: Scene, facade: type[Facade], walk: Walk) -> None:
    decided = play(scene, facade, walk)
    rows = scene.rows(somebody=facade.somebody)
    assert decided == {name: row.seen for name, row in rows.items()}
    leaving = [call for call in scene.calls if call.leaves]
    allowed = {name for name, row in rows.items() if row.allowed}
    assert all(walk.made(call.leaves) == (call.name in allowed) for call in leaving)
