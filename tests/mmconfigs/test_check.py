"""`check` reads every file that a file names and lists what would be started."""

from __future__ import annotations

from pathlib import Path

import pytest

from mmconfigs.check import Address, Program, check


def test_servers_that_would_be_spoken_to_are_listed(tmp_path: Path) -> None:
    (tmp_path / "top.yaml").write_text(
        "model: m\nbaseUrl: http://localhost:1\nmcpServers: {docs: {url: 'http://localhost:2'}}\n"
        "mmConfigs: {jan: {config: {model: n, baseUrl: 'https://there'}}}\n"
    )
    file = tmp_path / "top.yaml"
    assert check(file, tools=(), environ={}).addresses == (
        Address(f"{file}:2:1", "baseUrl", "http://localhost:1"),
        Address(f"{file}:3:21", "mcpServers.docs.url", "http://localhost:2"),
        Address(f"{file}:4:38", "mmConfigs.jan.config.baseUrl", "https://there"),
    )


def run(
    folder: Path, environ: dict[str, str] | None = None, **files: str
) -> tuple[list[str], tuple[Program, ...]]:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)
    report = check(folder / "top.yaml", tools=("bash",), environ=environ or {})
    return [str(fault).replace(f"{folder}/", "") for fault in report.faults], report.programs


def test_the_faults_of_every_named_file_are_found(tmp_path: Path) -> None:
    faults, _ = run(
        tmp_path,
        top="mmConfigs:\n  jan: jan.yaml\n  marge: {config: {apiKey: '${MARGE}'}}\n"
        "tools: {approval: {x: deny}}\n",
        jan="yollo: true\n",
    )
    assert [fault.partition(": ")[0] for fault in faults] == [
        "top.yaml:4:20",
        "jan.yaml:1:1",
        "top.yaml:3:20",
    ]


def test_files_that_name_each_other_are_read_once(tmp_path: Path) -> None:
    faults, programs = run(
        tmp_path,
        top="mmConfigs: {jan: jan.yaml, two: jan.yaml}\n",
        jan="mmConfigs: {top: top.yaml, gem: {command: gemini}}\n",
    )
    assert faults == []
    assert [program.key for program in programs] == ["mmConfigs.gem.command"]


def test_a_missing_file_is_one_fault(tmp_path: Path) -> None:
    assert run(tmp_path) == (["top.yaml: not found"], ())


def test_a_fault_is_told_once_however_a_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "top.yaml").write_text(
        "mmConfigs: {none: none.yaml, me: top.yaml, a: a.yaml, b: {path: ./a.yaml, description: b}}"
    )
    (tmp_path / "a.yaml").write_text("mmConfigs: {top: ./top.yaml}\nyollo: true")
    report = check(Path("top.yaml"), tools=("bash",), environ={})
    assert [(Path(fault.file).name, fault.key) for fault in report.faults] == [
        ("top.yaml", "mmConfigs.none.path"),
        ("top.yaml", "mmConfigs.me.path"),
        ("a.yaml", "yollo"),
    ]


def test_a_file_with_faults_hides_neither_the_files_nor_the_programs_that_it_names(tmp_path: Path) -> None:
    faults, programs = run(
        tmp_path,
        top="yollo: true\nmmConfigs:\n  jan: {path: jan.yaml, yolo: no}\n  homer: homer.yaml\n"
        "  gem: {command: gemini, timeout: x}\n  marge: {config: {apiKey: '${MARGE}', modle: x}}\n",
        jan="model: [",
        homer="yollo: true",
    )
    assert [fault.partition(": ")[0] for fault in faults] == [
        "top.yaml:1:1",
        "top.yaml:3:25",
        "top.yaml:5:26",
        "top.yaml:6:40",
        "jan.yaml:1:9",
        "homer.yaml:1:1",
        "top.yaml:6:20",
    ]
    assert [program.key for program in programs] == ["mmConfigs.gem.command"]


def test_the_script_of_a_model_must_exist(tmp_path: Path) -> None:
    (tmp_path / "turns.yaml").write_text("- say: Hello.")
    faults, _ = run(
        tmp_path,
        top="model: script:turns.yaml\nmmConfigs:\n  jan: {config: {model: script:none.yaml}}\n",
    )
    assert faults == ["top.yaml:3:18: mmConfigs.jan.config.model: none.yaml: not found"]


def test_an_entry_brings_its_own_variables(tmp_path: Path) -> None:
    jan = "apiKey: '${JAN}'"
    assert run(tmp_path, top="mmConfigs: {jan: {path: jan.yaml, env: {JAN: x}}}", jan=jan)[0] == []
    assert run(tmp_path, {"JAN": "x"}, top="mmConfigs: {jan: jan.yaml}", jan=jan)[0] == []
    assert len(run(tmp_path, top="mmConfigs: {jan: jan.yaml}", jan=jan)[0]) == 1


def test_programs_of_entries_servers_and_hooks_are_listed(tmp_path: Path) -> None:
    (tmp_path / "hook").touch()
    _, programs = run(
        tmp_path,
        top="mmConfigs: {jan: {config: {mmConfigs: {gem: {command: [gemini, --acp]}}}}}\n"
        "mcpServers: {files: {command: fs}, docs: {url: 'http://localhost'}}\n"
        "hooks: {preToolCall: [{command: ./hook}]}\n",
    )
    file = tmp_path / "top.yaml"
    assert programs == (
        Program(f"{file}:2:22", "mcpServers.files.command", ("fs",)),
        Program(f"{file}:3:24", "hooks.preToolCall.0.command", ("./hook",)),
        Program(f"{file}:1:46", "mmConfigs.jan.config.mmConfigs.gem.command", ("gemini", "--acp")),
    )
