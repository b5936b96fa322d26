"""The models that there are by their names, and how one is opened."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from orchestrator.llm.demo import DemoModel
from orchestrator.llm.messages import Model, ModelError
from orchestrator.llm.protocols import PROTOCOLS
from orchestrator.llm.scripted import load_script

DEMO = "demo"
SCRIPT = "script:"


@dataclass(frozen=True, slots=True)
class Found:
    """A model at hand: its name at a server of this computer, whose `address` is host and port."""

    model: str
    address: str
    base_url: str


def is_served(name: str) -> bool:
    """Whether this is the name of a server's model, not of one of ours."""
    return name not in ("", DEMO) and not name.startswith(SCRIPT)


def open_model(
    name: str,
    *,
    base_url: str | None,
    api_key: str | None,
    headers: Mapping[str, str],
    folder: Path,
    tool_protocol: Literal["native", "json"],
) -> Model:
    """The model `name`: "demo", "script:FILE" (relative to `folder`, the agent file's), else one of a server.

    Raises ModelError for a script that cannot be read, and for a server's model without `base_url`.
    """
    if name == DEMO:
        return DemoModel()
    if name.startswith(SCRIPT):
        return load_script(folder / name.removeprefix(SCRIPT), name)
    if base_url is None:
        raise ModelError(f"The model {name} needs a server: write baseUrl, or choose the model demo.")
    openai = importlib.import_module("orchestrator.llm.openai")  # only now, since it brings httpx along
    protocol = PROTOCOLS[tool_protocol]
    model: Model = openai.OpenAIModel(name, base_url, api_key, headers, protocol=protocol)
    return model
