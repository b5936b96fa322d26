"""The key `profile`: which known agent an entry starts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mmconfigs.errors import ConfigError, Fault
from mmconfigs.load import load


def faults(folder: Path, entry: str) -> tuple[Fault, ...]:
    (folder / "jan.yaml").write_text("model: demo")
    file = folder / "agents.yaml"
    file.write_text(f"mmConfigs: {{gem: {entry}}}")
    with pytest.raises(ConfigError) as raised:
        load(file, tools=(), environ={})
    return raised.value.faults


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{command: x, profile: gemeni}", "found the text 'gemeni'; accepted: .*; did you mean gemini"),
        ("{command: x, profile: ''}", "found the text ''; accepted: 'generic', "),
        ("{path: ./jan.yaml, profile: gemini}", "for an agent that `command` starts"),
        ("{config: {model: demo}, profile: generic}", "for an agent that `command` starts"),
    ],
)
def test_a_profile_is_one_of_the_table_and_of_an_agent_of_another_make(
    entry: str, said: str, tmp_path: Path
) -> None:
    (fault,) = faults(tmp_path, entry)
    assert fault.key == "mmConfigs.gem.profile"
    assert re.search(said, fault.message), fault.message


def test_a_profile_is_read(tmp_path: Path) -> None:
    file = tmp_path / "agents.yaml"
    file.write_text("mmConfigs: {gem: {command: x, profile: gemini}, pip: {command: x}, moe: x.yaml}")
    (tmp_path / "x.yaml").write_text("model: demo")
    entries = load(file, tools=(), environ={}).config.mm_configs
    assert [entry.profile for entry in entries.values()] == ["gemini", None, None]
