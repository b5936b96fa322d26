"""A run has a worktree and a branch of its own, found again whatever happened to them."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest

from orchestrator.pipelines.history import commit, restart
from orchestrator.pipelines.repository import NoTree, base_of
from orchestrator.pipelines.trees import Kept, Tree, discard, open_tree, remove, throwaway
from orchestrator.pipelines.turns import in_turn, presence
from tests.orchestrator.pipelines.parts import Checkout, Run, begin, new


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_the_worktree_begins_with_what_was_committed(person: Checkout, tmp_path: Path) -> None:
    person.write(code="not committed", more="x")
    before = person.state()
    run = await begin(person, tmp_path / "state")
    assert (run.tree.folder, run.tree.branch) == (tmp_path / "state" / "r1" / "work", "mm/r1")
    assert run.agent.git("status", "--porcelain", "--branch") == "## mm/r1"
    assert (run.tree.folder / "code").read_text() == "one\ntwo\nthree\n"
    assert (run.agent.head, names(run.tree.folder)) == (run.base.commit, [".git", "code"])
    assert person.state() == before


async def test_an_agent_works_where_the_person_is(person: Checkout, tmp_path: Path) -> None:
    person.write(src__new="untracked: the folder is in no commit")
    run = await begin(person, tmp_path / "state", inside="src")
    assert run.tree.place() == run.tree.folder / "src"
    assert run.tree.place().is_dir()


async def test_two_runs_in_one_repository_never_meet(person: Checkout, tmp_path: Path) -> None:
    runs: list[Run] = []

    async def one(name: str) -> None:
        run = await begin(person, tmp_path / "state", name)
        run.agent.write(code=name)
        assert await commit(run.tree, name)
        runs.append(run)

    async with anyio.create_task_group() as tasks:
        for number in range(4):
            tasks.start_soon(one, f"r{number}")
    assert {person.text("code", f"mm/r{number}") for number in range(4)} == {"r0", "r1", "r2", "r3"}
    assert len({run.tree.git_dir for run in runs}) == 4
    assert person.text("code") == "one\ntwo\nthree"


async def test_an_opened_worktree_is_found_again_with_its_work(run: Run) -> None:
    run.agent.write(code="half", more="x")
    assert await run.again() == run.tree
    assert run.agent.git("status", "--porcelain").split() == ["M", "code", "??", "more"]


def half_made(run: Run) -> None:
    shutil.rmtree(run.tree.folder)
    run.tree.folder.mkdir()
    (run.tree.folder / "code").write_text("on")  # git was killed while it wrote
    (run.tree.git_dir / "index.lock").touch()
    (run.tree.folder.parent / "ready").unlink()


def half_known(run: Run) -> None:
    half_made(run)
    (run.tree.git_dir / "HEAD").unlink()
    (run.tree.git_dir / "locked").write_text("initializing\n")


def branch_alone(run: Run) -> None:
    shutil.rmtree(run.tree.folder.parent)
    shutil.rmtree(run.tree.git_dir)


def refs_alone(run: Run) -> None:
    branch_alone(run)
    run.person.git("branch", "-D", "mm/r1")


def half_of_the_refs(run: Run) -> None:
    refs_alone(run)
    run.person.git("update-ref", "-d", "refs/mm/r1/base")


def folder_gone(run: Run) -> None:
    shutil.rmtree(run.tree.folder)


def pruned_after_it_was_gone(run: Run) -> None:
    shutil.rmtree(run.tree.folder)
    run.person.git("worktree", "prune")


@pytest.mark.parametrize(
    "happened",
    [
        half_made,
        half_known,
        branch_alone,
        refs_alone,
        half_of_the_refs,
        folder_gone,
        pruned_after_it_was_gone,
    ],
    ids=lambda happened: happened.__name__,
)
async def test_a_worktree_is_whole_again_after_a_crash_or_a_loss(
    run: Run, happened: Callable[[Run], None]
) -> None:
    happened(run)
    tree = await run.again()
    agent = Checkout(tree.folder)
    assert agent.git("status", "--porcelain", "--branch") == "## mm/r1"
    assert (agent.head, agent.text("code")) == (run.base.commit, "one\ntwo\nthree")


async def test_work_that_was_pruned_by_somebody_stays(run: Run) -> None:
    committed = run.agent.commit(code="two\n")
    run.agent.write(code="half", more="x")
    (run.tree.folder / ".git").unlink()
    run.person.git("worktree", "prune")
    assert not run.tree.git_dir.exists()
    tree = await run.again()
    assert run.agent.head == committed
    assert run.agent.git("status", "--porcelain", "--branch").split() == [
        "##",
        "mm/r1",
        "M",
        "code",
        "??",
        "more",
    ]
    assert Path(run.agent.git("rev-parse", "--absolute-git-dir")) == tree.git_dir


@pytest.mark.parametrize("swapped", [False, True])
async def test_a_crash_while_pruned_work_is_taken_in_loses_nothing(run: Run, swapped: bool) -> None:
    run.agent.write(code="half")
    shutil.rmtree(run.tree.git_dir)
    run.tree.folder.rename(run.tree.folder.with_name("aside"))
    if swapped:
        run.person.git("worktree", "add", "--no-checkout", str(run.tree.folder), "mm/r1")
    await run.again()
    assert (run.tree.folder / "code").read_text() == "half"
    assert run.agent.git("status", "--porcelain", "--branch").split() == ["##", "mm/r1", "M", "code"]


@pytest.mark.parametrize(
    "work", [remove, lambda tree: restart(tree, tree.base.commit), lambda tree: commit(tree, "x")]
)
async def test_a_git_that_still_works_on_it_is_waited_for(
    run: Run, work: Callable[[Tree], Awaitable[object]]
) -> None:
    done = anyio.Event()

    async def worked() -> None:
        await work(run.tree)
        done.set()

    async with anyio.create_task_group() as tasks:
        with presence(run.tree.presence):
            tasks.start_soon(worked)
            await still_waits(done)
    assert done.is_set()


async def test_worktrees_are_made_and_forgotten_one_after_the_other(run: Run) -> None:
    """Git fails where it finds the half of another worktree."""
    done = anyio.Event()

    async def made() -> None:
        thrown.append(await throwaway(run.tree, run.base.commit, "jan"))
        done.set()

    async def forgotten() -> None:
        await discard(thrown[0])
        done.set()

    thrown: list[Tree] = []
    for work in (made, forgotten):
        async with anyio.create_task_group() as tasks, in_turn(run.base.common / "mm-worktrees.lock"):
            tasks.start_soon(work)
            await still_waits(done)
        assert done.is_set()
        done = anyio.Event()


async def still_waits(done: anyio.Event) -> None:
    with anyio.move_on_after(0.5):
        await done.wait()
    assert not done.is_set()


async def test_a_branch_of_the_person_is_never_taken_over(person: Checkout, tmp_path: Path) -> None:
    person.git("branch", "mm/r1")
    with pytest.raises(NoTree, match="there is a branch mm/r1 that no run made: rename it"):
        await begin(person, tmp_path / "state")
    assert person.git("for-each-ref", "refs/mm") == ""


async def test_a_branch_in_the_way_of_the_name_is_told(person: Checkout, tmp_path: Path) -> None:
    person.git("branch", "mm")
    with pytest.raises(NoTree, match="'refs/heads/mm' exists"):
        await begin(person, tmp_path / "state")


async def test_a_run_does_not_go_on_from_elsewhere(run: Run) -> None:
    run.person.commit(code="later")
    with pytest.raises(NoTree, match="the run r1 began at"):
        await open_tree(await base_of(run.person.folder), "r1", run.home)


@pytest.mark.parametrize(
    "name", ["..", "../r1", "a/b", "-r", ".r", "r.lock", "r.", "a..b", "", "a b", "x" * 129, "r\n"]
)
async def test_a_name_is_no_path_and_no_option(run: Run, name: str) -> None:
    with pytest.raises(NoTree, match="is no name"):
        await open_tree(run.base, name, run.home)
    with pytest.raises(NoTree, match="is no name"):
        await throwaway(run.tree, run.base.commit, name)


@pytest.mark.parametrize("inner", ["", "work"])
async def test_a_link_is_no_worktree(run: Run, tmp_path: Path, inner: str) -> None:
    folder = run.tree.folder.parent / inner
    folder.rename(tmp_path / "moved")
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").touch()
    folder.symlink_to(tmp_path / "precious")
    with pytest.raises(NoTree, match="is a link"):
        await run.again()
    for call in (commit(run.tree, "x"), restart(run.tree, run.base.commit), remove(run.tree)):
        with pytest.raises(NoTree, match="is a link, or behind one"):
            await call
    assert names(tmp_path / "precious") == ["file"]


async def test_a_link_on_the_way_to_the_place_of_work_is_refused(person: Checkout, tmp_path: Path) -> None:
    person.commit(src__code="x")
    run = await begin(person, tmp_path / "state", inside="src")
    shutil.rmtree(run.tree.folder / "src")
    (run.tree.folder / "src").symlink_to(person.folder)
    with pytest.raises(NoTree, match="is no folder of the worktree"):
        run.tree.place()


async def test_a_home_behind_a_link_is_fine(person: Checkout, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "state").symlink_to(tmp_path / "real")
    run = await begin(person, tmp_path / "state")
    assert run.tree.folder == tmp_path / "real" / "r1" / "work"
    assert await run.again() == run.tree


async def test_a_home_with_an_odd_name_is_fine(person: Checkout, tmp_path: Path) -> None:
    run = await begin(person, tmp_path / "-odd 'é\udcff\"")
    run.agent.write(code="new")
    assert person.text("code", await commit(run.tree, "x")) == "new"
    assert await run.again() == run.tree
    assert await remove(run.tree) is None


async def test_a_worktree_of_the_person_can_have_runs(person: Checkout, tmp_path: Path) -> None:
    person.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    side = Checkout(tmp_path / "side")
    side.commit(code="of the side")
    run = await begin(side, tmp_path / "state")
    assert run.agent.text("code") == "of the side"
    assert await remove(run.tree) is None
    assert side.git("status", "--porcelain") == ""


async def test_a_detached_head_a_shallow_clone_and_settings_of_worktrees_are_fine(tmp_path: Path) -> None:
    person = new(tmp_path / "origin")
    person.commit(code="second")
    person.git("clone", "--quiet", "--depth=1", f"file://{person.folder}", str(tmp_path / "clone"))
    clone = Checkout(tmp_path / "clone")
    clone.git("config", "extensions.worktreeConfig", "true")
    clone.git("config", "--worktree", "core.sharedRepository", "false")
    clone.git("switch", "--quiet", "--detach")
    run = await begin(clone, tmp_path / "state")
    run.agent.write(code="third")
    assert clone.text("code", await commit(run.tree, "x")) == "third"
    assert await remove(run.tree) is None


async def test_a_sparse_checkout_stays_sparse_and_loses_nothing(tmp_path: Path) -> None:
    person = new(tmp_path / "repo", here__a="a", there__b="b")
    person.git("sparse-checkout", "set", "here")
    run = await begin(person, tmp_path / "state")
    assert not (run.tree.folder / "there").exists()
    run.agent.write(here__a="new", there__c="outside")
    end = await commit(run.tree, "x")
    assert person.files(end) == ["here/a", "there/b", "there/c"]
    assert await restart(run.tree, run.base.commit) == ("refs/mm/r1/interrupted/1",)
    assert run.agent.git("status", "--porcelain") == ""


async def test_a_repository_with_longer_ids_is_fine(tmp_path: Path) -> None:
    folder = tmp_path / "repo"
    folder.mkdir()
    person = Checkout(folder)
    person.git("init", "--quiet", "--object-format=sha256")
    person.commit(code="x", gone="y")
    run = await begin(person, tmp_path / "state")
    (run.tree.folder / "gone").unlink()
    run.agent.write(code="new")
    assert person.files(await commit(run.tree, "x")) == ["code"]


async def test_a_reviewer_gets_a_worktree_that_is_thrown_away_with_all_that_is_in_it(run: Run) -> None:
    run.agent.write(code="work")
    end = await commit(run.tree, "work")
    thrown = await throwaway(run.tree, end, "jan")
    jan = Checkout(thrown.folder)
    assert (jan.head, jan.git("branch", "--show-current")) == (end, "")
    assert (thrown.place() / "code").read_text() == "work"
    jan.write(code="mess", new="x")
    jan.git("switch", "--quiet", "--create", "of-jan")
    (thrown.folder / "locked").mkdir(mode=0)
    await discard(thrown)
    assert not thrown.folder.exists()
    assert not thrown.git_dir.exists()
    assert run.person.text("code", "mm/r1") == "work"
    await discard(thrown)  # once more is fine


async def test_a_worktree_to_throw_away_is_made_anew_after_a_crash(run: Run) -> None:
    first = await throwaway(run.tree, run.base.commit, "jan")
    Checkout(first.folder).write(code="mess")
    (first.git_dir / "HEAD").unlink()
    again = await throwaway(run.tree, run.base.commit, "jan")
    assert Checkout(again.folder).git("status", "--porcelain") == ""
    assert len(names(run.base.common / "worktrees")) == 2


async def test_the_worktree_of_the_work_is_not_thrown_away(run: Run) -> None:
    with pytest.raises(ValueError, match="is not thrown away"):
        await discard(run.tree)


async def test_folders_deeper_than_python_walks_are_thrown_away(run: Run) -> None:
    thrown = await throwaway(run.tree, run.base.commit, "jan")
    deep = "import os\nfor _ in range(3000): os.mkdir('deep'); os.chdir('deep')"
    await anyio.run_process(["python3", "-c", deep], cwd=thrown.folder)
    await discard(thrown)
    assert not thrown.folder.exists()


async def test_a_worktree_without_a_loss_is_removed_and_its_branch_stays(run: Run) -> None:
    run.agent.write(**{".gitignore": "cache\n", "code": "work"})
    end = await commit(run.tree, "work")
    run.agent.write(cache="may go")
    await throwaway(run.tree, end, "jan")
    assert await remove(run.tree) is None
    assert run.person.git("rev-parse", "mm/r1") == end
    assert not run.tree.folder.exists()
    assert await remove(run.tree) is None
    assert Checkout((await run.again()).folder).head == end


async def test_a_crash_while_a_worktree_is_removed_is_finished(run: Run) -> None:
    run.tree.folder.rename(run.tree.folder.with_name("gone"))
    assert await remove(run.tree) is None
    assert names(run.tree.folder.parent) == []
    assert not run.tree.git_dir.exists()


async def reason(run: Run) -> str:
    kept = await remove(run.tree)
    assert isinstance(kept, Kept)
    assert run.tree.folder.is_dir()
    return kept.reason.removeprefix(f"{run.tree.folder} is kept: ")


async def test_a_worktree_with_uncommitted_work_is_kept(run: Run) -> None:
    run.agent.write(code="changed", new="x")
    assert await reason(run) == "not committed: code, new"
    (run.tree.folder / "code").unlink()
    assert await reason(run) == "not committed: code, new"


async def test_a_worktree_with_an_untracked_file_that_git_takes_not_is_kept(run: Run) -> None:
    run.agent.write(**{"git~1": "x"})
    assert await reason(run) == "not committed: git~1"


async def test_a_worktree_whose_commits_are_on_no_branch_of_it_is_kept(run: Run) -> None:
    run.agent.git("switch", "--quiet", "--detach")
    run.agent.commit(code="elsewhere")
    assert await reason(run) == "it has commits that are not on the branch mm/r1"
    run.agent.git("branch", "-D", "mm/r1")
    assert await reason(run) == "its branch mm/r1 is gone"


async def test_a_worktree_with_a_repository_in_it_is_kept(run: Run) -> None:
    new(run.tree.folder / "inner")
    await commit(run.tree, "x")
    assert await reason(run) == "repositories of their own in it: inner"


@pytest.fixture
async def with_submodule(tmp_path: Path) -> Run:
    new(tmp_path / "lib")
    person = new(tmp_path / "super")
    person.git("submodule", "--quiet", "add", str(tmp_path / "lib"), "lib")
    person.commit()
    return await begin(person, tmp_path / "state")


async def test_submodules_are_empty_and_no_hindrance(with_submodule: Run) -> None:
    run = with_submodule
    assert names(run.tree.folder / "lib") == []
    assert await commit(run.tree, "x") == run.base.commit
    run.agent.write(code="new")
    assert run.person.git("ls-tree", await commit(run.tree, "x"), "lib").startswith("160000 ")
    assert await remove(run.tree) is None


async def test_a_worktree_with_a_filled_submodule_is_kept(with_submodule: Run) -> None:
    run = with_submodule
    run.agent.git("submodule", "--quiet", "update", "--init")
    assert await commit(run.tree, "x") == run.base.commit
    assert await reason(run) == "submodules in it that somebody filled: lib"
    shutil.rmtree(run.tree.folder / "lib")
    (run.tree.folder / "lib").mkdir()
    assert await reason(run) == "submodules in it that somebody filled: lib"
