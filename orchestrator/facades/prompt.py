"""The input line between turns, edited with prompt_toolkit. Knows no question and no event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TextIO

import anyio
from prompt_toolkit import PromptSession
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input.typeahead import get_typeahead
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.plain_text import PlainTextOutput
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.utils import is_dumb_terminal

from orchestrator.facades.keyboard import Keyboard
from orchestrator.facades.keys import Press, TypeAhead
from orchestrator.facades.markdown import safe
from orchestrator.facades.screen import Screen

SIGN = "> "


class Cleared(Exception):
    """The line was given up with Ctrl-C."""


class Prompt:
    """Reads lines from the terminal `fd`. Its own drawing is erased; an entered line is drawn by `screen`."""

    def __init__(
        self,
        fd: int,
        output: TextIO,
        environ: Mapping[str, str],
        screen: Screen,
        keyboard: Keyboard,
        commands: Iterable[str],
    ) -> None:
        self._screen = screen
        self._keyboard = keyboard
        self._dumb = is_dumb_terminal(environ.get("TERM", ""))
        self._input = Vt100Input(open(fd, encoding="utf-8", closefd=False))  # noqa: SIM115 - not ours to close
        terminal = Vt100_Output(
            output,
            lambda: Size(rows=screen.size[1], columns=screen.size[0]),
            term=environ.get("TERM"),
            default_color_depth=ColorDepth.DEPTH_1_BIT if environ.get("NO_COLOR") else None,
            enable_cpr=False,  # its answer would be typed into a question
        )
        drawn_by = PlainTextOutput(output) if self._dumb else terminal
        with create_app_session(input=self._input, output=drawn_by):
            self._session: PromptSession[str] = PromptSession(
                completer=WordCompleter([f"/{name}" for name in commands], sentence=True),
                complete_while_typing=False,
                complete_style=CompleteStyle.READLINE_LIKE,
                erase_when_done=True,
                interrupt_exception=Cleared,
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
        while keys := await self._keyboard.read(seconds=0):  # an Enter in them must not enter anything
            for key in keys:
                if key is Press.END and not typed.text:
                    raise anyio.EndOfStream
                typed.add(key)
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
        if not self._dumb:
            self._screen.draw(*(SIGN + row for row in safe(line).split("\n")))
        return line

    async def _edit(self, text: str) -> str:
        # A dumb terminal shows only what is typed from now on.
        sign = SIGN + text if self._dumb else SIGN
        try:
            return await self._session.prompt_async(
                sign, default=text, set_exception_handler=False, handle_sigint=False
            )
        finally:
            ahead = get_typeahead(self._input)
            self._keyboard.give_back("".join(press.data for press in ahead).encode("utf-8", "replace"))

    def _mark_pastes(self, switch: str) -> None:
        if not self._dumb:
            self._screen.write(f"\x1b[?2004{switch}")
