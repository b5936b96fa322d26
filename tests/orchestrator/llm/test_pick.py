"""The name in the file chooses the model."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from orchestrator.llm.demo import DemoModel
from orchestrator.llm.messages import Model, ModelError
from orchestrator.llm.openai import OpenAIModel
from orchestrator.llm.pick import Served, open_model
from orchestrator.llm.scripted import ScriptedModel


def opened(name: str, folder: Path = Path(), base_url: str | None = None) -> Model:
    return open_model(
        name, base_url=base_url, api_key=None, headers={}, folder=folder, tool_protocol="native"
    )


def test_demo_is_the_demo_model() -> None:
    assert isinstance(opened("demo"), DemoModel)


def test_a_script_is_found_beside_the_file_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "turns.yaml").write_text("- say: hi\n")
    model = opened("script:./turns.yaml", tmp_path)
    assert isinstance(model, ScriptedModel)
    assert model.name == "script:./turns.yaml"


def test_any_other_name_is_a_model_of_the_server() -> None:
    model = opened("qwen3:4b", base_url="http://127.0.0.1:1/v1")
    assert isinstance(model, Served)
    assert isinstance(model.client, OpenAIModel)
    assert model.name == "qwen3:4b"


def test_a_model_of_a_server_needs_its_address() -> None:
    with pytest.raises(ModelError, match="qwen3:4b needs a server: write baseUrl"):
        opened("qwen3:4b")


def test_the_models_without_a_server_never_import_the_http_library() -> None:
    program = (
        "import sys; from pathlib import Path; from orchestrator.llm.pick import open_model;"
        "open_model('demo', base_url=None, api_key=None, headers={}, folder=Path(), tool_protocol='json');"
        "sys.exit('httpx' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
