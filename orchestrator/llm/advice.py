"""What to do when a model server refuses: by what it said, else by its status. Pure."""

from __future__ import annotations

import re

_BY_WORDS = (
    (
        r"context.?(size|length|window)|maximum context|too long|too many tokens|no user query",
        (
            "The conversation does not fit into the model's context: begin a new one with /new, or start the "
            "server with a larger context (Ollama: OLLAMA_CONTEXT_LENGTH)."
        ),
    ),
    (r"not support tools", "Choose a model that can call tools, or write toolProtocol: json."),
    (r"current quota|billing", "The account at this server is used up: see to it there, or choose another."),
)

_BY_STATUS = {
    401: "The key is missing or wrong: check apiKey in the agent's file.",
    403: "The key may not use this model: check apiKey in the agent's file.",
    404: "The server does not know this model, or the address is not its API: check model and baseUrl.",
    413: "The conversation is too large for this server: begin a new one with /new.",
    429: "The server wants fewer requests, or the account is used up: wait a little, then try again.",
}

_SERVER_FAULT = "The server failed, or still loads the model: try again in a moment, or look at its log."


def advice(said: str, status: int) -> str:
    """One sentence on what to do next; `status` is the HTTP status, 200 for an error inside a stream."""
    if known := _known(said):
        return known
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status == 200 or status >= 500:
        return _SERVER_FAULT
    return "Check model and baseUrl in the agent's file, and the server's log."


def passes(said: str, status: int) -> bool:
    """Whether the same request may succeed later: the server is busy or failed, for no reason that stays."""
    return (status == 429 or status >= 500) and not _known(said)


def _known(said: str) -> str:
    """The advice for what the server said; empty when it is no known reason."""
    return next((advice for words, advice in _BY_WORDS if re.search(words, said, re.IGNORECASE)), "")
