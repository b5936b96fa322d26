"""The models that there are by their names, and how one is opened."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from orchestrator.llm.demo import DemoModel
from orchestrator.llm.messages import Message, Model, ModelError, OnPiece, Reply, ToolSpec
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


class Served:
    """A server's model. Its client comes with the first prompt: it brings httpx along, and takes a while."""

    def __init__(self, name: str, client: Callable[[], Model]) -> None:
        self.name = name
        self._make = client
        self._client: Model | None = None

    @property
    def client(self) -> Model:
        """The client, made when it is first needed."""
        self._client = self._client or self._make()
        return self._client

    async def reply(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_piece: OnPiece) -> Reply:
        """Stream one reply; raises ModelError."""
        return await self.client.reply(messages, tools, on_piece)


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
    protocol = PROTOCOLS[tool_protocol]

    def client() -> Model:
        openai = importlib.import_module("orchestrator.llm.openai")
        model: Model = openai.OpenAIModel(name, base_url, api_key, headers, protocol=protocol)
        return model

    return Served(name, client)
