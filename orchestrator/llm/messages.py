"""The conversation with a model, as frozen values, and what a model is. Knows no server or wire format."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call as the model wrote it: `arguments` is its text, which may be no JSON at all."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class System:
    """Instructions for the model."""

    text: str


@dataclass(frozen=True, slots=True)
class User:
    """What the person, or the asking agent, said."""

    text: str


@dataclass(frozen=True, slots=True)
class Assistant:
    """What the model answered: text, calls, or both."""

    text: str
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """The one result of the call `id`."""

    id: str
    name: str
    text: str
    ok: bool = True


Message = System | User | Assistant | Result


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as it is declared to the model; `parameters` is a JSON Schema object."""

    name: str
    description: str
    parameters: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one reply."""

    prompt: int
    completion: int


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete reply.

    `finish` is "stop", "tool_calls" (if and only if there are whole calls to run), "truncated" (the stream
    ended before its end), or another word of the server, such as "length": then no call is to be run.
    """

    text: str
    calls: tuple[Call, ...]
    finish: str
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a reply as it streams; `thought` pieces are reasoning, not answer."""

    text: str
    thought: bool = False


@dataclass(frozen=True, slots=True)
class Wait:
    """The model cannot answer yet, because of `why`, and is asked again after so many seconds."""

    seconds: float
    why: str


OnPiece = Callable[[Piece | Wait], Awaitable[None]]
"""Takes a reply as it streams."""


class ModelError(Exception):
    """The model could not answer. The message says what happened, where, and what to do next."""


class Model(Protocol):
    """Something that continues a conversation."""

    name: str

    async def reply(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        on_piece: OnPiece,
    ) -> Reply:
        """Stream one reply through `on_piece` and return it whole; raises ModelError."""
        ...
