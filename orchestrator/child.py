"""An asked agent: its process and its turns. What it says is the Listener's; what it may do is the Desk's.

Knows no file, person or facade: an entry of the launched file has become a Launch.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import TaskGroup, TaskStatus
from anyio.streams.stapled import StapledByteStream

from consent.show import show
from orchestrator import __version__
from orchestrator.acp.handed import Handed
from orchestrator.acp.permission import Asking
from orchestrator.acp.schema import PROTOCOL_VERSION
from orchestrator.acp.wire import Connection, ConnectionLost, RpcError
from orchestrator.agent import Reason, Stop
from orchestrator.events import AgentState, Level, Noted, State
from orchestrator.language import Saying, Text, saying
from orchestrator.last_words import LastWords
from orchestrator.listener import Listener
from orchestrator.processes import NotStarted, Started, start
from orchestrator.shared import Shared
from orchestrator.words import notes as say

START_SECONDS = 60.0
"""How long an agent may take to start where its entry has no `timeout`: honest ones took up to 20 s."""
CANCEL_SECONDS = 3.0
"""How long a stopped agent may take to end its turn before its process is ended (acp.md)."""
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


@dataclass
class _Turn:
    ended: anyio.Event = field(default_factory=anyio.Event)
    stop: Stop | None = None
    stopping: bool = False
    ended_because: Text = ""

    def end(self, stop: Stop) -> None:
        """The first end counts. A turn that mm ended has failed, whatever its agent says."""
        if self.stop is None:
            why = self.ended_because
            self.stop = replace(stop, reason=Reason.FAILED, detail=why) if why else stop
            self.ended.set()


class Child:
    """One running asked agent. `run` holds its process; `prompt` is called for one task at a time."""

    def __init__(self, launch: Launch, shared: Shared, run: int) -> None:
        self._launch = launch
        self._path = launch.asking.path
        self._desk = shared.desk
        self._watch = shared.watch
        self._sink = shared.sink
        self._listener = Listener(launch.asking, shared, run)
        self._turn: _Turn | None = None
        self._last_words = LastWords()
        self._tasks: TaskGroup | None = None
        self._connection: Connection | None = None
        self.gone: Text = ""

    async def run(self, *, task_status: TaskStatus[None]) -> None:
        """Start the agent and stay until it is gone; raises AgentBroke if it cannot be started."""
        await self._sink.emit(AgentState(self._path, State.STARTING))
        folder = self._launch.asking.folder
        try:
            async with start(self._launch.argv, cwd=Path(folder), environ=self._launch.environ) as process:
                await self._live(process, task_status)
        except NotStarted as error:
            raise self._broke(str(error)) from error
        finally:
            await self._sink.emit(AgentState(self._path, State.ENDED))

    async def prompt(self, text: str) -> Stop:
        """Hand one task over, and wait for the end of its turn.

        Being cancelled stops the turn; its end is still waited for and given, so that what had arrived is
        not lost. What the asker awaits next is cancelled then.
        """
        turn = self._turn = _Turn()
        self._listener.begin()
        if self._tasks is None or self.gone:
            return self._stop(Reason.FAILED, self.gone or saying(say.NOT_RUNNING))
        self._tasks.start_soon(self._converse, turn, text)
        try:
            await turn.ended.wait()
        except anyio.get_cancelled_exc_class():
            self.stop()
            with anyio.CancelScope(shield=True):
                await turn.ended.wait()
        return turn.stop or Stop(Reason.UNKNOWN)

    def stop(self) -> None:
        """Stop the running turn: everything pending is cancelled; an agent that goes on is ended."""
        turn = self._turn
        if turn is not None and turn.stop is None and not turn.stopping and self._tasks is not None:
            turn.stopping = True
            self._listener.end()
            self._desk.stop(self._path)
            self._tasks.start_soon(self._cancel, turn)

    def hurry(self) -> None:
        """End an agent that was told to stop and has not yet stopped."""
        if self._turn is not None and self._turn.stopping and self._turn.stop is None:
            self.gone = saying(say.STOPPED_TWICE)
            self.end()

    def end(self) -> None:
        """End the agent for good."""
        if self._tasks is not None:
            self.gone = self.gone or saying(say.WAS_ENDED)
            self._tasks.cancel_scope.cancel()

    # --- its life

    async def _live(self, process: Started, task_status: TaskStatus[None]) -> None:
        connection = self._connection = Connection(
            StapledByteStream(process.stdin, process.stdout), self._listener, "client", self._report
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
            self._end_turn(self.gone)
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
            self._listener.session = session["sessionId"]

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

    # --- its turns

    async def _converse(self, turn: _Turn, text: str) -> None:
        await self._sink.emit(AgentState(self._path, State.WORKING))
        async with anyio.create_task_group() as clock:
            if self._launch.turn_seconds is not None:
                clock.start_soon(self._time_out, turn, self._launch.turn_seconds)
            with self._watch.turn(self._path, lambda why: self._end_because(turn, saying(say.TOO_MANY[why]))):
                stop = await self._ask(text)
            clock.cancel_scope.cancel()
        # What it still asks belongs to no turn any more.
        self._listener.end()
        self._desk.stop(self._path)
        await self._listener.close_calls(stopped=turn.stopping)
        if stop is None:
            return  # `_live` ends the turn, with the last words of the process
        await self._sink.emit(AgentState(self._path, State.DONE))
        turn.end(stop)

    async def _ask(self, text: str) -> Stop | None:
        """The agent's answer to a prompt; None where it went away."""
        if self._connection is None:
            return None
        prompt = {"sessionId": self._listener.session, "prompt": [{"type": "text", "text": text}]}
        try:
            answer = await self._connection.request("session/prompt", prompt)
        except RpcError as error:
            return self._stop(Reason.FAILED, saying(say.ANSWERED_ERROR, error=show(str(error))))
        except ConnectionLost:
            return None
        word = answer.get("stopReason") if isinstance(answer, dict) else None
        if isinstance(word, str) and word in list(Reason):
            return self._stop(Reason(word), "")
        return self._stop(Reason.UNKNOWN, saying(say.ENDED_WITH, word=show(str(word))))

    async def _cancel(self, turn: _Turn) -> None:
        with anyio.move_on_after(self._launch.cancel_seconds):
            with suppress(ConnectionLost):
                if self._connection is not None:  # an agent that does not read may hold even this up
                    await self._connection.notify("session/cancel", {"sessionId": self._listener.session})
            await turn.ended.wait()
            return
        self.gone = saying(say.DID_NOT_STOP)
        self.end()

    async def _time_out(self, turn: _Turn, seconds: float) -> None:
        """Stop a turn that takes too long. Time in which a question of this agent is open does not count."""
        while seconds > 0 and turn.stop is None:
            step = min(1.0, seconds)
            await anyio.sleep(step)
            seconds -= 0 if self._desk.waits(self._path) else step
        if turn.stop is None:
            self._end_because(turn, saying(say.TOO_LATE, seconds=f"{self._launch.turn_seconds:g}"))

    def _end_because(self, turn: _Turn, why: Text) -> None:
        turn.ended_because = self._of(why)
        self.stop()

    def _end_turn(self, reason: Text) -> None:
        if self._turn is not None:
            # Who stopped it knows why it went away.
            stopped = self._stop(Reason.CANCELLED, reason)
            self._turn.end(
                stopped if self._turn.stopping else self._stop(Reason.FAILED, reason or saying(say.WENT_AWAY))
            )

    def _stop(self, reason: Reason, detail: Text) -> Stop:
        heard = self._listener.heard
        told = self._of(detail) if detail else ""
        return Stop(reason, heard.text, told, tuple(heard.refused))

    def _broke(self, reason: Text) -> AgentBroke:
        return AgentBroke(self._of(reason))

    def _of(self, what: Text) -> Saying:
        return saying(say.OF_AGENT, agent=self._path[-1], what=what)

    def _report(self, text: str) -> None:
        if self._tasks is not None:
            self._tasks.start_soon(self._note, self._of(show(text)))

    async def _note(self, text: Text) -> None:
        await self._sink.emit(Noted(self._path, text, Level.WARNING))


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
