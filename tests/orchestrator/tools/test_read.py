"""Reading shows files, and says what to do about what is none."""

from __future__ import annotations

import os
from pathlib import Path
from socket import AF_UNIX, socket
from tempfile import TemporaryDirectory

import anyio
import pytest

from consent.call import Place, Tier, Unrunnable
from consent.key import Kind
from orchestrator.tools.base import BadArguments, Outcome, Workplace
from orchestrator.tools.read import ENTRIES, READ_FILE, SHOWN
from tests.orchestrator.tools.conftest import Use


class TestLook:
    def test_names_the_real_file(self, place: Workplace) -> None:
        (place.folder / "link").symlink_to("real")
        seen = READ_FILE.look({"path": "link"}, place)
        assert seen.detail == Place("link")
        assert seen.paths == (str(place.folder.resolve() / "real"),)
        assert (seen.tier, READ_FILE.kind) == (Tier.READ, Kind.READ)

    @pytest.mark.parametrize(
        ("path", "fenced"),
        [
            ("a", True),
            ("x/../a", True),
            (".", True),
            ("../a", False),
            ("/etc/passwd", False),
            ("out/a", False),
        ],
    )
    def test_the_fence_is_the_folder_behind_all_links(
        self, place: Workplace, path: str, fenced: bool
    ) -> None:
        (place.folder / "out").symlink_to("/tmp")
        assert READ_FILE.look({"path": path}, place).fenced is fenced

    def test_a_folder_named_by_a_link_is_the_same_fence(self, place: Workplace, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to(place.folder)
        linked = Workplace(tmp_path / "link", {})
        assert READ_FILE.look({"path": str(place.folder / "a")}, linked).fenced

    def test_a_neighbour_with_a_longer_name_is_outside(self, place: Workplace) -> None:
        assert not READ_FILE.look({"path": f"{place.folder}-2/a"}, place).fenced

    @pytest.mark.parametrize("path", ["a\0", "a\x7f", "\ud800"])
    def test_a_path_with_hidden_characters_cannot_run(self, place: Workplace, path: str) -> None:
        assert READ_FILE.look({"path": path}, place).unrunnable is Unrunnable.HIDDEN_CHARACTERS

    @pytest.mark.parametrize(
        ("path", "why"),
        [
            ("~/a", "~ is not expanded"),
            ("", "path is empty"),
            ("a/" * 20_000, "no path is longer than 4096 bytes, and no name in it than 255$"),
            ("é" * 128, "no path is longer"),
        ],
    )
    def test_a_path_that_is_none_or_means_something_else_is_refused(
        self, place: Workplace, path: str, why: str
    ) -> None:
        with pytest.raises(BadArguments, match=why):
            READ_FILE.look({"path": path}, place)


class TestRun:
    @pytest.mark.parametrize("text", ["", "a\n", "no end", "a\r\nb\r\n", "\ufeffé漢\U0001f600\x1b[0m"])
    async def test_a_text_is_shown_as_it_is(self, use: Use, place: Workplace, text: str) -> None:
        (place.folder / "a").write_bytes(text.encode())
        assert await use(READ_FILE, path="a") == Outcome(text)

    async def test_what_just_fits_is_shown_whole(self, use: Use, place: Workplace) -> None:
        (place.folder / "a").write_text("x" * SHOWN)
        assert await use(READ_FILE, path="a") == Outcome("x" * SHOWN)

    async def test_of_a_longer_one_start_and_end_are_shown(self, use: Use, place: Workplace) -> None:
        half = SHOWN // 2
        (place.folder / "a").write_text("a" * half + "xyz" + "b" * half)
        text = "a" * half + "\n[... 3 bytes left out ...]\n" + "b" * half
        assert await use(READ_FILE, path="a") == Outcome(text)

    async def test_bytes_that_are_no_utf8_are_shown_as_escapes(self, use: Use, place: Workplace) -> None:
        (place.folder / "a").write_bytes(b"caf\xe9")
        assert await use(READ_FILE, path="a") == Outcome("caf\\xe9")

    async def test_a_binary_file_is_refused(self, use: Use, place: Workplace) -> None:
        (place.folder / "a").write_bytes(b"\x7fELF\0\1")
        outcome = await use(READ_FILE, path="a")
        assert outcome == Outcome(
            f"{place.folder.resolve()}/a is a binary file, which cannot be shown as text", ok=False
        )

    async def test_a_folder_says_what_it_holds(self, use: Use, place: Workplace) -> None:
        (place.folder / "b").mkdir()
        (place.folder / "a").touch()
        outcome = await use(READ_FILE, path=".")
        assert outcome == Outcome(f"{place.folder.resolve()} is a folder. It holds: a, b/", ok=False)

    async def test_of_a_large_folder_the_rest_is_counted(self, use: Use, place: Workplace) -> None:
        for number in range(ENTRIES + 3):
            (place.folder / f"{number:04}").touch()
        assert (await use(READ_FILE, path=".")).text.endswith("0199, and 3 more")

    async def test_a_file_that_is_not_there_is_said(self, use: Use, place: Workplace) -> None:
        outcome = await use(READ_FILE, path="a")
        assert outcome == Outcome(f"{place.folder.resolve()}/a: No such file or directory", ok=False)

    async def test_what_would_wait_for_ever_is_refused(self, use: Use, place: Workplace) -> None:
        os.mkfifo(place.folder / "pipe")
        with TemporaryDirectory(dir="/tmp") as short, socket(AF_UNIX) as server, anyio.fail_after(20):
            server.bind(f"{short}/socket")  # such names must be short
            for path in ("pipe", f"{short}/socket", "/dev/zero"):
                outcome = await use(READ_FILE, path=path)
                assert not outcome.ok
                assert outcome.text.endswith("is no regular file but a device, pipe or socket")

    async def test_a_circle_of_links_is_said(self, use: Use, place: Workplace) -> None:
        (place.folder / "a").symlink_to("a")
        assert not (await use(READ_FILE, path="a")).ok
