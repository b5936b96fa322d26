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


def no_home(_: Path) -> Path:
    return Path("~/.local/state/mm/history")


@pytest.mark.parametrize("make", [folder, pipe, below_a_file, no_home])
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
