"""The least that is an ACP agent on anyio; one request at a time, and no cancelling.

    minimal.py [TIMES]

A prompt is `updates N`, which sends N updates, or `permissions N`, which asks N times, one question after
the other, and writes into the file TIMES how many seconds each answer took. Any other is answered with one
update.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator
from itertools import count
from time import perf_counter
from typing import Any

import anyio

Frame = dict[str, Any]

ANSWERS = {"initialize": {"protocolVersion": 1, "agentCapabilities": {}}, "session/new": {"sessionId": "s"}}
KINDS = ("allow_once", "allow_always", "reject_once", "reject_always")
OPTIONS = [{"optionId": kind, "name": kind, "kind": kind} for kind in KINDS]
CALL = {"name": "bash", "kind": "execute", "title": "list", "rawInput": {"command": "ls"}}


class Agent:
    """The agent's side of one connection on stdin and stdout."""

    def __init__(self, times: str | None) -> None:
        self._times = times
        self._frames = _frames()
        self._ids = count(1)

    async def serve(self) -> None:
        """Answer requests until the client closes."""
        async for frame in self._frames:
            if frame["method"] == "session/prompt":
                await self._prompt(frame["params"]["prompt"][0]["text"])
                _send({"id": frame["id"], "result": {"stopReason": "end_turn"}})
            else:
                _send({"id": frame["id"], "result": ANSWERS[frame["method"]]})

    async def _prompt(self, text: str) -> None:
        match text.split():
            case ["updates", number]:
                for at in range(int(number)):
                    _say(f"word {at} ")
            case ["permissions", number]:
                times = [await self._ask() for _ in range(int(number))]
                if self._times:
                    await anyio.Path(self._times).write_text("\n".join(map(str, times)), encoding="utf-8")
            case _:
                _say("done")

    async def _ask(self) -> float:
        """Ask once; gives the seconds until the answer."""
        asked = f"call-{next(self._ids)}"
        params = {"sessionId": "s", "toolCall": {"toolCallId": asked, **CALL}, "options": OPTIONS}
        began = perf_counter()
        _send({"id": asked, "method": "session/request_permission", "params": params})
        answer = await anext(self._frames)
        took = perf_counter() - began
        if answer["result"]["outcome"].get("optionId") not in KINDS[:2]:
            raise SystemExit(f"not allowed: {answer}")
        return took


async def _frames() -> AsyncIterator[Frame]:
    rest = b""
    while True:
        await anyio.wait_readable(0)
        data = os.read(0, 65536)
        if not data:
            return
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            yield json.loads(line)


def _say(text: str) -> None:
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
    _send({"method": "session/update", "params": {"sessionId": "s", "update": update}})


def _send(frame: Frame) -> None:
    data = json.dumps({"jsonrpc": "2.0", **frame}, separators=(",", ":")).encode() + b"\n"
    while data:
        data = data[os.write(1, data) :]


if __name__ == "__main__":
    anyio.run(Agent(sys.argv[1] if sys.argv[1:] else None).serve)
