"""The command line: exit codes, `mm check`, and which file is read."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from orchestrator import __version__
from orchestrator.cli import main

CORPUS = Path(__file__).parents[1] / "mmconfigs/corpus"
FAULTS = {
    "type": "array",
    "items": {
        "type": "object",
        "additionalProperties": False,
        "required": ["file", "line", "column", "key", "found", "accepted", "near", "message"],
        "properties": {
            **{name: {"type": ["string", "null"]} for name in ("key", "found", "accepted", "near")},
            **{name: {"type": ["integer", "null"], "minimum": 1} for name in ("line", "column")},
            **{name: {"type": "string"} for name in ("file", "message")},
        },
    },
}
"""What interface.md says of `mm check --json`."""


class Mm:
    """The command line, in this process."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys
        self.out = self.err = ""

    def file(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def runs(self, *argv: str, **environ: str) -> int:
        try:
            return main(list(argv), environ)
        except SystemExit as end:
            return int(str(end.code))
        finally:
            self.out, self.err = self._capsys.readouterr()

    @property
    def faults(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def mm(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Mm:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return Mm(tmp_path, capsys)


def test_a_good_file_has_no_faults(mm: Mm) -> None:
    mm.file("a.yaml", "model: demo")
    assert mm.runs("check", "-c", "a.yaml") == 0
    assert (mm.out, mm.err) == ("a.yaml: no faults\n", "")
    assert mm.runs("-c", "a.yaml", "--json", "check") == 0
    assert mm.faults == []


def test_every_fault_of_every_file_is_said_with_its_place(mm: Mm) -> None:
    mm.file("a.yaml", "model: demo\nmmConfigs: {jan: ./jan.yaml, homer: ./homer.yaml}\n")
    mm.file("jan.yaml", "model: demo\nyollo: false\nlimits: {stepps: 3}\n")
    mm.file("homer.yaml", "model: demo\nyolo: no\n")
    assert mm.runs("check", "-c", "a.yaml") == 2
    first, second, third = mm.out.splitlines()
    assert first.startswith(f"{mm.folder}/jan.yaml:2:1: yollo: ")
    assert second.startswith(f"{mm.folder}/jan.yaml:3:10: limits.stepps: ")
    assert third.startswith(f"{mm.folder}/homer.yaml:2:1: yolo: ")


def test_the_json_of_check_has_the_documented_shape(mm: Mm) -> None:
    mm.file("a.yaml", "model: demo\nyollo: 'x'\n")
    assert mm.runs("check", "--json", "-c", "a.yaml") == 2
    jsonschema.validate(mm.faults, FAULTS)
    (fault,) = mm.faults
    assert (fault["file"], fault["line"], fault["key"], fault["near"]) == ("a.yaml", 2, "yollo", "yolo")
    assert mm.runs("check", "--json", "-c", "nowhere.yaml") == 2
    jsonschema.validate(mm.faults, FAULTS)


def test_check_lists_what_would_be_started_and_starts_nothing(mm: Mm) -> None:
    mm.file("a.yaml", "model: demo\nmmConfigs: {gem: {command: [touch, made]}}\n")
    assert mm.runs("check", "-c", "a.yaml") == 0
    assert "a.yaml:2:19: mmConfigs.gem.command: starts touch made\n" in mm.out
    assert not (mm.folder / "made").exists()


@pytest.mark.parametrize(
    ("text", "environ", "said"),
    [
        ("{mmConfigs: {gem: {command: gem}}, tools: {approval: {gem/read_file: deny}}}", {}, "never submits"),
        ("{model: demo}", {"AGENT_YOLO": "maybe"}, "AGENT_YOLO"),
    ],
)
def test_check_finds_what_would_stop_the_start(mm: Mm, text: str, environ: dict[str, str], said: str) -> None:
    mm.file("a.yaml", text)
    assert mm.runs("check", "-c", "a.yaml", **environ) == 2
    assert said in mm.out
    assert mm.runs("check", "--json", "-c", "a.yaml", **environ) == 2
    jsonschema.validate(mm.faults, FAULTS)


def test_the_environment_names_the_file(mm: Mm) -> None:
    mm.file("a.yaml", "model: demo")
    assert mm.runs("check", MM_CONFIG="a.yaml") == 0
    assert mm.runs("check", MM_CONFIG="") == 2
    assert mm.runs("check", "-c", "a.yaml", MM_CONFIG="nowhere.yaml") == 0


def test_nothing_of_the_working_folder_is_read(mm: Mm) -> None:
    for file in (CORPUS / "repo_config").iterdir():
        shutil.copy(file, mm.folder)
    assert (mm.folder / "mm.yaml").exists()
    assert mm.runs("check") == 2
    assert "no file" in mm.err
    assert mm.runs("-p", "hello") == 2
    assert "no file" in mm.err


@pytest.mark.parametrize(
    "argv",
    [
        ("hello",),
        ("explain", "bash"),
        ("--window",),
        ("-p", "a", "--acp"),
        ("-p", "a", "-c", "nowhere.yaml"),
        ("-p", "a"),
        ("--ask", "nobody", "a", "-c", "a.yaml"),
        ("-p", " ", "-c", "a.yaml"),
        ("-p", "a", "-c", "a.yaml", "--cwd", "nowhere"),
        ("-p", "a", "-c", "script.yaml"),
        ("-p", "a", "-c", "a.yaml", "--yolo", "--approval-mode", "always-ask"),
        ("-p", "a", "-c", "a.yaml", "--entry", "nobody"),
    ],
    ids=" ".join,
)
def test_wrong_usage_ends_with_2_before_anything_ran(mm: Mm, argv: tuple[str, ...]) -> None:
    mm.file("a.yaml", "model: demo")
    mm.file("script.yaml", "model: script:nowhere.yaml")
    assert mm.runs(*argv) == 2
    assert mm.out == ""
    assert mm.err.count("\n") == 1, mm.err


def test_help_and_version_are_no_errors(mm: Mm) -> None:
    assert mm.runs("--version") == 0
    assert mm.out == f"mm {__version__}\n"
    assert mm.runs("--help") == 0
    assert "--ask NAME" in mm.out


def test_a_deprecated_key_is_said_once(mm: Mm) -> None:
    mm.file("a.yaml", "model: demo\npermissions: ask\n")
    assert mm.runs("-p", "hello", "-c", "a.yaml") == 0
    (line,) = mm.err.splitlines()
    assert line.startswith("mm: a.yaml:2:1: permissions: deprecated")
