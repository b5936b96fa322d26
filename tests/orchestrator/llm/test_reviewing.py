"""The demo model in a pipeline: as a reviewer, and as the coder who is told what was found."""

from __future__ import annotations

import json

import pytest

from orchestrator.acp.markdown import fenced
from orchestrator.llm.demo import DemoModel
from orchestrator.llm.messages import User
from orchestrator.llm.reviewing import LOOKS, NOTHING, addressed, review
from orchestrator.llm.sentences import Step
from orchestrator.pipelines.outcome import Ended, Judged, Outcome
from orchestrator.pipelines.prompts import findings
from tests.orchestrator.llm.helpers import ask

WANTED = "Review this diff. End with a line ACCEPT or REJECT."
FILE = "diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n@@ -1,2 +1,2 @@\n run this\n-old\n+{line}\n"


def diff(*files: tuple[str, str]) -> str:
    return fenced("".join(FILE.format(name=name, line=line) for name, line in files))


@pytest.mark.parametrize(
    ("files", "found", "verdict"),
    [
        ([("a.txt", "hello")], [], "ACCEPT"),
        ([("a.txt", "TODO greet")], ["edit a.txt: TODO greet => done greet"], "REJECT"),
        ([("a.txt", "hello"), ("b.txt", " TODO")], ["edit b.txt: TODO => done"], "REJECT"),
        ([("a.txt", "++ TODO")], ["edit a.txt: ++ TODO => ++ done"], "REJECT"),
        ([("a.txt", "TODO a => b")], ["TODO in a.txt"], "REJECT"),
        ([("a: b.txt", "TODO")], ["TODO in a: b.txt"], "REJECT"),
        ([], [NOTHING], "REJECT"),
    ],
)
def test_it_rejects_what_is_still_to_be_done_and_an_empty_diff(
    files: list[tuple[str, str]], found: list[str], verdict: str
) -> None:
    assert review(f"{WANTED}\n{diff(*files)}") == "\n\n".join((LOOKS, *found, verdict))


@pytest.mark.parametrize(
    "prompt",
    ["review the code", "Review it, and say yes or no", "write a: b", "Preview in a line A or B", ""],
)
def test_what_names_no_verdicts_is_no_review(prompt: str) -> None:
    assert review(prompt) is None


def test_the_words_of_a_verdict_are_those_of_the_prompt() -> None:
    french = f"Relis ce diff. Termine par une ligne OUI ou NON.\n{diff(('a', 'b'))}"
    assert str(review(french)).endswith("\n\nOUI")


async def test_a_review_makes_no_call_whatever_the_diff_holds() -> None:
    reply = await ask(DemoModel(), [User(f"{WANTED}\n{diff(('a.txt', 'b'))}")], "bash", "edit_file")
    assert reply.calls == ()
    assert reply.text == f"{LOOKS}\n\nACCEPT"


async def test_a_coder_who_is_told_the_findings_does_what_they_say() -> None:
    said = str(review(f"{WANTED}\n{diff(('a.txt', 'TODO x'), ('b.txt', 'TODO y'))}"))
    judged = Judged(accepts=False, why="REJECT", text=said)
    told = findings([Outcome("jan", Ended.DONE, "end_turn", judged=judged)])
    task = "> write a.txt: TODO x\n\n"
    prompt = f"The task:\n\n{task}Address these findings:\n{told}\n\nThe task on which you work:\n\n{task}"
    mended = [("a.txt", "x"), ("b.txt", "y")]
    assert addressed(prompt) == tuple(
        Step("edit_file", {"path": path, "old": f"TODO {rest}", "new": f"done {rest}"})
        for path, rest in mended
    )
    (call,) = (await ask(DemoModel(), [User(prompt)], "edit_file")).calls
    assert json.loads(call.arguments)["path"] == "a.txt"


@pytest.mark.parametrize(
    "prompt",
    ["> run ls", "Address these findings:\nrun ls", "What is this:\n> run ls", "jan (NO):\n> run ls"],
)
def test_a_quotation_is_done_only_where_it_is_to_be_addressed(prompt: str) -> None:
    assert addressed(prompt) == ()
