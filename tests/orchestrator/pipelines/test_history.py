"""Whatever an agent did with git, its work is on the branch of the run; and there is a way back."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from orchestrator.pipelines.git import GitFailed
from orchestrator.pipelines.history import commit, restart
from orchestrator.pipelines.trees import Kept, remove
from tests.orchestrator.pipelines.parts import Checkout, Run, begin, new, script


async def test_everything_that_lies_there_becomes_one_commit(run: Run) -> None:
    run.agent.write(
        new__deep="x", **{".gitignore": "cache\n", "cache": "no", "-f": "dash", ":(top)x": "colon"}
    )
    (run.tree.folder / 'odd\n\udcff"').write_text("odd")
    (run.tree.folder / "link").symlink_to("/etc/passwd")
    (run.tree.folder / "code").unlink()
    os.mkfifo(run.tree.folder / "pipe")
    end = await commit(run.tree, "what it did\n\nin words")
    assert run.person.git("ls-tree", "-rz", "--name-only", end).split("\0")[:-1] == [
        "-f",
        ".gitignore",
        ":(top)x",
        "link",
        "new/deep",
        'odd\n\udcff"',
    ]
    assert run.person.git("cat-file", "-p", f"{end}:link") == "/etc/passwd"
    assert run.person.git("log", "-1", "--format=%an <%ae>%n%P%n%B", "mm/r1").split("\n") == [
        "Pat <pat@example.org>",
        run.base.commit,
        "what it did",
        "",
        "in words",
    ]
    assert run.agent.git("status", "--porcelain", "--branch") == "## mm/r1"


async def test_without_a_change_there_is_no_commit(run: Run) -> None:
    assert await commit(run.tree, "nothing") == run.base.commit
    run.agent.write(code="x")
    end = await commit(run.tree, "one")
    assert await commit(run.tree, "nothing") == end


async def test_somebody_without_a_name_can_commit(run: Run, home: Path) -> None:
    (home / ".gitconfig").unlink()
    run.agent.write(code="x")
    end = await commit(run.tree, "a \0 b \udcff")
    assert run.person.git("log", "-1", "--format=%an <%ae> %s", end) == "mm <mm@localhost> a \ufffd b ?"


async def test_hooks_do_not_run_and_nothing_is_signed(run: Run, tmp_path: Path) -> None:
    hooks = tmp_path / "hooks"
    for name in ("pre-commit", "post-commit", "reference-transaction", "post-checkout", "post-index-change"):
        script(hooks / name, f"touch {tmp_path}/ran; exit 1")
    for key, value in (("commit.gpgSign", "true"), ("gpg.program", "false"), ("core.hooksPath", str(hooks))):
        run.person.git("config", key, value)
    run.agent.write(code="x")
    assert await commit(run.tree, "x")
    run.agent.write(code="y")
    await restart(run.tree, run.base.commit)
    assert not (tmp_path / "ran").exists()


async def test_the_agents_own_commits_stay_as_they_are(run: Run) -> None:
    run.agent.commit(first="x")
    second = run.agent.commit(second="x")
    assert await commit(run.tree, "nothing more") == second
    run.agent.write(third="x")
    end = await commit(run.tree, "third")
    assert run.person.git("log", "--format=%s", end).splitlines() == [
        "third",
        "by hand",
        "by hand",
        "by hand",
    ]


def on_another_branch(agent: Checkout) -> None:
    agent.git("switch", "--quiet", "--create", "feature")
    agent.commit(agents="work")


def detached(agent: Checkout) -> None:
    agent.git("switch", "--quiet", "--detach")
    agent.commit(agents="work")


def uncommitted_and_detached(agent: Checkout) -> None:
    agent.git("switch", "--quiet", "--detach")
    agent.write(agents="work")


def looked_back(agent: Checkout) -> None:
    agent.commit(agents="work")
    agent.git("switch", "--quiet", "--detach", "HEAD~2")


def worked_on_after_looking_back(agent: Checkout) -> None:
    agent.commit(agents="work")
    agent.git("switch", "--quiet", "--detach", "HEAD~2")
    agent.write(more="work")


def without_the_branch(agent: Checkout) -> None:
    agent.git("switch", "--quiet", "--detach")
    agent.git("branch", "--quiet", "-D", "mm/r1")
    agent.write(agents="work")


def an_orphan(agent: Checkout) -> None:
    agent.git("switch", "--quiet", "--orphan", "new")
    agent.write(agents="work", before="work")


def amended(agent: Checkout) -> None:
    agent.write(agents="work")
    agent.git("add", "--all")
    agent.git("commit", "--quiet", "--amend", "--message", "rewritten")


def squashed(agent: Checkout) -> None:
    agent.git("reset", "--quiet", "--soft", "HEAD~1")
    agent.commit(agents="work")


def staged_and_changed_again(agent: Checkout) -> None:
    agent.write(agents="draft")
    agent.git("add", "--all")
    agent.write(agents="work")


def with_a_spoilt_index(agent: Checkout) -> None:
    agent.write(agents="work")
    Path(agent.git("rev-parse", "--absolute-git-dir"), "index").write_text("DIRC nonsense")


def with_locks_of_a_killed_git(agent: Checkout) -> None:
    agent.write(agents="work")
    Path(agent.git("rev-parse", "--absolute-git-dir"), "index.lock").touch()
    Path(agent.git("rev-parse", "--absolute-git-dir"), "HEAD.lock").touch()
    Path(
        agent.git("rev-parse", "--path-format=absolute", "--git-common-dir"), "refs/heads/mm/r1.lock"
    ).touch()


def in_a_repository_of_its_own(agent: Checkout) -> None:
    agent.write(agents="work")
    (agent.folder / ".git").unlink()
    agent.git("init", "--quiet")
    agent.commit()


def with_a_conflict(agent: Checkout) -> None:
    agent.git("switch", "--quiet", "--create", "other", "HEAD~1")
    agent.commit(code="theirs\n", agents="work")
    agent.git("switch", "--quiet", "mm/r1")
    agent.commit(code="ours\n")
    agent.refuses("merge", "other")


def in_the_middle_of_a_rebase(agent: Checkout) -> None:
    with_a_conflict(agent)
    agent.git("merge", "--abort")
    agent.refuses("rebase", "other")


WAYS = [
    on_another_branch,
    detached,
    uncommitted_and_detached,
    looked_back,
    worked_on_after_looking_back,
    without_the_branch,
    an_orphan,
    amended,
    squashed,
    staged_and_changed_again,
    with_a_spoilt_index,
    with_locks_of_a_killed_git,
    in_a_repository_of_its_own,
    with_a_conflict,
    in_the_middle_of_a_rebase,
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_whatever_the_agent_did_its_work_continues_the_branch(
    run: Run, way: Callable[[Checkout], None]
) -> None:
    run.agent.write(before="work")
    before = await commit(run.tree, "before")
    way(run.agent)
    end = await commit(run.tree, "after")
    assert run.person.text("agents", end) == "work"
    assert run.person.text("before", end) == "work"
    run.person.git("merge-base", "--is-ancestor", before, end)
    assert run.person.git("rev-parse", "mm/r1") == end
    assert run.agent.git("status", "--porcelain", "--branch") == "## mm/r1"
    assert "All conflicts fixed" not in run.agent.git("status")
    assert await commit(run.tree, "nothing more") == end
    assert run.person.git("status", "--porcelain", "--branch") == "## main"


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_from_whatever_state_there_is_a_way_back_and_nothing_is_lost(
    run: Run, way: Callable[[Checkout], None]
) -> None:
    run.agent.write(before="work")
    before = await commit(run.tree, "before")
    way(run.agent)
    kept = await restart(run.tree, before)
    assert kept == ("refs/mm/r1/interrupted/1",)
    assert run.person.text("agents", kept[0]) == "work"
    assert run.agent.git("status", "--porcelain", "--branch") == "## mm/r1"
    assert run.agent.head == before
    assert (run.tree.folder / "code").read_text() == "one\ntwo\nthree\n"
    assert await restart(run.tree, before) == ()
    run.agent.write(agents="second try")
    assert run.person.text("agents", await commit(run.tree, "again")) == "second try"


async def test_a_way_back_of_the_agent_is_a_step_forward(run: Run) -> None:
    run.agent.write(code="x")
    before = await commit(run.tree, "before")
    run.agent.git("reset", "--quiet", "--hard", run.base.commit)
    end = await commit(run.tree, "back")
    assert run.person.git("log", "-1", "--format=%P", end) == before
    assert run.person.text("code", end) == "one\ntwo\nthree"


async def test_a_branch_that_was_made_to_mean_the_persons_is_not_followed(run: Run) -> None:
    before = run.person.state()
    run.agent.git("symbolic-ref", "refs/heads/mm/r1", "refs/heads/main")
    run.agent.write(code="x")
    end = await commit(run.tree, "x")
    assert run.person.state() == before
    assert run.person.git("rev-parse", "mm/r1") == end


async def test_files_and_folders_that_took_each_others_place_are_taken_as_they_are(tmp_path: Path) -> None:
    person = new(tmp_path / "repo", file="x", folder__a="a", folder__b="b", linked__a="a", pipe="p")
    run = await begin(person, tmp_path / "state")
    agent = run.agent
    agent.git("rm", "--quiet", "-r", "--force", ".")
    agent.write(file__now="folder", folder="now file", elsewhere__a="a")
    (run.tree.folder / "linked").symlink_to("elsewhere")
    os.mkfifo(run.tree.folder / "pipe")
    end = await commit(run.tree, "x")
    assert person.files(end) == ["elsewhere/a", "file/now", "folder", "linked"]
    assert await restart(run.tree, run.base.commit) == ("refs/mm/r1/interrupted/1",)
    assert agent.git("status", "--porcelain") == ""
    assert (run.tree.folder / "linked" / "a").read_text() == "a"


async def test_ignored_files_stay_when_a_step_starts_again(tmp_path: Path) -> None:
    run = await begin(new(tmp_path / "repo", **{".gitignore": "cache\n"}), tmp_path / "state")
    run.agent.write(cache="kept", untracked="x")
    assert await restart(run.tree, run.base.commit) == ("refs/mm/r1/interrupted/1",)
    assert run.person.files("refs/mm/r1/interrupted/1") == [".gitignore", "untracked"]
    assert (run.tree.folder / "cache").read_text() == "kept"
    assert not (run.tree.folder / "untracked").exists()


async def test_what_only_the_interrupted_step_ignored_is_kept_too(run: Run) -> None:
    run.agent.write(**{".gitignore": "agents\n", "agents": "work"})
    first, second = await restart(run.tree, run.base.commit)
    assert run.person.files(first) == [".gitignore", "code"]
    assert run.person.files(second) == ["agents", "code"]
    assert not (run.tree.folder / "agents").exists()


async def test_a_step_starts_again_after_it_was_committed_and_not_told(run: Run) -> None:
    run.agent.write(code="x")
    end = await commit(run.tree, "x")
    assert await restart(run.tree, run.base.commit) == ("refs/mm/r1/interrupted/1",)
    assert run.person.git("rev-parse", "refs/mm/r1/interrupted/1") == end
    run.agent.write(code="y")
    assert await restart(run.tree, run.base.commit) == ("refs/mm/r1/interrupted/2",)
    assert await restart(run.tree, end) == ()
    assert run.agent.text("code") == "x"


async def test_a_commit_that_is_none_is_refused_before_anything_is_touched(run: Run) -> None:
    run.agent.write(code="x")
    with pytest.raises(GitFailed, match="rev-parse"):
        await restart(run.tree, "0" * 40)
    assert run.agent.git("status", "--porcelain") == " M code"


async def test_files_in_a_repository_that_the_agent_made_are_its_work(run: Run) -> None:
    inner = new(run.tree.folder / "app", **{"main": "x", ".gitignore": "cache\n"})
    inner.write(deep__file="y", cache="no")
    new(inner.folder / "deeper")
    (inner.folder / "link").symlink_to("/etc")
    files = ["app/.gitignore", "app/deep/file", "app/deeper/code", "app/link", "app/main", "code"]
    assert run.person.files(await commit(run.tree, "x")) == files
    inner.write(main="changed", later="z")
    end = await commit(run.tree, "x")
    assert run.person.text("app/main", end) == "changed"
    assert run.person.files(end) == sorted([*files, "app/later"])
    _, hidden = await restart(run.tree, run.base.commit)
    assert run.person.files(hidden) == ["app/cache", "code"]
    assert not inner.folder.exists()


async def test_a_repository_that_the_agent_committed_as_a_link_becomes_its_files(run: Run) -> None:
    new(run.tree.folder / "app", main="x")
    run.agent.commit()
    assert run.person.git("ls-tree", "HEAD:", "app") == ""
    assert run.person.files(await commit(run.tree, "x")) == ["app/main", "code"]


async def test_a_submodule_that_the_agent_added_stays_one(run: Run, tmp_path: Path) -> None:
    lib = new(tmp_path / "lib")
    run.agent.git("submodule", "--quiet", "add", str(lib.folder), "vendor/lib")
    end = await commit(run.tree, "x")
    assert run.person.git("ls-tree", end, "vendor/lib") == f"160000 commit {lib.head}\tvendor/lib"
    kept = await remove(run.tree)
    assert kept == Kept(f"{run.tree.folder} is kept: submodules in it that somebody filled: vendor/lib")


async def test_a_submodule_goes_where_the_agent_moves_it(tmp_path: Path) -> None:
    lib = new(tmp_path / "lib")
    person = new(tmp_path / "super")
    person.git("submodule", "--quiet", "add", str(lib.folder), "lib")
    person.commit()
    run = await begin(person, tmp_path / "state")
    run.agent.git("submodule", "--quiet", "update", "--init")
    inner = Checkout(run.tree.folder / "lib")
    moved = inner.commit(code="moved")
    assert await commit(run.tree, "not staged") == run.base.commit
    run.agent.git("add", "lib")
    end = await commit(run.tree, "staged")
    assert person.git("ls-tree", end, "lib") == f"160000 commit {moved}\tlib"
    run.agent.git("rm", "--quiet", "--force", "lib")
    assert person.files(await commit(run.tree, "gone")) == [".gitmodules", "code"]


async def test_the_folder_that_an_agent_is_in_stays(person: Checkout, tmp_path: Path) -> None:
    person.write(src__new__file="in no commit")
    run = await begin(person, tmp_path / "state", inside="src/new")
    place = run.tree.place()
    before = place.stat().st_ino
    run.agent.write(src__new__made="x", other="x")
    new(run.tree.folder / "inner")
    assert await restart(run.tree, run.base.commit) == ("refs/mm/r1/interrupted/1",)
    assert (place.stat().st_ino, list(place.iterdir())) == (before, [])
    assert sorted(path.name for path in run.tree.folder.iterdir()) == [".git", "code", "src"]


async def test_a_link_in_the_place_of_work_goes_when_a_step_starts_again(tmp_path: Path) -> None:
    person = new(tmp_path / "repo", src__code="x")
    run = await begin(person, tmp_path / "state", inside="src")
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").touch()
    shutil.rmtree(run.tree.folder / "src")
    (run.tree.folder / "src").symlink_to(tmp_path / "precious")
    run.agent.write(untracked="x")
    assert await restart(run.tree, run.base.commit) == ("refs/mm/r1/interrupted/1",)
    assert (run.tree.place() / "code").read_text() == "x"
    assert not (run.tree.folder / "untracked").exists()
    assert (tmp_path / "precious" / "file").exists()
