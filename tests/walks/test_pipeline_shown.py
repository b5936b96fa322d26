"""A run of the example's pipeline as a person sees it: at a terminal, and in an editor."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from tests.walks.builder import CHECKOUT, Walk
from tests.walks.team import Team

EXAMPLE = "agents.example.yaml"
TASK = "write hello.txt: TODO greet"
INVITED = "ou s, puis Entrée"


@pytest.fixture
def here(walk: Walk) -> Walk:
    """A repository in which a newcomer tries the example."""
    Team(walk)
    shutil.copy(CHECKOUT / EXAMPLE, walk.folder)
    return walk


def test_the_example_is_accepted_for_a_newcomer(here: Walk) -> None:
    with here.line("-c", EXAMPLE, "--pipeline", "review", "write hello.txt: hi", size=(100, 60)) as mm:
        mm.sees("the pipeline hands this task to homer", "│ write hello.txt: hi").answers("1")
        mm.sees("✓ homer 1 done", "▸ jan: working, round 1", "ACCEPT")
        mm.sees("the pipeline wants to merge mm/review-", "│ hello.txt +1 -0 (new)", "git diff").answers("1")
        mm.sees("accepted", "Merged as").ends(0)
    assert here.read("hello.txt") == "hi"


def test_a_step_is_lines_while_it_goes_on_and_a_table_when_it_has_ended(here: Walk) -> None:
    with here.line("-c", EXAMPLE, size=(100, 80)) as mm:
        mm.types(f"/run-review {TASK}").answers("1").answers("1")
        mm.sees("the pipeline wants to merge").answers("4").sees("Not merged: you said no.")
        mm.types("/quit").ends(0)
        rows = [row.rstrip() for row in mm.screen()]
        for number, state, tables in ((1, "REJECT", 3), (2, "ACCEPT", 1)):
            assert mm.count(f"▸ jan: working, round {number}") == 1
            assert mm.count(f"✓ jan {number} done, {state} ") == tables
        assert any(row.split()[:4] == ["who", "round", "state", "time"] for row in rows)
    assert not here.made("hello.txt")


@pytest.mark.parametrize(
    ("columns", "shown"),
    [(40, "  ✓  jan    1      done, REJECT  "), (30, "  ✓ jan: done, REJECT,")],
)
def test_in_a_narrow_terminal_no_column_is_broken(here: Walk, columns: int, shown: str) -> None:
    with here.line("-c", EXAMPLE, "--pipeline", "review", TASK, size=(columns, 200)) as mm:
        for _ in range(3):
            mm.answers("1")
        mm.ends(0)
        assert any(row.startswith(shown) for row in mm.screen())


def test_it_speaks_french(here: Walk) -> None:
    with here.line("-c", EXAMPLE, "--pipeline", "review", TASK, size=(100, 80), LANG="fr_FR.UTF-8") as mm:
        for asked in ("confie cette tâche à homer", "confie cette tâche à homer", "veut fusionner mm/review"):
            mm.sees(asked, INVITED).from_now().sends(b"1\r")
        mm.sees("acceptée", "Changements", "nouveau", "Fusionnée :", "jan, tour 1 : REJECT").ends(0)
        assert mm.count("qui tour état durée")
        mm.never_saw("round")


@pytest.mark.parametrize(("term", "no_colour"), [("dumb", ""), ("xterm-256color", "1")])
def test_colours_are_never_the_only_sign(here: Walk, term: str, no_colour: str) -> None:
    with here.line(
        "-c", EXAMPLE, "--pipeline", "review", TASK, size=(100, 80), TERM=term, NO_COLOR=no_colour
    ) as mm:
        for _ in range(3):
            mm.answers("1")
        mm.sees("accepted").ends(0)
        assert mm.count("✓ jan 1 done, REJECT")
        assert not any(mm.wrote(b"\x1b[%dm" % colour) for colour in range(30, 38))


def test_without_anybody_nothing_is_told_but_errors_unless_it_is_wanted(here: Walk) -> None:
    here.file("riker.yaml", (CHECKOUT / EXAMPLE).read_text().replace("handover: approve", "handover: auto"))
    once = ("--pipeline", "review", "write hello.txt: hi")
    quiet = here.runs(*once)
    assert quiet.code == 3
    assert quiet.stderr.splitlines()[0].startswith(
        "mm: error: the turn failed: the work is accepted and waits"
    )
    told = here.runs("--verbose", *once).stderr
    changes = re.findall(r"^mm: review-[0-9a-f]{6}: (.+), round 1", told, re.MULTILINE)
    assert changes == ["▸ homer: working", "✓ homer: done", "▸ jan: working", "✓ jan: done, ACCEPT"]


def test_questions_of_a_run_have_readable_lines_in_the_log(here: Walk) -> None:
    with here.line("-c", EXAMPLE, "--pipeline", "review", TASK) as mm:
        mm.answers("1").answers("4").sees("was not approved", "mm pipeline resume review-").ends(1)
    lines = [line.partition("  ")[2] for line in here.runs("log").stdout.splitlines()]
    moves = [line for line in lines if "hand_over" in line]
    assert len(moves) == 2
    assert "write hello.txt: TODO greet" in moves[0]
    logged = [
        json.loads(line) for line in here.runs("log", "--json", "--key", "hand_over").stdout.splitlines()
    ]
    assert [(line["allowed"], line["who"], line["args"]["about"]) for line in logged] == [
        (True, "person", "homer"),
        (False, "person", "homer"),
    ]


def test_a_run_is_offered_and_completed_by_its_name(here: Walk) -> None:
    with here.line("-c", EXAMPLE) as mm:
        mm.waits_for_prompt().sends(b"/run-r\t").sees("/run-review").sends(b"\r")
        mm.sees("what is the task? /run-review TASK").types("/help")
        mm.sees("/run-review TASK", "homer codes, jan reviews, until she accepts")
        mm.types("/run-x y").sees("there is no pipeline x; known: review").types("/quit").ends(0)


def test_an_editor_sees_a_plan_the_question_and_the_report(here: Walk) -> None:
    with here.editor("-c", EXAMPLE, LANG="fr_FR.UTF-8") as mm:
        mm.opens().says("/run-review write hello.txt: hi")
        for told in ("confie cette tâche à homer", "git diff"):
            question = mm.question()
            assert told in json.dumps(question["params"]["toolCall"]["content"], ensure_ascii=False)
            mm.answers(question, "allow_once")
        assert mm.stop_reason == "end_turn"
        entries = [update["entries"] for update in mm.updates("plan")]
        assert [len(plan) for plan in entries] == [1, 1, 2, 2]
        assert re.fullmatch("homer: fini, tour 1, \\d+ s", entries[-1][0]["content"])
        assert re.fullmatch("jan: fini, ACCEPT, tour 1, \\d+ s", entries[-1][1]["content"])
        assert [entry["status"] for entry in entries[-1]] == ["completed", "completed"]
        assert " : acceptée\n\n> write hello.txt: hi\n" in mm.text()
