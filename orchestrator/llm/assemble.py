"""Puts one reply together from the chunks of a chat completion. Pure: knows no server and no connection."""

from __future__ import annotations

import json
from collections.abc import Iterable

from orchestrator.llm.drafts import Drafts
from orchestrator.llm.loose import Json, as_list, as_object, as_text
from orchestrator.llm.messages import Piece, Reply, Usage
from orchestrator.llm.thinking import ThinkSplitter

TRUNCATED = "truncated"
"""`Reply.finish` of a stream that ended before its end: like "length", its calls are not whole."""

_PLAIN_ENDS = ("stop", "tool_calls", "function_call")


class Assembler:
    """Feed it decoded chunks; it gives back the pieces to show, and at the end the reply.

    Calls are put together only at the end of the stream: servers say `finish_reason` early, or wrongly.
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        """`taken` are the ids of earlier calls, which no call of this reply may have."""
        self._taken = frozenset(taken)
        self._splitter = ThinkSplitter()
        self._drafts = Drafts()
        self._text = ""
        self._finish = ""
        self._usage: Usage | None = None
        self.answered = False

    def add(self, chunk: Json) -> list[Piece]:
        """Take the next chunk, or a whole completion: servers that do not stream send it as the only one."""
        self._usage = _usage(chunk) or self._usage
        choice = _choice(chunk)
        if choice is None:
            return []
        self.answered = True
        self._finish = as_text(choice.get("finish_reason")) or self._finish
        message = as_object(choice.get("delta") or choice.get("message"))
        for fragment in as_list(message.get("tool_calls")):
            self._drafts.add(as_object(fragment))
        return [*_thoughts(message), *self._keep(self._splitter.feed(_plain(message.get("content"))))]

    def rest(self) -> list[Piece]:
        """The pieces that were held back, once the stream has ended."""
        return self._keep(self._splitter.end())

    def reply(self, *, ended: bool) -> Reply:
        """The whole reply. `ended`: the server said so itself, by the end mark of the stream."""
        finish = self._finish or ("stop" if ended else TRUNCATED)
        cut = finish not in _PLAIN_ENDS
        calls = self._drafts.calls(self._taken, cut=cut)
        if not cut:
            finish = "tool_calls" if calls else "stop"
        return Reply(self._text, calls, finish, self._usage)

    def _keep(self, pieces: list[Piece]) -> list[Piece]:
        self._text += "".join(piece.text for piece in pieces if not piece.thought)
        return pieces


def error_of(body: object) -> str | None:
    """What a decoded body or chunk says went wrong; None when it is no error."""
    match body:
        case {"error": {"message": str(text)}} | {"error": str(text)} if text:
            return text
        case {"error": error} if error:
            return json.dumps(error)
        case {"detail": str(text)} | {"object": "error", "message": str(text)}:
            return text
        case _:
            return None


def _choice(chunk: Json) -> Json | None:
    choices = as_list(chunk.get("choices"))
    return as_object(choices[0]) if choices else None


def _usage(chunk: Json) -> Usage | None:
    match chunk.get("usage"):
        case {"prompt_tokens": int(prompt), "completion_tokens": int(completion)}:
            return Usage(prompt, completion)
        case _:
            return None


def _thoughts(message: Json) -> list[Piece]:
    thought = as_text(message.get("reasoning_content")) or as_text(message.get("reasoning"))
    return [Piece(thought, thought=True)] if thought else []


def _plain(content: object) -> str:
    """Content as text: some gateways send a list of parts."""
    return as_text(content) or "".join(as_text(as_object(part).get("text")) for part in as_list(content))
