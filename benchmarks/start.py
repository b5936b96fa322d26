"""How long a program takes from its start to its answer to `session/new`, and what it holds when it idles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.client import Client
from benchmarks.figures import Row, Scale
from benchmarks.processes import children, pss
from benchmarks.subjects import Subject, asking, subjects


def rows(scale: Scale, folder: Path) -> Iterator[Row]:
    """The time to a session, and the memory of an asked agent that waits for its next task."""
    compared = subjects(folder)
    rounds = [[_start(subject, folder) for subject in compared] for _ in range(scale.rounds + 1)]
    echo, minimal, mm = (median(times) for times in zip(*rounds[1:], strict=True))  # the first filled caches
    yield Row("start to session/new, ms", (echo, minimal, mm), "≤ 2.5 × minimal")
    echo, minimal, mm = (_idle(subject, folder) for subject in compared)
    yield Row("PSS of an idle asked agent, MB", (echo, minimal, mm), "≤ 25 MB")


def _start(subject: Subject, folder: Path) -> float:
    began = perf_counter()
    with Client(subject.argv, folder) as client:
        client.opens()
        return (perf_counter() - began) * 1e3


def _idle(subject: Subject, folder: Path) -> float:
    with Client(asking(folder, subject.entry), folder) as client:
        client.opens()
        client.waits(client.prompts("/ask-a1 hello"))
        (agent,) = children(client.pid)
        return pss(agent)
