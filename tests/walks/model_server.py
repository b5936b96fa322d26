"""A model server on loopback: a real socket and real HTTP, for walks."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

Server = TypeVar("Server", bound=ThreadingHTTPServer)


USED = {"prompt_tokens": 1200, "completion_tokens": 34}
"""What each answer takes."""


class ModelServer(ThreadingHTTPServer):
    """A server of one model, which answers every prompt with the same text."""

    def __init__(self, text: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.text = text
        self.headers_seen: list[dict[str, str]] = []
        self.prompts: list[str] = []


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer

    def do_GET(self) -> None:
        self._answer("application/json", json.dumps({"data": [{"id": "qwen3:4b"}]}))

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.headers_seen.append(dict(self.headers))
        self.server.prompts.append(asked["messages"][-1]["content"])
        chunk = {
            "choices": [{"delta": {"content": self.server.text}, "finish_reason": "stop"}],
            "usage": USED,
        }
        self._answer("text/event-stream", f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n")

    def _answer(self, content_type: str, text: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: Any) -> None:
        """Nothing: stderr is the test's own."""


@contextmanager
def at_work(server: Server) -> Iterator[Server]:
    """The server, as long as this holds."""
    with server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
