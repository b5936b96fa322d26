"""Pipelines whose agents do not finish: each follows the path that its step declares."""

from __future__ import annotations

import json

import pytest

from tests.walks.builder import Walk
from tests.walks.team import REVIEWS, WRITES, Team, bash


@pytest.fixture
def team(walk: Walk) -> Team:
    return Team(walk)


def step(on_fail: str) -> str:
    return f"{{ask: homer, prompt: '{{task}}', onFail: {on_fail}}}"


def fails(team: Team, how: str) -> str:
    """Let homer fail in one way; gives what is said about it."""
    match how:
        case "broke":
            team.plays("homer", "{expect: what nobody says, say: x}")
            return "failed"
        case "gone":
            team.joins("homer", "prompts: [[{run: echo half > code}, {exit: 3}]]")
            return "failed"
        case "cut":
            team.plays("homer", "{say: I go on and, finish: length}")
            return "cut off (max_tokens)"
        case "refused":
            team.plays("homer", f"{{call: {bash('echo two > code')}}}", "{say: I could not.}")
            team.lines = ("tools: {approval: {homer/bash: deny}}",)
            return "refused (end_turn)"
        case "circling":
            team.plays("homer", f"{{call: {bash('touch made')}, repeat: true}}")
            team.lines = ("tools: {approval: {homer/bash: deny}}",)
            return "failed\nhomer: the turn was ended"
        case _:
            team.joins("homer", "prompts: [[{say: I begin.}, hang]]")
            team.entries["homer"] = team.entries["homer"].replace("{", '{"timeout": 1, ', 1)
            return "failed"


WAYS = ["broke", "gone", "cut", "refused", "circling", "slow"]


@pytest.mark.parametrize("how", WAYS)
def test_stop_ends_the_run_which_can_be_resumed(team: Team, how: str) -> None:
    said = fails(team, how)
    team.reviews("ACCEPT")
    team.pipeline(step("stop"), REVIEWS)
    ran = team.runs()
    assert ran.code == 1, ran
    assert f"homer did not finish: {said}" in ran.stderr
    assert f"mm pipeline resume {team.run}" in ran.stderr
    assert " interrupted" in team.states()[0]


@pytest.mark.parametrize("how", ["cut", "refused", "gone"])
def test_continue_goes_on_and_a_reviewer_judges_what_there_is(team: Team, how: str) -> None:
    fails(team, how)
    team.reviews("ACCEPT")
    team.pipeline(step("continue"), REVIEWS)
    ran = team.runs()
    assert ran.code == 0, ran
    assert "| 1 | homer | done |" not in ran.stdout
    assert "| 1 | jan | done, ACCEPT |" in ran.stdout


def test_what_is_not_done_and_judged_by_nobody_is_not_accepted(team: Team) -> None:
    fails(team, "cut")
    team.pipeline(step("continue"), more="finish: {merge: ask}")
    ran = team.runs()
    assert ran.code == 1, ran
    assert "rejected: homer did not finish: cut" in ran.stdout


def test_a_reviewer_that_does_not_finish_accepts_nothing(team: Team) -> None:
    """Not even when its last word is the right one."""
    team.codes("echo two > code")
    team.plays("jan", "{say: ACCEPT, finish: length}")
    team.pipeline(WRITES, "{ask: jan, prompt: Review, verdict: {}, onFail: continue}")
    ran = team.runs()
    assert ran.code == 1, ran
    assert "did not finish: cut" in ran.stdout


def test_nobody_to_ask_whether_it_goes_on_ends_the_run(team: Team) -> None:
    """The question counts as none: the agent failed, and that is code 1."""
    said = fails(team, "cut")
    team.pipeline(step("ask"))
    ran = team.runs()
    assert ran.code == 1, ran
    assert said in ran.stderr
    assert " interrupted" in team.states()[0]


@pytest.mark.parametrize("digit", ["1", "4", "s"])
def test_a_person_is_asked_whether_it_goes_on(team: Team, digit: str) -> None:
    said = fails(team, "cut")
    team.pipeline(step("ask"))
    with team.walk.line("--pipeline", "p", "Make it two.") as mm:
        question = mm.next_question()
        assert "homer did not finish" in question
        assert said in question
        mm.answers(digit)
        mm.ends({"1": 0, "4": 1, "s": 130}[digit])
        if digit == "1":
            mm.sees("accepted")
        else:
            mm.sees("mm pipeline resume p-")
    assert (" accepted " in team.states()[0]) == (digit == "1")


def test_an_interrupted_step_begins_anew_where_it_began(team: Team) -> None:
    """What it had left is kept, and said."""
    team.joins(
        "homer", "prompts: [[{run: 'test -e code.flag || echo half > code; cat code > seen'}, {exit: 3}]]"
    )
    team.pipeline(step("stop"))
    assert team.runs().code == 1
    team.plays("homer", "{call: {tool: bash, args: {command: cat code}}}", "{expect: one, say: Done.}")
    team.pipeline(step("stop"))
    ran = team.resumes()
    assert ran.code == 0, ran
    assert "the step begins anew; what it had left is kept: git show refs/mm/" in ran.stderr
    assert team.person.text("code", f"refs/mm/{team.branch.removeprefix('mm/')}/interrupted/1") == "half"


# --- the time of the run


def test_the_minutes_of_a_run_end_it_as_a_limit(team: Team) -> None:
    """Also while an agent only starts: nothing runs on."""
    team.joins("homer", "start: [hang]")
    team.pipeline(step("ask"), more="limits: {minutes: 0.01}")
    ran = team.runs()
    assert ran.code == 1, ran
    assert "ended by a limit: limits.minutes (0.01) reached" in ran.stdout
    assert "| 1 | homer | out of time |" in ran.stdout
    assert " ended by a limit " in team.states()[0]


def test_the_minutes_stop_an_agent_at_work_and_keep_what_it_did(team: Team) -> None:
    team.joins("homer", "prompts: [[{run: echo two > code}, hang]]")
    team.pipeline(step("stop"), more="limits: {minutes: 0.1}")
    ran = team.runs()
    assert ran.code == 1, ran
    assert "ended by a limit" in ran.stdout
    assert team.person.text("code", team.branch) == "two"


def test_an_open_question_stops_the_clock(team: Team) -> None:
    team.codes("echo two > code", entry=", yolo: false")
    team.pipeline(step("stop"), more="limits: {minutes: 0.2}")
    with team.walk.line("--pipeline", "p", "Make it two.") as mm:
        mm.next_question()
        mm.takes_nothing().takes_again()
        mm.answers("1").ends(0)


def test_reviewers_in_turn_share_the_time(team: Team) -> None:
    """With room for one, the second has what the first has left: here nothing."""
    team.joins("gem", "prompts: [[hang]]")
    team.joins("zoe", json.dumps({"log": "zoe.log", "prompts": [["hang"]]}))
    both = "{together: [{ask: gem, prompt: x}, {ask: zoe, prompt: x}]}"
    team.pipeline(both, more="limits: {minutes: 0.1, agents: 1}")
    ran = team.runs()
    assert ran.code == 1, ran
    assert "| 1 | gem | out of time |" in ran.stdout
    assert "| 1 | zoe | out of time |" in ran.stdout
    assert not team.walk.made("zoe.log")
