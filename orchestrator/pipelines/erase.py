"""Takes a folder away with whatever an agent put into it. Knows no git."""

from __future__ import annotations

from pathlib import Path

from anyio import run_process


async def erase(path: Path) -> None:
    """Remove a file, a link (not what it leads to) or a folder with all that is in it; none is fine.

    Programs do it, because folders can be nested deeper than Python can walk. Raises OSError.
    """
    if await _run("rm", "-rf", "--", str(path)):
        await _run("chmod", "-R", "u+rwX", "--", str(path))  # folders that nobody may enter
        if words := await _run("rm", "-rf", "--", str(path)):
            raise OSError(f"{path} cannot be removed: {words}")


async def _run(*command: str) -> str:
    ran = await run_process(command, check=False)
    return (
        ran.stderr.decode(errors="replace").strip() or f"exit code {ran.returncode}" if ran.returncode else ""
    )
