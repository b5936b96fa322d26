"""Changes are written exactly as they were shown, onto exactly the file that was shown, or not at all."""

from __future__ import annotations

import os
import re
import threading

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from consent.call import Change, Tier, Unrunnable
from consent.key import Kind
from orchestrator.tools import files
from orchestrator.tools.base import BadArguments, Outcome, Tool, Workplace
from orchestrator.tools.edit import EDIT_FILE, WRITE_FILE
from tests.orchestrator.tools.conftest import Use

EDITORS = [
    pytest.param(WRITE_FILE, {"content": "new"}, id="write_file"),
    pytest.param(EDIT_FILE, {"old": "old", "new": "new"}, id="edit_file"),
]


def refused(tool: Tool, place: Workplace, **arguments: str) -> str:
    """Why the arguments are refused before anybody is asked."""
    with pytest.raises(BadArguments) as caught:
        tool.look(arguments, place)
    return str(caught.value)


def names(place: Workplace) -> list[str]:
    return [entry.name for entry in place.folder.iterdir()]


class TestBoth:
    @pytest.mark.parametrize(("tool", "rest"), EDITORS)
    def test_show_the_change_and_the_real_file(
        self, place: Workplace, tool: Tool, rest: dict[str, str]
    ) -> None:
        (place.folder / "real").write_text("old")
        (place.folder / "link").symlink_to("real")
        real = str(place.folder.resolve() / "real")
        seen = tool.look({"path": "link", **rest}, place)
        assert seen.detail == Change("link", real, "old", "new")
        assert (seen.paths, seen.tier, seen.fenced, tool.kind) == ((real,), Tier.WRITE, True, Kind.EDIT)

    @pytest.mark.parametrize(("tool", "rest"), EDITORS)
    async def test_write_through_links_and_keep_them(
        self, use: Use, place: Workplace, tool: Tool, rest: dict[str, str]
    ) -> None:
        (place.folder / "real").write_text("old")
        (place.folder / "link").symlink_to("real")
        outcome = await use(tool, path="link", **rest)
        assert outcome == Outcome(f"{place.folder.resolve()}/real is written")
        assert (place.folder / "link").is_symlink()
        assert (place.folder / "real").read_text() == "new"

    @pytest.mark.parametrize(("tool", "rest"), EDITORS)
    def test_a_link_that_leads_outside_is_not_fenced(
        self, place: Workplace, tool: Tool, rest: dict[str, str]
    ) -> None:
        (place.folder.parent / "outside").write_text("old")
        (place.folder / "link").symlink_to("../outside")
        seen = tool.look({"path": "link", **rest}, place)
        assert not seen.fenced
        assert seen.paths == (str(place.folder.parent.resolve() / "outside"),)

    @pytest.mark.parametrize(("tool", "rest"), EDITORS)
    async def test_keep_the_mode(self, use: Use, place: Workplace, tool: Tool, rest: dict[str, str]) -> None:
        file = place.folder / "a"
        file.write_text("old")
        file.chmod(0o754)
        await use(tool, path="a", **rest)
        assert file.stat().st_mode & 0o7777 == 0o754

    @pytest.mark.parametrize(("tool", "rest"), EDITORS)
    async def test_leave_nothing_but_the_file(
        self, use: Use, place: Workplace, tool: Tool, rest: dict[str, str]
    ) -> None:
        (place.folder / "a").write_text("old")
        await use(tool, path="a", **rest)
        assert names(place) == ["a"]

    @pytest.mark.parametrize(("tool", "rest"), EDITORS)
    async def test_do_not_touch_a_file_that_changed_since(
        self, place: Workplace, tool: Tool, rest: dict[str, str]
    ) -> None:
        file = place.folder / "a"
        file.write_text("old")
        arguments = {"path": "a", **rest}
        seen = tool.look(arguments, place)
        file.write_text("old and more")
        outcome = await tool.run(arguments, seen, place)
        assert outcome == Outcome("a changed since it was shown; read it again", ok=False)
        assert file.read_text() == "old and more"

    @pytest.mark.parametrize(("tool", "rest"), EDITORS)
    async def test_do_not_follow_a_link_that_was_turned_since(
        self, place: Workplace, tool: Tool, rest: dict[str, str]
    ) -> None:
        """Also when the other file holds the same."""
        for name in ("a", "b"):
            (place.folder / name).write_text("old")
        link = place.folder / "link"
        link.symlink_to("a")
        arguments = {"path": "link", **rest}
        seen = tool.look(arguments, place)
        link.unlink()
        link.symlink_to("b")
        assert not (await tool.run(arguments, seen, place)).ok
        assert {(place.folder / name).read_text() for name in ("a", "b")} == {"old"}

    @pytest.mark.parametrize(("tool", "rest"), EDITORS)
    async def test_a_write_that_fails_leaves_the_file_as_it_was(
        self, use: Use, place: Workplace, monkeypatch: pytest.MonkeyPatch, tool: Tool, rest: dict[str, str]
    ) -> None:
        def full(_descriptor: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        (place.folder / "a").write_text("old")
        outcome = await use(tool, path="a", **rest)
        assert outcome.text.endswith("a is not written: No space left on device")
        assert names(place) == ["a"]
        assert (place.folder / "a").read_text() == "old"

    @pytest.mark.parametrize(("tool", "rest"), EDITORS)
    def test_refuse_what_is_no_text_file(self, place: Workplace, tool: Tool, rest: dict[str, str]) -> None:
        os.mkfifo(place.folder / "pipe")
        (place.folder / "latin").write_bytes(b"caf\xe9")
        (place.folder / "a").touch()
        (place.folder / "circle").symlink_to("circle")
        found = {
            path: refused(tool, place, path=path, **rest)
            for path in (
                "pipe",
                "/dev/null",
                ".",
                "/",
                "latin",
                "a/b",
                "circle",
                "~/x",
                "~x",
                "",
                "a/" * 20_000,
            )
        }
        regular = "is no regular file but a device, pipe or socket"
        expected = [regular, regular, "is a folder", "is a folder", "is no UTF-8 text", "Not a directory"]
        expected += ["Too many levels", "~ is not expanded", "~ is not expanded", "path is empty"]
        expected += ["no path is longer"]
        for (path, message), words in zip(found.items(), expected, strict=True):
            assert words in message, path

    @pytest.mark.parametrize(("tool", "rest"), EDITORS)
    def test_refuse_a_file_too_large_to_be_shown(
        self, place: Workplace, monkeypatch: pytest.MonkeyPatch, tool: Tool, rest: dict[str, str]
    ) -> None:
        monkeypatch.setattr(files, "LARGEST", 10)
        (place.folder / "a").write_text("old" + "x" * 8)
        assert "too large to be shown" in refused(tool, place, path="a", **rest)

    @pytest.mark.parametrize("path", ["a\0", "a\x7f", "\ud800"])
    @pytest.mark.parametrize(("tool", "rest"), EDITORS)
    def test_a_path_with_hidden_characters_cannot_run(
        self, place: Workplace, tool: Tool, rest: dict[str, str], path: str
    ) -> None:
        assert tool.look({"path": path, **rest}, place).unrunnable is Unrunnable.HIDDEN_CHARACTERS

    @pytest.mark.parametrize("character", ["\0", "\udc80"])
    @pytest.mark.parametrize(("tool", "rest"), EDITORS)
    async def test_a_content_that_nobody_can_be_shown_cannot_run(
        self, place: Workplace, tool: Tool, rest: dict[str, str], character: str
    ) -> None:
        (place.folder / "a").write_text("old")
        arguments = {"path": "a", **rest, max(rest): character}
        seen = tool.look(arguments, place)
        assert seen.unrunnable is Unrunnable.HIDDEN_CHARACTERS
        assert not (await tool.run(arguments, seen, place)).ok
        assert (place.folder / "a").read_text() == "old"


class TestWriteFile:
    async def test_makes_the_file_and_the_folders_on_the_way(self, use: Use, place: Workplace) -> None:
        seen = WRITE_FILE.look({"path": "x/y/a", "content": "é\n"}, place)
        assert isinstance(seen.detail, Change)
        assert seen.detail.before is None
        assert not (place.folder / "x").exists()
        assert (await use(WRITE_FILE, path="x/y/a", content="é\n")).ok
        assert (place.folder / "x/y/a").read_bytes() == "é\n".encode()

    async def test_a_new_file_has_the_usual_mode(self, use: Use, place: Workplace) -> None:
        await use(WRITE_FILE, path="a", content="")
        (place.folder / "b").touch()
        assert (place.folder / "a").stat().st_mode == (place.folder / "b").stat().st_mode

    async def test_an_empty_file_is_a_file_that_is_there(self, place: Workplace) -> None:
        arguments = {"path": "a", "content": "new"}
        seen = WRITE_FILE.look(arguments, place)
        (place.folder / "a").touch()
        assert not (await WRITE_FILE.run(arguments, seen, place)).ok

    async def test_makes_what_a_dangling_link_leads_to(self, use: Use, place: Workplace) -> None:
        (place.folder / "link").symlink_to("real")
        await use(WRITE_FILE, path="link", content="new")
        assert (place.folder / "real").read_text() == "new"

    @pytest.mark.parametrize(
        ("before", "content", "after"),
        [
            ("a\r\nb\r\n", "a\nc\n", "a\r\nc\r\n"),
            ("a\r\nb", "a\r\nc", "a\r\nc"),
            ("a\r\nb\n", "a\nc\r\n", "a\nc\r\n"),
            ("a\nb\n", "a\r\nc", "a\r\nc"),
            ("a", "b\n", "b\n"),
            ("", "b\r\n", "b\r\n"),
        ],
    )
    async def test_only_a_file_all_in_crlf_stays_so(
        self, use: Use, place: Workplace, before: str, content: str, after: str
    ) -> None:
        (place.folder / "a").write_bytes(before.encode())
        await use(WRITE_FILE, path="a", content=content)
        assert (place.folder / "a").read_bytes() == after.encode()

    async def test_a_reader_sees_the_old_text_or_the_new_but_no_part(
        self, use: Use, place: Workplace
    ) -> None:
        file = place.folder / "a"
        file.write_text("a" * 500_000)
        seen: set[str] = set()
        done = threading.Event()

        def watch() -> None:
            while not done.is_set():
                seen.add(file.read_text())

        reader = threading.Thread(target=watch)
        reader.start()
        try:
            for letter in "babab":
                await use(WRITE_FILE, path="a", content=letter * 500_000)
        finally:
            done.set()
            reader.join()
        assert seen <= {"a" * 500_000, "b" * 500_000}


class TestEditFile:
    def edit(self, place: Workplace, before: str, old: str, new: str) -> str:
        (place.folder / "a").write_bytes(before.encode())
        seen = EDIT_FILE.look({"path": "a", "old": old, "new": new}, place)
        assert isinstance(seen.detail, Change)
        assert seen.detail.before == before
        return seen.detail.after

    @pytest.mark.parametrize(
        ("before", "old", "new", "after"),
        [
            ("a\nb\nc", "b", "x", "a\nx\nc"),
            ("a\nb\nc", "b\n", "", "a\nc"),
            ("a\r\nb\r\nc", "a\nb", "x\ny", "x\r\ny\r\nc"),
            ("a\r\nb\r\n", "a\r\nb", "x\r\ny", "x\r\ny\r\n"),
            ("a\r\nb\nc", "b\nc", "x\ny", "a\r\nx\ny"),
            ("a.b", "a.b", r"\1\g<0>", r"\1\g<0>"),
            ("\ufeffé", "é", "漢", "\ufeff漢"),
        ],
    )
    def test_exactly_one_place_is_replaced(
        self, place: Workplace, before: str, old: str, new: str, after: str
    ) -> None:
        assert self.edit(place, before, old, new) == after

    @pytest.mark.parametrize(
        ("text", "old", "times"), [("a a a", "a", 3), ("aaa", "aa", 2), ("x\nx\n", "x\n", 2)]
    )
    def test_what_stands_there_more_than_once_is_refused(
        self, place: Workplace, text: str, old: str, times: int
    ) -> None:
        (place.folder / "a").write_text(text)
        message = refused(EDIT_FILE, place, path="a", old=old, new="y")
        assert message == f"a: the old text stands there {times} times; take in more lines around it"

    def test_what_is_not_there_is_refused_with_the_nearest_lines(self, place: Workplace) -> None:
        (place.folder / "a").write_text("import os\n\ndef main():\n    run(fast=True)\n    stop()\n")
        message = refused(EDIT_FILE, place, path="a", old="def main():\n    run(fast=False)", new="x")
        assert message == (
            "a: the old text does not stand there. The nearest is:\n3: def main():\n4:     run(fast=True)"
        )

    @pytest.mark.parametrize("text", ["", "quite another text\n"])
    def test_if_nothing_is_near_that_is_said(self, place: Workplace, text: str) -> None:
        (place.folder / "a").write_text(text)
        message = refused(EDIT_FILE, place, path="a", old="\n0123456789\n", new="x")
        assert (
            message
            == "a: the old text does not stand there. Nothing there looks like it; read the file again"
        )

    def test_a_file_that_is_not_there_is_refused(self, place: Workplace) -> None:
        message = refused(EDIT_FILE, place, path="a", old="x", new="y")
        assert message == "a: there is no such file; write_file creates it"

    @pytest.mark.parametrize(("old", "new"), [("", "x"), ("x", "x")])
    def test_an_edit_that_edits_nothing_is_refused(self, place: Workplace, old: str, new: str) -> None:
        (place.folder / "a").write_text("x")
        assert "nothing to replace" in refused(EDIT_FILE, place, path="a", old=old, new=new)

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(*[st.text("ab\r\n", max_size=6)] * 4)
    def test_either_one_place_is_replaced_or_it_is_refused(
        self, place: Workplace, left: str, old: str, right: str, new: str
    ) -> None:
        """Lines end in CRLF or not: no `\\n` is looked at without the `\\r` before it."""
        assume(not left.endswith("\r") and not old.endswith("\r"))
        before = left + old + right
        try:
            after = self.edit(place, before, old, new)
        except BadArguments:
            return
        crlf = "\n" in before and not re.search("(?<!\r)\n", before)
        assert after == left + (re.sub("\r?\n", "\r\n", new) if crlf else new) + right


def test_the_largest_files_are_judged_quickly(place: Workplace) -> None:
    """`look` runs in the event loop; the worst texts for a search take no time that counts."""
    (place.folder / "a").write_text("a" * (files.LARGEST - 1))
    assert "does not stand there" in refused(EDIT_FILE, place, path="a", old="a" * 50_000 + "b", new="")
    assert "times" in refused(EDIT_FILE, place, path="a", old="aa", new="")
    (place.folder / "a").write_text("aaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbb ccccccccccccccccc\n" * 60_000)
    assert "not stand there" in refused(EDIT_FILE, place, path="a", old="bbbb cccc aaaa" * 20, new="")


async def test_who_owns_a_file_owns_it_afterwards(use: Use, place: Workplace) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    file = place.folder / "a"
    file.write_text("old")
    os.chown(file, 12345, 12346)
    await use(WRITE_FILE, path="a", content="new")
    assert (file.stat().st_uid, file.stat().st_gid) == (12345, 12346)
