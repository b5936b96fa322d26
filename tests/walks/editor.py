"""An editor: an independent ACP client over pipes, the second opinion on what mm says on the wire.

It shares no code with mm, reads strictly, and does only what a story tells it to do.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from tests.walks.processes import DEADLINE, until

Frame = dict[str, Any]


class Editor:
    """An ACP client with one session."""

    def __init__(self, argv: Sequence[str], environ: Mapping[str, str], folder: Path, stderr: Path) -> None:
        self._stderr = stderr
        self._folder = folder
        self._frames: list[Frame] = []
        self._next = 0
        self._asked = 0
        self._prompt = 0
        self.session = ""
        self.rubbish: list[bytes] = []
        with stderr.open("wb") as errors:
            self._process = subprocess.Popen(
                argv,
                env=dict(environ),
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
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
        assert self._process.stdout
        self._process.stdout.close()

    @property
    def pid(self) -> int:
        """The process id of mm."""
        return self._process.pid

    @property
    def stderr(self) -> str:
        """What mm wrote to stderr so far."""
        return self._stderr.read_text(errors="replace")

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
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
        assert self._process.stdin
        self._process.stdin.write(data)
        self._process.stdin.flush()
        return self

    def asks(self, method: str, params: Frame) -> int:
        """Send a request and return its id without waiting."""
        request = self._next
        self._next += 1
        self.sends({"id": request, "method": method, "params": params})
        return request

    def answer(self, request: int) -> Frame:
        """Wait for the whole answer to one of the editor's own requests."""
        found: list[Frame] = []

        def arrived() -> bool:
            found[:] = [f for f in self._frames if "method" not in f and f.get("id") == request]
            return bool(found)

        self._waits(arrived, f"no answer to request {request}")
        assert len(found) == 1, self._report(f"several answers to request {request}")
        return found[0]

    def result(self, method: str, params: Frame) -> Frame:
        """Send a request and wait for its result."""
        answer = self.answer(self.asks(method, params))
        assert "result" in answer, self._report(f"{method} failed")
        result: Frame = answer["result"]
        return result

    def opens(self, folder: Path | None = None) -> Self:
        """Shake hands and open a session in `folder`."""
        capabilities = {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False}
        self.result("initialize", {"protocolVersion": 1, "clientCapabilities": capabilities})
        return self.opens_another(folder)

    def opens_another(self, folder: Path | None = None) -> Self:
        """Open one more session, and speak in that from now on."""
        cwd = str(folder or self._folder)
        self.session = self.result("session/new", {"cwd": cwd, "mcpServers": []})["sessionId"]
        return self

    def says(self, text: str) -> Self:
        """Send a prompt and do not wait for its end."""
        prompt = [{"type": "text", "text": text}]
        self._prompt = self.asks("session/prompt", {"sessionId": self.session, "prompt": prompt})
        return self

    def stops(self) -> Self:
        """Cancel the running prompt, as the Stop button does."""
        return self.sends({"method": "session/cancel", "params": {"sessionId": self.session}})

    @property
    def stop_reason(self) -> str:
        """Wait for the end of the last prompt and say why it ended."""
        reason: str = self.answer(self._prompt)["result"]["stopReason"]
        return reason

    @property
    def failure(self) -> str:
        """Wait for the end of the last prompt and say how it failed."""
        message: str = self.answer(self._prompt)["error"]["message"]
        return message

    def received(self, method: str) -> list[Frame]:
        """The requests and notifications of this method that have arrived so far."""
        return [frame for frame in self._frames if frame.get("method") == method]

    @property
    def questions(self) -> list[Frame]:
        """The permission requests that have arrived so far."""
        return self.received("session/request_permission")

    def question(self) -> Frame:
        """Wait for the next permission request."""
        self._waits(lambda: len(self.questions) > self._asked, "no question came")
        self._asked += 1
        return self.questions[self._asked - 1]

    def answers(self, question: Frame, kind: str) -> Self:
        """Choose the one option of `kind`."""
        options = question["params"]["options"]
        (chosen,) = [option["optionId"] for option in options if option["kind"] == kind]
        return self.decides(question, {"outcome": "selected", "optionId": chosen})

    def decides(self, question: Frame, outcome: Any) -> Self:
        """Answer a question with this outcome, whatever it is."""
        return self.sends({"id": question["id"], "result": {"outcome": outcome}})

    def updates(self, kind: str) -> list[Frame]:
        """The session updates of one kind, in order."""
        updates = [frame["params"]["update"] for frame in self.received("session/update")]
        return [update for update in updates if update["sessionUpdate"] == kind]

    def text(self) -> str:
        """What was said in the session, in one piece."""
        return "".join(update["content"]["text"] for update in self.updates("agent_message_chunk"))

    def closes_stdin(self) -> Self:
        """Close mm's stdin, as an editor that ends."""
        assert self._process.stdin
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        return self

    def kills(self, number: signal.Signals = signal.SIGKILL) -> Self:
        """Send mm a signal."""
        os.kill(self.pid, number)
        return self

    def ends(self, code: int | None = None) -> Self:
        """Wait until mm has ended, with `code` if one is given."""
        try:
            found = self._process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            raise AssertionError(self._report("mm does not end")) from None
        assert code is None or found == code, self._report(f"ended with {found}, not {code}")
        return self
