"""The input line between turns, edited with prompt_toolkit. Knows no question and no event."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TextIO

import anyio
from prompt_toolkit import PromptSession
from prompt_toolkit.data_structures import Size
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import has_focus
from prompt_toolkit.history import History
from prompt_toolkit.input.posix_utils import PosixStdinReader
from prompt_toolkit.input.typeahead import get_typeahead
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from consent.show import safe
from mmconfigs.language import Words
from orchestrator.facades import sentences as say
from orchestrator.facades.completion import Completion
from orchestrator.facades.keyboard import Keyboard, arrived
from orchestrator.facades.keys import TypeAhead
from orchestrator.facades.screen import INDENT, SIGN, Screen

MOST_CHOICES = 50
"""Choices that Tab shows."""


class Cleared(Exception):
    """The line was given up with Ctrl-C."""


class Reader(PosixStdinReader):
    """Reads UTF-8. An error is the end of the input; prompt_toolkit itself would read again and again."""

    def __init__(self, fd: int) -> None:
        super().__init__(fd)
        self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")

    def read(self, count: int = 1024) -> str:
        """What has arrived, maybe nothing."""
        try:
            return self._utf8.decode(arrived(self.stdin_fd, count) or b"")
        except anyio.EndOfStream:
            self.closed = True
            return ""


class Prompt:
    """Reads lines from the terminal `fd`. Its own drawing is erased; an entered line is drawn by `screen`.

    `complete` tells how a text goes on; it may block.
    """

    def __init__(
        self,
        fd: int,
        output: TextIO,
        environ: Mapping[str, str],
        screen: Screen,
        keyboard: Keyboard,
        words: Words,
        history: History,
        complete: Callable[[str], Completion],
    ) -> None:
        self._screen = screen
        self._keyboard = keyboard
        self._words = words
        self._complete = complete
        self._input = Vt100Input(open(fd, encoding="utf-8", closefd=False))  # noqa: SIM115 - not ours to close
        self._input.stdin_reader = Reader(fd)
        self._session: PromptSession[str] = PromptSession(
            SIGN,
            history=history,
            key_bindings=self._keys(),
            prompt_continuation=INDENT,
            erase_when_done=True,
            interrupt_exception=Cleared,
            input=self._input,
            output=Vt100_Output(
                output,
                lambda: Size(rows=screen.size[1], columns=screen.size[0]),
                term=environ.get("TERM"),
                default_color_depth=ColorDepth.DEPTH_1_BIT if environ.get("NO_COLOR") else None,
                enable_cpr=False,  # its answer would be typed into a question
            ),
        )

    @contextmanager
    def terminal(self) -> Iterator[None]:
        """The terminal in raw mode, so that no key is echoed, lost or made a signal between two readers."""
        with self._input.raw_mode():
            self._mark_pastes("h")
            try:
                yield
            finally:
                self._mark_pastes("l")

    async def read(self, typed: TypeAhead) -> str | None:
        """The next line, which begins as what was `typed` so far; None when it was given up with Ctrl-C.

        When it is cancelled, its text goes back to `typed`. Raises EndOfStream at Ctrl-D in an empty line
        and when the terminal is gone.
        """
        try:
            line = await self._edit(typed.take())
        except anyio.get_cancelled_exc_class():
            typed.text = self._session.default_buffer.text
            raise
        except Cleared:
            return None
        except (EOFError, OSError):
            raise anyio.EndOfStream from None
        finally:
            self._mark_pastes("h")  # the editor has switched it off
        self._screen.draw(*(SIGN + safe(line)).replace("\n", f"\n{INDENT}").split("\n"))
        return line

    async def _edit(self, text: str) -> str:
        try:
            return await self._session.prompt_async(
                default=text, set_exception_handler=False, handle_sigint=False
            )
        finally:
            ahead = get_typeahead(self._input)
            self._keyboard.give_back("".join(press.data for press in ahead).encode("utf-8", "replace"))

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        editing = has_focus(DEFAULT_BUFFER)
        keys.add("enter", filter=editing)(_enter)
        keys.add("escape", "enter", filter=editing)(_break_line)
        keys.add("tab", filter=editing)(self._tab)
        return keys

    async def _tab(self, event: KeyPressEvent) -> None:
        """Insert what all choices have in common; where that is nothing, show them above the line."""
        buffer, before = event.current_buffer, event.current_buffer.document
        found = await anyio.to_thread.run_sync(
            self._complete, before.text_before_cursor, abandon_on_cancel=True
        )
        if buffer.document != before:
            return
        buffer.insert_text(found.inserted)
        if found.choices and not found.inserted:
            event.app.renderer.erase()
            self._show(found.choices)

    def _show(self, choices: tuple[str, ...]) -> None:
        hidden = len(choices) - MOST_CHOICES
        more = (self._words.say(say.MORE_CHOICES, count=self._words.number(hidden)),) if hidden > 0 else ()
        self._screen.draw(*choices[:MOST_CHOICES], *more)

    def _mark_pastes(self, switch: str) -> None:
        self._screen.write(f"\x1b[?2004{switch}")


def _enter(event: KeyPressEvent) -> None:
    buffer, document = event.current_buffer, event.current_buffer.document
    if document.char_before_cursor == "\\" and document.is_cursor_at_the_end_of_line:
        buffer.delete_before_cursor()
        _break_line(event)
    else:
        buffer.validate_and_handle()


def _break_line(event: KeyPressEvent) -> None:
    event.current_buffer.insert_text("\n")
