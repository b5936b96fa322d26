"""Looks which model servers run on this computer, at the ports where they listen by custom. Takes none."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import anyio
import httpx

from orchestrator.llm.loose import as_list, as_object, as_text, decoded
from orchestrator.llm.pick import Found, is_served

PORTS: Mapping[int, str] = MappingProxyType(
    {11434: "/v1", 1234: "/v1", 8080: "/v1", 12434: "/engines/v1", 8000: "/v1"}
)
"""Ollama, LM Studio, llama.cpp, Docker Model Runner, vLLM: the port of each, and where its API begins."""


async def at_hand(ports: Mapping[int, str] = PORTS, seconds: float = 0.3) -> tuple[Found, ...]:
    """The models of all servers that answer within so many `seconds`, in the order of the ports."""
    found: dict[int, list[Found]] = {}

    async def look(client: httpx.AsyncClient, port: int, path: str) -> None:
        address = f"127.0.0.1:{port}"
        base_url = f"http://{address}{path}"
        with anyio.move_on_after(seconds):
            names = await _models(client, f"{base_url}/models")
            found[port] = [Found(name, address, base_url) for name in names]

    # A proxy of the environment cannot reach this computer's own servers; the one limit is that of `look`.
    client = httpx.AsyncClient(trust_env=False, timeout=None)  # noqa: S113
    async with client, anyio.create_task_group() as tasks:
        for port, path in ports.items():
            tasks.start_soon(look, client, port, path)
    return tuple(model for port in ports for model in found.get(port, ()))


async def _models(client: httpx.AsyncClient, url: str) -> list[str]:
    """The names in a list of models of OpenAI's shape; none where something else answers, or nothing.

    Models for embeddings cannot talk; servers list them beside the others.
    """
    try:
        response = await client.get(url)
    except httpx.HTTPError:
        return []
    listed = as_list(as_object(decoded(response.text)).get("data")) if response.status_code == 200 else []
    names = (as_text(as_object(model).get("id")) for model in listed)
    return [name for name in names if is_served(name) and "embed" not in name.lower()]
