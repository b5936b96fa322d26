"""The editor facade: mm as an ACP agent on stdin and stdout, one conversation for each ACP session.

It does not know whether an editor or an asking agent is at the other end, but for what `Other` says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import ByteStream, TaskGroup, TaskStatus

from consent.setting import Setting
from consent.show import safe
from mmconfigs.language import Words
from orchestrator import __version__
from orchestrator.acp.handed import Handed, read_handed
from orchestrator.acp.modes import OPTION, mode_named, modes_of, options_of
from orchestrator.acp.permission import BadRequest
from orchestrator.acp.prompts import BadPrompt, text_of
from orchestrator.acp.schema import PROTOCOL_VERSION, ErrorCode
from orchestrator.acp.tokens import as_meta
from orchestrator.acp.wire import Connection, Reply, RpcError
from orchestrator.agent import Reason, Stop
from orchestrator.commands import Talk
from orchestrator.conversation import Quit, Shown, Submitted
from orchestrator.facades.editor_port import EditorPort, Other
from orchestrator.pipelines.runs import Runs
from orchestrator.session import Plan, Session, open_session
from orchestrator.words.catalogue import EDITOR_SERVERS, YOLO_FLOOR

PlanFor = Callable[[Path, Handed], Plan]
"""How a conversation in a folder is made, with what an asking agent hands down.

Raises ValueError with the reason where it cannot be made.
"""

HELLO: dict[str, Any] = {
    "protocolVersion": PROTOCOL_VERSION,
    "agentCapabilities": {
        "loadSession": False,
        "promptCapabilities": {"image": False, "audio": False, "embeddedContext": True},
        "mcpCapabilities": {"http": False, "sse": False},
    },
    "agentInfo": {"name": "mm", "title": "mm", "version": __version__},
    "authMethods": [],
}


def _no_runs(_: Session) -> None:
    """Nothing here runs pipelines."""


class Editor:
    """The agent's side of one connection."""

    def __init__(
        self, plan_for: PlanFor, other: Other, runs_of: Callable[[Session], Runs | None] = _no_runs
    ) -> None:
        self._plan_for = plan_for
        self._other = other
        self._runs_of = runs_of
        self._told = Words() if other.asks else other.words  # an asking agent tells it its model
        self._ids = count(1)
        self._open: dict[str, tuple[EditorPort, Talk]] = {}

    async def run(self, stream: ByteStream, report: Callable[[str], None]) -> int:
        """Serve until the other side closes; gives the exit code. Everything that runs ends with it."""
        async with anyio.create_task_group() as tasks:
            self._tasks: TaskGroup = tasks
            self._connection = Connection(stream, self, "agent", report)
            await self._connection.run()
            tasks.cancel_scope.cancel()
        return 0

    async def on_request(self, method: str, params: Mapping[str, Any]) -> Any:
        """One request; what is not offered here is answered with an error."""
        match method:
            case "initialize":
                return HELLO
            case "session/new":
                return await self._new(params)
            case "session/prompt":
                return await self._prompt(params)
            case "session/set_mode" if not self._other.asks:
                await self._set_mode(params, params.get("modeId"))
                return {}
            case "session/set_config_option" if not self._other.asks:
                return await self._set_option(params)
            case _:
                raise RpcError(ErrorCode.METHOD_NOT_FOUND, f"mm has no {method}")

    async def on_notification(self, method: str, params: Mapping[str, Any]) -> None:
        """A cancel; other notifications are none of ours."""
        if method == "session/cancel" and (found := self._open.get(str(params.get("sessionId")))):
            found[1].stop()

    async def _new(self, params: Mapping[str, Any]) -> Reply:
        try:
            plan = self._plan_for(_folder(params), read_handed(params, from_ours=self._other.asks))
        except (ValueError, BadRequest) as error:
            raise RpcError(ErrorCode.INVALID_PARAMS, str(error)) from error
        session = f"mm-{next(self._ids)}"
        port, talk = self._open[session] = await self._tasks.start(self._hold, session, plan)
        modes = {} if self._other.asks else self._modes(plan.setting)
        if params.get("mcpServers"):
            port.note_later(self._other.words.say(EDITOR_SERVERS))
        return Reply({"sessionId": session, **modes}, lambda: port.announce(talk.commands))

    def _modes(self, setting: Setting) -> dict[str, Any]:
        return {"modes": modes_of(setting), "configOptions": options_of(setting, self._other.words)}

    async def _hold(
        self, session_id: str, plan: Plan, *, task_status: TaskStatus[tuple[EditorPort, Talk]]
    ) -> None:
        port = EditorPort(session_id, str(plan.place.folder), self._connection, self._other, plan.setting)
        async with open_session(plan, port, port, port if self._other.asks else None) as session:
            runs = None if self._other.asks else self._runs_of(session)
            task_status.started((port, Talk(session, self._other.words, runs)))
            await anyio.sleep_forever()

    async def _prompt(self, params: Mapping[str, Any]) -> dict[str, Any]:
        port, talk = self._session(params)
        try:
            text = text_of(params.get("prompt"))
        except BadPrompt as error:
            raise RpcError(ErrorCode.INVALID_PARAMS, str(error)) from None
        async with port.one_turn():
            # Only a person types commands: the task of an asking agent is text for the model, always.
            work = talk.session.prompt(text) if self._other.asks else talk.submit(text)
            before = talk.tally
            submitted = await work
            await port.tell_mode(talk.session.desk.setting)
            try:
                return await _ended(port, submitted, self._told)
            finally:
                await port.sum_up(talk.tally.since(before))

    async def _set_mode(self, params: Mapping[str, Any], named: object) -> Setting:
        """Change the mode as the person chose it in the editor."""
        port, talk = self._session(params)
        session, mode = talk.session, mode_named(named)
        if mode is None:
            offered = ", ".join(session.desk.setting.offered)
            raise RpcError(ErrorCode.INVALID_PARAMS, f"there is no such mode; offered: {offered}")
        if not session.set_mode(mode, "session/set_mode"):
            raise RpcError(ErrorCode.INVALID_PARAMS, self._other.words.say(YOLO_FLOOR))
        await port.tell_mode(session.desk.setting)
        return session.desk.setting

    async def _set_option(self, params: Mapping[str, Any]) -> dict[str, Any]:
        if params.get("configId") != OPTION:
            raise RpcError(ErrorCode.INVALID_PARAMS, f"there is no such option; offered: {OPTION}")
        setting = await self._set_mode(params, params.get("value"))
        return {"configOptions": options_of(setting, self._other.words)}

    def _session(self, params: Mapping[str, Any]) -> tuple[EditorPort, Talk]:
        found = self._open.get(str(params.get("sessionId")))
        if found is None:
            raise RpcError(ErrorCode.INVALID_PARAMS, "unknown sessionId")
        return found


async def _ended(port: EditorPort, submitted: Submitted, words: Words) -> dict[str, Any]:
    """The answer to a prompt. What ACP has no stop reason for is said, and answered as an error."""
    match submitted:
        case Stop(Reason.FAILED | Reason.UNKNOWN) as stop:
            raise RpcError(ErrorCode.INTERNAL_ERROR, safe(words.told(stop.detail)) or stop.reason.value)
        case Stop() as stop:
            await port.ended(stop)
            return {"stopReason": stop.reason.value, **as_meta(stop.tokens)}
        case Shown(text):
            await port.say(text)
        case Quit():
            await port.say("close the conversation in the editor")
    return {"stopReason": Reason.END_TURN.value}


def _folder(params: Mapping[str, Any]) -> Path:
    cwd = params.get("cwd")
    if not isinstance(cwd, str) or not Path(cwd).is_absolute():
        raise RpcError(ErrorCode.INVALID_PARAMS, "cwd must be an absolute path")
    try:
        there = Path(cwd).is_dir()
    except ValueError:
        there = False
    if not there:
        raise RpcError(ErrorCode.INVALID_PARAMS, f"cwd is no folder: {cwd}")
    return Path(cwd)
