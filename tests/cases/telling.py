"""The words of the cases: who is there, and what the person says to whom.

riker is launched and asks. jan and lisa are agents of ours without a `yolo` of their own. A foreign jan does
what a script says.
"""

from __future__ import annotations

import json
from typing import Any

from tests.contract.facades import Facade
from tests.contract.script import Says
from tests.walks.builder import Walk


def team(walk: Walk, *names: str, riker: str = "yolo: false") -> None:
    """riker and agents of ours below it."""
    for name in names:
        walk.agent(name)
    walk.agent("riker", riker, f"mmConfigs: {json.dumps({name: f'./{name}.yaml' for name in names})}")


def foreign(walk: Walk, *prompts: list[dict[str, Any]], riker: tuple[str, ...] = ("yolo: false",)) -> None:
    """riker and a foreign jan that does these steps, a list for each prompt."""
    script = json.dumps({"log": "jan.log", "prompts": prompts})
    walk.foreign(script, *riker)


def ask(tool: str, command: str, **more: Any) -> dict[str, Any]:
    """The step of a foreign agent that asks for one call, and says which way it went."""
    call = {"name": tool, "rawInput": {"command": command}}
    ways = {way: [{"say": f"{way}."}] for way in ("allowed", "refused", "cancelled", "failed")}
    return {"ask": {"toolCall": call, **ways, **more}}


def turn(mm: Facade, prompt: str, *answers: Says) -> list[str]:
    """One turn with exactly so many questions, answered in their order; gives what they showed."""
    mm.says(prompt)
    questions = []
    for answer in answers:
        questions.append(mm.question())
        assert questions[-1], "a question is missing"
        mm.answers(answer)
    left = mm.question()
    assert not left, f"one question too many: {left}"
    return questions


def errors(walk: Walk) -> list[str]:
    """The requests of the foreign jan that were answered by an error."""
    return [frame["id"] for frame in walk.frames("jan.log") if "error" in frame]
