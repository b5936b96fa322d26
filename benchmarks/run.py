"""Prints what mm costs, as one table: `python benchmarks/run.py [--quick]`. Linux only.

Every figure comes from this one run, the compared programs by turns; read the ratios, not the times.
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import crowd, danger, permission, relay, start
from benchmarks.figures import HEAD, Scale, line
from benchmarks.processes import machine

FULL = Scale(rounds=15, questions=1000, updates=100_000, crowds=(1, 10, 30, 100))
QUICK = Scale(rounds=3, questions=100, updates=5_000, crowds=(1, 10))
LONGEST = 300
"""Seconds after which a run is given up: something hangs."""


def main(quick: bool) -> None:
    """Measure and print, row by row."""
    signal.alarm(LONGEST)
    print(machine(), flush=True)
    print(line(HEAD))
    scale = QUICK if quick else FULL
    with TemporaryDirectory() as folder:
        for measurement in (start, permission, relay, crowd):
            for row in measurement.rows(scale, Path(folder)):
                print(row, flush=True)
    print("\nMarks of commands, aim 50 ms:", *danger.rows(scale), sep="\n")


if __name__ == "__main__":
    main(quick="--quick" in sys.argv[1:])
