"""What may pass is tried again, visibly and not for long; nothing is, once an answer has begun."""

from __future__ import annotations

from email.utils import formatdate

import anyio
import pytest

from orchestrator.llm.messages import ModelError, Piece, Reply, User, Wait
from orchestrator.llm.openai import OpenAIModel
from orchestrator.llm.retry import PATIENCE, Patience, wanted_pause
from tests.orchestrator.llm.helpers import Clock, Heard, ask
from tests.orchestrator.llm.server import Ending, Server, serving

HI = b'data: {"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}]}\n\n'
LOADING = b'{"error": {"message": "Loading model"}}'


def refusing(status: int, header: str = "", said: bytes = LOADING) -> Server:
    return Server([said], status, "application/json", header=header)


async def after(*first: Server, clock: Clock | None = None, heard: Heard | None = None) -> Reply:
    """The answer of a server that first gives others; each of these must have been asked for."""
    async with serving(Server([HI], first=list(first))) as server:
        model = OpenAIModel("m", server.url, patience=(clock or Clock()).patience())
        reply = await ask(model, [User("go")], heard=heard)
        assert len(server.bodies) == len(first) + 1
        assert server.bodies == server.bodies[:1] * len(server.bodies)
    return reply


async def failure(first: Server) -> str:
    """What is told although the next try would succeed."""
    clock, heard = Clock(), Heard()
    async with serving(Server([HI], first=[first])) as server:
        model = OpenAIModel("m", server.url, patience=clock.patience())
        with pytest.raises(ModelError) as failed:
            await ask(model, [User("go")], heard=heard)
        assert len(server.bodies) == 1
    assert (clock.slept, heard.waits) == ([], [])
    return str(failed.value)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
async def test_a_server_that_is_busy_or_loads_is_asked_again(status: int) -> None:
    clock, heard = Clock(), Heard()
    reply = await after(refusing(status), refusing(status), refusing(status), clock=clock, heard=heard)
    assert reply.text == "Hi"
    assert clock.slept == [1, 4, 10]
    assert [wait.seconds for wait in heard.waits] == clock.slept
    assert heard.waits[0].why.endswith(f"answered with an error ({status}): Loading model.")


@pytest.mark.parametrize("ending", ["mute", "break"])
async def test_a_connection_lost_before_the_first_byte_is_made_again(ending: Ending) -> None:
    heard = Heard()
    assert (await after(Server(ending=ending), heard=heard)).text == "Hi"
    assert "ended the connection before it answered" in heard.waits[0].why


@pytest.mark.parametrize(
    "first", [Server([b": hm\n\n"], ending="break"), Server([b'data: {"error": "busy"}\n\n'])]
)
async def test_after_the_first_byte_nothing_is_tried_again(first: Server) -> None:
    said = await failure(first)
    assert "broke off" in said or "busy" in said


@pytest.mark.parametrize(
    "first",
    [
        refusing(401),
        refusing(404),
        refusing(400, said=b'{"error": "the request exceeds the available context size"}'),
        refusing(500, said=b'{"error": "no user query found in messages"}'),
        refusing(429, said=b'{"error": "You exceeded your current quota"}'),
    ],
)
async def test_what_does_not_pass_is_not_tried_again(first: Server) -> None:
    assert "answered with an error" in await failure(first)


async def test_no_server_is_told_at_once() -> None:
    async with serving(Server()) as server:
        pass
    clock = Clock()
    with pytest.raises(ModelError, match="cannot be reached"):
        await ask(OpenAIModel("m", server.url, patience=clock.patience()), [User("go")])
    assert clock.slept == []


async def test_after_four_tries_the_last_failure_is_told() -> None:
    async with serving(refusing(503)) as server:
        with pytest.raises(ModelError, match=r"\(503\): Loading model\. The server failed"):
            await ask(OpenAIModel("m", server.url, patience=Clock().patience()), [User("go")])
        assert len(server.bodies) == 4
    assert sum(PATIENCE.waits) == 15


@pytest.mark.parametrize(("header", "waited"), [("3", 3), ("0", 1), ("soon", 1), ("20", 20)])
async def test_the_pause_that_a_server_wants_is_kept(header: str, waited: float) -> None:
    clock = Clock()
    await after(refusing(429, f"Retry-After: {header}\r\n"), clock=clock)
    assert clock.slept == [waited]


async def test_a_date_is_a_pause_too() -> None:
    clock = Clock(now=1_000_000)
    await after(refusing(503, f"Retry-After: {formatdate(1_000_007, usegmt=True)}\r\n"), clock=clock)
    assert clock.slept == [7]


@pytest.mark.parametrize(("pause", "told"), [("21", "21"), ("9" * 400, "86400")])
async def test_a_pause_that_is_too_long_is_told_instead(pause: str, told: str) -> None:
    said = await failure(refusing(429, f"Retry-After: {pause}\r\n"))
    assert said.endswith(f"It asks for a pause of {told} seconds.")


@pytest.mark.parametrize("header", ["", "-5", "1.5", "nan", "Mon, 99 Jan 2020", formatdate(5, usegmt=True)])
def test_a_header_that_says_nothing_is_no_pause(header: str) -> None:
    assert wanted_pause(header, now=10) == 0


async def test_a_wait_is_cancelled_at_once() -> None:
    waiting = anyio.Event()

    async def on_piece(piece: Piece | Wait) -> None:
        waiting.set()

    async with serving(refusing(503)) as server:
        with anyio.fail_after(30):
            async with anyio.create_task_group() as tasks:
                model = OpenAIModel("m", server.url, patience=Patience((1000,), longest=1000))
                tasks.start_soon(model.reply, [User("go")], (), on_piece)
                await waiting.wait()
                tasks.cancel_scope.cancel()
        assert len(server.bodies) == 1
