"""The two ways in which a server's model calls tools: by its own calls, or by constrained JSON. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from orchestrator.llm import constrained, request
from orchestrator.llm.loose import Json
from orchestrator.llm.messages import Message, ToolSpec
from orchestrator.llm.written import TextReader, WrittenCalls


@dataclass(frozen=True, slots=True)
class ToolProtocol:
    """How a request is made, and what reads the text of the answer; the latter by the declared tools."""

    body: Callable[[str, Sequence[Message], Sequence[ToolSpec]], Json]
    reader: Callable[[Iterable[str]], TextReader]


NATIVE = ToolProtocol(request.body, WrittenCalls)
PROTOCOLS: Mapping[str, ToolProtocol] = {
    "native": NATIVE,
    "json": ToolProtocol(constrained.body, constrained.Constrained),
}
"""By `toolProtocol` of the file."""
