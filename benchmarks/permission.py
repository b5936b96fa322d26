"""How long an agent waits for the answer to a permission request, decided by mm or by its client."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter

from benchmarks.client import Client
from benchmarks.figures import Row, Scale, percentile
from benchmarks.subjects import ECHO, MINIMAL, asking

ROUNDS = 5
BY_MM = {"yolo": "≤ 3 × minimal", "memory": "≤ 3 × minimal", "an instant client": ""}

Way = Callable[[int], list[float]]
"""Asks so many times; gives the seconds that each answer took."""


def rows(scale: Scale, folder: Path) -> Iterator[Row]:
    """The median and the slow end, beside the same agent with no mm between it and the client."""
    with ExitStack() as stack:
        ways: dict[str, Way] = {
            "echo": _bare(stack, folder),
            "minimal": _direct(stack, folder),
            "yolo": _through(stack, folder, yolo=True, then="reject_once"),
            "memory": _through(stack, folder, yolo=False, then="reject_once"),
            "an instant client": _through(stack, folder, yolo=False, then="allow_once"),
        }
        times: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(ROUNDS):
            for name, ask in ways.items():
                times[name] += ask(scale.questions // ROUNDS)
    for name, aim in BY_MM.items():
        for hundredths in (50, 99):
            figures = [percentile(times[way], hundredths) * 1e6 for way in ("echo", "minimal", name)]
            yield Row(f"permission by {name}, p{hundredths}, µs", (figures[0], figures[1], figures[2]), aim)


def _bare(stack: ExitStack, folder: Path) -> Way:
    client = stack.enter_context(Client(ECHO, folder))

    def once() -> float:
        began = perf_counter()
        client.waits(client.prompts("permission"))
        return perf_counter() - began

    return lambda number: [once() for _ in range(number)]


def _direct(stack: ExitStack, folder: Path) -> Way:
    times = folder / "direct.txt"
    client = stack.enter_context(Client((*MINIMAL, str(times)), folder)).opens()
    return _asking(client, "permissions {}", times)


def _through(stack: ExitStack, folder: Path, *, yolo: bool, then: str) -> Way:
    """Ask through mm. The first question is answered for good, later ones are answered with `then`.

    Where that is a refusal, the agent fails if a question reaches the client.
    """
    times = folder / f"{yolo}-{then}.txt"
    argv = asking(folder, {"command": [*MINIMAL, str(times)]}, yolo=yolo)
    client = stack.enter_context(Client(argv, folder)).opens()
    ask = _asking(client, "/ask-a1 permissions {}", times)
    client.answer = "allow_once" if then == "allow_once" else "allow_always"
    ask(1)
    client.answer = then
    return ask


def _asking(client: Client, prompt: str, times: Path) -> Way:
    def ask(number: int) -> list[float]:
        client.waits(client.prompts(prompt.format(number)))
        return [float(took) for took in times.read_text(encoding="utf-8").split()]

    return ask
