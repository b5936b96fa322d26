"""An ACP client in the same process, over pipes: it keeps every frame, in order, and checks each."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from orchestrator.chain import VARIABLE, Chain
from orchestrator.facades.editor import Editor
from orchestrator.facades.editor_port import Other
from orchestrator.wiring import Wanted, wire
from tests.orchestrator.acp.official_schema import check
from tests.orchestrator.acp.peers import Raw, pipes
from tests.orchestrator.parts import running

Frame = dict[str, Any]
CHECKED: Mapping[Any, str] = {
    "session/update": "SessionNotification",
    "session/request_permission": "RequestPermissionRequest",
    "$/cancel_request": "CancelRequestNotification",
}
"""What each message of mm is in the official schema."""


class Client:
    """What an editor sends and hears. `folder` is a folder for its sessions."""

    def __init__(self, raw: Raw, folder: Path) -> None:
        self.raw = raw
        self.folder = folder
        self.frames: list[Frame] = []
        self.asked = 0

    async def hears(self, wanted: Callable[[Frame], bool]) -> Frame:
        """The next frame that is wanted; those before it are kept as well."""
        while True:
            frame = await self.raw.hear()
            self.frames.append(frame)
            self._check(frame)
            if wanted(frame):
                found: Frame = frame
                return found

    def _check(self, frame: Frame) -> None:
        if sort := CHECKED.get(frame.get("method")):
            check(sort, frame["params"])

    async def asks(self, method: str, **params: Any) -> int:
        """Send a request; gives its id."""
        self.asked += 1
        await self.raw.ask(self.asked, method, **params)
        return self.asked

    async def answer(self, request: int) -> Frame:
        return await self.hears(lambda frame: "method" not in frame and frame.get("id") == request)

    async def result(self, method: str, **params: Any) -> Frame:
        result: Frame = (await self.answer(await self.asks(method, **params)))["result"]
        return result

    async def error(self, method: str, **params: Any) -> Frame:
        error: Frame = (await self.answer(await self.asks(method, **params)))["error"]
        return error

    async def opens(self, **more: Any) -> str:
        session: str = (await self.result("session/new", cwd=str(self.folder), mcpServers=[], **more))[
            "sessionId"
        ]
        return session

    async def prompts(self, session: str, *texts: str) -> int:
        blocks = [{"type": "text", "text": text} for text in texts]
        return await self.asks("session/prompt", sessionId=session, prompt=blocks)

    async def stop_reason(self, request: int) -> str:
        result = (await self.answer(request))["result"]
        check("PromptResponse", result)
        reason: str = result["stopReason"]
        return reason

    async def question(self) -> Frame:
        return await self.hears(lambda frame: frame.get("method") == "session/request_permission")

    async def chooses(self, question: Frame, option: str) -> None:
        await self.answers(question, result={"outcome": {"outcome": "selected", "optionId": option}})

    async def answers(self, question: Frame, **answer: Any) -> None:
        await self.raw.say({"jsonrpc": "2.0", "id": question["id"], **answer})

    async def notifies(self, method: str, **params: Any) -> None:
        await self.raw.say({"jsonrpc": "2.0", "method": method, "params": params})

    async def all_is_said(self) -> None:
        """A fence: every frame that was sent before has been heard."""
        await self.error("no/such/method")

    def updates(self, kind: str, session: str | None = None) -> list[Frame]:
        heard = [frame["params"] for frame in self.frames if frame.get("method") == "session/update"]
        return [
            params["update"]
            for params in heard
            if params["update"]["sessionUpdate"] == kind and session in (None, params["sessionId"])
        ]

    @property
    def questions(self) -> list[Frame]:
        return [frame for frame in self.frames if frame.get("method") == "session/request_permission"]

    def text(self, session: str | None = None) -> str:
        return "".join(update["content"]["text"] for update in self.updates("agent_message_chunk", session))


@asynccontextmanager
async def an_editor(
    folder: Path,
    *lines: str,
    model: str = "demo",
    asked_by: str = "",
    notes: tuple[str, ...] = (),
    environ: Mapping[str, str] | None = None,
) -> AsyncIterator[Client]:
    """The facade over an agent whose file has these lines; `asked_by` names an asking agent of ours."""
    file = folder / "riker.yaml"
    file.write_text("\n".join((f"model: {model}", *lines, "")), encoding="utf-8")
    chain = {VARIABLE: str(Chain().through(asked_by, "its file", 4))} if asked_by else {}
    wiring = wire(Wanted("editor", file, somebody=True), {**(environ or {}), **chain})
    other = Other(wiring.words, (*wiring.notes(), *notes), asks=wiring.chain.asked)
    here, there = pipes()
    reports: list[str] = []
    async with there, running() as tasks:
        tasks.start_soon(Editor(wiring.plan, other).run, here, reports.append)
        yield Client(Raw(there), folder)
    assert reports == []
