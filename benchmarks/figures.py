"""What a measurement gives, and the table that it is printed in. Judges nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTHS = (42, 9, 9, 9, 9, 11)
HEAD = ("", "echo", "minimal", "mm", "÷ echo", "÷ minimal", "aim")


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured: repetitions, questions and updates of each; `crowds` are numbers of agents."""

    rounds: int
    questions: int
    updates: int
    crowds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of the bare process, the minimal agent and mm, in one unit."""

    what: str
    figures: tuple[float, float, float]
    aim: str = ""

    def __str__(self) -> str:
        echo, minimal, mm = self.figures
        cells = (self.what, *map(_number, self.figures), f"{mm / echo:.2f}", f"{mm / minimal:.2f}", self.aim)
        return line(cells)


def line(cells: Sequence[str]) -> str:
    """One line of the table: the first and the last cell to the left, the others to the right."""
    first, *middle, last = cells
    columns = [f"{cell:>{width}}" for cell, width in zip(middle, WIDTHS[1:], strict=True)]
    return "".join((f"{first:<{WIDTHS[0]}}", *columns, f"   {last}")).rstrip()


def percentile(values: Sequence[float], hundredths: int) -> float:
    """The value that so many hundredths of the values do not exceed."""
    return sorted(values)[(len(values) - 1) * hundredths // 100]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
