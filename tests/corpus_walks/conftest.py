"""Fixtures of the corpus walks: one place for all rows of a test process, and one mm for many rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.corpus_walks.place import Place
from tests.walks.terminal import Terminal

WIDE = (160, 50)


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """The place of this test process; when all rows have run, nothing of it is alive."""
    place = Place(tmp_path_factory.mktemp("place"))
    yield place
    place.walk.leaves_nothing()


class Line:
    """mm at a terminal, started anew only where a row has left it in the middle of something."""

    def __init__(self, start: Callable[[], Terminal]) -> None:
        self._start = start
        self._open = ExitStack()
        self._mm: Terminal | None = None

    def mm(self) -> Terminal:
        """mm at its prompt."""
        if self._mm is None:
            self._mm = self._open.enter_context(self._start())
        return self._mm.waits_for_prompt()

    def settle(self) -> None:
        """A row is through: mm must be back at its prompt, else the next row gets a new one."""
        if self._mm is not None and not self._mm.at_prompt:
            self.close()

    def close(self) -> None:
        """End mm."""
        self._open.close()
        self._mm = None


def _line(place: Place, file: str) -> Iterator[Line]:
    line = Line(lambda: place.walk.line("-c", file, size=WIDE))
    yield line
    line.close()


@pytest.fixture(scope="module")
def _asking_line(place: Place) -> Iterator[Line]:
    yield from _line(place, "riker.yaml")


@pytest.fixture(scope="module")
def _free_line(place: Place) -> Iterator[Line]:
    yield from _line(place, "free.yaml")


@pytest.fixture
def mm(_asking_line: Line) -> Iterator[Terminal]:
    """mm at a terminal, under protection."""
    yield _asking_line.mm()
    _asking_line.settle()


@pytest.fixture
def free_mm(_free_line: Line) -> Iterator[Terminal]:
    """mm at a terminal, with yolo on."""
    yield _free_line.mm()
    _free_line.settle()
