"""Whether processes live, for tests that end them."""

from __future__ import annotations

import subprocess

import anyio


def alive(pid: int) -> bool:
    """A zombie does not live: it only waits for its parent to look."""
    ps = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], check=False, capture_output=True, text=True)
    state = ps.stdout.strip()
    return state != "" and not state.startswith("Z")


async def gone(*pids: int) -> None:
    """Wait until none of them lives; TimeoutError after a generous time."""
    with anyio.fail_after(20):
        while any(map(alive, pids)):  # noqa: ASYNC110 - nobody tells when strangers end
            await anyio.sleep(0.02)


def group(number: int) -> list[int]:
    """The members of a process group that live."""
    table = subprocess.run(
        ["ps", "-A", "-o", "pid=,pgid="], capture_output=True, text=True, check=True
    ).stdout
    members = (line.split() for line in table.splitlines())
    return [int(pid) for pid, pgid in members if int(pgid) == number and alive(int(pid))]
