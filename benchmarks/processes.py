"""What Linux says of a process: its memory, its processor time, what it started."""

from __future__ import annotations

import os
import platform
from pathlib import Path

PROC = Path("/proc")
TICKS = os.sysconf("SC_CLK_TCK")


def pss(pid: int) -> float:
    """The memory of a process in MB, shared pages divided by the processes that share them."""
    rollup = (PROC / str(pid) / "smaps_rollup").read_text(encoding="ascii")
    (kilobytes,) = [row.split()[1] for row in rollup.splitlines() if row.startswith("Pss:")]
    return int(kilobytes) / 1024


def cpu(pid: int) -> float:
    """The seconds of processor time that a process has used, in user and system mode."""
    fields = (PROC / str(pid) / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS  # utime and stime, counted from the third field


def children(pid: int) -> list[int]:
    """The processes that a process has started and not yet waited for."""
    tasks = (PROC / str(pid) / "task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text(encoding="ascii").split()]


def machine() -> str:
    """The machine, its system and how busy it is, in one line."""
    model = _field("/proc/cpuinfo", "model name")
    memory = int(_field("/proc/meminfo", "MemTotal").split()[0]) / 1024**2
    cores, load = os.cpu_count(), os.getloadavg()[0]
    system, python = os.uname(), platform.python_version()
    return (
        f"{model}, {cores} cores, {memory:.0f} GB; Linux {system.release}; Python {python}; load {load:.1f}"
    )


def _field(file: str, name: str) -> str:
    rows = Path(file).read_text(encoding="utf-8").splitlines()
    return next((row.partition(":")[2].strip() for row in rows if row.startswith(name)), "?")
