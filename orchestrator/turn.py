"""One task of an asked agent, from its prompt to its one end. Knows no process: only its connection."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

import anyio

from consent.key import Path
from consent.show import show
from mmconfigs.language import Text, saying
from orchestrator.acp.tokens import tokens_in
from orchestrator.acp.wire import Connection, ConnectionLost, RpcError
from orchestrator.agent import Reason, Stop
from orchestrator.events import AgentState, State
from orchestrator.listener import Listener
from orchestrator.shared import Shared
from orchestrator.words import notes as say

CANCEL_SECONDS = 3.0
"""How long a stopped agent may take to end its turn before its process is ended (acp.md)."""


@dataclass(eq=False)
class Turn:
    """One turn. `run` is its life; `stop` and `lost` may come at any moment; `end` is what came of it.

    `seconds` bounds it, questions not counted. An agent that has not ended its turn `cancel_seconds` after it
    was told to is given up: `give_up` ends its process.
    """

    path: Path
    listener: Listener
    connection: Connection
    shared: Shared
    give_up: Callable[[], None]
    seconds: float | None = None
    cancel_seconds: float = CANCEL_SECONDS
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    _stopped: anyio.Event = field(default_factory=anyio.Event)
    _ended: anyio.Event = field(default_factory=anyio.Event)
    _outcome: Stop | None = None
    _ended_because: Text = ""

    def __post_init__(self) -> None:
        self.listener.begin()

    @property
    def stopping(self) -> bool:
        """Whether the agent was told to stop, and has not yet."""
        return self._stopped.is_set() and not self._ended.is_set()

    async def end(self) -> Stop:
        """Wait for the end. Being cancelled stops the turn: its end is still waited for and given."""
        try:
            await self._ended.wait()
        except anyio.get_cancelled_exc_class():
            self.stop()
            with anyio.CancelScope(shield=True):
                await self._ended.wait()
        return self._outcome or Stop(Reason.UNKNOWN)

    async def run(self, text: str) -> None:
        """Hand the task over and see it through. Where the agent goes away, `lost` ends the turn."""
        await self.shared.sink.emit(AgentState(self.path, State.WORKING))
        async with anyio.create_task_group() as beside:
            beside.start_soon(self._cancel)
            beside.start_soon(self._time_out)
            with self.shared.watch.turn(self.path, lambda why: self._end_because(saying(say.TOO_MANY[why]))):
                stop = await self._ask(text)
            beside.cancel_scope.cancel()
        # What it still asks belongs to no turn any more.
        self._hush()
        await self.listener.close_calls(stopped=self._stopped.is_set())
        if stop is not None:
            await self.shared.sink.emit(AgentState(self.path, State.DONE))
            self._end(stop)

    def stop(self) -> None:
        """Everything pending is cancelled, and the agent is told; one that goes on is given up."""
        if not self._stopped.is_set() and not self._ended.is_set():
            self._hush()
            self._stopped.set()

    def lost(self, reason: Text) -> None:
        """The agent is gone. Who stopped it knows why it went away."""
        if self._stopped.is_set():
            self._end(self._with(Reason.CANCELLED, reason))
        else:
            self._end(self._with(Reason.FAILED, reason or saying(say.WENT_AWAY)))

    def _hush(self) -> None:
        self.listener.end()
        self.shared.desk.stop(self.path)

    async def _ask(self, text: str) -> Stop | None:
        """The agent's answer to a prompt; None where it went away."""
        prompt = {"sessionId": self.listener.session, "prompt": [{"type": "text", "text": text}]}
        try:
            answer = await self.connection.request("session/prompt", prompt)
        except RpcError as error:
            return self._with(Reason.FAILED, saying(say.ANSWERED_ERROR, error=show(str(error))))
        except ConnectionLost:
            return None
        word = answer.get("stopReason") if isinstance(answer, dict) else None
        if isinstance(word, str) and word in list(Reason):
            return replace(self._with(Reason(word), ""), tokens=tokens_in(answer))
        return self._with(Reason.UNKNOWN, saying(say.ENDED_WITH, word=show(str(word))))

    async def _cancel(self) -> None:
        """Once the turn is stopped, tell the agent; one that does not read may hold even this up."""
        await self._stopped.wait()
        with anyio.move_on_after(self.cancel_seconds):
            with suppress(ConnectionLost):
                await self.connection.notify("session/cancel", {"sessionId": self.listener.session})
            await anyio.sleep_forever()
        self.give_up()

    async def _time_out(self) -> None:
        """Stop a turn that takes too long. Time in which a question of this agent is open does not count."""
        left = self.seconds
        while left is not None and left > 0:
            step = min(1.0, left)
            await self.sleep(step)
            left -= 0 if self.shared.desk.waits(self.path) else step
        if self.seconds is not None:
            self._end_because(saying(say.TOO_LATE, seconds=f"{self.seconds:g}"))

    def _end_because(self, why: Text) -> None:
        self._ended_because = say.of_agent(self.path, why)
        self.stop()

    def _end(self, stop: Stop) -> None:
        """The first end counts. A turn that mm ended has failed, whatever its agent says."""
        if self._outcome is None:
            why = self._ended_because
            self._outcome = replace(stop, reason=Reason.FAILED, detail=why) if why else stop
            self._ended.set()

    def _with(self, reason: Reason, detail: Text) -> Stop:
        """The end of this turn, with what it brought."""
        heard = self.listener.heard
        told = say.of_agent(self.path, detail) if detail else ""
        return Stop(reason, heard.text, told, tuple(heard.refused))
