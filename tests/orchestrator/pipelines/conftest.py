"""Fixtures of pipelines: real git, and nothing of whoever runs the tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.orchestrator.pipelines.parts import Checkout, Run, begin, new


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's home with a name for git."""
    home = tmp_path / "person"
    home.mkdir()
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    (home / ".gitconfig").write_text(
        '[user]\nname = Pat\nemail = pat@example.org\n[protocol "file"]\nallow = always\n'
    )
    return home


@pytest.fixture
def person(tmp_path: Path) -> Checkout:
    return new(tmp_path / "repo")


@pytest.fixture
async def run(person: Checkout, tmp_path: Path) -> Run:
    return await begin(person, tmp_path / "state")
