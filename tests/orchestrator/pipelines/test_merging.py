"""A run comes into the person's branch whole, or not at all, and then it is said what to type."""

from __future__ import annotations

from pathlib import Path

from orchestrator.pipelines.differences import stat
from orchestrator.pipelines.history import commit
from orchestrator.pipelines.merging import Conflict, Merged, NotMerged, merge, parted
from tests.orchestrator.pipelines.parts import Checkout, Run, begin, new, script


async def worked(run: Run, **files: str) -> str:
    run.agent.write(**(files or {"new": "work"}))
    return await commit(run.tree, "work")


async def refused(run: Run, end: str) -> str:
    before = run.person.state()
    answer = await merge(run.base, run.tree, end)
    assert isinstance(answer, NotMerged)
    assert run.person.state() == before
    return answer.why


async def test_it_is_a_fast_forward_where_that_is_possible(run: Run) -> None:
    end = await worked(run)
    assert await merge(run.base, run.tree, end) == Merged(end)
    assert (run.person.head, run.person.git("status", "--porcelain", "--branch")) == (end, "## main")
    assert (run.person.folder / "new").read_text() == "work"
    assert await merge(run.base, run.tree, end) == Merged(end)


async def test_two_lines_become_one(run: Run, home: Path) -> None:
    end = await worked(run)
    theirs = run.person.commit(code="the person's\n")
    (home / ".gitconfig").unlink()
    merged = await merge(run.base, run.tree, end)
    assert merged == Merged(run.person.head)
    assert run.person.git("log", "-1", "--format=%P|%s") == f"{theirs} {end}|Merge branch 'mm/r1'"
    assert run.person.git("status", "--porcelain", "--branch") == "## main"
    assert await merge(run.base, run.tree, end) == merged


async def test_exactly_the_commit_that_was_shown_is_merged(run: Run) -> None:
    end = await worked(run)
    run.agent.commit(later="not shown")
    assert await merge(run.base, run.tree, end) == Merged(end)
    assert not (run.person.folder / "later").exists()


async def test_a_conflict_is_told_and_nothing_is_touched(run: Run) -> None:
    end = await worked(run, **{"code": "ours\n", "odd\n": "x", "fine": "x"})
    run.person.commit(**{"code": "theirs\n", "odd\n": "y"})
    before = run.person.state()
    assert await merge(run.base, run.tree, end) == Conflict(("code", "odd\n"))
    assert run.person.state() == before


async def test_files_of_the_person_that_are_not_in_the_way_stay(run: Run) -> None:
    end = await worked(run)
    run.person.commit(side="the person's")
    run.person.write(code="half", untracked="x", staged="x")
    run.person.git("add", "staged")
    assert await merge(run.base, run.tree, end) == Merged(run.person.head)
    assert run.person.git("status", "--porcelain").split() == ["M", "code", "A", "staged", "??", "untracked"]
    assert (run.person.folder / "code").read_text() == "half"


async def test_files_of_the_person_in_the_way_are_named(run: Run) -> None:
    end = await worked(run, code="work", new="work")
    run.person.write(code="half")
    assert "\tcode" in (why := await refused(run, end))
    assert f"cd {run.person.folder} && git merge mm/r1" in why
    run.person.git("checkout", "--quiet", "code")
    run.person.write(new="untracked")
    assert "\tnew" in await refused(run, end)
    assert (run.person.folder / "new").read_text() == "untracked"


async def test_a_head_that_was_detached_has_nothing_to_merge_into(person: Checkout, tmp_path: Path) -> None:
    person.git("switch", "--quiet", "--detach")
    run = await begin(person, tmp_path / "state")
    why = await refused(run, await worked(run))
    assert why == (
        f"no branch was checked out at the start (HEAD was detached): cd {person.folder} && git merge mm/r1"
    )


async def test_another_branch_that_is_checked_out_meanwhile_is_left_alone(run: Run) -> None:
    end = await worked(run)
    run.person.git("switch", "--quiet", "--create", "other")
    type_this = f"cd {run.person.folder} && git switch main && git merge mm/r1"
    assert await refused(run, end) == f"the branch other is checked out now, not main: {type_this}"
    run.person.git("switch", "--quiet", "--detach")
    assert await refused(run, end) == f"no branch is checked out now, not main: {type_this}"


async def test_a_merge_of_the_person_that_is_not_finished_is_left_alone(run: Run) -> None:
    end = await worked(run)
    run.person.git("switch", "--quiet", "--create", "other")
    run.person.commit(code="other\n")
    run.person.git("switch", "--quiet", "main")
    run.person.commit(code="main\n")
    run.person.refuses("merge", "other")
    assert "unresolved conflict" in await refused(run, end)


async def test_a_git_of_the_person_that_is_busy_is_left_alone(run: Run) -> None:
    end = await worked(run)
    (run.base.git_dir / "index.lock").touch()
    assert "Another git process seems to be running" in await refused(run, end)
    assert (run.base.git_dir / "index.lock").exists()


async def test_a_checkout_that_is_gone_is_told(run: Run, tmp_path: Path) -> None:
    end = await worked(run)
    run.person.folder.rename(tmp_path / "moved")
    assert await merge(run.base, run.tree, end) == NotMerged(f"{run.person.folder} is not there any more")


async def test_histories_without_a_common_commit_are_told(run: Run) -> None:
    end = await worked(run)
    run.person.git("switch", "--quiet", "--orphan", "new")
    run.person.commit(code="x")
    run.person.git("branch", "--quiet", "--force", "main")
    run.person.git("switch", "--quiet", "main")
    assert "unrelated histories" in await refused(run, end)


async def test_it_comes_into_a_worktree_of_the_person(person: Checkout, tmp_path: Path) -> None:
    person.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    run = await begin(Checkout(tmp_path / "side"), tmp_path / "state")
    end = await worked(run)
    assert await merge(run.base, run.tree, end) == Merged(end)
    assert run.person.head == end
    assert person.git("status", "--porcelain", "--branch") == "## main"


async def test_the_persons_settings_and_hooks_change_nothing(run: Run, tmp_path: Path) -> None:
    end = await worked(run)
    run.person.commit(side="x")
    for key, value in (
        ("merge.ff", "false"),
        ("branch.main.mergeOptions", "--squash"),
        ("commit.gpgSign", "true"),
    ):
        run.person.git("config", key, value)
    for name in ("pre-merge-commit", "post-merge", "commit-msg"):
        script(run.base.common / "hooks" / name, f"touch {tmp_path}/ran; exit 1")
    assert await merge(run.base, run.tree, end) == Merged(run.person.head)
    assert run.person.git("status", "--porcelain", "--branch") == "## main"
    assert not (tmp_path / "ran").exists()


async def test_submodules_of_the_person_stay_as_they_are(tmp_path: Path) -> None:
    new(tmp_path / "lib")
    person = new(tmp_path / "super")
    person.git("submodule", "--quiet", "add", str(tmp_path / "lib"), "lib")
    person.commit()
    Checkout(person.folder / "lib").write(code="half")
    run = await begin(person, tmp_path / "state")
    end = await worked(run)
    assert await merge(run.base, run.tree, end) == Merged(end)
    assert (person.folder / "lib" / "code").read_text() == "half"


async def test_a_merge_is_shown_from_where_both_parted_though_the_agent_merged_meanwhile(run: Run) -> None:
    fixed = run.person.commit(code="a fix of the person's")
    run.agent.git("merge", "--quiet", "--no-edit", "-s", "ours", "main")
    end = await commit(run.tree, "work")
    assert await parted(run.base, end) == fixed
    assert [each.path for each in await stat(run.tree, fixed, end)] == ["code"], "what it takes back"


async def test_what_was_not_shown_is_not_merged(run: Run) -> None:
    end = await worked(run)
    before = run.person.state()
    for since in ("0" * 40, ""):
        assert isinstance(await merge(run.base, run.tree, end, since), NotMerged)
    assert run.person.state() == before
    assert await merge(run.base, run.tree, end, await parted(run.base, end)) == Merged(end)
