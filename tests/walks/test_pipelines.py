"""Pipelines: a coder, reviewers, rounds, and how a run ends."""

from __future__ import annotations

import pytest

from tests.walks.builder import Walk
from tests.walks.model_server import ModelServer, at_work
from tests.walks.team import AGAIN, REVIEWS, WRITES, Team, bash


@pytest.fixture
def team(walk: Walk) -> Team:
    return Team(walk)


def test_what_is_accepted_at_once_ends_well_on_a_branch(team: Team) -> None:
    team.codes("echo two > code")
    team.reviews("Good.\n\nACCEPT")
    team.pipeline(WRITES, REVIEWS, AGAIN)
    before = team.person.state()
    ran = team.runs()
    assert ran.code == 0, ran
    assert ran.stdout.startswith(f"# {team.run}: accepted\n")
    assert "| 1 | homer | done |" in ran.stdout
    assert "| 1 | jan | done, ACCEPT |" in ran.stdout
    assert "code +1 -1" in ran.stdout
    assert f"Branch `{team.branch}`. Not merged." in ran.stdout
    assert "homer: echo two > code (ok)" in ran.stdout
    assert "> Good." in ran.stdout
    assert team.person.text("code", team.branch) == "two"
    assert team.person.state() == before
    assert not team.worktrees
    assert " accepted " in team.states()[0]


def test_a_rejection_reaches_the_coder_quoted(team: Team) -> None:
    """What a reviewer says is data: its braces are no fields, and no line of it stands alone."""
    team.plays(
        "homer",
        f"{{call: {bash('echo tow > code')}}}",
        "{say: Done.}",
        r'{expect: "Findings:\njan (REJECT):\n\n> A slip: {task} {nothing}\n>\n> # Do what I say\n> REJECT", '
        "call: {tool: bash, args: {command: cat code; echo two > code}}}",
        "{expect: tow, say: Now it is right.}",
    )
    team.plays(
        "jan",
        r'{when: +tow, say: "A slip: {task} {nothing}\n\n# Do what I say\nREJECT"}',
        r'{when: +two, say: "ACCEPT"}',
    )
    team.pipeline(WRITES, REVIEWS, AGAIN)
    ran = team.runs()
    assert ran.code == 0, ran
    assert "| 1 | jan | done, REJECT |" in ran.stdout
    assert "| 2 | jan | done, ACCEPT |" in ran.stdout
    assert team.person.text("code", team.branch) == "two"
    assert len(team.person.git("log", "--format=%s", f"main..{team.branch}").splitlines()) == 2


def test_the_last_round_ends_the_run_and_nothing_is_merged(team: Team) -> None:
    team.codes("echo a > code", "echo b > code")
    team.reviews("REJECT", "Still not.\nREJECT")
    team.pipeline(WRITES, REVIEWS, AGAIN, more="limits: {rounds: 2}\nfinish: {merge: ask}")
    ran = team.runs()
    assert ran.code == 1, ran
    assert "rejected: limits.rounds (2) reached" in ran.stdout
    assert "limits.rounds (2) reached" in ran.stderr
    assert team.person.text("code", team.branch) == "b"
    assert " rejected " in team.states()[0]
    assert team.resumes().code != 0, "it is over"


def test_a_verdict_that_is_none_rejects(team: Team) -> None:
    team.codes("echo two > code")
    team.reviews("I would say ACCEPT.")
    team.pipeline(WRITES, REVIEWS)
    ran = team.runs()
    assert ran.code == 1, ran
    assert "| 1 | jan | done, no verdict |" in ran.stdout


def test_a_verdict_in_json_counts_and_its_findings_are_told(team: Team) -> None:
    team.codes("echo two > code")
    team.reviews('{"verdict": "REJECT", "findings": ["too short", "no test"]}')
    team.pipeline(WRITES, REVIEWS)
    ran = team.runs()
    assert ran.code == 1, ran
    assert "## jan, round 1: REJECT\n\n> - too short\n> - no test\n" in ran.stdout


def test_reviewers_are_all_needed_unless_one_is_enough(team: Team) -> None:
    team.codes("echo two > code")
    team.reviews("ACCEPT")
    team.reviews("REJECT", name="lisa")
    both = "together: [{ask: jan, prompt: Review}, {ask: lisa, prompt: Review}]"
    team.pipeline(WRITES, f"{{{both}, verdict: {{}}}}")
    assert team.runs().code == 1
    team.pipeline(WRITES, f"{{{both}, verdict: {{all: false}}}}", more="limits: {agents: 1}")
    assert team.runs().code == 0


def test_a_later_round_tells_the_task_again(team: Team) -> None:
    """After a crash, whoever goes on knows nothing of the round before."""
    team.plays("homer", "{say: First.}", "{expect: '> Make it two.', say: Second.}")
    team.plays("jan", "{when: 'Round 1', say: REJECT}", "{when: 'Round 2', say: ACCEPT}")
    team.pipeline(WRITES, "{ask: jan, prompt: 'Round {round}', verdict: {}}", AGAIN, more="worktree: false")
    ran = team.runs()
    assert ran.code == 0, ran


def test_steps_see_what_the_one_before_said_and_what_changed(team: Team) -> None:
    team.plays(
        "homer", "{call: {tool: bash, args: {command: echo two > code; echo x > new}}}", "{say: 'It {is}.'}"
    )
    team.plays("jan", r'{expect: "homer answered:\n\n> It {is}.\n\ncode\nnew", say: Seen.}')
    team.pipeline(WRITES, r'{together: [{ask: jan, prompt: "{answer}\n\n{files}"}]}')
    ran = team.runs()
    assert ran.code == 0, ran


def test_the_tokens_that_models_take_are_told(team: Team) -> None:
    """Agents of ours say what their servers say; others may say it themselves, or not."""
    team.joins("gem", "prompts: [[{say: ACCEPT}, {answer: {stopReason: end_turn, usage: {totalTokens: 7}}}]]")
    team.joins("zoe", "prompts: [[{say: ACCEPT}]]")
    with at_work(ModelServer("Done.")) as server:
        address = f"http://127.0.0.1:{server.server_port}/v1"
        team.plays("homer")
        team.walk.agent("homer", "model: qwen3:4b", f"baseUrl: {address}")
        team.pipeline(WRITES, "{together: [{ask: gem, prompt: x}, {ask: zoe, prompt: x}], verdict: {}}")
        ran = team.runs()
    assert ran.code == 0, ran
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in ran.stdout.splitlines() if "|" in line
    ]
    at = rows[0].index("tokens")
    told = {row[1]: "".join(filter(str.isdigit, row[at])) for row in rows[2:]}
    assert told == {"homer": "1234", "gem": "7", "zoe": ""}


# --- who reads does not write


def test_a_reviewer_has_no_tool_that_writes(team: Team) -> None:
    team.codes("echo two > code")
    team.plays(
        "jan",
        "{calls: [{tool: write_file, args: {path: made, content: x}}, "
        "{tool: edit_file, args: {path: code, old: two, new: three}}]}",
        "{expect: edit_file, call: {tool: bash, args: {command: ls; cat code}}}",
        "{expect: two, say: ACCEPT}",
    )
    team.pipeline(WRITES, "{ask: jan, prompt: Review, verdict: {}}", more="finish: {merge: never}")
    ran = team.runs()
    assert ran.code == 0, ran
    assert team.person.files(team.branch) == [".gitignore", "code"]
    assert team.person.text("code", team.branch) == "two"


def test_an_agent_below_a_reviewer_has_none_either(team: Team) -> None:
    team.codes("echo two > code")
    team.plays(
        "lisa",
        "{call: {tool: write_file, args: {path: made, content: x}}}",
        "{expect: write_file, say: I cannot.}",
    )
    team.plays(
        "jan",
        "{call: {tool: ask_lisa, args: {question: Write made.}}}",
        "{expect: I cannot, call: {tool: bash, args: {command: test ! -e made && echo not there}}}",
        "{expect: not there, say: ACCEPT}",
        lines=("mmConfigs: {lisa: ./lisa.yaml}",),
    )
    team.pipeline(WRITES, "{ask: jan, prompt: Review, verdict: {}}")
    ran = team.runs()
    assert ran.code == 0, ran


def test_what_a_reviewer_runs_does_not_reach_the_work(team: Team) -> None:
    team.codes("echo two > code")
    team.plays(
        "jan",
        f"{{call: {bash('echo bad > code; git commit --quiet --all --message bad; echo x > made')}}}",
        "{say: ACCEPT}",
    )
    team.pipeline(WRITES, "{ask: jan, prompt: Review, verdict: {}}")
    ran = team.runs()
    assert ran.code == 0, ran
    assert team.person.files(team.branch) == [".gitignore", "code"]
    assert team.person.text("code", team.branch) == "two"
    assert not team.worktrees


def test_a_foreign_reviewer_writes_in_a_tree_of_its_own_only(team: Team) -> None:
    team.codes("echo two > code")
    team.joins(
        "gem",
        """
        prompts:
          - - run: "cat code > seen; echo bad > code; echo x > made"
            - say: ACCEPT
        """,
    )
    team.pipeline(WRITES, "{ask: gem, prompt: Review, verdict: {}}")
    ran = team.runs()
    assert ran.code == 0, ran
    assert team.person.files(team.branch) == [".gitignore", "code"]
    assert team.person.text("code", team.branch) == "two"
