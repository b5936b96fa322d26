"""A model server on loopback that makes given calls, one a reply, and keeps what it was told of each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Wanted = tuple[str, dict[str, str]]
"""A tool and its arguments."""


class Model(ThreadingHTTPServer):
    """After its last call it says "done". `told` are the results of its calls, in their order."""

    def __init__(self, calls: Sequence[Wanted]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self._calls = calls
        self._messages: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        """Its address, as `baseUrl` has it."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    @property
    def told(self) -> list[str]:
        """What came back for each call so far."""
        return [message["content"] for message in self._messages if message["role"] == "tool"]

    def reply(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        """The next call that has no result yet, or the end."""
        self._messages = messages
        made = len(self.told)
        if made == len(self._calls):
            return {"delta": {"content": "done"}, "finish_reason": "stop"}
        tool, arguments = self._calls[made]
        function = {"name": tool, "arguments": json.dumps(arguments)}
        call = {"index": 0, "id": f"call-{made}", "type": "function", "function": function}
        return {"delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}


class _Handler(BaseHTTPRequestHandler):
    server: Model

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        chunk = {"choices": [{"index": 0, **self.server.reply(asked["messages"])}]}
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode())

    def log_message(self, *_: Any) -> None:
        """Nothing: stderr is the test's own."""
