"""A model behind an OpenAI-compatible server (Ollama, LM Studio, llama.cpp, vLLM, hosted ones).

Does the talking only: what to send is `request`, what came back is `sse` and `assemble`. Imported with
its first prompt, since httpx takes long to import.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing

import httpx

from orchestrator.llm.advice import advice, passes
from orchestrator.llm.assemble import Assembler, error_of
from orchestrator.llm.loose import Json, decoded
from orchestrator.llm.messages import Assistant, Message, Model, ModelError, OnPiece, Reply, ToolSpec
from orchestrator.llm.protocols import NATIVE, ToolProtocol
from orchestrator.llm.retry import PATIENCE, Passing, Patience, patiently, wanted_pause
from orchestrator.llm.sse import Event, EventDecoder

TIMEOUTS = httpx.Timeout(300, connect=10)
"""Seconds. A small computer may think for minutes before the first byte."""

_END = "[DONE]"
_SHOWN = 500  # characters of a server's words in an error
LONGEST = 32 * 1024**2
"""Bytes of an answer, decompressed, that are read."""
_MOST = 65536  # bytes of an error page that are read


class OpenAIModel(Model):
    """Streams chat completions. Each reply is a connection of its own, so that cancelling closes it."""

    def __init__(
        self,
        name: str,
        base_url: str,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        protocol: ToolProtocol = NATIVE,
        timeouts: httpx.Timeout = TIMEOUTS,
        patience: Patience = PATIENCE,
    ) -> None:
        """`base_url` ends before /chat/completions, mostly in /v1; `headers` are added to every request."""
        self.name = name
        self._address = base_url.rstrip("/")
        key = {} if api_key is None else {"Authorization": f"Bearer {api_key}"}
        sent = {"Content-Type": "application/json", **key, **(headers or {})}
        self._headers = httpx.Headers(sent, encoding="utf-8")
        self._protocol = protocol
        self._timeouts = timeouts
        self._patience = patience

    async def reply(self, messages: Sequence[Message], tools: Sequence[ToolSpec], on_piece: OnPiece) -> Reply:
        """Stream one reply; raises ModelError. What had arrived before an error went through `on_piece`."""
        taken = [call.id for message in messages if isinstance(message, Assistant) for call in message.calls]
        names = [tool.name for tool in tools]
        # A lone surrogate in a tool's output has no bytes in UTF-8: it goes out as "?".
        request = self._protocol.body(self.name, messages, tools)
        content = json.dumps(request, ensure_ascii=False).encode(errors="replace")

        async def attempt() -> Reply:
            return await self._try(content, Assembler(self._protocol.reader(names), taken), on_piece)

        return await patiently(attempt, self._patience, on_piece)

    async def _try(self, content: bytes, assembler: Assembler, on_piece: OnPiece) -> Reply:
        """Ask once; raises Passing only as long as no byte of an answer has come."""
        response: httpx.Response | None = None
        url = f"{self._address}/chat/completions"
        try:
            async with self._client() as client, client.stream("POST", url, content=content) as response:
                await self._refuse_errors(response)
                return await self._read(response, assembler, on_piece)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            # Not chained: the text of some of them holds a header, which may be the key.
            begun = response is not None and response.num_bytes_downloaded > 0
            raise self._plainly(error, begun=begun) from None

    def _client(self) -> httpx.AsyncClient:
        # A proxy of the environment cannot reach this computer's own server.
        local = _is_loopback(httpx.URL(self._address).host)
        return httpx.AsyncClient(headers=self._headers, timeout=self._timeouts, trust_env=not local)

    async def _read(self, response: httpx.Response, assembler: Assembler, on_piece: OnPiece) -> Reply:
        """Feed the body to `assembler`. When it breaks off, what was held back is shown as it came."""
        ended = False
        try:
            ended = await self._feed(response, assembler, on_piece)
        except (httpx.HTTPError, ModelError):
            for piece in assembler.end(ended=False)[0]:
                await on_piece(piece)
            raise
        pieces, reply = assembler.end(ended=ended)
        for piece in pieces:
            await on_piece(piece)
        return reply

    async def _feed(self, response: httpx.Response, assembler: Assembler, on_piece: OnPiece) -> bool:
        """Feed the body to `assembler`; whether the server marked the end."""
        ended = False
        async with aclosing(_events(self._bounded(response), response)) as events:
            async for event in events:
                if ended := event.data.strip() == _END:
                    break
                for piece in assembler.add(self._chunk(event)):
                    await on_piece(piece)
        if not assembler.answered:
            kind = response.headers.get("content-type", "no content type")
            raise self._error(f"sent no answer ({kind}). Check baseUrl: it mostly ends in /v1.")
        return ended

    async def _bounded(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        """The body, decompressed, piece by piece; raises ModelError where it grows beyond all sense."""
        size = 0
        async for data in response.aiter_bytes():
            size += len(data)
            if size > LONGEST:
                raise self._error(f"sent more than {LONGEST // 1024**2} MiB, and was given up.")
            yield data

    def _chunk(self, event: Event) -> Json:
        """The decoded chunk of an event, empty for what proxies send to keep the connection open."""
        value = decoded(event.data)
        if event.failed and error_of(value) is None:
            value = {"error": value or event.data}
        if said := error_of(value):
            raise self._error(f"{_told(said, 200)} {advice(said, 200)}")
        if isinstance(value, dict):
            return value
        if not event.data.strip() or event.data.startswith(":"):
            return {}
        raise self._error(f"sent something that is not JSON: {event.data[:_SHOWN]}")

    async def _refuse_errors(self, response: httpx.Response) -> None:
        if response.status_code != 200:
            page = await _head(response)
            said = error_of(decoded(page)) or page or response.reason_phrase
            raise self._failure(said, response)

    def _failure(self, said: str, response: httpx.Response) -> ModelError:
        status = response.status_code
        what, todo = _told(said, status), advice(said, status)
        if not passes(said, status):
            return self._error(f"{what} {todo}")
        pause = wanted_pause(response.headers.get("retry-after", ""), self._patience.clock())
        asked = f" It asks for a pause of {pause:.0f} seconds." if pause else ""
        return Passing(f"{self._who} {what}", todo + asked, pause)

    @property
    def _who(self) -> str:
        return f"{self.name} at {_without_secrets(self._address)}"

    def _error(self, what: str) -> ModelError:
        return ModelError(f"{self._who} {what}")

    def _plainly(self, error: httpx.HTTPError | httpx.InvalidURL, *, begun: bool) -> ModelError:
        """What httpx raised as a sentence; from the special to the general."""
        match error:
            case httpx.InvalidURL() | httpx.UnsupportedProtocol():
                return self._error("cannot be asked: baseUrl is no http or https address.")
            case httpx.LocalProtocolError():
                return self._error("cannot be asked: apiKey or headers hold characters HTTP forbids.")
            case httpx.ConnectError() | httpx.ConnectTimeout():
                what = f"cannot be reached: no server answers there ({_words(error)})."
                return self._error(f"{what} Start it (for example: ollama serve), or correct baseUrl.")
            case httpx.TimeoutException():
                seconds = f"{self._timeouts.read:g} seconds"
                return self._error(f"sent nothing for {seconds}. Try again, or look at its log.")
            case _ if begun:
                return self._error(f"broke off while it answered ({_words(error)}). Try again.")
            case _:
                what = f"{self._who} ended the connection before it answered ({_words(error)})."
                return Passing(what, "Look at its log.")


def _told(said: str, status: int) -> str:
    words = " ".join(said[:_SHOWN].split()).removesuffix(".")
    return f"answered with an error ({status}): {words}."


async def _events(body: AsyncGenerator[bytes, None], response: httpx.Response) -> AsyncGenerator[Event, None]:
    """The events of a stream; a server that does not stream answers with one JSON document instead."""
    if response.headers.get("content-type", "").startswith("application/json"):
        document = bytearray()
        async for data in body:
            document += data
        yield Event(document.decode(errors="replace"))
        yield Event(_END)
        return
    decoder = EventDecoder()
    async for data in body:
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
