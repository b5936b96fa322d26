"""The one writer of the terminal (or pipe): only appends, at the width of the moment.

But for the status, which stands on the last line until something else is drawn. Knows no event or question.
Texts that it is given are escaped already.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from io import StringIO, TextIOWrapper
from typing import Any, BinaryIO, TextIO, cast

import anyio
from rich.cells import cell_len, chop_cells
from rich.console import Console, RenderableType
from rich.text import Text

from consent.show import BAR
from orchestrator.facades.markdown import markdown
from orchestrator.facades.patient import MOST_BEHIND, Patient
from orchestrator.facades.widths import chopped, wrapped

INDENT = "  "

SIGN = "> "
"""How the input begins; its further lines are set off by INDENT."""

MOST_STATUS = 50
"""Columns of the status."""

LAST_MOMENT = 1.0
"""Seconds that a terminal which takes nothing may hold up an event, or the end."""

_UNABLE = ("", "dumb", "unknown")  # TERM, where the cursor cannot be moved
_ERASE = "\r\x1b[K"

_STYLE = re.compile(r"\x1b\[[0-9;]*m")


class Screen:
    """Draws lines and markdown on `output`. `vanished` is called when nothing can be written any more."""

    def __init__(
        self,
        output: TextIO,
        environ: Mapping[str, str],
        vanished: Callable[[], None],
        clock: Callable[[], float],
    ) -> None:
        self.terminal = output.isatty()
        term = environ.get("TERM", "").lower()
        self.moves = self.terminal and term not in _UNABLE
        self._patient = Patient(output.fileno()) if self.terminal else None
        if self._patient:
            output = TextIOWrapper(cast("BinaryIO", self._patient), output.encoding, write_through=True)
        if isinstance(output, TextIOWrapper):
            output.reconfigure(errors="backslashreplace")  # a terminal that is not UTF-8 lacks our signs
        self.output: TextIO = output
        self._vanished = vanished
        self._clock = clock
        self._drawn = clock()
        self._status = False
        self._console = Console(
            force_terminal=self.terminal,
            markup=False,
            emoji=False,
            highlight=False,
            _environ={**environ, "TERM": term or "dumb"},
        )

    @property
    def behind(self) -> bool:
        """Whether the terminal has not yet taken everything that was drawn: nobody can have read it."""
        return self._patient is not None and self._patient.behind > 0

    async def run(self) -> None:
        """Draw what the terminal did not take at once, until cancelled."""
        if self._patient:
            await self._patient.run()

    async def ready(self) -> None:
        """Wait a moment while far too much is not yet taken, so that whoever speaks slows down."""
        if self._patient:
            with anyio.move_on_after(LAST_MOMENT):
                await self._patient.drained(MOST_BEHIND)

    def finish(self) -> None:
        """Give the terminal a last moment to take what is left."""
        if self._patient:
            self._patient.finish(LAST_MOMENT)

    @property
    def now(self) -> float:
        """Seconds on its clock."""
        return self._clock()

    @property
    def silence(self) -> float:
        """Seconds since anything but the status was written."""
        return self._clock() - self._drawn

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows, now."""
        try:
            columns, rows = os.get_terminal_size(self.output.fileno())
        except OSError:
            columns, rows = 0, 0
        return columns or 80, rows or 24

    def draw(self, *lines: str, style: str = "", end: str = "\n") -> None:
        """Draw lines, each with its further rows set off so that none looks like a line of its own."""
        self.write(self.rendered(*lines, style=style, end=end))

    def rendered(self, *lines: str, style: str = "", end: str = "\n") -> str:
        """What `draw` would write at the width of now."""
        rows = [row for line in lines for row in self.rows(line)]
        return self._render(Text("\n".join(rows), style), soft_wrap=True, end=end)

    def rows(self, line: str) -> list[str]:
        """A line as the rows that it takes. A pipe has no width."""
        line, bar = self._spelled(line), self._spelled(BAR)
        barred = line.startswith(bar)
        margin = bar if barred else INDENT
        width = max(self.size[0] - 1 - cell_len(margin), 1)
        if not self.terminal or len(line) * 2 <= width:
            return [line]
        first, *further = (chopped if barred else wrapped)(line, width)
        return [first, *(margin + row for row in further)]

    def markdown(self, text: str, margin: str = "") -> None:
        """Draw one block of markdown, each row behind `margin`; as it is where there is no terminal."""
        if not self.terminal:
            self.draw(*(margin + line for line in text.split("\n")))
            return
        text, margin = self._spelled(text), self._spelled(margin)
        drawn = self._render(markdown(text), width=max(self.size[0] - 1 - cell_len(margin), 1))
        self.write("".join(margin + row for row in _trimmed(drawn.splitlines(keepends=True))))

    def status(self, text: str, end: str = "") -> None:
        """Let `text` and the whole `end` stand on the last line, in one row; nothing where both are empty.

        The row is short, so that it is still one, and can be taken back, after the terminal was narrowed.
        """
        if not self.moves or self.behind:
            return
        room = max(min(self.size[0] - 1, MOST_STATUS) - cell_len(self._spelled(end)), 1)
        row = "".join(chop_cells(self._spelled(text), room)[:1]) + end
        self._put(self._erasing() + self._render(Text(row, "dim"), soft_wrap=True, end=""))
        self._status = bool(row)

    def write(self, text: str) -> None:
        """Write `text` as it is, at once."""
        self._drawn = self._clock()
        self._put(self._erasing() + text)

    def _erasing(self) -> str:
        erasing, self._status = _ERASE if self._status else "", False
        return erasing

    def _put(self, text: str) -> None:
        try:
            self.output.write(text)
            self.output.flush()
        except OSError:
            self._vanished()

    def _spelled(self, text: str) -> str:
        """`text` as the terminal gets it, so that what its encoding lacks is counted at its full width."""
        encoding = self.output.encoding or "utf-8"
        return text.encode(encoding, "backslashreplace").decode(encoding)

    def _render(self, thing: RenderableType, **options: Any) -> str:
        self._console.file = rendered = StringIO()
        self._console.print(thing, **options)
        return rendered.getvalue()


def _trimmed(rows: list[str]) -> list[str]:
    """Without the blank rows that rich puts around some blocks."""
    drawn = [number for number, row in enumerate(rows) if _STYLE.sub("", row).strip()]
    return rows[drawn[0] : drawn[-1] + 1] if drawn else []
