"""Whatever a file holds, reading it gives a configuration or faults, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmconfigs import model, values
from mmconfigs.environ import agent_yolo
from mmconfigs.errors import ConfigError, Fault
from mmconfigs.load import examine, load

EXAMPLE = (Path(__file__).parents[2] / "agents.example.yaml").read_bytes()
WORDS = [
    *model.keys(model.Config),
    *model.keys(model.Entry),
    "jan",
    "true",
    "no",
    "~",
    "${A}",
    "|",
    ">",
    "%YAML",
]
SIGNS = [
    "\n",
    "\n  ",
    "\n- ",
    ": ",
    ": {",
    "}",
    "[",
    "]",
    "'",
    '"',
    "&a ",
    "*a",
    "!x ",
    "<<",
    "? ",
    "#",
    "\t",
    "\\U",
    "\0",
]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("any") / "agents.yaml"


def survives(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    loaded, faults = examine(file, (), tools=("bash",), environ={})
    assert loaded or faults
    for fault in faults:
        assert str(fault).startswith(str(file))
        assert str(fault).isprintable()
        json.dumps(fault.as_json(), ensure_ascii=False).encode()


@given(data=st.binary(max_size=300))
@settings(max_examples=150)
def test_any_bytes(file: Path, data: bytes) -> None:
    survives(file, data)


@given(parts=st.lists(st.sampled_from(WORDS + SIGNS) | st.text(max_size=4), max_size=30))
@settings(max_examples=200)
def test_any_text_that_looks_like_a_file(file: Path, parts: list[str]) -> None:
    survives(file, "".join(parts).encode("utf-8", "surrogatepass"))


@given(place=st.integers(0, len(EXAMPLE)), length=st.integers(0, 20), data=st.binary(max_size=10))
@settings(max_examples=100)
def test_any_damage_to_a_good_file(file: Path, place: int, length: int, data: bytes) -> None:
    survives(file, EXAMPLE[:place] + data + EXAMPLE[place + length :])


names = st.from_regex("[a-z][a-z0-9_-]{0,9}", fullmatch=True).filter(lambda name: name not in values.RESERVED)
lines = st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), min_size=1).filter(
    lambda text: text.strip() and "${" not in text
)
entries = st.fixed_dictionaries(
    {"command": st.lists(lines, min_size=1, max_size=3)},
    optional={"yolo": st.booleans(), "description": lines},
)
configs = st.fixed_dictionaries(
    {},
    optional={
        "yolo": st.booleans(),
        "model": lines,
        "contextTokens": st.integers(1, 10**9),
        "limits": st.fixed_dictionaries({}, optional={"steps": st.integers(1, 999)}),
        "mmConfigs": st.dictionaries(names, entries, max_size=3),
    },
)


@given(written=configs)
@settings(max_examples=100)
def test_what_is_written_is_what_is_read(file: Path, written: dict[str, Any]) -> None:
    file.write_text(json.dumps(written))
    read = load(file, tools=(), environ={}).config.model_dump(by_alias=True, exclude_unset=True)
    assert json.loads(json.dumps(read)) == written


def refusal(value: str) -> str:
    """Return what AGENT_YOLO says of `value`, if it refuses it."""
    try:
        agent_yolo(value)
    except ConfigError as error:
        return str(error)
    return ""


@given(value=st.text())
def test_what_agent_yolo_refuses_it_shows_on_one_line(value: str) -> None:
    assert refusal(value).isprintable()


@given(text=st.text(st.characters(), max_size=60))
def test_a_fault_is_one_printable_line_whatever_it_is_about(text: str) -> None:
    fault = Fault(file=text, line=1, column=1, key=text, found=text, text=text)
    assert str(fault).isprintable()
