"""Ends what runs in order at a signal, and at once at a later one. Knows nothing of `mm`."""

from __future__ import annotations

import signal
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import anyio

ENDED_BY = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that end a run in order; one that the caller ignores (nohup) stays ignored."""
PATIENCE = 1.0
"""Seconds after the first signal in which others change nothing: a terminal that closes sends several."""


async def ending_at_signals(
    work: Callable[[], Awaitable[int]], clock: Callable[[], float] = time.monotonic
) -> int:
    """Do the work; SIGINT, SIGTERM and SIGHUP end it in order, with everything that it started.

    A signal that comes later than the first one ends this process at once, also where something holds up the
    event loop; what it started is then ended by its watchers (docs/adr/0003). `clock` gives seconds.
    """
    heard = [number for number in ENDED_BY if signal.getsignal(number) is not signal.SIG_IGN]
    got: list[int] = []
    code = 0
    with _given_back(heard) as before, anyio.open_signal_receiver(*heard) as signals:
        _end_when_impatient(before, clock)
        async with anyio.create_task_group() as tasks:

            async def watch() -> None:
                async for number in signals:
                    got.append(number)
                    tasks.cancel_scope.cancel()

            tasks.start_soon(watch)
            code = await work()
            tasks.cancel_scope.cancel()
    return 128 + got[0] if got else code


Handler = Callable[[int, FrameType | None], object] | int | None


@contextmanager
def _given_back(numbers: list[signal.Signals]) -> Iterator[dict[signal.Signals, Handler]]:
    """What these signals did before; afterwards they do it again."""
    before = {number: signal.getsignal(number) for number in numbers}
    try:
        yield before
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)


def _end_when_impatient(before: dict[signal.Signals, Handler], clock: Callable[[], float]) -> None:
    """Look at each signal before the event loop does, which hears of them all the same."""
    times: list[float] = []

    def hear(number: int, frame: FrameType | None) -> None:
        times.append(clock())
        if times[-1] - times[0] >= PATIENCE:
            ends = before.get(signal.SIGTERM)
            if callable(ends):  # it gives the terminal back
                ends(number, frame)
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    for each in before:
        signal.signal(each, hear)
