"""Starts one program as mm does and holds it until it is killed: `holder.py PROGRAM [ARGUMENT...]`.

Passes on what the program writes.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import anyio

from orchestrator.processes import start


async def main() -> None:
    async with start(sys.argv[1:], cwd=Path.cwd(), environ=os.environ) as process:
        async for chunk in process.stdout:
            os.write(1, chunk)
        await anyio.sleep_forever()


anyio.run(main)
