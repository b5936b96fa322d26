"""Pipelines in an editor: a slash command, a plan that is followed, questions, and the report."""

from __future__ import annotations

import pytest

from tests.walks.builder import Walk
from tests.walks.processes import until
from tests.walks.team import AGAIN, REVIEWS, WRITES, Team

APPROVED = "{ask: homer, prompt: '{task}', handover: approve}"


@pytest.fixture
def team(walk: Walk) -> Team:
    return Team(walk)


def test_a_run_is_a_command_whose_plan_can_be_followed(team: Team) -> None:
    team.codes("echo tow > code", "echo two > code")
    team.plays("jan", "{when: +tow, say: REJECT}", "{when: +two, say: ACCEPT}")
    team.pipeline(WRITES, REVIEWS, AGAIN, more="description: homer codes, jan reviews")
    with team.walk.editor() as mm:
        mm.opens()
        assert until(lambda: bool(mm.updates("available_commands_update")))
        (commands,) = mm.updates("available_commands_update")
        (run,) = [each for each in commands["availableCommands"] if each["name"] == "run-p"]
        assert run["description"] == "homer codes, jan reviews"
        assert run["input"] == {"hint": "TASK"}
        assert mm.says("/run-p Make it two.").stop_reason == "end_turn"
        plans = [plan["entries"] for plan in mm.updates("plan")]
        assert [entry["status"] for entry in plans[0]] == ["in_progress"]
        assert [entry["status"] for entry in plans[-1]] == ["completed"] * 4
        assert all("homer" in plan[0]["content"] for plan in plans)
        assert ": accepted" in mm.text()
        assert team.branch in mm.text()
    assert team.person.text("code", team.branch) == "two"


def test_a_hand_over_is_asked_in_the_editor(team: Team) -> None:
    team.codes("echo two > code", entry=", yolo: false")
    team.pipeline(APPROVED)
    with team.walk.editor() as mm:
        mm.opens().says("/run-p Make it two.")
        question = mm.question()
        assert "Make it two." in str(question["params"]["toolCall"]["content"])
        kinds = [option["kind"] for option in question["params"]["options"]]
        assert "allow_always" not in kinds
        mm.answers(question, "allow_once")
        mm.answers(mm.question(), "allow_once")
        assert mm.stop_reason == "end_turn"
    assert team.person.text("code", team.branch) == "two"


def test_a_hand_over_that_is_refused_ends_the_run_which_can_be_resumed(team: Team) -> None:
    team.codes("echo two > code")
    team.pipeline(APPROVED)
    with team.walk.editor() as mm:
        mm.opens().says("/run-p Make it two.")
        mm.answers(mm.question(), "reject_once")
        assert "mm pipeline resume p-" in mm.failure
    assert team.resumes().code == 3, "and there it is asked once more"


def test_cancel_ends_the_whole_run(team: Team) -> None:
    team.joins("gem", "prompts: [[{run: sleep 1000}]]")
    team.joins("zoe", "prompts: [[{run: sleep 1000}]]")
    team.pipeline("{together: [{ask: gem, prompt: x}, {ask: zoe, prompt: x}], verdict: {}}")
    with team.walk.editor() as mm:
        mm.opens().says("/run-p Look.")
        assert until(lambda: sum("sleep 1000" in each for each in team.walk.processes().values()) >= 2)
        assert mm.stops().stop_reason == "cancelled"
        assert team.walk.loses("sleep 1000")
        assert "mm pipeline resume p-" in mm.text()
    assert " interrupted" in team.states()[0]


def test_two_conversations_run_at_the_same_time(team: Team) -> None:
    """Each conversation has agents, questions and a run of its own."""
    team.codes("echo two > code", entry=", yolo: false")
    team.pipeline(WRITES)
    with team.walk.editor() as mm:
        mm.opens().says("/run-p Make it two.")
        first, question = mm.session, mm.question()
        mm.opens_another().says("/run-p Make it two.")
        other = mm.question()
        assert question["params"]["sessionId"] == first != other["params"]["sessionId"]
        mm.answers(other, "allow_once")
        assert mm.stop_reason == "end_turn"
        mm.answers(question, "allow_once")
        assert until(lambda: len(team.branches) == 2)
        assert until(lambda: not team.worktrees)


def test_an_asking_agent_of_ours_types_no_commands(team: Team) -> None:
    """What another agent hands over is text for the model, and runs no pipeline."""
    team.codes("echo two > code")
    team.pipeline(WRITES)
    team.walk.agent("above", "mmConfigs: {riker: ./riker.yaml}")
    ran = team.walk.runs("-c", "above.yaml", "--ask", "riker", "/run-p Make it two.")
    assert not team.branches, ran
