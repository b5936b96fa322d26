"""The package acp-client as an editor: PROMPT CHOICE AGENT. Prints what it heard, as JSON.

CHOICE is the kind of an option, or `cancel`: stop the turn, and never answer the question.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from acp_client import Agent

Json = dict[str, Any]


class Watched(Agent):  # type: ignore[misc]
    """The client, which keeps to itself how its agent introduces itself and why a turn ended."""

    def __init__(self, choice: str, *command: str) -> None:
        super().__init__([*command], Path.cwd(), permission=self.decide)
        self.choice = choice
        self.questions: list[Json] = []
        self.results: list[Json] = []

    async def decide(self, question: Json) -> str:
        """Keep a question, and choose an option."""
        self.questions.append(question)
        if self.choice == "cancel":
            self.cancel()
            await asyncio.Event().wait()
        (chosen,) = [option["optionId"] for option in question["options"] if option["kind"] == self.choice]
        return str(chosen)

    def _handle(self, message: Json) -> None:
        self.results += [message["result"]] if "result" in message else []
        super()._handle(message)


async def main(prompt: str, choice: str, agent: str) -> None:
    """One turn."""
    mm, updates = Watched(choice, agent), list[Json]()
    await mm.ask(prompt, on_update=updates.append)
    await mm.stop()
    hello, _, ended = mm.results
    heard = {"updates": updates, "questions": mm.questions, "stop_reason": ended["stopReason"]}
    print(json.dumps({"hello": hello, **heard}))


asyncio.run(main(*sys.argv[1:]))
