"""A model behind an OpenAI-compatible server (Ollama, LM Studio, llama.cpp, vLLM, hosted ones).

Does the talking only: what to send is `request`, what came back is `sse` and `assemble`. Imported when such
a model is opened, since httpx takes long to import.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager

import httpx

from orchestrator.llm.advice import advice
from orchestrator.llm.assemble import Assembler, error_of
from orchestrator.llm.loose import Json, decoded
from orchestrator.llm.messages import Assistant, Message, Model, ModelError, Piece, Reply, ToolSpec
from orchestrator.llm.request import body
from orchestrator.llm.sse import Event, EventDecoder

TIMEOUTS = httpx.Timeout(300, connect=10)
"""Seconds. A small computer may think for minutes before the first byte."""

_END = "[DONE]"
_SHOWN = 500  # characters of a server's words in an error
_MOST = 65536  # bytes of an error page that are read


class OpenAIModel(Model):
    """Streams chat completions. Each reply is a connection of its own, so that cancelling closes it."""

    def __init__(
        self,
        name: str,
        base_url: str,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeouts: httpx.Timeout = TIMEOUTS,
    ) -> None:
        """`base_url` ends before /chat/completions, mostly in /v1; `headers` are added to every request."""
        self.name = name
        self._address = base_url.rstrip("/")
        key = {} if api_key is None else {"Authorization": f"Bearer {api_key}"}
        sent = {"Content-Type": "application/json", **key, **(headers or {})}
        self._headers = httpx.Headers(sent, encoding="utf-8")
        self._timeouts = timeouts

    async def reply(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        on_piece: Callable[[Piece], Awaitable[None]],
    ) -> Reply:
        """Stream one reply; raises ModelError. What had arrived before an error went through `on_piece`."""
        taken = (call.id for message in messages if isinstance(message, Assistant) for call in message.calls)
        assembler = Assembler(taken)
        # A lone surrogate in a tool's output has no bytes in UTF-8: it goes out as "?".
        content = json.dumps(body(self.name, messages, tools), ensure_ascii=False).encode(errors="replace")
        with self._plain_errors():
            url = f"{self._address}/chat/completions"
            async with self._client() as client, client.stream("POST", url, content=content) as response:
                await self._refuse_errors(response)
                ended = await self._read(response, assembler, on_piece)
        return assembler.reply(ended=ended)

    def _client(self) -> httpx.AsyncClient:
        # A proxy of the environment cannot reach this computer's own server.
        local = _is_loopback(httpx.URL(self._address).host)
        return httpx.AsyncClient(headers=self._headers, timeout=self._timeouts, trust_env=not local)

    async def _read(
        self, response: httpx.Response, assembler: Assembler, on_piece: Callable[[Piece], Awaitable[None]]
    ) -> bool:
        """Feed the body to `assembler`; whether the server marked the end."""
        ended = False
        async with aclosing(_events(response)) as events:
            async for event in events:
                if ended := event.data.strip() == _END:
                    break
                for piece in assembler.add(self._chunk(event)):
                    await on_piece(piece)
        if not assembler.answered:
            kind = response.headers.get("content-type", "no content type")
            raise self._error(f"sent no answer ({kind}). Check baseUrl: it mostly ends in /v1.")
        for piece in assembler.rest():
            await on_piece(piece)
        return ended

    def _chunk(self, event: Event) -> Json:
        """The decoded chunk of an event, empty for what proxies send to keep the connection open."""
        value = decoded(event.data)
        if event.failed and error_of(value) is None:
            value = {"error": value or event.data}
        if said := error_of(value):
            raise self._failure(said, 200)
        if isinstance(value, dict):
            return value
        if not event.data.strip() or event.data.startswith(":"):
            return {}
        raise self._error(f"sent something that is not JSON: {event.data[:_SHOWN]}")

    async def _refuse_errors(self, response: httpx.Response) -> None:
        if response.status_code != 200:
            page = await _head(response)
            said = error_of(decoded(page)) or page or response.reason_phrase
            raise self._failure(said, response.status_code)

    def _failure(self, said: str, status: int) -> ModelError:
        said = " ".join(said[:_SHOWN].split()).removesuffix(".")
        return self._error(f"answered with an error ({status}): {said}. {advice(said, status)}")

    def _error(self, what: str) -> ModelError:
        return ModelError(f"{self.name} at {_without_secrets(self._address)} {what}")

    @contextmanager
    def _plain_errors(self) -> Iterator[None]:
        """Turns what httpx raises into sentences; the order is from the special to the general."""
        try:
            yield
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise self._error("cannot be asked: baseUrl is no http or https address.") from error
        except httpx.LocalProtocolError:
            # Its text holds the header, which may be the key: neither shown nor chained.
            raise self._error("cannot be asked: apiKey or headers hold characters HTTP forbids.") from None
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            what = f"cannot be reached: no server answers there ({_words(error)})."
            raise self._error(f"{what} Start it (for example: ollama serve), or correct baseUrl.") from error
        except httpx.TimeoutException as error:
            seconds = f"{self._timeouts.read:g} seconds"
            raise self._error(f"sent nothing for {seconds}. Try again, or look at its log.") from error
        except httpx.HTTPError as error:
            raise self._error(f"broke off while it answered ({_words(error)}). Try again.") from error


async def _events(response: httpx.Response) -> AsyncGenerator[Event, None]:
    """The events of a stream; a server that does not stream answers with one JSON document instead."""
    if response.headers.get("content-type", "").startswith("application/json"):
        yield Event((await response.aread()).decode(errors="replace"))
        yield Event(_END)
        return
    decoder = EventDecoder()
    async for data in response.aiter_bytes():
        for event in decoder.feed(data):
            yield event


async def _head(response: httpx.Response) -> str:
    page = b""
    async for data in response.aiter_bytes():
        page += data
        if len(page) > _MOST:
            break
    return page.decode(errors="replace").strip()


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _without_secrets(address: str) -> str:
    """An address as errors may show it: without user, password and query."""
    try:
        return str(httpx.URL(address).copy_with(userinfo=b"", query=None))
    except httpx.InvalidURL:
        return "an address that cannot be read"
