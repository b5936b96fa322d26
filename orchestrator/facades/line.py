"""Line mode: a conversation in a terminal that only scrolls, or read from a pipe.

One reader of the keys at a time (`keyboard`): the prompt between turns, the collector of type-ahead during
a turn, and the question, which takes them from either. One writer (`screen`): while a question or the
prompt stands there, events are kept.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TextIO, assert_never

import anyio
from anyio.lowlevel import checkpoint_if_cancelled

from consent.answer import Response
from consent.docket import Waiting
from consent.rules import Why
from consent.show import safe
from mmconfigs.language import Words
from orchestrator.agent import Reason, Stop
from orchestrator.conversation import (
    DONE,
    FAILED,
    INTERRUPTED,
    Conversation,
    Quit,
    Shown,
    Submitted,
    exit_code,
)
from orchestrator.events import (
    Event,
    Level,
    Noted,
)
from orchestrator.facades import sentences as say
from orchestrator.facades.completion import complete
from orchestrator.facades.history import KeptHistory
from orchestrator.facades.kept import Kept
from orchestrator.facades.keyboard import Keyboard, read_bytes
from orchestrator.facades.keys import Press, TypeAhead
from orchestrator.facades.plain import PlainPrompt
from orchestrator.facades.progress import Progress
from orchestrator.facades.prompt import Prompt
from orchestrator.facades.question import Questioner
from orchestrator.facades.screen import Screen
from orchestrator.facades.transcript import Transcript, shows
from orchestrator.state import state_file
from orchestrator.words.summary import of_run, of_turn

Work = Callable[[], Awaitable[Submitted]]
"""What one turn does."""


def interactive(input_fd: int, output: TextIO) -> bool:
    """Whether a person can be asked: both ends are a terminal."""
    return os.isatty(input_fd) and output.isatty()


class LineFacade:
    """Draws one conversation and asks its questions: Sink, Asker and `run`.

    `clock` gives seconds; names of files are completed in `folder`, by default the one where mm was started.
    """

    def __init__(
        self,
        words: Words,
        input_fd: int,
        output: TextIO,
        clock: Callable[[], float] = time.monotonic,
        environ: Mapping[str, str] = os.environ,
        folder: Path = Path(),
    ) -> None:
        self._words = words
        self._fd = input_fd
        self._environ = environ
        self._folder = folder
        self._interactive = interactive(input_fd, output)
        self._screen = Screen(output, environ, self._vanish, clock)
        self._transcript = Transcript(self._screen, words)
        self._progress = Progress(self._screen, self._transcript, words, lambda: self._occupied)
        self._keyboard = Keyboard(input_fd, clock)
        self._questioner = Questioner(self._screen, self._keyboard, words, clock, stop=self._stop)
        self._typed = TypeAhead()
        self._conversation: Conversation | None = None
        self._occupied = False  # by a question or the prompt
        self._prompting = False
        self._kept = Kept()
        self._gone = False
        self._told_how_to_leave = False

    async def emit(self, event: Event) -> None:
        """Draw `event`, or keep it until the question that stands there is answered."""
        if not shows(event):
            return  # and let a person type on at the prompt
        await self._kept.room()
        self._kept.add(event)
        if self._prompting:
            self._keyboard.interrupt()
        self._draw_kept()
        await self._screen.ready()

    async def ask(self, waiting: Waiting, behind: Callable[[], int]) -> Response | Why:
        """Ask the person: first come, first shown. Without a terminal nobody can be asked."""
        if not self._interactive:
            return Why.NOBODY
        async with self._keyboard.borrowed():
            await checkpoint_if_cancelled()  # the answer before may have settled this question, too
            if self._gone:
                return Why.CANCELLED
            self._draw_kept()
            self._transcript.flush()
            self._occupied = True
            try:
                return await self._questioner.ask(waiting, behind, self._typed)
            finally:
                self._occupied = False
                self._draw_kept()

    async def run(self, conversation: Conversation, banner: Sequence[str], work: Work | None = None) -> int:
        """Draw the banner, then work on line after line until the person leaves. The exit code.

        With `work`, that is all that is done, and nothing is typed but answers.
        """
        self._conversation = conversation
        self._screen.draw(*banner)
        if work is not None:
            return await self._only(conversation, work)
        return await (self._talk(conversation) if self._interactive else self._read_lines(conversation))

    async def _only(self, conversation: Conversation, work: Work) -> int:
        code = DONE

        async def once(_: Prompt | PlainPrompt) -> None:
            nonlocal code
            submitted = await self._submit(conversation, work)
            if isinstance(submitted, Stop):
                code = exit_code(submitted, unasked=False)

        left = await self._on_terminal(conversation, once)
        return left or code

    async def _talk(self, conversation: Conversation) -> int:
        return await self._on_terminal(conversation, partial(self._take_turns, conversation))

    async def _on_terminal(
        self, conversation: Conversation, work: Callable[[Prompt | PlainPrompt], Awaitable[None]]
    ) -> int:
        prompt = self._prompt(conversation)
        self._draw_kept()
        try:
            with prompt.terminal():
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(self._hear_hangups)
                    tasks.start_soon(self._screen.run)
                    await work(prompt)
                    self._sum_up(conversation)
                    tasks.cancel_scope.cancel()
        finally:
            self._screen.finish()
        return INTERRUPTED if self._gone else DONE

    def _prompt(self, conversation: Conversation) -> Prompt | PlainPrompt:
        if not self._screen.moves:
            return PlainPrompt(self._fd, self._screen, self._keyboard)
        return Prompt(
            self._fd,
            self._screen.output,
            self._environ,
            self._screen,
            self._keyboard,
            self._words,
            KeptHistory(state_file("history"), self._lose_history),
            lambda before: complete(before, conversation.commands, self._folder),
        )

    def _lose_history(self, reason: str) -> None:
        text = self._words.say(say.NO_HISTORY, reason=reason)
        self._kept.add(Noted((), text, Level.WARNING))

    async def _take_turns(self, conversation: Conversation, prompt: Prompt | PlainPrompt) -> None:
        async def read() -> str | None:
            self._occupied = self._prompting = True
            try:
                await self._keyboard.collect(self._typed)  # an Enter in it must not enter anything
                if self._typed.entered:
                    self._transcript.note(self._words.say(say.UNSENT))
                line = await prompt.read(self._typed)
            finally:
                self._occupied = self._prompting = False
            if line is None and not self._told_how_to_leave:
                self._told_how_to_leave = True
                self._transcript.note(self._words.say(say.LEAVING))
            return line

        while not self._gone:
            try:
                line = await self._keyboard.idle(read)
            except anyio.EndOfStream:
                return
            self._draw_kept()
            if line and line.strip():
                work = partial(conversation.submit, line.rstrip())
                if isinstance(await self._submit(conversation, work), Quit):
                    return

    def _sum_up(self, conversation: Conversation) -> None:
        """What the calls of the session came to, for a person who is still there."""
        if not self._gone and (lines := tuple(of_run(conversation.tally, self._words))):
            self._transcript.note("\n".join(lines), style="dim")

    async def _submit(self, conversation: Conversation, work: Work) -> Submitted:
        """One turn, summed up where more was done than to look."""
        before = conversation.tally
        submitted = await self._turn(work)
        self._end(submitted)
        calls = conversation.tally.since(before)
        if calls.whole.remarkable:
            self._transcript.note(of_turn(calls, self._words), style="dim")
        return submitted

    async def _turn(self, work: Work) -> Submitted:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._collect)
            tasks.start_soon(self._progress.run)
            submitted = await work()
            tasks.cancel_scope.cancel()
        return submitted

    async def _collect(self) -> None:
        """Keep what is typed during a turn for the next prompt; Ctrl-C stops the turn."""

        async def read() -> None:
            while True:
                for key in await self._keyboard.read() or ():
                    if key is Press.STOP:
                        self._transcript.note(self._words.say(say.STOPPING))
                        self._stop()
                    self._typed.add(key)

        try:
            while True:
                await self._keyboard.idle(read)
        except anyio.EndOfStream:
            self._vanish()

    async def _read_lines(self, conversation: Conversation) -> int:
        """Submit each line of the input, in order: nobody is there who could be asked."""
        code, rest, more = DONE, b"", True
        while more and not self._gone:
            try:
                *lines, rest = (rest + (await read_bytes(self._fd) or b"")).split(b"\n")
            except anyio.EndOfStream:
                lines, more = [rest], False
            for line in filter(None, (line.decode(errors="replace").strip() for line in lines)):
                submitted = await conversation.submit(line)
                if self._gone or self._end(submitted):
                    return code
                if isinstance(submitted, Stop) and submitted.reason is Reason.FAILED:
                    code = FAILED
        return code

    def _end(self, submitted: Submitted) -> bool:
        """Draw how a line ended; whether the person leaves."""
        match submitted:
            case Stop():
                self._transcript.end(submitted)
            case Shown(text):
                self._transcript.note(safe(text))
            case Quit():
                return True
            case _:
                assert_never(submitted)
        return False

    def _draw_kept(self) -> None:
        if not self._occupied:
            self._kept.draw(self._transcript.draw)

    def _stop(self) -> None:
        if self._conversation:
            self._conversation.stop()

    async def _hear_hangups(self) -> None:
        with anyio.open_signal_receiver(signal.SIGHUP) as signals:
            async for _ in signals:
                self._vanish()

    def _vanish(self) -> None:
        """The terminal is gone: stop the turn; whoever waits for a key finds out by itself."""
        if not self._gone:
            self._gone = True
            self._stop()
            self._keyboard.interrupt()
