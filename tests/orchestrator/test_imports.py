"""What mm loads before an editor's first prompt: whoever starts it, and each agent below, waits for that."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.walks.processes import DEADLINE

LOADED = {
    "anyio",
    "annotated_types",  # pydantic's
    "consent",
    "cython_runtime",  # PyYAML's
    "mmconfigs",
    "orchestrator",
    "platformdirs",
    "pydantic",
    "pydantic_core",
    "typing_extensions",
    "typing_inspection",
    "yaml",
}
"""The packages that may be loaded by then, besides the standard library. None of them is heavy."""


DUMP = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))"
"""Tells at the end of a program what it has imported."""
MM = f"{DUMP}; import runpy; runpy.run_module('orchestrator', run_name='__main__')"


@pytest.fixture
def modules(tmp_path: Path) -> set[str]:
    """Everything that is imported until a session is open, less what every program of this Python imports."""
    (tmp_path / "riker.yaml").write_text("{model: served, mmConfigs: {jan: {config: {model: demo}}}}")
    requests = "\n".join(map(json.dumps, _requests(tmp_path)))
    mm = _runs(tmp_path, requests, "-c", MM, "--acp", "-c", "riker.yaml")
    assert "sessionId" in mm.stdout, mm.stderr
    return set(mm.stderr.split()) - set(_runs(tmp_path, "", "-c", DUMP).stderr.split())


def _requests(folder: Path) -> Iterator[dict[str, object]]:
    yield {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1}}
    new = {"cwd": str(folder), "mcpServers": []}
    yield {"jsonrpc": "2.0", "id": 2, "method": "session/new", "params": new}


def _runs(folder: Path, stdin: str, *argv: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        (sys.executable, *argv),
        cwd=folder,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=True,
    )


def test_only_these_packages_are_loaded_before_the_first_prompt(modules: set[str]) -> None:
    packages = {module.partition(".")[0] for module in modules if not module.startswith("_")}
    assert packages - sys.stdlib_module_names <= LOADED
    assert {"anyio", "orchestrator"} <= packages


def test_the_line_facade_is_not_loaded_before_an_editors_first_prompt(modules: set[str]) -> None:
    assert "orchestrator.facades.editor" in modules
    assert "orchestrator.facades.line" not in modules


OF_RUNS = {"dbos", "sqlalchemy", "psycopg", "sqlite3"}
PIPELINES = "pipelines: {one: {worktree: false, steps: [{ask: jan, prompt: x, handover: auto}]}}"


@pytest.mark.parametrize(
    ("words", "loads"),
    [(("-p", "hi"), False), (("pipeline", "list"), False), (("--pipeline", "one", "x"), True)],
)
def test_what_keeps_runs_is_loaded_where_one_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], loads: bool
) -> None:
    for kind in ("STATE", "DATA"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path))
    agents = "{model: demo, mmConfigs: {jan: {config: {model: demo}}}, PIPELINES}"
    (tmp_path / "riker.yaml").write_text(agents.replace("PIPELINES", PIPELINES))
    mm = _runs(tmp_path, "", "-c", MM, "-c", "riker.yaml", *words)
    assert OF_RUNS & set(mm.stderr.split()) == (OF_RUNS if loads else set())
