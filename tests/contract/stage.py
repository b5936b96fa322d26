"""Plays a scene through a facade, and reads from outside how each of its calls was decided.

What was asked is read from the facade; what was allowed, from the files that it left and from what each agent
was told: riker's model by its server, jan and homer by their own logs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from consent.rules import Why
from orchestrator.words.refusals import BRIEFLY
from tests.contract.facades import Facade
from tests.contract.model import Model, Wanted
from tests.contract.script import Call, Scene, Seen, Task
from tests.walks.builder import Walk
from tests.walks.model_server import at_work

AGENTS = ("jan", "homer")
NOT_ALLOWED = "Not allowed: "
TOLD = {
    "the person refused": Why.ANSWER,
    "the person said before": Why.MEMORY,
    "a rule of": Why.POLICY,
    "nobody could be asked": Why.NOBODY,
    "cannot run or be answered": Why.INVALID,
}
"""Words that the refused model reads, and which refusal they mean."""
HANDED_OVER = re.compile(r"Calls that were refused: (.*)")


Decided = dict[str, Seen]
"""What can be seen of each decision, by the name of its call; a call that was never submitted is missing."""


def play(scene: Scene, facade: type[Facade], walk: Walk) -> Decided:
    """Play one scene, and look what became of each call."""
    for agent in AGENTS:
        walk.file(f"{agent}.log", "")
    with at_work(Model([_wanted(step) for step in scene.steps])) as model:
        _write_files(scene, walk, model.url)
        asked = set(_turn(scene, facade, walk))
        return {call.name: seen for call, seen in _seen(scene, walk, model.told, asked)}


def _turn(scene: Scene, facade: type[Facade], walk: Walk) -> Iterator[str]:
    """One turn; gives the names of the calls that were asked about."""
    with facade.starts(walk, *scene.flags) as mm:
        mm.says("go")
        while question := mm.question():
            (call,) = [call for call in scene.calls if call.name in question]
            assert call.says is not None, f"nobody knows an answer to: {question}"
            mm.answers(call.says)
            yield call.name


def _wanted(step: Call | Task) -> Wanted:
    match step:
        case Call():
            return step.tool, dict(step.arguments)
        case Task(handed=Call() as handed):
            return _wanted(handed)
        case Task():
            return f"ask_{step.agent}", {"question": "go"}


# --- the files of a scene


def _write_files(scene: Scene, walk: Walk, url: str) -> None:
    walk.file("notes", "some notes\n")
    entries = {agent: json.loads(walk.child(agent, _child(scene, agent))) for agent in AGENTS}
    entries["jan"] |= scene.jan
    entries["homer"]["yolo"] = True
    lines = {"mmConfigs": entries, "tools": {"approval": scene.rules}, "baseUrl": url}
    written = (f"{key}: {json.dumps(value)}" for key, value in lines.items())
    walk.agent("riker", "model: contract", scene.yolo, *written)


def _child(scene: Scene, agent: str) -> str:
    """The script of an asked agent: each of its tasks is one prompt."""
    tasks = [[{"ask": _ask(call)} for call in task.calls] for task in scene.tasks(agent)]
    return json.dumps({"log": f"{agent}.log", "prompts": tasks})


def _ask(call: Call) -> dict[str, Any]:
    return {**call.request, "allowed": [{"touch": call.name}]}


# --- what can be seen


def _seen(scene: Scene, walk: Walk, told: list[str], asked: set[str]) -> Iterator[tuple[Call, Seen]]:
    """What the agents were told, beside what the person was asked."""
    told += [""] * (len(scene.steps) - len(told))  # a stopped turn tells no more
    results = list(zip(scene.steps, told, strict=True))
    for call, text in ((_own(step), text) for step, text in results):
        if call and text:
            yield call, Seen(not text.startswith(NOT_ALLOWED), call.name in asked, _why(text))
    for agent in AGENTS:
        tasks = [(step, text) for step, text in results if step in scene.tasks(agent)]
        reasons = iter([why for _, text in tasks for why in _reasons(text)])
        handed_over = (task.calls for task, text in tasks if not text.startswith(NOT_ALLOWED))
        for call, outcome in zip(chain(*handed_over), _outcomes(walk, agent), strict=False):
            why = next(reasons) if outcome.startswith("reject") else outcome
            allowed = outcome.startswith("allow")
            yield call, Seen(allowed, call.name in asked, "" if allowed else why)


def _own(step: Call | Task) -> Call | None:
    return step if isinstance(step, Call) else step.handed


def _why(told: str) -> str:
    """Which refusal a model was told; empty for none."""
    if not told.startswith(NOT_ALLOWED):
        return ""
    (why,) = [why.value for words, why in TOLD.items() if words in told]
    return why


def _reasons(told: str) -> list[str]:
    """The reasons in a hand-off, one for each call of the asked agent that was refused."""
    found = HANDED_OVER.search(told)
    whys = {words: why.value for why, words in BRIEFLY.items()}
    return [whys[words] for words in re.findall(r"\(([\w ]+)\)(?:, |$)", found[1])] if found else []


def _outcomes(walk: Walk, agent: str) -> list[str]:
    """What the requests of an asked agent were answered: the id of an option, or `cancelled`."""
    answers = [frame["result"]["outcome"] for frame in walk.frames(f"{agent}.log") if "result" in frame]
    return [answer.get("optionId", answer["outcome"]) for answer in answers]
