"""Pipelines that ask a person: calls, hand-overs, merges, Stop; and runs in which nobody is there."""

from __future__ import annotations

import signal

import pytest

from tests.walks.builder import Walk
from tests.walks.team import REVIEWS, WRITES, Team, bash

APPROVED = "{ask: homer, prompt: '{task}', handover: approve}"


@pytest.fixture
def team(walk: Walk) -> Team:
    return Team(walk)


# --- nobody is there


def test_calls_that_ask_are_refused_and_the_run_can_be_resumed(team: Team) -> None:
    team.codes("echo two > code", "echo two > code", entry=", yolo: false")
    team.pipeline(WRITES)
    ran = team.runs()
    assert ran.code == 3, ran
    assert "mm: 1 call refused because nobody could be asked: homer/bash (1)" in ran.stderr
    assert f"mm pipeline resume {team.run}" in ran.stderr
    with team.walk.line("pipeline", "resume", team.run) as mm:
        assert "homer" in mm.next_question()
        mm.answers("1").sees("accepted").ends(0)
    assert team.person.text("code", team.branch) == "two"


def test_a_run_that_goes_on_past_refusals_still_says_so(team: Team) -> None:
    team.codes("echo two > code", entry=", yolo: false")
    team.reviews("ACCEPT")
    team.pipeline("{ask: homer, prompt: '{task}', onFail: continue}", REVIEWS)
    ran = team.runs()
    assert ran.code == 3, ran
    assert "homer/bash (1)" in ran.stderr
    assert "accepted" in ran.stdout


def test_a_failure_after_such_a_refusal_is_a_failure(team: Team) -> None:
    team.codes("echo two > code", entry=", yolo: false")
    team.joins("gem", "prompts: [[{exit: 3}]]")
    team.pipeline("{ask: homer, prompt: '{task}', onFail: continue}", "{ask: gem, prompt: x, onFail: stop}")
    assert team.runs().code == 1


def test_a_hand_over_that_nobody_can_approve_ends_the_run_before_the_step(team: Team) -> None:
    team.codes("touch ran.flag")
    team.pipeline(APPROVED)
    ran = team.runs()
    assert ran.code == 3, ran
    assert "the task for homer was not approved: nobody could be asked" in ran.stderr
    assert f"mm pipeline resume {team.run}" in ran.stderr
    assert "starting homer" not in ran.stderr
    assert team.person.git("log", "--format=%s", f"main..{team.branch}") == ""


def test_a_merge_that_nobody_can_approve_waits(team: Team) -> None:
    team.codes("echo two > code")
    team.pipeline(WRITES, more="finish: {merge: ask}")
    before = team.person.state()
    ran = team.runs()
    assert ran.code == 3, ran
    assert "the work is accepted and waits to be merged: nobody could be asked" in ran.stderr
    assert team.person.state() == before
    with team.walk.line("pipeline", "resume", team.run) as mm:
        question = mm.next_question()
        assert f"git merge {team.branch}" in question
        assert "code +1 -1" in question
        mm.answers("1").sees("Merged as").ends(0)
    assert team.walk.read("code") == "two\n"
    assert not team.worktrees


# --- a person


@pytest.mark.parametrize("digit", ["1", "4", "s"])
def test_a_hand_over_is_approved_each_time(team: Team, digit: str) -> None:
    team.codes("echo two > code")
    team.pipeline(APPROVED)
    with team.walk.line("--pipeline", "p", "Make it two.") as mm:
        question = mm.next_question()
        assert "the pipeline hands this task to homer" in question
        assert "Make it two." in question
        mm.answers(digit).ends({"1": 0, "4": 1, "s": 130}[digit])
        if digit != "1":
            mm.sees("mm pipeline resume p-").never_saw("starting homer")
    assert (" accepted " in team.states()[0]) == (digit == "1")


def test_an_approval_is_never_remembered(team: Team) -> None:
    team.codes("echo two > code")
    team.pipeline(APPROVED, "{ask: homer, prompt: 'Once more.', handover: approve}")
    team.plays("homer", "{say: One.}", "{say: Two.}")
    with team.walk.line("--pipeline", "p", "Make it two.") as mm:
        mm.next_question()
        mm.answers("2").sees("1, 3, 4 or s")
        mm.answers("1")
        assert "Once more." in mm.next_question()
        mm.answers("1").ends(0)


def test_what_is_allowed_for_the_session_holds_in_the_next_run(team: Team) -> None:
    """homer/bash is one key, whoever hands homer his task."""
    team.plays(
        "homer",
        f"{{when: First, call: {bash('echo one >> code')}}}",
        f"{{when: Second, call: {bash('echo two >> code')}}}",
        "{say: Done., repeat: true}",
        lines=(),
        entry=", yolo: false",
    )
    team.pipeline(WRITES)
    with team.walk.line() as mm:
        mm.types("/run-p First").answers("2").sees("accepted").types("/grants").sees("homer/bash")
        mm.types("/run-p Second").sees("accepted").types("/quit").ends(0)
        assert mm.count("🔐") == 1
    assert len(team.branches) == 2


def test_stop_at_a_question_of_an_agent_ends_the_run(team: Team) -> None:
    team.codes("echo two > code", entry=", yolo: false")
    team.pipeline(WRITES)
    with team.walk.line("--pipeline", "p", "Make it two.") as mm:
        mm.answers("s").sees("homer was stopped", "mm pipeline resume p-").ends(130)
    assert " interrupted" in team.states()[0]


def test_ctrl_c_ends_the_whole_run(team: Team) -> None:
    team.joins("gem", "prompts: [[{touch: gem.flag}, {run: sleep 1000}]]")
    team.joins("zoe", "prompts: [[{touch: zoe.flag}, {run: sleep 1000}]]")
    team.pipeline("{together: [{ask: gem, prompt: x}, {ask: zoe, prompt: x}], verdict: {}}")
    with team.walk.line() as mm:
        mm.types("/run-p Look.").sees("gem: working", "zoe: working").presses("ctrl-c")
        mm.sees("the run was stopped. Nothing is lost: mm pipeline resume p-")
        assert team.walk.loses("sleep 1000")
        mm.types("/quit").ends(0)
    assert " interrupted" in team.states()[0]
    (worktree,) = team.worktrees
    assert worktree.name == "work", "what reviewers had is thrown away"


def test_a_signal_ends_a_run_that_nobody_watches(team: Team) -> None:
    team.joins("gem", "prompts: [[{run: touch ../../../begun; sleep 1000}]]")
    team.pipeline("{ask: gem, prompt: x}")
    with team.walk.starts("--pipeline", "p", "Look.") as mm:
        assert team.walk.appears("sleep 1000")
        mm.send_signal(signal.SIGINT)
        assert mm.wait(60) == 130
    assert team.walk.loses("sleep 1000")
    assert " interrupted" in team.states()[0]


def test_one_reviewer_that_ends_the_run_takes_the_trees_of_the_others_along(team: Team) -> None:
    team.joins("gem", "prompts: [[{run: 'until test -e ../1-0-zoe/begun; do sleep 0.01; done'}, {exit: 3}]]")
    team.joins("zoe", "prompts: [[{run: touch begun}, hang]]")
    team.pipeline("{together: [{ask: gem, prompt: x}, {ask: zoe, prompt: x}], onFail: stop}")
    ran = team.runs()
    assert ran.code == 1, ran
    assert "gem did not finish" in ran.stderr
    (worktree,) = team.worktrees
    assert not list((worktree.parent / "away").iterdir())


@pytest.mark.parametrize("agents", [1, 2])
def test_reviewers_work_side_by_side_as_many_as_may(team: Team, agents: int) -> None:
    """Each waits a moment for the other; only side by side they meet."""
    look = "for i in $(seq 20); do test -e ../1-0-{other}/here && echo met >> {met}; sleep 0.05; done"
    met = team.walk.home / "met"
    for name, other in (("gem", "zoe"), ("zoe", "gem")):
        run = f"touch here; {look.format(other=other, met=met)}"
        team.joins(name, f"prompts: [[{{run: '{run}'}}, {{say: ACCEPT}}]]")
    team.pipeline(
        "{together: [{ask: gem, prompt: x}, {ask: zoe, prompt: x}], verdict: {}}",
        more=f"limits: {{agents: {agents}}}",
    )
    ran = team.runs()
    assert ran.code == 0, ran
    assert met.exists() == (agents == 2)
