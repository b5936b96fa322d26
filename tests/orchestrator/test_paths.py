"""What is opened is what was meant, whatever others put in its place meanwhile."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import pytest

from consent.call import Change
from orchestrator.instructions import instructions
from orchestrator.paths import Unusable, exact_folder, open_exact, open_regular, usable
from orchestrator.tools.base import Workplace
from orchestrator.tools.edit import WRITE_FILE
from orchestrator.tools.files import content
from orchestrator.tools.read import READ_FILE

RACE = 1.0
"""Seconds that others have to swap something at the wrong moment."""


@contextmanager
def racing(turn: Callable[[], None]) -> Iterator[None]:
    """Something that another does, over and over, meanwhile."""
    done = threading.Event()

    def run() -> None:
        while not done.is_set():
            turn()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def meanwhile() -> Iterator[None]:
    end = time.monotonic() + RACE
    while time.monotonic() < end:
        yield


def text(opened: BinaryIO) -> str:
    with opened as file:
        return file.read().decode()


class TestUsable:
    @pytest.mark.parametrize(
        "path",
        ["", "a", "/", "a/" * 2048, "/" * 4096, "a" * 255, "é" * 127, f"{'a' * 255}/{'b' * 255}", "\ud800"],
    )
    def test_what_a_system_can_open_is(self, path: str) -> None:
        assert usable(path)

    @pytest.mark.parametrize("path", ["a/" * 2048 + "a", "a" * 256, "é" * 128, f"/x/{'a' * 256}/y"])
    def test_what_is_longer_than_any_path_or_name_is_not(self, path: str) -> None:
        """In bytes."""
        assert not usable(path)


class TestOpenExact:
    def test_no_link_is_followed(self, tmp_path: Path) -> None:
        (tmp_path / "folder").mkdir()
        (tmp_path / "folder/a").write_text("real")
        (tmp_path / "turned").symlink_to("folder")
        (tmp_path / "folder/link").symlink_to("a")
        with open_exact(tmp_path / "folder/a") as file:
            assert file.read() == b"real"
        for path in ("turned/a", "folder/link"):
            with pytest.raises(OSError):
                open_exact(tmp_path / path)

    def test_nothing_stays_open(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        before = len([*Path("/dev/fd").iterdir()])
        for path in ("pipe", "nowhere", "nowhere/a", "pipe/a", "."):
            with pytest.raises((Unusable, OSError)):
                open_exact(tmp_path / path)
        assert len([*Path("/dev/fd").iterdir()]) == before

    def test_a_folder_stays_the_same_whatever_takes_its_place(self, tmp_path: Path) -> None:
        with exact_folder(tmp_path / "a/b", make=True) as folder:
            (tmp_path / "a").rename(tmp_path / "away")
            (tmp_path / "a/b").mkdir(parents=True)
            os.mkdir("here", dir_fd=folder)
        assert (tmp_path / "away/b/here").is_dir()

    def test_no_folder_is_made_behind_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "folder").mkdir()
        (tmp_path / "turned").symlink_to("folder")
        with pytest.raises(OSError), exact_folder(tmp_path / "turned/new", make=True):
            pytest.fail("a link was followed")
        assert not [*(tmp_path / "folder").iterdir()]


@pytest.mark.parametrize(
    "use",
    [
        pytest.param(lambda path: text(open_regular(path)), id="open_regular"),
        pytest.param(lambda path: text(open_exact(path)), id="open_exact"),
        pytest.param(content, id="look"),
        pytest.param(lambda path: instructions("riker", "", path.parent, [path]), id="instructions"),
    ],
)
def test_a_pipe_that_takes_a_files_place_is_neither_waited_for_nor_read(
    tmp_path: Path, use: Callable[[Path], str]
) -> None:
    path, draft = tmp_path / "a", tmp_path / "draft"
    (tmp_path / "file").write_text("text")
    path.write_text("text")
    os.mkfifo(tmp_path / "pipe")
    read = set[str]()

    def swap() -> None:
        for name in ("pipe", "file"):
            os.link(tmp_path / name, draft)
            draft.replace(path)

    def use_it() -> None:
        for _ in meanwhile():
            with suppress(Unusable):
                read.add(use(path)[-4:])

    user = threading.Thread(target=use_it, daemon=True)  # where it waits, it waits for ever
    with racing(swap):
        user.start()
        user.join(20 * RACE)
    assert not user.is_alive()
    assert read == {"text"}


class Swapped:
    """A folder whose place a link takes, again and again. It leads to another one, with the same file."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.other = folder / "sub", folder.parent / "other"
        for each in (self.folder, self.other):
            each.mkdir()
            (each / "a").write_text("old")
        self.link, self.away = folder / "link", folder / "away"
        self.link.symlink_to(self.other)

    def swap(self) -> None:
        self.folder.rename(self.away)
        self.link.rename(self.folder)
        self.folder.rename(self.link)
        self.away.rename(self.folder)


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    (tmp_path / "place").mkdir()
    return Workplace((tmp_path / "place").resolve(), os.environ)


@pytest.fixture
def swapped(place: Workplace) -> Swapped:
    return Swapped(place.folder)


async def test_what_was_shown_is_written_there_or_nowhere(place: Workplace, swapped: Swapped) -> None:
    """Also when a folder on the way becomes a link at the worst moment; no draft stays."""
    arguments = {"path": "sub/a", "content": "old"}
    seen = WRITE_FILE.look(arguments, place)
    assert isinstance(seen.detail, Change)
    before = (swapped.other / "a").stat().st_ino
    with racing(swapped.swap):
        written = [(await WRITE_FILE.run(arguments, seen, place)).ok for _ in meanwhile()]
    assert any(written)
    assert (swapped.other / "a").stat().st_ino == before
    assert not [*place.folder.parent.rglob(".mm-*")]


async def test_what_was_shown_is_read_there_or_nowhere(place: Workplace, swapped: Swapped) -> None:
    (swapped.other / "a").write_text("of others")
    arguments = {"path": "sub/a"}
    seen = READ_FILE.look(arguments, place)
    with racing(swapped.swap):
        read = {(await READ_FILE.run(arguments, seen, place)).text for _ in meanwhile()}
    assert "old" in read
    assert "of others" not in read
