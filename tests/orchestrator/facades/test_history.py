"""What was entered is there in the next run, and nothing that goes wrong with its file matters."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from orchestrator.facades import history
from orchestrator.facades.history import LONGEST, MOST, MOST_BYTES, KeptHistory


def opened(file: Path) -> KeptHistory:
    return KeptHistory(file, pytest.fail)


def entered(file: Path, *texts: str) -> list[str]:
    """What a later run finds, the oldest first, once these texts were entered."""
    now = opened(file)
    for text in texts:
        now.append_string(text)
    return list(opened(file).load_history_strings())[::-1]


def test_what_was_entered_is_found_again(tmp_path: Path) -> None:
    assert entered(tmp_path / "mm" / "history", "one", "two\n# lines\n\n+é", "three") == [
        "one",
        "two\n# lines\n\n+é",
        "three",
    ]


def test_only_its_owner_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "state" / "mm" / "history"
    opened(file)
    assert file.parent.stat().st_mode & 0o777 == 0o700
    file.chmod(0o644)
    opened(file)
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_leading_blank_keeps_a_text_out(tmp_path: Path) -> None:
    now = opened(tmp_path / "history")
    for text in (" secret", "\tsecret", "\nsecret", "kept", "x" * (LONGEST + 1)):
        now.append_string(text)
    assert now.get_strings() == ["kept"]
    assert entered(tmp_path / "history") == ["kept"]


def test_the_newest_entries_stay(tmp_path: Path) -> None:
    file = tmp_path / "history"
    entered(file, *(str(number) for number in range(MOST + 10)))
    assert entered(file) == [str(number) for number in range(10, MOST + 10)]


def test_the_file_stays_small(tmp_path: Path) -> None:
    file = tmp_path / "history"
    text = "x" * (LONGEST - 10)
    now = opened(file)
    for number in range(100):
        now.append_string(f"{text}{number}")
    assert file.stat().st_size > MOST_BYTES
    left = entered(file)
    assert file.stat().st_size <= MOST_BYTES
    assert left[-1] == f"{text}99"
    assert 60 < len(left) <= MOST_BYTES // len(text)


def test_a_broken_file_will_do(tmp_path: Path) -> None:
    (tmp_path / "history").write_bytes(b"\x00\xff rubbish\n+half\xff\n# 2026\n+whole\n")
    assert entered(tmp_path / "history", "more") == ["half\ufffd", "whole", "more"]


def folder(file: Path) -> Path:
    file.mkdir()
    return file


def pipe(file: Path) -> Path:
    os.mkfifo(file)
    return file


def below_a_file(file: Path) -> Path:
    file.touch()
    return file / "history"


def link(file: Path) -> Path:
    (file.parent / "own").write_bytes(b"\n# 2026\n+one\n")
    file.symlink_to("own")
    return file


def dangling_link(file: Path) -> Path:
    file.symlink_to("nothing")
    return file


def no_home(_: Path) -> Path:
    return Path("~/.local/state/mm/history")


@pytest.mark.parametrize("make", [folder, pipe, below_a_file, link, dangling_link, no_home])
def test_what_cannot_be_used_is_said_once_and_costs_nothing_else(
    make: Callable[[Path], Path], tmp_path: Path
) -> None:
    lost: list[str] = []
    now = KeptHistory(make(tmp_path / "it"), lost.append)
    assert list(now.load_history_strings()) == []
    now.append_string("one")
    now.append_string("two")
    assert now.get_strings() == ["one", "two"]
    assert len(lost) == 1
    assert not Path("~").exists()


def test_a_folder_that_goes_away_later_is_said(tmp_path: Path) -> None:
    lost: list[str] = []
    file = tmp_path / "mm" / "history"
    now = KeptHistory(file, lost.append)
    file.unlink()
    file.parent.rmdir()
    now.append_string("one")
    now.append_string("two")
    assert len(lost) == 1
    assert str(file) in lost[0]


def test_a_huge_file_is_not_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MOST_BYTES", 50)
    assert entered(tmp_path / "history", "old" * 20, "new") == ["new"]


@pytest.mark.parametrize("content", [b"a person's text\n" * 2**17, b"# notes\n+ more\n", b"\x00", b"\n"])
@pytest.mark.parametrize("linked", [True, False])
def test_a_file_that_is_no_history_is_left_alone(content: bytes, linked: bool, tmp_path: Path) -> None:
    lost: list[str] = []
    own, file = tmp_path / "own", tmp_path / "history"
    own.write_bytes(content)
    own.chmod(0o644)
    if linked:
        file.symlink_to(own)
    else:
        own = own.rename(file)
    now = KeptHistory(file, lost.append)
    now.append_string("one")
    assert list(now.load_history_strings()) == []
    assert (own.read_bytes(), own.stat().st_mode & 0o777) == (content, 0o644)
    assert file.is_symlink() is linked
    assert len(lost) == 1


def test_a_link_to_a_long_history_is_not_trimmed(tmp_path: Path) -> None:
    content = b"\n# 2026\n+one\n" * (MOST + 10)
    (tmp_path / "own").write_bytes(content)
    (tmp_path / "history").symlink_to("own")
    KeptHistory(tmp_path / "history", lambda _: None)
    assert (tmp_path / "own").read_bytes() == content


def test_a_link_that_takes_the_place_of_the_file_is_not_written_to(tmp_path: Path) -> None:
    lost: list[str] = []
    now = KeptHistory(tmp_path / "history", lost.append)
    (tmp_path / "history").unlink()
    link(tmp_path / "history")
    now.append_string("two")
    assert (tmp_path / "own").read_bytes() == b"\n# 2026\n+one\n"
    assert len(lost) == 1


def test_trimming_puts_a_new_file_in_place_and_leaves_nothing_beside(tmp_path: Path) -> None:
    file = tmp_path / "history"
    file.write_bytes(b"\n# 2026\n+one\n" * (MOST + 10))
    with file.open("rb") as old:
        opened(file)
        assert old.read().count(b"+one") == MOST + 10
    assert file.read_bytes().count(b"+one") == MOST
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_a_trim_that_fails_costs_no_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise OSError("no room")

    lost: list[str] = []
    file = tmp_path / "history"
    content = b"\n# 2026\n+one\n" * (MOST + 10)
    file.write_bytes(content)
    monkeypatch.setattr(Path, "replace", fails)
    KeptHistory(file, lost.append)
    assert lost == ["no room"]
    assert file.read_bytes() == content
    assert list(tmp_path.iterdir()) == [file]
