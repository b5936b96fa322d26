"""Handing a task to another agent: the model's `ask_NAME` tool, and the text that comes back.

Knows no process: asking is a function that it is given.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from consent.call import Doubt, Task, Tier
from consent.key import Kind
from orchestrator.agent import Stop
from orchestrator.scratch import Scratch
from orchestrator.tools.arguments import check_arguments
from orchestrator.tools.base import Arguments, Outcome, Seen, Tool, Workplace
from orchestrator.words import shown
from orchestrator.words.shown import task_text

PREFIX = "ask_"
LONGEST = 32 * 1024
"""Characters of an answer that are handed over: of a longer one its start and its end."""
CHANGED = "not handed over: what the agent may do has just changed; ask again"
PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "question": {"type": "string", "description": "the task or question, complete in itself"},
        "context": {"type": "string", "description": "what the agent must know and cannot see"},
    },
    "required": ["question"],
    "additionalProperties": False,
}


def ask_tool(
    name: str, description: str, frees: Callable[[], bool], ask: Callable[[str], Awaitable[Stop]]
) -> Tool:
    """The tool with which the model asks the agent `name`.

    It asks the person only where the hand-over frees something: then its tier is exec, otherwise read,
    since each of the agent's calls asks for itself (consent.md, "Handing a task over").
    """

    def look(arguments: Arguments, _: Workplace) -> Seen:
        check_arguments(PARAMETERS, arguments)
        task = task_text(arguments["question"], arguments.get("context"))
        if not frees():
            return Seen(Task(name, task), Tier.READ)
        doubts = (Doubt.TOO_LARGE,) if len(task) > shown.LONGEST else ()
        return Seen(Task(name, task), Tier.EXEC, doubts=doubts)

    async def run(arguments: Arguments, seen: Seen, place: Workplace) -> Outcome:
        if frees() and seen.tier is Tier.READ:
            return Outcome(CHANGED, ok=False)
        stop = await ask(task_text(arguments["question"], arguments.get("context")))
        return Outcome(handover_text(name, stop, place.scratch), ok=stop.done)

    about = f" {name}: {description}" if description else ""
    return Tool(
        PREFIX + name,
        f"Ask the agent {name} and get its answer. It works in the same folder and does not see this "
        f"conversation.{about}",
        PARAMETERS,
        Kind.OTHER,
        look,
        run,
    )


def handover_text(name: str, stop: Stop, scratch: Scratch) -> str:
    """What the asker gets: a stop reason other than end_turn first, then the text, then what was refused.

    A long text is cut in the middle, and lies whole in a file that the asker can read.
    """
    parts = []
    if not stop.done:
        why = f": {stop.detail}" if stop.detail else ""
        parts.append(f"{stop.reason.value}: {name} did not finish{why}")
        if stop.text:
            parts.append(f"What {name} had said until then:")
    parts.append(_cut(name, stop.text.strip(), scratch) or f"({name} gave an empty answer)")
    if stop.refused:
        parts.append("Calls that were refused: " + ", ".join(stop.refused))
    return "\n\n".join(parts)


def _cut(name: str, text: str, scratch: Scratch) -> str:
    left_out = len(text) - LONGEST
    if left_out <= 0:
        return text
    half = LONGEST // 2
    mark = f"[... {left_out} characters left out; {_kept(name, text, scratch)} ...]"
    return f"{text[:half]}\n{mark}\n{text[-half:]}"


def _kept(name: str, text: str, scratch: Scratch) -> str:
    try:
        file = scratch.file(name)
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
    except OSError as error:
        return f"they could not be kept: {error.strerror}"
    return f"the whole answer is in {file}"
