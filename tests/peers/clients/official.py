"""The official Python SDK as an editor: PROMPT CHOICE AGENT. Prints what it typed, as JSON.

CHOICE is the kind of an option, or `cancel`: stop the turn, then answer that it was cancelled.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from acp import PROTOCOL_VERSION, Agent, spawn_agent_process, text_block
from acp.schema import (
    AllowedOutcome,
    DeniedOutcome,
    PermissionOption,
    RequestPermissionResponse,
    ToolCallUpdate,
)
from pydantic import BaseModel

Json = dict[str, Any]


class Editor:
    """What the SDK calls. The parts of `_meta` arrive as keywords."""

    def __init__(self, choice: str) -> None:
        self.choice = choice
        self.updates: list[Json] = []
        self.questions: list[Json] = []

    def on_connect(self, agent: Agent) -> None:
        """Keep the other side, to stop it."""
        self.agent = agent

    async def session_update(self, session_id: str, update: BaseModel, **_: object) -> None:
        """Keep an update."""
        self.updates.append(typed(update))

    async def request_permission(
        self, session_id: str, tool_call: ToolCallUpdate, options: list[PermissionOption], **meta: object
    ) -> RequestPermissionResponse:
        """Keep a question, and answer it."""
        question = {"toolCall": typed(tool_call), "options": [typed(option) for option in options]}
        self.questions.append({"sessionId": session_id, **question, "_meta": meta})
        if self.choice == "cancel":
            await self.agent.cancel(session_id=session_id)
            return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
        (chosen,) = [option.option_id for option in options if option.kind == self.choice]
        return RequestPermissionResponse(outcome=AllowedOutcome(outcome="selected", option_id=chosen))


def typed(value: BaseModel) -> Json:
    """A value of the SDK as JSON, without what it adds by itself."""
    return value.model_dump(mode="json", by_alias=True, exclude_unset=True)


async def main(prompt: str, choice: str, agent: str) -> None:
    """One turn."""
    editor = Editor(choice)
    async with spawn_agent_process(editor, agent, env=os.environ) as (mm, _):
        hello = await mm.initialize(protocol_version=PROTOCOL_VERSION)
        session = await mm.new_session(cwd=str(Path.cwd()), mcp_servers=[])
        ended = await mm.prompt(session_id=session.session_id, prompt=[text_block(prompt)])
    heard = {"updates": editor.updates, "questions": editor.questions, "stop_reason": ended.stop_reason}
    print(json.dumps({"hello": typed(hello), **heard}))


asyncio.run(main(*sys.argv[1:]))
