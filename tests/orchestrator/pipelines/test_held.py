"""Who drives a run holds its file; nobody else does, and nothing of it is left behind."""

from __future__ import annotations

from pathlib import Path

from orchestrator.pipelines.held import forget, held, is_held


def test_one_at_a_time_drives_a_run(tmp_path: Path) -> None:
    assert not is_held(tmp_path, "r1")
    with held(tmp_path, "r1") as mine:
        assert mine
        assert is_held(tmp_path, "r1")
        assert not is_held(tmp_path, "r2")
        with held(tmp_path, "r1") as also:
            assert not also
    assert not is_held(tmp_path, "r1")


def test_the_file_of_a_run_goes_unless_somebody_drives_it(tmp_path: Path) -> None:
    with held(tmp_path, "r1"):
        forget(tmp_path, "r1")
        assert is_held(tmp_path, "r1")
    forget(tmp_path, "r1")
    assert not list(tmp_path.glob("*.lock"))
