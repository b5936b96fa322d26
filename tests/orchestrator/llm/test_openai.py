"""The client against a real server on loopback: errors in plain sentences, nothing left open."""

from __future__ import annotations

import json

import anyio
import httpx
import pytest

from orchestrator.llm import openai
from orchestrator.llm.messages import Assistant, Call, Message, ModelError, Piece, System, User, Wait
from orchestrator.llm.openai import OpenAIModel
from tests.orchestrator.llm.helpers import Clock, Heard, ask
from tests.orchestrator.llm.server import Server, serving

HI = b'data: {"choices": [{"delta": {"content": "Hi"}, "finish_reason": null}]}\n\n'
DONE = b"data: [DONE]\n\n"


async def failure(server: Server, heard: Heard | None = None) -> str:
    async with serving(server):
        model = OpenAIModel("m", server.url, patience=Clock().patience())
        with pytest.raises(ModelError) as failed:
            await ask(model, [User("go")], heard=heard)
    assert f"m at {server.url}" in str(failed.value)
    return str(failed.value)


def refusing(status: int, said: str) -> Server:
    return Server([json.dumps({"error": {"message": said}}).encode()], status, "application/json")


async def test_the_request_carries_model_key_headers_messages_and_tools() -> None:
    async with serving(Server([HI, DONE])) as server:
        model = OpenAIModel("m", server.url + "/", "s3cret", {"X-Org": "mine"})
        await ask(model, [System("be"), User("go \ud800 é")], "bash")
    assert server.heads[0].startswith("POST /v1/chat/completions ")
    assert "Authorization: Bearer s3cret\r\n" in server.heads[0]
    assert "X-Org: mine\r\n" in server.heads[0]
    sent = server.bodies[0]
    assert (sent["model"], sent["stream"]) == ("m", True)
    assert [message["content"] for message in sent["messages"]] == ["be", "go ? é"]
    assert sent["tools"][0]["function"]["name"] == "bash"


async def test_without_tools_and_key_the_request_names_neither() -> None:
    async with serving(Server([HI, DONE])) as server:
        await ask(OpenAIModel("m", server.url), [User("go")])
    assert "tools" not in server.bodies[0]
    assert "authorization" not in server.heads[0].lower()


async def test_pieces_come_while_the_server_is_still_writing() -> None:
    came = anyio.Event()

    async def on_piece(piece: Piece | Wait) -> None:
        came.set()

    async with serving(Server([HI], ending="hang")) as server, anyio.create_task_group() as tasks:
        with anyio.fail_after(30):
            tasks.start_soon(OpenAIModel("m", server.url).reply, [User("go")], (), on_piece)
            await came.wait()
            tasks.cancel_scope.cancel()


async def test_cancelling_closes_the_connection_at_once() -> None:
    heard = Heard()
    async with serving(Server([HI], ending="hang")) as server:
        with anyio.fail_after(30):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(OpenAIModel("m", server.url).reply, [User("go")], (), heard)
                while not heard.pieces:
                    await anyio.lowlevel.checkpoint()
                tasks.cancel_scope.cancel()
            await server.left.wait()


async def test_after_the_end_mark_nothing_more_is_waited_for() -> None:
    async with serving(Server([HI, DONE], ending="hang")) as server:
        reply = await ask(OpenAIModel("m", server.url), [User("go")])
        assert (reply.text, reply.finish) == ("Hi", "stop")
        with anyio.fail_after(30):
            await server.left.wait()


async def test_an_id_of_the_history_is_not_used_again() -> None:
    call = b'{"id": "call_0", "function": {"name": "bash", "arguments": "{}"}}'
    server = Server([b'data: {"choices": [{"delta": {"tool_calls": [' + call + b"]}}]}\n\n", DONE])
    async with serving(server):
        history: list[Message] = [User("go"), Assistant("", (Call("call_0", "bash", "{}"),))]
        reply = await ask(OpenAIModel("m", server.url), history, "bash")
    assert reply.calls[0].id != "call_0"


async def test_a_server_that_does_not_stream_is_understood() -> None:
    whole = b'{"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}'
    async with serving(
        Server([whole[:9], whole[9:]], content_type="application/json; charset=utf-8")
    ) as server:
        assert (await ask(OpenAIModel("m", server.url), [User("go")])).text == "Hi"


async def test_no_server_says_the_address_and_what_to_start() -> None:
    async with serving(Server()) as server:
        pass  # its port is free again
    with pytest.raises(ModelError, match=r"cannot be reached.* Start it") as failed:
        await ask(OpenAIModel("m", server.url), [User("go")])
    assert server.url in str(failed.value)


@pytest.mark.parametrize(
    ("status", "said", "advice"),
    [
        (401, "Incorrect API key", "apiKey"),
        (403, "Forbidden", "apiKey"),
        (404, "model 'm' not found", "check model and baseUrl"),
        (400, "the request exceeds the available context size", "/new"),
        (400, "This model's maximum context length is 4096 tokens", "/new"),
        (500, "no user query found in messages", "OLLAMA_CONTEXT_LENGTH"),
        (400, "m does not support tools", "can call tools"),
        (429, "quota", "wait"),
        (503, "Loading model", "try again"),
        (418, "teapot", "Check model and baseUrl"),
    ],
)
async def test_a_refusing_server_is_quoted_and_advice_given(status: int, said: str, advice: str) -> None:
    message = await failure(refusing(status, said))
    assert f"({status}): {said}. " in message
    assert advice in message.partition(said)[2]


async def test_an_error_page_is_quoted_shortly() -> None:
    message = await failure(Server([b"<html>\n" + b"x" * 200_000], 502, "text/html"))
    assert "(502): <html> xxx" in message
    assert len(message) < 1000


async def test_a_redirect_is_an_error_not_followed_with_the_key() -> None:
    assert "(302)" in await failure(Server([], 302))


async def test_a_broken_stream_is_an_error_after_the_text_that_had_arrived() -> None:
    heard = Heard()
    assert "broke off" in await failure(Server([HI], ending="break"), heard)
    assert heard.text == "Hi"


@pytest.mark.parametrize("then", [b"", b'data: {"error": "boom"}\n\n'])
async def test_text_that_might_have_become_a_call_is_shown_when_the_stream_breaks(then: bytes) -> None:
    heard = Heard()
    chunk = json.dumps({"choices": [{"delta": {"content": '{"name": "ba'}}]}).encode()
    await failure(Server([b"data: " + chunk + b"\n\n", then or HI[:9]], ending="break"), heard)
    assert heard.text == '{"name": "ba'


@pytest.mark.parametrize("pieces", [[], [b"<html>Welcome</html>"], [DONE], [b"data: {}\n\n"]])
async def test_a_reply_without_an_answer_is_an_error(pieces: list[bytes]) -> None:
    assert "sent no answer (text/html). Check baseUrl" in await failure(
        Server(pieces, content_type="text/html")
    )


@pytest.mark.parametrize("data", [b"Hello", b"[1]", b"7", b'{"choices": [', b"[" * 100_000])
async def test_data_that_is_no_json_object_is_an_error(data: bytes) -> None:
    assert "not JSON: " + data.decode()[:5] in await failure(Server([HI, b"data: " + data + b"\n\n", DONE]))


async def test_an_error_event_is_an_error_whatever_it_holds() -> None:
    assert "(200): boom" in await failure(Server([b"event: error\ndata: boom\n\n"]))
    assert "(200): boom" in await failure(Server([b'event: error\ndata: {"message": "boom"}\n\n']))


async def test_silence_is_an_error_once_it_lasts() -> None:
    async with serving(Server([HI], ending="hang")) as server:
        model = OpenAIModel("m", server.url, timeouts=httpx.Timeout(30, read=0.1))
        with pytest.raises(ModelError, match=r"sent nothing for 0\.1 seconds"):
            await ask(model, [User("go")])


@pytest.mark.parametrize("address", ["", "localhost:1/v1", "ftp://127.0.0.1/v1", "http://a:b/v1"])
async def test_an_address_that_is_none_is_an_error(address: str) -> None:
    with pytest.raises(ModelError, match="no http or https address"):
        await ask(OpenAIModel("m", address), [User("go")])


async def test_a_key_that_http_forbids_is_an_error_that_does_not_show_it() -> None:
    async with serving(Server()) as server:
        with pytest.raises(ModelError, match="apiKey or headers") as failed:
            await ask(OpenAIModel("m", server.url, "s3cret\n"), [User("go")])
    assert "s3cret" not in str(failed.value)
    assert failed.value.__suppress_context__


async def test_a_key_beyond_ascii_is_sent_as_utf8() -> None:
    async with serving(Server([HI, DONE])) as server:
        await ask(OpenAIModel("m", server.url, "clé"), [User("go")])
    assert "Bearer clé\r\n" in server.heads[0]


async def test_errors_show_no_password_of_the_address() -> None:
    async with serving(Server([], 500)) as server:
        address = server.url.replace("//", "//me:s3cret@")
        model = OpenAIModel("m", address, patience=Clock().patience())
        with pytest.raises(ModelError) as failed:
            await ask(model, [User("go")])
    assert "s3cret" not in str(failed.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_proxy_of_the_environment_is_not_used_for_loopback(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(Server([HI, DONE])) as server, serving(Server([], 502)) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url.removesuffix("/v1"))
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        reply = await ask(OpenAIModel("m", server.url.replace("127.0.0.1", host)), [User("go")])
    assert reply.text == "Hi"
    assert proxy.heads == []


async def test_a_proxy_of_the_environment_is_used_for_other_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(Server([HI, DONE])) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url.removesuffix("/v1"))
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        await ask(OpenAIModel("m", "http://model.invalid/v1"), [User("go")])
    assert proxy.heads[0].startswith("POST http://model.invalid/v1/chat/completions ")


@pytest.mark.parametrize("content_type", ["text/event-stream", "application/json"])
async def test_an_answer_without_end_is_given_up(content_type: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai, "LONGEST", 1024**2)
    endless = Server([b": ping\n" * 300_000], content_type=content_type, ending="hang")
    assert "more than 1 MiB" in await failure(endless)
