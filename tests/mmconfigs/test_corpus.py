"""Every row of the corpus: broken and hostile files, and what each must say."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from mmconfigs.environ import decide
from mmconfigs.errors import ConfigError
from mmconfigs.language import Words
from mmconfigs.load import load

CORPUS = Path(__file__).parent / "corpus"
ROWS: list[dict[str, Any]] = json.loads((CORPUS / "config_cases.json").read_text())
TOOLS = ("bash", "read_file", "write_file", "edit_file")


def build(row: dict[str, Any], folder: Path) -> Path:
    """Copy the files of a row; make those that do not fit into a repository."""
    file = folder / "mm.yaml"
    if (CORPUS / row["id"]).exists():
        shutil.copytree(CORPUS / row["id"], folder, dirs_exist_ok=True)
    match row["id"]:
        case "deep_nest":
            depth = row["gen"]["nest"]
            file.write_text(f"model: {'[' * depth}{']' * depth}")
        case "long_line":
            file.write_text(f"model: {'A' * row['gen']['repeat']}")
        case "symlink_loop":
            file.symlink_to("b.yaml")
            (folder / "b.yaml").symlink_to("mm.yaml")
        case "dev_zero":
            file.symlink_to("/dev/zero")
        case "directory":
            file.mkdir()
        case _:  # its files are all there, or it is about a file that is not
            pass
    return file


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_each_row_gives_its_value_or_its_fault(row: dict[str, Any], tmp_path: Path) -> None:
    file, expect = build(row, tmp_path), row["expect"]
    if expect["kind"] == "value":
        loaded = load(file, tools=TOOLS, environ={})
        wanted = expect["value"]
        assert (decide(loaded, {}, {}).mode == "yolo") is wanted.get("yolo", True)
        assert list(loaded.config.mm_configs) == wanted.get("mmConfigs", [])
        return
    with pytest.raises(ConfigError) as caught:
        load(file, tools=TOOLS, environ={})
    fault = caught.value.faults[0]
    assert fault.file == str(file)
    assert "line" not in expect or fault.line == expect["line"]
    assert "key" not in expect or fault.key == expect["key"]
    assert [word for word in expect["contains"] if word not in str(fault)] == []
    assert not os.path.lexists("/tmp/pwned")
    assert all(fault.told(Words("fr")) != str(fault) for fault in caught.value.faults)
