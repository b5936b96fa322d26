"""The other end of mm's pipes: a blocking JSON-RPC peer that shares no code with mm, and reads strictly."""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from tests.walks.processes import DEADLINE, Running, until

Frame = dict[str, Any]


class Peer(Running):
    """A process that is spoken to in JSON, a frame a line. `rubbish` are the lines that are no frames."""

    def __init__(self, argv: Sequence[str], environ: Mapping[str, str], folder: Path, stderr: Path) -> None:
        self._stderr = stderr
        self._frames: list[Frame] = []
        self._next = 0
        self.rubbish: list[bytes] = []
        with stderr.open("wb") as errors:
            process = subprocess.Popen(
                argv,
                env=dict(environ),
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        super().__init__(process)
        assert process.stdin
        assert process.stdout
        self._stdin, self._stdout = process.stdin, process.stdout
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._reader.join(DEADLINE)
        self.closes_stdin()
        self._stdout.close()

    @property
    def stderr(self) -> str:
        """What the process wrote to stderr so far."""
        return self._stderr.read_text(errors="replace")

    def _read(self) -> None:
        for line in self._stdout:
            try:
                frame = json.loads(line)
                assert frame["jsonrpc"] == "2.0"
            except (ValueError, TypeError, KeyError, AssertionError):
                self.rubbish.append(line)
            else:
                self._frames.append(frame)

    def _report(self, what: str) -> str:
        frames = "\n".join(json.dumps(frame, ensure_ascii=False)[:500] for frame in self._frames[-20:])
        return f"{what}\n--- last frames\n{frames}\n--- stderr\n{self.stderr[-2000:]}"

    def _waits(self, done: Callable[[], bool], complaint: str) -> None:
        """Wait until `done`, at most until nothing more can come."""
        until(lambda: done() or not self._reader.is_alive())
        assert done(), self._report(complaint)

    def sends(self, frame: Frame) -> Self:
        """Send one frame."""
        return self.writes(json.dumps({"jsonrpc": "2.0", **frame}).encode() + b"\n")

    def writes(self, data: bytes) -> Self:
        """Send bytes as they are."""
        self._stdin.write(data)
        self._stdin.flush()
        return self

    def closes_stdin(self) -> Self:
        """Close the process's stdin, as an editor that ends."""
        with contextlib.suppress(BrokenPipeError):
            self._stdin.close()
        return self

    def asks(self, method: str, params: Frame) -> int:
        """Send a request and return its id without waiting."""
        request = self._next
        self._next += 1
        self.sends({"id": request, "method": method, "params": params})
        return request

    def answer(self, request: int) -> Frame:
        """Wait for the one answer to a request of this side."""
        self._waits(lambda: bool(self._answers(request)), f"no answer to request {request}")
        (answer,) = self._answers(request)
        return answer

    def _answers(self, request: int) -> list[Frame]:
        return [frame for frame in self._frames if "method" not in frame and frame.get("id") == request]

    def result(self, method: str, params: Frame) -> Frame:
        """Send a request and wait for its result."""
        answer = self.answer(self.asks(method, params))
        assert "result" in answer, self._report(f"{method} failed")
        result: Frame = answer["result"]
        return result

    def received(self, method: str) -> list[Frame]:
        """The requests and notifications of this method that have arrived so far."""
        return [frame for frame in self._frames if frame.get("method") == method]
