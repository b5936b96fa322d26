"""AGENT_YOLO, flags, the file's word, and `${NAME}`."""

from __future__ import annotations

import json
import os
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from mmconfigs.environ import Decided, agent_yolo, decide
from mmconfigs.errors import ConfigError
from mmconfigs.load import load
from mmconfigs.loaded import Loaded
from mmconfigs.values import Mode

CORPUS: dict[str, Any] = json.loads((Path(__file__).parent / "corpus" / "agent_yolo_cases.json").read_text())


def read(folder: Path, text: str, environ: dict[str, str] | None = None) -> Loaded:
    """Load `text` as a file."""
    file = folder / "agents.yaml"
    file.write_text(text)
    return load(file, tools=("bash",), environ={} if environ is None else environ)


def refusal(folder: Path, text: str, environ: dict[str, str] | None = None) -> str:
    """Return what loading `text` says."""
    with pytest.raises(ConfigError) as caught:
        read(folder, text, environ)
    return str(caught.value)


def value_of(row: dict[str, Any]) -> str | None:
    if "v_hex" in row:
        return os.fsdecode(bytes.fromhex(row["v_hex"]))
    return "A" * 100_000 if row["v"] == "A*100000" else row["v"]


@pytest.mark.parametrize("row", CORPUS["cases"], ids=lambda row: ascii(value_of(row))[:30])
def test_agent_yolo_has_one_table_of_spellings(row: dict[str, Any]) -> None:
    value, expect = value_of(row), row["expect"]
    if expect != "error":
        assert agent_yolo(value) is (None if expect == "unset" else expect)
        return
    with pytest.raises(ConfigError) as caught:
        agent_yolo(value)
    line = str(caught.value)
    assert "AGENT_YOLO" in line
    assert line.isprintable()
    assert len(line) < 160


def interactions() -> list[Any]:
    """Rows without `child` (its environment) and without the editor's floor: those are not of the file."""
    rows = [row for row in CORPUS["interaction"] if "child" not in row and row.get("facade") != "acp"]
    return [pytest.param(row, id=f"{row['env']}-{row['expect']}") for row in rows]


@pytest.mark.parametrize("row", interactions())
def test_agent_yolo_meets_the_file(row: dict[str, Any], tmp_path: Path) -> None:
    file = {"model": "demo"} | row.get("file", {})
    for entry in file.get("mmConfigs", {}).values():
        entry["config"] = {"model": "demo"}
    for server in file.get("mcpServers", {}).values():
        server["command"] = "fs-server"
    loaded = read(tmp_path, json.dumps(file))
    environ = {"AGENT_YOLO": row["env"]}
    if row["expect"] == "error":
        with pytest.raises(ConfigError):
            decide(loaded, {}, environ)
        return
    decided = decide(loaded, {}, environ)
    assert decided == Decided("yolo" if row["env"] == "true" else "always-ask", "AGENT_YOLO")
    match row["expect"]:
        case "jan asks":
            assert loaded.config.mm_configs["jan"].yolo is False
        case "own calls ask; homer runs":
            assert loaded.config.mm_configs["homer"].yolo is True
        case "fs still asks":
            assert loaded.config.mcp_servers["fs"].permissions == "ask"
        case other:
            assert other == ("on" if decided.mode == "yolo" else "off")


@pytest.mark.parametrize(
    "spelling", ["no", "'false'", '"off"', "off", "0", "null", "~", "", "on", "yes", "1", "False ,", "nein"]
)
def test_O_i2_only_true_and_false_are_booleans_of_the_file(spelling: str, tmp_path: Path) -> None:
    assert "true or false" in refusal(tmp_path, f"yolo: {spelling}\nmodel: demo")


@pytest.mark.parametrize(
    ("text", "mode", "origin"),
    [
        ("model: demo", "yolo", "default"),
        ("model: demo\nyolo: false", "always-ask", "agents.yaml:2:1"),
        ("tools: {approvalMode: yolo}", "yolo", "agents.yaml:1:9"),
        ("tools: {approvalMode: write}", "write", "agents.yaml:1:9"),
        ("tools:\n  approvalMode: always-ask\nyolo: false", "always-ask", "agents.yaml:3:1"),
        ("permissions: ask", "always-ask", "agents.yaml:1:1"),
        ("permissions: auto\nyolo: true", "yolo", "agents.yaml:2:1"),
    ],
)
def test_the_file_decides_and_says_in_which_line(text: str, mode: str, origin: str, tmp_path: Path) -> None:
    decided = decide(read(tmp_path, text), {}, {})
    assert (decided.mode, Path(decided.origin).name) == (mode, origin)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("yolo: true\ntools: {approvalMode: always-ask}", "tools.approvalMode"),
        ("yolo: true\npermissions: ask", "permissions"),
        ("mmConfigs: {jan: {config: {yolo: false, permissions: auto}}}", "mmConfigs.jan.config.permissions"),
    ],
)
def test_a_file_that_contradicts_itself_is_refused(text: str, key: str, tmp_path: Path) -> None:
    said = refusal(tmp_path, text)
    assert f"{key}: says" in said
    assert "keep one" in said


def test_a_flag_stands_above_the_file(tmp_path: Path) -> None:
    loaded = read(tmp_path, "yolo: true")
    assert decide(loaded, {"--approval-mode": "always-ask"}, {}) == Decided("always-ask", "--approval-mode")
    assert decide(loaded, {"--yolo": "yolo"}, {"AGENT_YOLO": "on"}) == Decided("yolo", "--yolo")


@pytest.mark.parametrize(
    ("flags", "environ"),
    [
        ({"--yolo": "yolo"}, {"AGENT_YOLO": "false"}),
        ({"--approval-mode": "write"}, {"AGENT_YOLO": "true"}),
        ({"--approval-mode": "write"}, {"AGENT_YOLO": "false"}),
        ({"--yolo": "yolo", "--approval-mode": "always-ask"}, {}),
        ({"--yolo": "yolo", "--approval-mode": "write"}, {}),
        ({"--approval-mode": "always-ask"}, {"AGENT_YOLO": "true"}),
        ({"--approval-mode": "yolo"}, {"AGENT_YOLO": "false"}),
    ],
)
def test_flags_and_agent_yolo_that_disagree_are_an_error(
    flags: dict[str, Mode], environ: dict[str, str], tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="contradiction"):
        decide(read(tmp_path, "model: demo"), flags, environ)


MODES: tuple[Mode, ...] = ("always-ask", "write", "yolo")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("text", ["yolo: true", "yolo: false", "tools: {approvalMode: write}", "model: demo"])
def test_each_mode_comes_from_a_flag_whatever_the_file_says(text: str, mode: Mode, tmp_path: Path) -> None:
    decided = decide(read(tmp_path, text), {"--approval-mode": mode}, {})
    assert decided == Decided(mode, "--approval-mode")


@pytest.mark.parametrize(("value", "mode"), [("true", "yolo"), ("false", "always-ask")])
def test_agent_yolo_stands_above_the_mode_write_of_the_file(value: str, mode: Mode, tmp_path: Path) -> None:
    loaded = read(tmp_path, "tools: {approvalMode: write}")
    assert decide(loaded, {}, {"AGENT_YOLO": value}) == Decided(mode, "AGENT_YOLO")


SPELLINGS: dict[str, Mode] = {
    "yolo: true": "yolo",
    "yolo: false": "always-ask",
    "permissions: auto": "yolo",
    "permissions: ask": "always-ask",
    **{f"tools: {{approvalMode: {mode}}}": mode for mode in MODES},
}


PAIRS = [pair for pair in combinations(SPELLINGS, 2) if len({text.partition(":")[0] for text in pair}) == 2]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_two_keys_of_the_mode_contradict_each_other_or_say_the_same(
    one: str, other: str, tmp_path: Path
) -> None:
    text = f"{one}\n{other}"
    if SPELLINGS[one] == SPELLINGS[other]:
        assert decide(read(tmp_path, text), {}, {}).mode == SPELLINGS[one]
    else:
        assert "keep one of them" in refusal(tmp_path, text)


SECRETS = """\
apiKey: "${KEY}"
headers: {X-Org: "a ${ORG} b"}
mmConfigs:
  gem: {command: gemini, env: {TOKEN: "${GEM}${ORG}"}}
  jan: {config: {apiKey: "${JAN}"}}
mcpServers:
  docs: {url: "http://localhost/mcp", headers: {A: "${DOCS}"}, env: {B: plain}}
"""


def test_variables_are_expanded_where_secrets_stand(tmp_path: Path) -> None:
    loaded = read(tmp_path, SECRETS, {"KEY": "k", "ORG": "o", "GEM": "g", "DOCS": "d"})
    config = loaded.config
    assert (config.api_key, config.headers) == ("k", {"X-Org": "a o b"})
    assert config.mm_configs["gem"].env == {"TOKEN": "go"}
    assert config.mcp_servers["docs"].headers == {"A": "d"}
    assert loaded.secrets == {"KEY", "ORG", "GEM", "DOCS"}


def test_a_configuration_in_place_keeps_its_secrets_to_itself(tmp_path: Path) -> None:
    loaded = read(tmp_path, SECRETS, {"KEY": "k", "ORG": "o", "GEM": "g", "DOCS": "d", "JAN": "j"})
    jan = loaded.config.mm_configs["jan"].config
    assert jan is not None
    assert jan.api_key == "${JAN}"
    assert loaded.inside("jan", jan).secrets == {"JAN"}


def test_without_an_environment_the_file_of_another_process_is_read_as_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "jan.yaml"
    file.write_text(SECRETS)
    loaded = load(file, tools=(), environ=None)
    assert loaded.config.api_key == "${KEY}"
    assert "KEY" in loaded.secrets


@pytest.mark.parametrize("environ", [{}, {"KEY": ""}])
def test_a_variable_that_is_unset_or_empty_is_a_fault_with_its_place(
    environ: dict[str, str], tmp_path: Path
) -> None:
    assert "agents.yaml:2:1: apiKey: the environment variable KEY is unset or empty" in refusal(
        tmp_path, 'model: demo\napiKey: "${KEY}"', environ
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("instructionsFrom: ['${HOME}/x']", "instructionsFrom.0: found ${, which is accepted only in"),
        ("mmConfigs: {jan: {config: {model: '${M}'}}}", "mmConfigs.jan.config.model: found ${"),
        ("apiKey: '${}'", "without a variable's name"),
        ("headers: {A: 'x ${B'}", "without a variable's name"),
        ("headers: {A: Bearer ${B}}", "in quotes"),
    ],
)
def test_a_dollar_brace_in_a_wrong_place_or_form_is_a_fault(text: str, message: str, tmp_path: Path) -> None:
    assert message in refusal(tmp_path, text, {"HOME": "h", "M": "m", "B": "b"})


@pytest.mark.parametrize("text", ["apiKey: '${KEY}'", "headers: {A: '${KEY}'}"])
def test_a_fault_never_shows_a_secret(text: str, tmp_path: Path) -> None:
    said = refusal(tmp_path, text, {"KEY": "hunter2\n"})
    assert "control characters" in said
    assert "hunter2" not in said


@pytest.mark.parametrize("text", ["headers: hunter2", "apiKey: [hunter2]", "mmConfigs: {j: {env: hunter2}}"])
def test_nor_does_it_show_a_secret_of_another_shape(text: str, tmp_path: Path) -> None:
    said = refusal(tmp_path, text)
    assert "not shown" in said
    assert "hunter2" not in said
