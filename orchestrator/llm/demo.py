"""The demo model: embedded, deterministic, no AI. It turns a handful of sentences into calls.

For a first look without a model server, and for tests that drive a whole agent by its prompts. It decides by
the conversation alone: the sentences are in `sentences`, each of their calls is one reply. In a pipeline it
can play both parts, see `reviewing`.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence

from orchestrator.llm.drafts import new_id
from orchestrator.llm.messages import Assistant, Call, Message, Model, Piece, Reply, Result, ToolSpec, User
from orchestrator.llm.reviewing import LOOKS, addressed, review
from orchestrator.llm.sentences import Step, understand
from orchestrator.llm.speak import speak
from orchestrator.words.refusals import ADVICE

LABEL = (
    "I am the demo model: no AI, only a handful of sentences: run COMMAND, read FILE, write FILE: TEXT, "
    "edit FILE: OLD => NEW, ask NAME: QUESTION; several are joined by “then”."
)


class DemoModel(Model):
    """Understands `sentences`, tells each result, and stops at the first call that was refused or failed."""

    name = "demo"

    async def reply(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        on_piece: Callable[[Piece], Awaitable[None]],
    ) -> Reply:
        """Tell the last result, if there is one, and make the next call of the sentence, if there is one."""
        first = not any(isinstance(message, Assistant) for message in messages)
        said, step = _answer(_turn(messages), {tool.name for tool in tools})
        labelled = not first or said.startswith((LABEL, LOOKS))
        text = "\n\n".join(part for part in ("" if labelled else LABEL, said) if part)
        await speak(text, on_piece)
        if step is None:
            return Reply(text, (), "stop")
        call = Call(new_id(), step.tool, json.dumps(dict(step.arguments), ensure_ascii=False))
        return Reply(text, (call,), "tool_calls")


def _turn(messages: Sequence[Message]) -> Sequence[Message]:
    """What was said since the last prompt, which comes first."""
    prompts = [at for at, message in enumerate(messages) if isinstance(message, User)]
    return messages[prompts[-1] :] if prompts else ()


def _answer(turn: Sequence[Message], tools: set[str]) -> tuple[str, Step | None]:
    """What to say, and the next call."""
    prompt = next((message.text for message in turn if isinstance(message, User)), "")
    results = [message for message in turn if isinstance(message, Result)]
    if said := review(prompt):
        return said, None
    steps = understand(prompt) or addressed(prompt)
    if not steps:
        return LABEL, None
    if results and not results[-1].ok:
        told = results[-1].text.removesuffix(ADVICE)  # which is for models
        return f"I stop here. I was told:\n\n{_plainly(told.rstrip())}", None
    said = _plainly(results[-1].text) if results else ""
    if len(results) == len(steps):
        return said, None
    step = steps[len(results)]
    if step.tool not in tools:
        missing = f"I have no tool {step.tool} here, so I stop."
        return f"{said}\n\n{missing}".strip(), None
    return said, step


def _plainly(result: str) -> str:
    """A result as an answer: as it stands, and fenced when it has several lines."""
    text = result.strip("\n")
    if "\n" not in text:
        return text or "(no output)"
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}"
