"""A client that costs next to nothing: blocking, it answers questions at once and only counts updates."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from typing import IO, Any, Self, cast

Json = dict[str, Any]

UPDATE = b'{"jsonrpc":"2.0","method":"session/update"'
OF_A_PERSON = ("AGENT_YOLO", "MM_CHAIN", "MM_CONFIG")
"""Variables of whoever runs this that would change what mm does."""


class Client:
    """A program that is spoken to over its pipes.

    `updates` is how many it has sent; `answer` is the kind of option that its questions are answered with.
    """

    def __init__(self, argv: Sequence[str], folder: Path) -> None:
        self.updates = 0
        self.answer = "allow_once"
        self._requests = 0
        self._session = ""
        self._folder = folder
        self._process = subprocess.Popen(
            argv,
            cwd=folder,
            env={name: value for name, value in os.environ.items() if name not in OF_A_PERSON},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._stdin = cast("IO[bytes]", self._process.stdin)
        self._stdout = cast("IO[bytes]", self._process.stdout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def opens(self) -> Self:
        """Shake hands and open the first session."""
        capabilities = {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False}
        self.waits(self.asks("initialize", {"protocolVersion": 1, "clientCapabilities": capabilities}))
        self._session = self.session()
        return self

    def session(self) -> str:
        """Open one more session; gives its id."""
        opened = self.waits(self.asks("session/new", {"cwd": str(self._folder), "mcpServers": []}))
        return str(opened["sessionId"])

    def prompts(self, text: str, session: str | None = None) -> int:
        """Send a prompt, to the first session or another one; gives the request's id."""
        params = {"sessionId": session or self._session, "prompt": [{"type": "text", "text": text}]}
        return self.asks("session/prompt", params)

    def asks(self, method: str, params: Json) -> int:
        """Send a request; gives its id."""
        self._requests += 1
        self._send({"id": self._requests, "method": method, "params": params})
        return self._requests

    def floods(self, number: int) -> None:
        """Send so many requests as fast as they are taken, and read as many lines back."""
        request = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "session/prompt", "params": {}}) + "\n"
        sender = Thread(target=self._repeats, args=(request.encode(), number))
        sender.start()
        for _ in range(number):
            self._stdout.readline()
        sender.join()

    def waits(self, *requests: int) -> Json:
        """Serve until all of these requests are answered; gives the result that came last."""
        left = set(requests)
        result: Json = {}
        while left:
            line = self._stdout.readline()
            if line.startswith(UPDATE):
                self.updates += 1
                continue
            frame = json.loads(line)
            if "method" in frame:
                self._decide(frame)
            elif "error" in frame:
                raise SystemExit(f"a request failed: {frame['error']}")
            else:
                left.discard(frame["id"])
                result = frame["result"]
        return result

    def _decide(self, question: Json) -> None:
        options = question["params"]["options"]
        (chosen,) = [option["optionId"] for option in options if option["kind"] == self.answer]
        outcome = {"outcome": "selected", "optionId": chosen}
        self._send({"id": question["id"], "result": {"outcome": outcome}})

    def _send(self, frame: Json) -> None:
        self._write(json.dumps({"jsonrpc": "2.0", **frame}).encode() + b"\n")

    def _repeats(self, data: bytes, number: int) -> None:
        for _ in range(number):
            self._write(data)

    def _write(self, data: bytes) -> None:
        self._stdin.write(data)
        self._stdin.flush()
