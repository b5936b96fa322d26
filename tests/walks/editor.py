"""An editor: an independent ACP client, the second opinion on what mm says on the wire.

It does only what a story tells it to do: answer, answer wrongly, stay silent, stop, go away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from tests.walks.peer import Frame, Peer


class Editor(Peer):
    """An ACP client that speaks in one session at a time."""

    def __init__(self, argv: Sequence[str], environ: Mapping[str, str], folder: Path, stderr: Path) -> None:
        super().__init__(argv, environ, folder, stderr)
        self._folder = folder
        self._asked = 0
        self._prompt = 0
        self.session = ""

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
        answer = self.answer(self._prompt)
        assert "result" in answer, self._report("the prompt failed")
        reason: str = answer["result"]["stopReason"]
        return reason

    @property
    def failure(self) -> str:
        """Wait for the end of the last prompt and say how it failed."""
        answer = self.answer(self._prompt)
        assert "error" in answer, self._report("the prompt did not fail")
        message: str = answer["error"]["message"]
        return message

    @property
    def questions(self) -> list[Frame]:
        """The permission requests that have arrived so far."""
        return self.received("session/request_permission")

    def question(self) -> Frame:
        """Wait for the next permission request."""
        self._waits(lambda: len(self.questions) > self._asked, "no question came")
        self._asked += 1
        return self.questions[self._asked - 1]

    def next_question(self) -> Frame:
        """Wait for the next permission request; empty if the prompt is answered instead."""
        self._waits(lambda: len(self.questions) > self._asked or self.done, "no question, and no end")
        return self.question() if len(self.questions) > self._asked else {}

    @property
    def done(self) -> bool:
        """Whether the last prompt is answered."""
        return bool(self._answers(self._prompt))

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
