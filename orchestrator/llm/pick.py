"""Opens the model that an agent's file names."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from orchestrator.llm.demo import DemoModel
from orchestrator.llm.messages import Model, ModelError
from orchestrator.llm.protocols import PROTOCOLS
from orchestrator.llm.scripted import load_script

SCRIPT = "script:"


def open_model(
    name: str,
    *,
    base_url: str | None,
    api_key: str | None,
    headers: Mapping[str, str],
    folder: Path,
    tool_protocol: Literal["native", "json"] = "native",
) -> Model:
    """The model `name`: "demo", "script:FILE" (relative to `folder`, the agent file's), else one of a server.

    Raises ModelError for a script that cannot be read, and for a server's model without `base_url`.
    """
    if name == "demo":
        return DemoModel()
    if name.startswith(SCRIPT):
        return load_script(folder / name.removeprefix(SCRIPT), name)
    if base_url is None:
        raise ModelError(f"The model {name} needs a server: write baseUrl, or choose the model demo.")
    openai = importlib.import_module("orchestrator.llm.openai")  # only now, since it brings httpx along
    protocol = PROTOCOLS[tool_protocol]
    model: Model = openai.OpenAIModel(name, base_url, api_key, headers, protocol=protocol)
    return model
