"""Pipelines and the person's repository: what state it is in, and what comes back into it."""

from __future__ import annotations

import pytest

from tests.orchestrator.pipelines.parts import new
from tests.walks.builder import Walk
from tests.walks.team import REVIEWS, WRITES, Team, bash

MERGES = "finish: {merge: ask}"


@pytest.fixture
def team(walk: Walk) -> Team:
    return Team(walk)


def test_a_dirty_tree_is_told_and_neither_seen_nor_touched(team: Team) -> None:
    team.codes("cat code; echo two > code")
    team.pipeline(WRITES)
    (team.walk.folder / "code").write_text("mine\n")
    (team.walk.folder / "new").write_text("mine too\n")
    before = team.person.state()
    ran = team.runs()
    assert ran.code == 0, ran
    assert "does not see what is not committed: code, new" in ran.stderr
    assert team.person.state() == before
    assert team.walk.read("code") == "mine\n"
    assert team.person.files(team.branch) == [".gitignore", "code"]


def test_a_detached_head_is_told_and_the_work_stays_on_its_branch(team: Team) -> None:
    team.person.git("switch", "--quiet", "--detach")
    team.codes("echo two > code")
    team.pipeline(WRITES, more=MERGES)
    with team.walk.line("--pipeline", "p", "Make it two.") as mm:
        mm.sees("no branch is checked out (HEAD is detached at").answers("1")
        mm.sees("Not merged: no branch was checked out at the start").ends(0)
    assert team.person.text("code", team.branch) == "two"
    assert team.walk.read("code") == "one\n"


def test_submodules_are_told_and_stay(team: Team, walk: Walk) -> None:
    other = new(walk.home / "other", inside="x\n")
    team.person.git(
        "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.folder), "lib"
    )
    team.person.git("commit", "--quiet", "--message", "with a submodule")
    team.codes("ls -A lib; echo two > code")
    team.pipeline(WRITES)
    ran = team.runs()
    assert ran.code == 0, ran
    assert "submodules are empty in the worktree of the run: lib" in ran.stderr
    assert team.person.git("diff", "--name-only", "main", team.branch) == "code"


def test_without_git_nothing_starts(walk: Walk) -> None:
    walk.file("homer.turns.yaml", f"- call: {bash('touch ran')}\n- say: Done.")
    walk.agent("homer", "model: script:homer.turns.yaml")
    riker = ["mmConfigs: {homer: ./homer.yaml}", "pipelines:", "  p:", f"    steps: [{WRITES}]"]
    walk.agent("riker", *riker)
    ran = walk.runs("--pipeline", "p", "Go.")
    assert ran.code == 1, ran
    assert "is in no usable git repository" in ran.stderr
    assert walk.runs("pipeline", "list").stdout.startswith("no runs yet")
    walk.agent("riker", *riker, "    worktree: false")
    ran = walk.runs("--pipeline", "p", "Go.")
    assert ran.code == 0, ran
    assert walk.made("ran")
    assert "Branch" not in ran.stdout


def test_without_a_commit_nothing_starts(team: Team) -> None:
    team.codes("echo two > code")
    team.pipeline(WRITES)
    team.person.git("update-ref", "-d", "HEAD")
    ran = team.runs()
    assert ran.code == 1, ran
    assert "has no commit yet" in ran.stderr


def test_two_runs_in_one_repository_do_not_meet(team: Team) -> None:
    """Each waits until the other has written the same file."""
    met = team.walk.home
    wait = f"touch {met}/$TASK.begun; until test -e {met}/a.begun -a -e {met}/b.begun; do sleep 0.02; done"
    team.plays(
        "homer",
        f"{{when: a, call: {bash(wait.replace('$TASK', 'a') + '; cat code; echo a > code')}}}",
        f"{{when: b, call: {bash(wait.replace('$TASK', 'b') + '; cat code; echo b > code')}}}",
        "{expect: one, say: Done.}",
    )
    team.pipeline(WRITES)
    with team.walk.starts("--pipeline", "p", "a") as first:
        second = team.runs("b")
        assert first.wait(60) == 0
    assert second.code == 0, second
    assert sorted(team.person.text("code", branch) for branch in team.branches) == ["a", "b"]
    assert not team.worktrees


def test_two_runs_from_a_folder_inside_work_in_that_folder(team: Team) -> None:
    team.person.commit(inner__code="inner\n")
    team.codes("cat code; echo two > code; pwd")
    team.pipeline(WRITES)
    with team.walk.line(
        "-c", "../riker.yaml", "--pipeline", "p", "Go.", folder=team.walk.folder / "inner"
    ) as mm:
        mm.sees("accepted").ends(0)
    assert team.person.text("inner/code", team.branch) == "two"
    assert team.person.text("code", team.branch) == "one"


# --- what comes back


def test_a_merge_that_is_allowed_changes_the_checkout_only_then(team: Team) -> None:
    team.codes("echo two > code")
    team.reviews("ACCEPT")
    team.pipeline(WRITES, REVIEWS, more=MERGES)
    before = team.person.state()
    with team.walk.line("--pipeline", "p", "Make it two.") as mm:
        mm.next_question()
        assert team.person.state() == before
        mm.answers("1").sees("Merged as").ends(0)
    assert team.walk.read("code") == "two\n"
    assert not team.worktrees


def test_a_merge_that_is_refused_leaves_a_branch(team: Team) -> None:
    team.codes("echo two > code")
    team.pipeline(WRITES, more=MERGES)
    with team.walk.line("--pipeline", "p", "Make it two.") as mm:
        mm.answers("4").sees("Not merged: you said no.").ends(0)
    assert team.walk.read("code") == "one\n"
    assert team.person.text("code", team.branch) == "two"
    assert not team.worktrees


def test_a_merge_with_a_conflict_is_told_and_resolved_by_nobody(team: Team) -> None:
    team.codes("echo two > code")
    team.pipeline(WRITES, more=MERGES)
    with team.walk.line("--pipeline", "p", "Make it two.") as mm:
        mm.next_question()
        team.person.commit(code="three\n")
        before = team.person.state()
        mm.answers("1").sees("changed the same places of these files:").ends(0)
    assert team.person.state() == before
    assert team.walk.read("code") == "three\n"


def test_nothing_changed_is_nothing_to_merge(team: Team) -> None:
    team.plays("homer", "{say: It is two already.}")
    team.pipeline(WRITES, more=MERGES)
    ran = team.runs()
    assert ran.code == 0, ran
    assert "## Changes\n\nNone.\n" in ran.stdout


def test_never_keeps_the_worktree_also(team: Team) -> None:
    team.codes("echo two > code")
    team.pipeline(WRITES, more="finish: {merge: never}")
    ran = team.runs()
    assert ran.code == 0, ran
    (worktree,) = team.worktrees
    assert str(worktree) in ran.stdout
    assert (worktree / "code").read_text() == "two\n"


def test_names_that_agents_chose_are_told_in_one_line(team: Team) -> None:
    team.codes("printf x > \"$(printf 'a\\nb ```')\"")
    team.plays("jan", r'{expect: "\"a\\012b ```\"", say: ACCEPT}')
    team.pipeline(WRITES, "{ask: jan, prompt: '{files}', verdict: {}}")
    ran = team.runs()
    assert ran.code == 0, ran
    assert '````\n"a\\012b ```" +1 -0' in ran.stdout
