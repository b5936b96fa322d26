"""Stop with questions of the whole tree waiting: each gets one answer, `cancelled`, and one line."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.walks.builder import Walk
from tests.walks.peer import Frame
from tests.walks.processes import until
from tests.walks.terminal import INVITATION, LOCK

NAMES = ("shell", "shell", "write", "shell", "write")
"""The tools of the questions that wait when Stop comes: an agent of another make asks them all at once."""
BELOW = {"of the launched agent": ("/ask-gem go", "gem"), "below jan": ("ask jan: ask gem: go", "jan/gem")}


def tree(walk: Walk) -> None:
    """riker may ask jan and gem, and jan may ask gem."""
    asks = (
        f"{{ask_no_wait: {{toolCall: {{name: {name}, kind: execute, rawInput: {{command: ls {number}}}}}}}}}"
        for number, name in enumerate(NAMES)
    )
    gem = walk.child("gem", f"log: gem.log\nprompts:\n- [{', '.join(asks)}, {{hang: }}]\n")
    walk.agent("riker", "yolo: false", f"mmConfigs: {{jan: ./jan.yaml, gem: {gem}}}")
    walk.agent("jan", f"mmConfigs: {{gem: {gem}}}")


def answers(walk: Walk) -> list[Frame]:
    """What gem was answered so far."""
    return [frame for frame in walk.frames("gem.log") if "outcome" in frame.get("result", {})]


def all_are_cancelled_once(walk: Walk, agent: str) -> None:
    """Every call that waited has one answer and one line."""
    assert until(lambda: len(answers(walk)) >= len(NAMES))
    assert sorted(str(frame["id"]) for frame in answers(walk)) == [
        f"ask-{n}" for n in range(1, len(NAMES) + 1)
    ]
    assert {frame["result"]["outcome"]["outcome"] for frame in answers(walk)} == {"cancelled"}
    lines = walk.decisions("--agent", agent)
    assert Counter(line["key"] for line in lines) == Counter(f"{agent}/{name}" for name in NAMES)
    assert len({line["digest"] for line in lines}) == len(NAMES)
    assert {(line["allowed"], line["why"], line["who"]) for line in lines} == {(False, "cancelled", "nobody")}


@pytest.mark.parametrize(("prompt", "agent"), BELOW.values(), ids=BELOW)
@pytest.mark.parametrize("key", ["ctrl-c", "s"])
def test_stop_at_the_terminal_cancels_every_question_of_the_tree_once(
    walk: Walk, key: str, prompt: str, agent: str
) -> None:
    tree(walk)
    with walk.line() as mm:
        mm.types(prompt).sees(f"{len(NAMES) - 1} more waiting", INVITATION)
        (mm.presses(key) if key == "ctrl-c" else mm.answers(key)).waits_for_prompt()
        assert mm.count(LOCK) == 1, "no other question was drawn"
        mm.types("/grants").sees("nothing is remembered").types("/quit").ends(0)
    all_are_cancelled_once(walk, agent)


@pytest.mark.parametrize(("prompt", "agent"), BELOW.values(), ids=BELOW)
@pytest.mark.parametrize("late", ["silent", "answering"])
def test_an_editors_stop_cancels_every_question_of_the_tree_once(
    walk: Walk, late: str, prompt: str, agent: str
) -> None:
    """An answer that comes behind the Stop changes nothing."""
    tree(walk)
    with walk.editor() as editor:
        editor.opens().says(prompt)
        question = editor.question()
        assert until(
            lambda: len([u for u in editor.updates("tool_call") if u["name"] in NAMES]) == len(NAMES)
        )
        editor.stops()
        if late == "answering":
            editor.answers(question, "allow_always")
        assert editor.stop_reason == "cancelled"
        assert editor.questions == [question], "no other question was drawn"
    all_are_cancelled_once(walk, agent)
