"""The same script through every facade: the person answers the same, so the decisions are the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from consent.rules import Why
from orchestrator import facades
from tests.contract.facades import FACADES
from tests.contract.scenes import SCENES
from tests.contract.script import Row, Scene
from tests.contract.stage import play
from tests.walks.builder import Walk


@pytest.fixture
def walk(tmp_path: Path) -> Iterator[Walk]:
    walk = Walk(tmp_path)
    yield walk
    walk.leaves_nothing()


def written(walk: Walk, expected: Collection[Row]) -> Counter[Row]:
    """The rows of the audit, without the hand-overs that the scene does not speak of."""
    lines = walk.decisions()
    rows = [Row(line["key"], line["allowed"], Why(line["why"])) for line in lines]
    return Counter(row for row in rows if not row.key.startswith("ask_") or row in expected)


def test_every_facade_of_the_program_keeps_the_contract() -> None:
    assert set(FACADES) == set(facades.FACADES)


@pytest.mark.parametrize("name", FACADES)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.title)
def test_a_facade_decides_as_every_other(scene: Scene, name: str, walk: Walk) -> None:
    facade = FACADES[name]
    decided = play(scene, facade, walk)
    rows = scene.rows(somebody=facade.somebody)
    assert decided == {call: row.seen for call, row in rows.items()}
    assert written(walk, rows.values()) == Counter(rows.values())
    leaving = [call for call in scene.calls if call.leaves]
    allowed = {call for call, row in rows.items() if row.allowed}
    assert all(walk.made(call.leaves) == (call.name in allowed) for call in leaving)
