"""What the model is told about its place."""

from __future__ import annotations

from pathlib import Path

from orchestrator.instructions import LONGEST, found_in, instructions


def test_the_model_is_told_who_and_where_it_is(tmp_path: Path) -> None:
    text = instructions("riker", "  Be brief.\n", tmp_path, ())
    assert text.startswith("You are riker, ")
    assert f"in the folder {tmp_path}." in text
    assert text.endswith("\n\nBe brief.")
    assert instructions("riker", "", tmp_path, ()) == text.removesuffix("\n\nBe brief.")


def test_files_come_in_the_order_of_the_file_and_only_if_they_are_there(tmp_path: Path) -> None:
    (tmp_path / "B.md").write_text("second")
    (tmp_path / "A.md").write_text("first")
    (tmp_path / "folder").mkdir()
    files = found_in(tmp_path, ("A.md", "nowhere.md", "folder", "B.md"))
    assert files == (tmp_path / "A.md", tmp_path / "B.md")
    text = instructions("riker", "own", tmp_path, files)
    assert text.endswith("own\n\nFrom A.md:\n\nfirst\n\nFrom B.md:\n\nsecond")


def test_a_long_file_is_cut_and_it_is_said(tmp_path: Path) -> None:
    file = tmp_path / "AGENTS.md"
    file.write_text("Q" * LONGEST)
    assert "cut here" not in instructions("riker", "", tmp_path, [file])
    file.write_text("Q" * (LONGEST + 1))
    text = instructions("riker", "", tmp_path, [file])
    assert text.endswith("Q\n(cut here: the file is longer)")
    assert text.count("Q") == LONGEST


def test_a_file_that_is_no_text_does_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "AGENTS.md"
    file.write_bytes(b"\xff\xfe ok")
    assert instructions("riker", "", tmp_path, [file]).endswith("\N{REPLACEMENT CHARACTER} ok")
