"""An asked agent: its process, its connection and its session. A task of it is a Turn.

Knows no file, person or facade: an entry of the launched file has become a Launch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import TaskGroup, TaskStatus
from anyio.streams.stapled import StapledByteStream

from consent.call import Origin
from consent.show import show
from mmconfigs.language import Saying, Text, saying
from orchestrator import __version__
from orchestrator.acp.announced import ModeHeard, mode_in
from orchestrator.acp.handed import Handed
from orchestrator.acp.permission import Asking
from orchestrator.acp.schema import PROTOCOL_VERSION
from orchestrator.acp.wire import Connection, ConnectionLost, RpcError
from orchestrator.agent import Reason, Stop
from orchestrator.events import AgentState, Level, Noted, State
from orchestrator.last_words import LastWords
from orchestrator.listener import Listener
from orchestrator.processes import NotStarted, Started, start
from orchestrator.shared import Shared
from orchestrator.turn import CANCEL_SECONDS, Turn
from orchestrator.words import notes as say
from orchestrator.words.banner import Asks
from orchestrator.words.party import one_line

START_SECONDS = 60.0
"""How long an agent may take to start where its entry has no `timeout`: honest ones took up to 20 s."""
END_SECONDS = 1.0
"""How long an agent may take to leave after end of input, and again after SIGTERM."""


class AgentBroke(Exception):
    """The asked agent cannot be used. Says why, with the last words of its stderr."""


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start one asked agent. `argv` and `environ` are complete; `start_seconds` bounds the start.

    `turn_seconds` bounds a turn, questions not counted. `handed` is what an agent of ours is told.
    """

    asking: Asking
    argv: tuple[str, ...]
    environ: Mapping[str, str]
    start_seconds: float = START_SECONDS
    turn_seconds: float | None = None
    handed: Handed | None = None
    cancel_seconds: float = CANCEL_SECONDS


class Child:
    """One running asked agent. `run` holds its process; `prompt` is called for one task at a time."""

    def __init__(self, launch: Launch, shared: Shared, run: int) -> None:
        self._launch = launch
        self._path = launch.asking.path
        self._shared = shared
        self._listener = Listener(launch.asking, shared, run)
        self._mode = ""
        self._turn: Turn | None = None
        self._last_words = LastWords()
        self._tasks: TaskGroup | None = None
        self._connection: Connection | None = None
        self.gone: Text = ""

    async def run(self, *, task_status: TaskStatus[None]) -> None:
        """Start the agent and stay until it is gone; raises AgentBroke if it cannot or may not be started."""
        if why := self._frees():
            raise self._broke(why)
        await self._shared.sink.emit(AgentState(self._path, State.STARTING))
        folder = self._launch.asking.folder
        try:
            async with start(self._launch.argv, cwd=Path(folder), environ=self._launch.environ) as process:
                await self._live(process, task_status)
        except NotStarted as error:
            raise self._broke(str(error)) from error
        finally:
            await self._shared.sink.emit(AgentState(self._path, State.ENDED))

    async def prompt(self, text: str) -> Stop:
        """Hand one task over, and wait for the end of its turn.

        Being cancelled stops the turn; its end is still waited for and given, so that what had arrived is
        not lost. What the asker awaits next is cancelled then.
        """
        if self._tasks is None or self._connection is None or self.gone:
            return Stop(Reason.FAILED, detail=self._of(self.gone or saying(say.NOT_RUNNING)))
        if why := self._frees():
            self._end_because(why)
            return Stop(Reason.FAILED, detail=self._of(why))
        turn = self._turn = Turn(
            self._path,
            self._listener,
            self._connection,
            self._shared,
            self._give_up,
            self._launch.turn_seconds,
            self._launch.cancel_seconds,
        )
        self._tasks.start_soon(turn.run, text)
        return await turn.end()

    def stop(self) -> None:
        """Stop the running turn: everything pending is cancelled; an agent that goes on is ended."""
        if self._turn is not None:
            self._turn.stop()

    def hurry(self) -> None:
        """End an agent that was told to stop and has not yet stopped."""
        if self._turn is not None and self._turn.stopping:
            self._end_because(saying(say.STOPPED_TWICE))

    def end(self) -> None:
        """End the agent for good."""
        if self._tasks is not None:
            self.gone = self.gone or saying(say.WAS_ENDED)
            self._tasks.cancel_scope.cancel()

    async def _live(self, process: Started, task_status: TaskStatus[None]) -> None:
        connection = self._connection = Connection(
            StapledByteStream(process.stdin, process.stdout),
            ModeHeard(self._listener, self._hear_mode),
            "client",
            self._report,
        )
        failure: AgentBroke | None = None
        try:
            async with anyio.create_task_group() as tasks:
                self._tasks = tasks
                tasks.start_soon(self._last_words.drain, process.stderr)
                tasks.start_soon(self._connected, connection, process)
                try:
                    await self._shake_hands(connection)
                    task_status.started()
                except (RpcError, ConnectionLost, TimeoutError) as error:
                    failure = self._broke(await self._last_words.of(process, _said(error, self._launch)))
                    tasks.cancel_scope.cancel()
        finally:
            self._tasks = None
            if self._turn is not None:
                self._turn.lost(self.gone)
            self.gone = self.gone or saying(say.WENT_AWAY)
        with anyio.CancelScope(shield=True):
            await process.end(END_SECONDS)
        if failure:
            raise failure

    async def _shake_hands(self, connection: Connection) -> None:
        with anyio.fail_after(self._launch.start_seconds):
            answer = await connection.request("initialize", HELLO)
            if not isinstance(answer, dict) or answer.get("protocolVersion") != PROTOCOL_VERSION:
                raise RpcError(0, f"it does not speak ACP version {PROTOCOL_VERSION}")
            session = await connection.request(
                "session/new",
                {
                    "cwd": self._launch.asking.folder,
                    "mcpServers": [],
                    **({"_meta": {"mm": handed.as_meta()}} if (handed := self._launch.handed) else {}),
                },
            )
            if not isinstance(session, dict) or not isinstance(session.get("sessionId"), str):
                raise RpcError(0, "it opened no session")
            self._mode = mode_in(session)
            await self._set_mode(connection, session["sessionId"])
            self._listener.session = session["sessionId"]

    async def _set_mode(self, connection: Connection, session: str) -> None:
        """Put the agent into the mode in which it asks, where its profile has one."""
        if mode := self._launch.asking.profile.mode:
            try:
                await connection.request("session/set_mode", {"sessionId": session, "modeId": mode})
            except RpcError as error:
                raise RpcError(0, f"its mode {mode} could not be set: {error}") from error
            self._mode = mode

    def _frees(self) -> Text:
        """Why the agent may not work now, empty where it may: its calls must ask, and it would not."""
        asking = self._launch.asking
        if asking.origin is Origin.OURS or not self._shared.alarm.must_ask(self._path):
            return ""
        if asking.profile.asks is Asks.NEVER:
            return saying(say.NEVER_ASKS)
        return saying(say.FREE_MODE, mode=one_line(self._mode)) if asking.profile.frees(self._mode) else ""

    async def _hear_mode(self, mode: str) -> None:
        """The agent says that it is in this mode; it is ended where it then acts without asking."""
        self._mode = mode
        if self._listener.session is not None and (why := self._frees()):
            await self._note(self._of(why))
            self._end_because(why)

    async def _connected(self, connection: Connection, process: Started) -> None:
        """Serve the connection until it or the process ends; then everything of this agent ends."""
        async with anyio.create_task_group() as either:
            either.start_soon(self._end_with, process, either)
            await connection.run()
            either.cancel_scope.cancel()
        self.gone = await self._last_words.of(process, connection.lost or saying(say.WENT_AWAY))
        if self._listener.session is not None and self._tasks is not None:
            self._tasks.cancel_scope.cancel()

    async def _end_with(self, process: Started, either: TaskGroup) -> None:
        """The process may end while something that it started keeps its pipes open."""
        await process.wait()
        await anyio.sleep(END_SECONDS)
        either.cancel_scope.cancel()

    def _give_up(self) -> None:
        self._end_because(saying(say.DID_NOT_STOP))

    def _end_because(self, why: Text) -> None:
        self.gone = why
        self.end()

    def _broke(self, reason: Text) -> AgentBroke:
        return AgentBroke(self._of(reason))

    def _of(self, what: Text) -> Saying:
        return say.of_agent(self._path, what)

    def _report(self, text: str) -> None:
        if self._tasks is not None:
            self._tasks.start_soon(self._note, self._of(show(text)))

    async def _note(self, text: Text) -> None:
        await self._shared.sink.emit(Noted(self._path, text, Level.WARNING))


HELLO: dict[str, Any] = {
    "protocolVersion": PROTOCOL_VERSION,
    # No fs, no terminal, no elicitation: they would be second doors past the permission request.
    "clientCapabilities": {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False},
    "clientInfo": {"name": "mm", "title": "mm", "version": __version__},
}


def _said(error: RpcError | ConnectionLost | TimeoutError, launch: Launch) -> Text:
    match error:
        case TimeoutError():
            return saying(say.NOT_STARTED, seconds=f"{launch.start_seconds:g}")
        case RpcError():
            return saying(say.NO_SESSION, error=show(str(error)))
        case ConnectionLost():
            return str(error)
