"""What runs on this computer is found, and nothing that is odd, slow or absent gets in the way."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack

import anyio
import pytest
from anyio.abc import SocketStream

from orchestrator.llm.pick import Found
from orchestrator.llm.probe import PORTS, at_hand
from tests.orchestrator.llm.server import Server, serving


def listing(*names: object) -> Server:
    models = {"object": "list", "data": [{"id": name, "object": "model"} for name in names]}
    return Server([json.dumps(models).encode()], content_type="application/json")


async def look(*servers: Server, seconds: float = 10) -> tuple[Found, ...]:
    """What is found where these servers run, the second one behind another path."""
    async with AsyncExitStack() as stack:
        ports: dict[int, str] = {}
        for number, server in enumerate(servers):
            await stack.enter_async_context(serving(server))
            ports[port(server)] = "/engines/v1" if number == 1 else "/v1"
        with anyio.fail_after(30):
            return await at_hand(ports, seconds)


def port(server: Server) -> int:
    return int(server.url.split(":")[2].removesuffix("/v1"))


async def test_the_models_of_all_servers_are_found_in_the_order_of_the_ports() -> None:
    one, two = listing("qwen3:4b", "llama3"), listing("ai/smollm")
    found = await look(one, two)
    assert [(model.model, model.base_url) for model in found] == [
        ("qwen3:4b", one.url),
        ("llama3", one.url),
        ("ai/smollm", two.url.replace("/v1", "/engines/v1")),
    ]
    assert found[0].address == f"127.0.0.1:{port(one)}"
    assert two.heads[0].startswith("GET /engines/v1/models ")


async def test_the_order_is_not_that_of_the_answers() -> None:
    quick = listing("quick")

    class Slow(Server):
        async def handle(self, stream: SocketStream) -> None:
            await quick.served.wait()
            await super().handle(stream)

    slow = listing("slow")
    found = await look(Slow(slow.pieces, content_type=slow.content_type), quick)
    assert [model.model for model in found] == ["slow", "quick"]


@pytest.mark.parametrize(
    "odd",
    [
        Server([b"<html>Welcome</html>"], content_type="text/html"),
        Server([b"[1]"]),
        Server([b'{"data": [7, {"id": 7}, {"id": ""}, {}]}']),
        Server([b'{"data": {"id": "x"}}']),
        Server([b'{"data": [{"id": "x"}]}'], status=404),
        Server([b"\xff\xfe"], content_type="application/json; charset=nonsense"),
        Server(ending="mute"),
        Server([b'{"data": '], ending="break"),
        listing("nomic-embed-text"),
        listing("demo", "script:./turns.yaml"),
    ],
)
async def test_what_is_no_list_of_models_offers_none(odd: Server) -> None:
    assert [model.model for model in await look(odd, listing("m"))] == ["m"]


async def test_a_server_that_hangs_is_not_waited_for() -> None:
    with anyio.fail_after(20):
        assert await look(Server(ending="hang"), seconds=0.05) == ()


async def test_nothing_is_found_where_nothing_runs() -> None:
    async with serving(Server()) as server:
        pass
    assert await at_hand({port(server): "/v1"}) == ()


def test_the_ports_are_those_of_the_known_servers() -> None:
    assert dict(PORTS) == {
        11434: "/v1",
        1234: "/v1",
        8080: "/v1",
        12434: "/engines/v1",
        8000: "/v1",
    }
