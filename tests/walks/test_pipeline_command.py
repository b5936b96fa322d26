"""`mm pipeline`: runs looked at, cancelled and cleaned away from outside."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.walks.builder import Walk
from tests.walks.team import REVIEWS, WRITES, Team

APPROVED = "{ask: homer, prompt: '{task}', handover: approve}"
FRENCH = "fr_FR.UTF-8"


@pytest.fixture
def team(walk: Walk) -> Team:
    """A coder and a reviewer who accepts."""
    team = Team(walk)
    team.codes("echo two > code")
    team.reviews("Good.\nACCEPT")
    return team


def waiting(team: Team) -> str:
    """A run that waits for somebody who approves its second step."""
    team.pipeline(WRITES, APPROVED)
    assert team.runs("Make it\n# two.").code == 3
    return team.run


def test_a_run_that_is_over_is_listed_and_shown_with_its_report(team: Team) -> None:
    team.pipeline(WRITES, REVIEWS)
    ran = team.runs()
    (line,) = team.walk.runs("pipeline", "list").stdout.splitlines()
    assert line.split("  ")[:2] == [team.run, "accepted"]
    assert line.endswith("  Make it two.")
    shown = team.walk.runs("pipeline", "show", team.run).stdout
    assert shown.startswith(f"{team.run}: accepted, ")
    assert f"in {team.walk.folder}, from " in shown
    assert shown.endswith(f"\n\n{ran.stdout}")


def test_an_interrupted_run_shows_its_task_what_was_done_and_how_it_goes_on(team: Team) -> None:
    run = waiting(team)
    lines = team.walk.runs("pipeline", "show", run).stdout.splitlines()
    assert lines[0].startswith(f"{run}: interrupted, can be resumed, ")
    assert lines[2:4] == ["│ Make it", "│ # two."]
    assert lines[4].split() == ["who", "round", "state", "time"]
    assert lines[5].split()[:4] == ["✓", "homer", "1", "done"]
    assert lines[6:] == [f"mm pipeline resume {run}"]


def test_a_run_is_json_for_scripts(team: Team) -> None:
    run = waiting(team)
    (listed,) = map(json.loads, team.walk.runs("pipeline", "list", "--json").stdout.splitlines())
    shown = json.loads(team.walk.runs("pipeline", "show", run, "--json").stdout)
    steps = shown.pop("steps")
    assert shown == listed
    assert listed["branch"] == team.branch
    assert (listed["state"], listed["pipeline"], listed["report"]) == ("interrupted", "p", None)
    assert [step["name"] for step in steps][:2] == ["1.0 prompts", "1.0 homer"]


def test_a_cancelled_run_is_over_and_cleaned_away(team: Team) -> None:
    run = waiting(team)
    assert team.walk.runs("pipeline", "clean").stdout == "no run is over: nothing to clean\n"
    ended = team.walk.runs("pipeline", "cancel", run)
    assert ended.stdout == f"{run} is cancelled; mm pipeline clean takes its worktree away\n"
    again = team.walk.runs("pipeline", "cancel", run)
    assert (again.code, again.stderr) == (2, f"mm: {run} cannot be cancelled: cancelled\n")
    assert team.walk.runs("pipeline", "resume", run).code == 2
    assert team.worktrees
    assert team.walk.runs("pipeline", "clean").stdout == f"{run} is forgotten\n"
    assert not team.worktrees
    assert team.branches == [f"mm/{run}"], "the work stays"
    assert team.states() == ["no runs yet: mm --pipeline NAME TASK"]


def test_what_is_nowhere_else_is_not_cleaned_away(team: Team) -> None:
    run = waiting(team)
    team.walk.runs("pipeline", "cancel", run)
    (tree,) = team.worktrees
    (tree / "new").write_text("mine\n")
    cleaned = team.walk.runs("pipeline", "clean")
    assert cleaned.code == 0
    assert cleaned.stdout == f"{run} is not forgotten: {tree} is kept: not committed: new\n"
    assert (tree / "new").read_text() == "mine\n"
    assert team.run == run


def test_what_cannot_be_looked_at_is_kept_and_the_next_one_cleaned_all_the_same(team: Team) -> None:
    run = waiting(team)
    team.walk.runs("pipeline", "cancel", run)
    team.pipeline("{ask: jan, prompt: Review}", more="worktree: false")
    assert team.runs().code == 0
    shutil.rmtree(team.walk.folder / ".git")
    lines = team.walk.runs("pipeline", "clean").stdout.splitlines()
    assert lines[0].endswith(" is forgotten")
    assert lines[1].startswith(f"{run} is not forgotten: ")


def test_a_run_that_goes_on_is_stopped_where_it_runs(team: Team) -> None:
    team.pipeline(APPROVED)
    with team.walk.line("--pipeline", "p", "Make it two.") as mm:
        mm.sees("the pipeline hands this task to homer", "or s, then Enter")
        run = team.run
        refused = team.walk.runs("pipeline", "cancel", run)
        assert refused.code == 2
        assert "running; stop it where it runs, with Ctrl-C" in refused.stderr
        assert team.walk.runs("pipeline", "clean").stdout.startswith("no run is over")
        mm.presses("ctrl-c").ends(130)


def test_a_run_that_there_is_not_is_named_with_the_nearest_one(team: Team) -> None:
    run = waiting(team)
    for verb in ("show", "cancel", "resume"):
        wrong = team.walk.runs("pipeline", verb, run[:-1])
        assert wrong.code == 2
        assert wrong.stderr == (
            f"mm: there is no run {run[:-1]}; mm pipeline list names them; did you mean {run}?\n"
        )
    nothing = team.walk.runs("pipeline", "show", "x\x1b[2J", LANG=FRENCH)
    assert nothing.stderr == "mm: il n'y a pas d'exécution x\\u{1b}[2J ; voir mm pipeline list\n"


def test_without_a_verb_it_says_which_there_are(walk: Walk) -> None:
    verbs = "mm: mm pipeline takes one of: list, show ID, resume ID, cancel ID, clean"
    for words in ((), ("show",), ("list", "x")):
        assert walk.runs("pipeline", *words).stderr == f"{verbs}\n"
    assert walk.runs("pipeline", "lst").stderr == f"{verbs}; did you mean list?\n"
    assert walk.runs("pipeline", "lst").code == 2


def test_it_speaks_french(team: Team) -> None:
    run = waiting(team)
    shown = team.walk.runs("pipeline", "show", run, LANG=FRENCH).stdout.splitlines()
    assert shown[0].startswith(f"{run}: interrompue, peut reprendre, ")
    assert shown[4].split() == ["qui", "tour", "état", "durée"]
    assert team.walk.runs("pipeline", "clean", LANG=FRENCH).stdout.startswith("aucune exécution n'est finie")
    team.walk.runs("pipeline", "cancel", run)
    assert team.walk.runs("pipeline", "clean", LANG=FRENCH).stdout == f"{run} est oubliée\n"


def test_looking_makes_no_database(walk: Walk) -> None:
    assert walk.runs("pipeline", "list").stdout == "no runs yet: mm --pipeline NAME TASK\n"
    assert walk.runs("pipeline", "list", "--json").stdout == ""
    assert walk.runs("pipeline", "show", "x").code == 2
    assert not [*Path(walk.home).rglob("runs.sqlite")]
