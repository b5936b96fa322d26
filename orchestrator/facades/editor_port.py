"""One ACP session as a Sink and an Asker: events go out as updates, questions as permission requests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

import anyio
from anyio.lowlevel import checkpoint_if_cancelled

from consent.answer import Response
from consent.call import Change, ToolCall
from consent.docket import Waiting
from consent.hook import Objection
from consent.key import Path
from consent.rules import Why
from consent.setting import Setting
from consent.tally import Tally
from consent.unasked import Finding
from mmconfigs.language import Sentence, Words
from orchestrator.acp import ext
from orchestrator.acp.markdown import as_markdown
from orchestrator.acp.modes import updates_of
from orchestrator.acp.schema import ErrorCode
from orchestrator.acp.updates import acted_of, answer_of, meta_of, option_id, request_of, update_of
from orchestrator.acp.wire import Connection, ConnectionLost, RpcError
from orchestrator.agent import Stop
from orchestrator.conversation import CommandHelp
from orchestrator.events import CallEnded, CallStarted, Event, Level, Noted, Said
from orchestrator.facades.sentences import NOTES
from orchestrator.words import catalogue as say
from orchestrator.words.party import BETWEEN
from orchestrator.words.summary import of_turn, unexplained

ANSWER_SECONDS = 10.0
"""How long an asking agent may take to say whether one more agent may be started."""


@dataclass(frozen=True, slots=True)
class Other:
    """Who is at the other end. `asks`: an asking agent of ours, with a person of its own behind it.

    Then all questions go up at once, since it orders them for its person, and texts carry no headings:
    it reads who speaks beside them.
    """

    words: Words
    notes: tuple[str, ...]
    asks: bool


class EditorPort:
    """What one session tells the other side, and asks it."""

    def __init__(
        self, session: str, folder: str, connection: Connection, other: Other, setting: Setting
    ) -> None:
        self._session = session
        self._folder = folder
        self._connection = connection
        self._other = other
        self._mode = setting.counts  # as the other side knows it
        self._notes = list(other.notes)
        self._speaker: Path = ()
        self._diffs: set[tuple[Path, str]] = set()  # calls that were announced with a diff
        self._questions = anyio.Lock()
        self._turn = anyio.Lock()

    def note_later(self, text: str) -> None:
        """Say this at the beginning of the first turn."""
        self._notes.append(text)

    async def announce(self, commands: Sequence[CommandHelp]) -> None:
        """Tell which slash commands there are."""
        offered = [
            {"name": c.name, "description": c.description, **({"input": {"hint": c.hint}} if c.hint else {})}
            for c in commands
        ]
        await self._update({"sessionUpdate": "available_commands_update", "availableCommands": offered}, {})

    async def tell_mode(self, setting: Setting) -> None:
        """Tell the mode that counts, if it is another one than was told before."""
        if setting.counts is not self._mode:
            self._mode = setting.counts
            for update in updates_of(setting, self._other.words):
                await self._update(update, {})

    @asynccontextmanager
    async def one_turn(self) -> AsyncIterator[None]:
        """A turn: one at a time, as ACP has it. Notes that wait are said first."""
        try:
            self._turn.acquire_nowait()
        except anyio.WouldBlock:
            raise RpcError(ErrorCode.INVALID_REQUEST, "a prompt of this session is still running") from None
        try:
            while self._notes:
                await self.emit(Noted((), self._notes.pop(0), Level.WARNING))
            self._speaker = ()
            yield
        finally:
            self._turn.release()

    async def emit(self, event: Event) -> None:
        """Send an event as an update."""
        event = self._worded(event)
        await self._send(event if self._other.asks else self._headed(self._keeping_diffs(event)))

    def _worded(self, event: Event) -> Event:
        """The event in the language of whoever reads it."""
        return replace(event, text=self._other.words.told(event.text)) if isinstance(event, Noted) else event

    def _keeping_diffs(self, event: Event) -> Event:
        """The result of a successful change would take the place of the diff that was announced."""
        match event:
            case CallStarted(path, call, detail=Change()):
                self._diffs.add((path, call))
            case CallEnded(path, call, ok=True) if (path, call) in self._diffs:
                return CallEnded(path, call, ok=True, text="")
            case _:
                pass
        return event

    async def say(self, text: str) -> None:
        """A text of mm itself, as the answer of this turn. Names and descriptions in it are as they are."""
        await self._send(Said((), as_markdown(filter(str.strip, text.split("\n")))))

    async def ended(self, stop: Stop) -> None:
        """Say how a turn ended, where the stop reason alone tells too little."""
        if stop.done and not stop.text:
            await self.emit(Noted((), self._other.words.say(say.EMPTY_ANSWER)))
        elif stop.detail:
            await self.emit(Noted((), stop.detail, Level.WARNING))

    async def sum_up(self, calls: Tally) -> None:
        """Say what the calls of a turn came to, where a person could not know it from the questions."""
        if unexplained(calls.whole) and not self._other.asks:
            summary = as_markdown([of_turn(calls, self._other.words)])
            await self._send(Said((), f"\n\n{summary}\n\n"))

    async def ask(self, waiting: Waiting, behind: Callable[[], int]) -> Response | Why | Objection:
        """Ask the other side. An error means that nobody could be asked; what is no answer refuses, too."""
        async with AsyncExitStack() as turn:
            if not self._other.asks:
                await turn.enter_async_context(self._questions)
                await checkpoint_if_cancelled()  # the answer before may have settled this question, too
            params = request_of(waiting, self._other.words, behind(), self._folder, to_ours=self._other.asks)
            offered = {option_id(answer): answer for answer in waiting.question.answers}
            try:
                result = await self._connection.request(
                    "session/request_permission", {"sessionId": self._session, **params}
                )
            except RpcError as error:
                await self._warn(say.NOT_SHOWN, reason=str(error))
                return Why.NOBODY
            except ConnectionLost:
                return Why.CANCELLED
            answer = answer_of(result, offered, from_ours=self._other.asks)
            if answer is Why.INVALID and not self._other.asks:  # who asks tells its own person
                await self._warn(say.NOT_UNDERSTOOD)
            return answer

    async def _warn(self, sentence: Sentence, **fields: str) -> None:
        await self.emit(Noted((), self._other.words.say(sentence, **fields), Level.WARNING))

    def _headed(self, event: Event) -> Event:
        """The event with what an editor would not show: who speaks now, and that mm itself does."""
        match event:
            case Said(path, text) if path != self._speaker:
                self._speaker = path
                name = BETWEEN.join(path)
                return Said(path, f"\n\n**{name}**\n\n{text}" if name else f"\n\n{text}")
            case Noted(path, text, level, offers_stop):
                how = self._other.words.say(say.PRESS_STOP) if offers_stop else ""
                lines = self._other.words.say(NOTES[level], text=f"{text}{how}").split("\n")
                return Noted(path, f"\n\n{as_markdown(lines)}\n\n", level)
            case _:
                return event

    async def agent_starts(self, path: Path) -> str:
        """Ask the asking agent whether one more agent may be started; it counts the whole tree."""
        params = {"sessionId": self._session, "path": list(path)}
        try:
            with anyio.fail_after(ANSWER_SECONDS):
                result = await self._connection.request(ext.AGENT_STARTS, params)
        except TimeoutError:
            return f"{path[-1]} is not started: the asking agent does not answer"
        except (RpcError, ConnectionLost) as error:
            unknown = isinstance(error, RpcError) and error.code == ErrorCode.METHOD_NOT_FOUND
            return "" if unknown else f"{path[-1]} is not started: {error}"
        refused = result.get("refused") if isinstance(result, dict) else None
        return refused if isinstance(refused, str) else f"{path[-1]} is not started: no clear answer"

    async def agent_ended(self, path: Path) -> None:
        """Tell the asking agent that an agent ended."""
        with suppress(ConnectionLost):  # then it counts no more
            await self._connection.notify(ext.AGENT_ENDED, {"sessionId": self._session, "path": list(path)})

    async def acted(self, call: ToolCall, finding: Finding) -> None:
        """Tell the asking agent that one below acted past the answers."""
        params = {"sessionId": self._session, **acted_of(call, finding, self._folder)}
        with suppress(ConnectionLost):  # then nobody is told anything any more
            await self._connection.notify(ext.ACTED, params)

    async def _send(self, event: Event) -> None:
        update = update_of(event, self._other.words, to_ours=self._other.asks)
        if update is not None:
            await self._update(update, meta_of(event))

    async def _update(self, update: dict[str, Any], meta: dict[str, Any]) -> None:
        params = {"sessionId": self._session, "update": update, "_meta": meta}
        with suppress(ConnectionLost):  # the facade is about to end: nobody reads this any more
            await self._connection.notify("session/update", params)
