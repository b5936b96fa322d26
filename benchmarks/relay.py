"""How many updates of an asked agent mm passes on in a second, and what each costs it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.client import Client
from benchmarks.figures import Row, Scale
from benchmarks.processes import cpu
from benchmarks.subjects import ECHO, MINIMAL, asking

ROUNDS = 3

Work = Callable[[int], object]
"""Brings so many updates to the client."""


def rows(scale: Scale, folder: Path) -> Iterator[Row]:
    """Updates a second and processor time for each.

    Beside mm stand a bare process that answers as many lines, and the agent that mm asks, by itself.
    """
    with ExitStack() as stack:
        echo, minimal, mm = (
            stack.enter_context(Client(argv, folder)).opens()
            for argv in (ECHO, MINIMAL, asking(folder, {"command": MINIMAL}))
        )
        mm.waits(mm.prompts("/ask-a1 hello"))  # starts the agent
        works: tuple[tuple[Client, Work], ...] = (
            (echo, echo.floods),
            (minimal, lambda number: _updates(minimal, "updates {}", number)),
            (mm, lambda number: _updates(mm, "/ask-a1 updates {}", number)),
        )
        measured = [[_measured(*work, scale.updates) for work in works] for _ in range(ROUNDS)]
    for what, at, aim in (("updates in a second", 0, "≥ 40,000"), ("processor time of an update, µs", 1, "")):
        echoes, minimals, mms = (
            median(each[at] for each in rounds) for rounds in zip(*measured, strict=True)
        )
        yield Row(what, (echoes, minimals, mms), aim)


def _updates(client: Client, prompt: str, number: int) -> None:
    before = client.updates
    client.waits(client.prompts(prompt.format(number)))
    if client.updates - before < number:
        raise SystemExit(f"{client.updates - before} of {number} updates arrived")


def _measured(client: Client, work: Work, number: int) -> tuple[float, float]:
    """Updates a second, and microseconds of processor time of the client's program for each."""
    used, began = cpu(client.pid), perf_counter()
    work(number)
    took = perf_counter() - began
    return number / took, (cpu(client.pid) - used) / number * 1e6
