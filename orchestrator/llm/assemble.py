"""Puts one reply together from the chunks of a chat completion. Pure: knows no server and no connection."""

from __future__ import annotations

import json
from collections.abc import Iterable

from orchestrator.llm.drafts import Drafts, new_id
from orchestrator.llm.loose import Json, as_list, as_object, as_text
from orchestrator.llm.messages import Call, Piece, Reply, Usage
from orchestrator.llm.thinking import ThinkSplitter
from orchestrator.llm.written import TextReader

TRUNCATED = "truncated"
"""`Reply.finish` of a stream that ended before its end: like "length", its calls are not whole."""

_PLAIN_ENDS = ("stop", "tool_calls", "function_call")


class Assembler:
    """Feed it decoded chunks; it gives back the pieces to show, and at the end the reply.

    Calls are put together only at the end of the stream: servers say `finish_reason` early, or wrongly.
    """

    def __init__(self, reader: TextReader, taken: Iterable[str] = ()) -> None:
        """`reader` finds calls in the text; `taken` are the ids of earlier calls, which no call may have."""
        self._reader = reader
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

    def end(self, *, ended: bool) -> tuple[list[Piece], Reply]:
        """The pieces that were held back, and the reply. `ended`: the server itself marked the end."""
        finish = self._finish or ("stop" if ended else TRUNCATED)
        cut = finish not in _PLAIN_ENDS
        pieces = self._keep(self._splitter.end())
        rest, written = self._reader.end(whole=not cut)
        self._text += rest
        calls = self._drafts.calls(self._taken, cut=cut) or tuple(Call(new_id(), *call) for call in written)
        if not cut:
            finish = "tool_calls" if calls else "stop"
        return [*pieces, *_pieces(rest)], Reply(self._text, calls, finish, self._usage)

    def _keep(self, pieces: list[Piece]) -> list[Piece]:
        """The pieces to show by now; text goes through the reader."""
        kept: list[Piece] = []
        for piece in pieces:
            kept += [piece] if piece.thought else _pieces(self._reader.feed(piece.text))
        self._text += "".join(piece.text for piece in kept if not piece.thought)
        return kept


def _pieces(text: str) -> list[Piece]:
    return [Piece(text)] if text else []


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
