"""A process that speaks over its own stdio, prints where it should not, and starts things that do."""

import sys

import anyio

from orchestrator.acp.streams import take_stdio
from orchestrator.acp.wire import Connection
from tests.orchestrator.acp.peers import Told


class Noisy(Told):
    """Prints before each answer, itself and through a child that also tries to read our stdin."""

    async def on_request(self, method: str, params: dict[str, object]) -> object:
        print("a stray print", flush=True)
        await anyio.run_process(["sh", "-c", "echo from a hook; cat"], stdin=None, stdout=None)
        return await super().on_request(method, params)


def complain(text: str) -> None:
    """Reports go where a person may read them."""
    print(text, file=sys.stderr)


async def main() -> None:
    """Serve until the other side closes."""
    await Connection(take_stdio(), Noisy(), "agent", complain).run()


anyio.run(main)
