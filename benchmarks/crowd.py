"""How long it takes until so many agents, all started and asked at once by one mm, have answered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from benchmarks.client import Client
from benchmarks.figures import Row, Scale
from benchmarks.subjects import Subject, asking, subjects


def rows(scale: Scale, folder: Path) -> Iterator[Row]:
    """One figure for each number of agents."""
    compared = subjects(folder)
    for number in scale.crowds:
        echo, minimal, mm = (_answered(subject, number, folder) for subject in compared)
        yield Row(f"{number} started and asked at once, s", (echo, minimal, mm))


def _answered(subject: Subject, number: int, folder: Path) -> float:
    """The seconds until all have answered. Each is asked in a session of its own: in one they take turns."""
    with Client(asking(folder, subject.entry, number=number), folder) as client:
        client.opens()
        sessions = [client.session() for _ in range(number)]
        began = perf_counter()
        client.waits(
            *(client.prompts(f"/ask-a{at} hello", session) for at, session in enumerate(sessions, 1))
        )
        return perf_counter() - began
