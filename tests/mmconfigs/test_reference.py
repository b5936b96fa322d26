"""The documentation, the JSON Schema and the example say what the model says."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic import BaseModel

from mmconfigs import explain, model, reference, sentences, tree, values
from mmconfigs.environ import decide
from mmconfigs.load import load

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "agents.example.yaml"
MODELS = (
    model.Config,
    model.Entry,
    model.Tools,
    model.Limits,
    model.Server,
    model.Hooks,
    model.Hook,
    model.Pipeline,
    model.Step,
    model.Reviewer,
    model.Judging,
    model.Repeat,
    model.Bounds,
    model.Finish,
)
KEYS = sorted({key for each in MODELS for key in model.keys(each)})


@pytest.mark.parametrize("name", ["configuration.md", "agents.schema.json"])
def test_the_committed_reference_is_what_the_model_prints(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["mmconfigs.reference", str(tmp_path)])
    monkeypatch.delitem(sys.modules, "mmconfigs.reference")
    runpy.run_module("mmconfigs.reference", run_name="__main__")
    told = "run `python -m mmconfigs.reference`"
    assert (tmp_path / name).read_text() == (ROOT / "docs" / "reference" / name).read_text(), told


def test_every_model_has_its_section() -> None:
    assert [name for name, _, _ in reference._SECTIONS] == [each.__name__ for each in MODELS]
    defined = {
        each.__name__
        for each in vars(model).values()
        if isinstance(each, type) and issubclass(each, BaseModel)
    }
    assert defined - {"BaseModel", "_Keys"} == {each.__name__ for each in MODELS}


@pytest.mark.parametrize("key", model.NOT_BUILT)
def test_the_table_of_what_is_not_built_names_keys_that_exist(key: str) -> None:
    *path, last = key.split(".")
    assert last in model.keys(model.model_at(tuple(path)))


@pytest.mark.parametrize("key", KEYS)
def test_the_example_shows_every_key(key: str) -> None:
    assert re.search(rf"[\s#{{]{key}:\s", EXAMPLE.read_text()), key


def test_the_example_loads_and_protects() -> None:
    loaded = load(EXAMPLE, tools=("bash", "write_file"), environ={})
    assert (loaded.name, loaded.config.model) == ("riker", "demo")
    assert decide(loaded, {}, {}).mode == "always-ask"
    assert {name: entry.yolo for name, entry in loaded.config.mm_configs.items()} == {
        "jan": None,
        "homer": True,
    }


def commented_settings() -> list[str]:
    """The blocks of the example, reduced to the settings behind `#`; prose stands behind `# `."""
    blocks = EXAMPLE.read_text().split("\n\n")
    settings = ("\n".join(re.findall("(?m)^#((?! \\S).+)$", block)) for block in blocks)
    return [block for block in settings if block]


@pytest.mark.parametrize("block", commented_settings())
def test_the_commented_settings_of_the_example_are_right_too(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in [*model.NOT_BUILT]:
        monkeypatch.delitem(model.NOT_BUILT, key)
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "marge.yaml").write_text("model: demo")
    (tmp_path / "kitchen").mkdir()
    (tmp_path / "here" / "hooks").mkdir()
    (tmp_path / "here" / "hooks" / "no-push.sh").touch(0o755)
    file = tmp_path / "here" / "agents.yaml"
    file.write_text(block if "mmConfigs" in block else f"{block}\nmmConfigs: {{jan: {{config: {{}}}}}}")
    names = {"OPENAI_API_KEY": "x", "GEMINI_API_KEY": "x", "DOCS_TOKEN": "x"}
    load(file, tools=("bash", "write_file"), environ=names)


def plain(value: Any) -> Any:
    """Return lists for tuples, as JSON has them."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, tuple) else value


VALID = [
    EXAMPLE.read_text(),
    "mmConfigs: {jan: ./jan.yaml, gem: {command: gemini, timeout: 1.5}}",
    "mcpServers: {a: {command: [x, y], permissions: ask}}",
    "pipelines: {a: {steps: [{ask: jan, prompt: x}]}}",
]
INVALID = [
    "yolo: null",
    "yolo: 'false'",
    "yollo: true",
    "mmConfigs: {you: ./x}",
    "mmConfigs: {jan: {yolo: null, path: x}}",
    "mcpServers: {a__b: {command: x}}",
    "limits: {steps: 0}",
    "mmConfigs: {jan: {config: {model: 1}}}",
    "mmConfigs: {gem: {command: []}}",
    "mmConfigs: {gem: {command: gemini --acp}}",
    "tools: {approval: {bash: maybe}}",
]


def test_the_schema_is_a_schema_and_agrees_with_the_reader() -> None:
    jsonschema.Draft202012Validator.check_schema(reference.schema())
    validator = jsonschema.Draft202012Validator(reference.schema())
    for text in VALID:
        value = plain(tree.parse(text, "x").root)
        validator.validate(json.loads(json.dumps(value)))
    for text in INVALID:
        value = plain(tree.parse(text.replace("null", "[]"), "x").root)
        assert not validator.is_valid(json.loads(json.dumps(value))), text


def test_the_reference_says_what_a_name_is() -> None:
    assert f"`{values.NAME}`:\n  {sentences.NAME_IN_WORDS}" in reference.markdown()


def test_the_page_that_faults_name_is_there() -> None:
    assert ROOT / explain.PAGE == reference.FOLDER / "configuration.md"


def test_null_is_in_no_type_of_the_schema() -> None:
    assert "null" not in json.dumps(reference.schema())


def test_importing_the_package_loads_neither_yaml_nor_pydantic() -> None:
    code = "import sys, mmconfigs, mmconfigs.errors; sys.exit(bool({'yaml', 'pydantic'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
