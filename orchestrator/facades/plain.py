"""The input line of a terminal whose cursor cannot be moved (TERM=dumb): it only appends and rubs out.

Has no history and completes nothing, since what they bring could not be shown. Knows no question or event.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from contextlib import AbstractContextManager

import anyio
from prompt_toolkit.input.vt100 import raw_mode
from rich.cells import cell_len

from consent.show import safe
from orchestrator.facades.keyboard import Keyboard
from orchestrator.facades.keys import Key, Pasted, Press, TypeAhead
from orchestrator.facades.screen import INDENT, SIGN, Screen


class PlainPrompt:
    """Reads lines from the terminal `fd`; each stays where it was typed."""

    def __init__(self, fd: int, screen: Screen, keyboard: Keyboard) -> None:
        self._fd = fd
        self._screen = screen
        self._keyboard = keyboard

    def terminal(self) -> AbstractContextManager[None]:
        """The terminal in raw mode."""
        return raw_mode(self._fd)

    async def read(self, typed: TypeAhead) -> str | None:
        """The next line; see `Prompt.read`."""
        typed.text = typed.take()
        self._screen.write(SIGN + _drawn(typed.text))
        try:
            while True:
                keys = deque(await self._keyboard.read() or ())
                while keys:
                    key = keys.popleft()
                    if key is Press.ENTER and not typed.text.endswith("\\"):
                        return _entered(typed, keys)
                    if key is Press.STOP:
                        typed.take()
                        return None
                    if key is Press.END and not typed.text:
                        raise anyio.EndOfStream
                    self._edit(typed, key)
        finally:
            self._screen.write("\n")

    def _edit(self, typed: TypeAhead, key: Key) -> None:
        if key is Press.ENTER:
            typed.text, key = typed.text.removesuffix("\\"), Pasted("\n")
        old = typed.text
        typed.add(key)
        if len(typed.text) >= len(old):
            self._screen.write(_drawn(typed.text[len(old) :]))
        elif old.endswith("\n"):  # which cannot be rubbed out
            self._screen.write("\n" + SIGN + _drawn(typed.text))
        else:
            self._screen.write("\b \b" * cell_len(safe(old[len(typed.text) :])))


def _entered(typed: TypeAhead, later: Iterable[Key]) -> str:
    """What was typed; the `later` keys are for the next line."""
    line = typed.take()
    for key in later:
        typed.add(key)
    return line


def _drawn(text: str) -> str:
    return safe(text).replace("\n", "\n" + INDENT)
