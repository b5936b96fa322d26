"""Where paths lead, as the system would say it, and never for long."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.disk import MOST_LINKS, Disk, one_file, real

PARTS = st.lists(
    st.sampled_from(["a", "b", "up", "far", "loop", "..", ".", "", "missing", "file"]), max_size=8
)


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders with links between them."""
    root = tmp_path_factory.mktemp("farm").resolve()
    for folder in ("a/b", "a/a", "b/a"):
        (root / folder).mkdir(parents=True)
    for folder in ("", "a", "a/b", "b"):
        (root / folder / "file").touch()
        (root / folder / "up").symlink_to("..")
        (root / folder / "far").symlink_to(root / "b" / "up" / "a")
        (root / folder / "loop").symlink_to("loop")
    return root


@given(parts=PARTS)
def test_a_path_leads_where_the_system_says(farm: Path, parts: list[str]) -> None:
    path = "/".join((str(farm), *parts))
    with suppress(OSError):
        assert Disk().real(path) == os.path.realpath(path, strict=True)


@given(st.text(), st.integers(0, 3))
def test_no_path_raises(path: str, names: int) -> None:
    disk = Disk(names)
    assert isinstance(disk.real("/" + path), str)
    assert isinstance(disk.exists("/" + path), bool)


@pytest.mark.parametrize("path", ["/\ud800", "/a\0b", "/" + "x" * 5000])
def test_what_cannot_be_looked_at_is_there_and_leads_nowhere_else(path: str) -> None:
    assert Disk().real(path) == path
    assert Disk().exists(path)


def test_no_more_links_are_followed_than_a_system_does(tmp_path: Path) -> None:
    (tmp_path / "0").touch()
    for number in range(MOST_LINKS + 1):
        (tmp_path / str(number + 1)).symlink_to(str(number))
    assert Disk().real(f"{tmp_path}/{MOST_LINKS}") == f"{tmp_path}/0"
    assert Disk().real(f"{tmp_path}/{MOST_LINKS + 1}") == f"{tmp_path}/{MOST_LINKS + 1}"


def test_a_disk_that_is_tired_says_so_and_takes_everything_for_there(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc")
    disk = Disk(2)
    assert disk.real(f"{tmp_path}/link") == f"{tmp_path}/link"
    assert disk.tired
    assert disk.exists("/no-such-file")


def test_a_path_is_taken_from_the_folder(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    assert real(str(tmp_path), "link/x") == str(tmp_path.resolve() / "file" / "x")
    assert real("/w", "x" * 5000) == "x" * 5000
    assert real("/w", "a\0b") == "/w/a\0b"


def test_paths_are_one_file_where_they_lead_there(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    assert one_file(str(tmp_path), [])
    assert one_file(str(tmp_path), ["file", "link", f"{tmp_path}/file"])
    assert not one_file(str(tmp_path), ["file", "other"])
    assert not one_file(str(tmp_path), ["file", "x" * 5000])


def test_more_paths_than_can_be_looked_at_are_not_one_file() -> None:
    assert not one_file(
        "/", ["./" * number + "usr/" * 6 for number in range(2)] + ["../" * 900 + "usr/.." * 500]
    )
    assert not one_file("/", ["usr/../" * number + "usr" for number in range(200)])
