"""The package acp-client as an editor: PROMPT CHOICE AGENT. Prints what it heard, as JSON.

CHOICE is the kind of an option, or `cancel`: stop the turn, and never answer the question.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from acp_client import Agent


class Watched(Agent):  # type: ignore[misc]
    """The client, which keeps to itself how its agent introduces itself and why a turn ended."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.results: list[Any] = []

    def _handle(self, message: Any) -> None:
        self.results += [message["result"]] if "result" in message else []
        super()._handle(message)


async def main(prompt: str, choice: str, agent: str) -> None:
    """One turn."""
    updates: list[Any] = []
    questions: list[Any] = []

    async def permission(question: Any) -> str:
        questions.append(question)
        if choice == "cancel":
            mm.cancel()
            await asyncio.Event().wait()
        (chosen,) = [option["optionId"] for option in question["options"] if option["kind"] == choice]
        return str(chosen)

    mm = Watched([agent], Path.cwd(), permission=permission)
    await mm.ask(prompt, on_update=updates.append)
    hello, _, ended = mm.results
    await mm.stop()
    print(json.dumps({"hello": hello, "updates": updates, "questions": questions, **ended}))


asyncio.run(main(*sys.argv[1:]))
