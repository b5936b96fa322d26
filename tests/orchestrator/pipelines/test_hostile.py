"""An agent writes every file of its worktree, and starts nothing thereby: a marker file never appears."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from orchestrator.pipelines.differences import diff, stat
from orchestrator.pipelines.history import commit, restart
from orchestrator.pipelines.merging import Merged, merge
from orchestrator.pipelines.trees import discard, remove, throwaway
from tests.orchestrator.pipelines.parts import Checkout, Run, begin, new, script

CONFIGURED = (
    *("core.fsmonitor", "core.sshCommand", "core.editor", "core.pager", "core.askPass", "diff.external"),
    *(
        "filter.evil.clean",
        "filter.evil.smudge",
        "diff.evil.textconv",
        "diff.evil.command",
        "merge.evil.driver",
    ),
    *("gpg.program", "core.alternateRefsCommand", "credential.helper"),
)
"""What makes git start a program."""

HOOKS = ("pre-commit", "post-checkout", "post-index-change", "reference-transaction", "post-merge")


def trap(repository: Checkout, marker: Path) -> None:
    """Let whoever uses this repository run a program that makes the marker."""
    program = script(marker.with_name("trap.sh"), f"touch '{marker}'; cat")
    for key in CONFIGURED:
        repository.git("config", key, str(program))
    repository.git("config", "commit.gpgSign", "true")
    git_dir = Path(repository.git("rev-parse", "--absolute-git-dir"))
    (git_dir / "hooks").mkdir(exist_ok=True)
    for name in HOOKS:
        shutil.copy(program, git_dir / "hooks" / name)
    (repository.folder / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n")
    for path in repository.folder.iterdir():
        if path.is_file():  # git must look into each again, through the filter
            os.utime(path, (1, 1))
    marker.unlink(missing_ok=True)


def forge(run: Run, marker: Path) -> Path:
    forged = marker.with_name("forged")
    shutil.rmtree(forged, ignore_errors=True)
    trap(new(forged), marker)
    run.agent.write(**{".gitattributes": "* filter=evil diff=evil\n"})
    (run.tree.folder / ".git").unlink()
    return forged / ".git"


def forged_git_file(run: Run, marker: Path) -> None:
    forged = forge(run, marker)
    (run.tree.folder / ".git").write_text(f"gitdir: {forged}\n")


def forged_git_link(run: Run, marker: Path) -> None:
    (run.tree.folder / ".git").symlink_to(forge(run, marker))


def forged_git_folder(run: Run, marker: Path) -> None:
    forge(run, marker).rename(run.tree.folder / ".git")


def embedded_repository(run: Run, marker: Path) -> None:
    new(run.tree.folder / "inner")
    trap(Checkout(run.tree.folder / "inner"), marker)


def embedded_repository_as_a_link(run: Run, marker: Path) -> None:
    inner = new(run.tree.folder / "inner")
    run.agent.commit()
    trap(inner, marker)


def declared_submodule(run: Run, marker: Path) -> None:
    inner = new(run.tree.folder / "inner")
    text = '[submodule "inner"]\npath = inner\nurl = ext::sh -c evil\nupdate = !sh\nignore = none\n'
    run.agent.commit(**{".gitmodules": text})
    trap(inner, marker)


def filled_submodule(run: Run, marker: Path) -> None:
    inner = Checkout(run.tree.folder / "lib")
    inner.git("clone", "--quiet", str(run.person.folder / "lib"), ".")
    trap(inner, marker)


FORGERIES = [forged_git_file, forged_git_link, forged_git_folder]
PLANTED = [embedded_repository, embedded_repository_as_a_link, declared_submodule, filled_submodule]


@pytest.fixture
async def prey(tmp_path: Path) -> Run:
    """A run in a repository with a submodule, whose agent is bad."""
    new(tmp_path / "lib")
    person = new(tmp_path / "super")
    person.git("submodule", "--quiet", "add", str(tmp_path / "lib"), "lib")
    person.commit()
    return await begin(person, tmp_path / "state")


@pytest.mark.parametrize("attack", PLANTED, ids=lambda attack: attack.__name__)
async def test_no_repository_in_the_worktree_starts_anything(
    prey: Run, tmp_path: Path, attack: Callable[[Run, Path], None]
) -> None:
    marker = tmp_path / "marker"
    attack(prey, marker)
    await remove(prey.tree)
    await commit(prey.tree, "first")
    prey.agent.write(more="x", inner__code="changed", lib__code="changed")
    end = await commit(prey.tree, "second")
    assert await stat(prey.tree, prey.base.commit)
    assert await diff(prey.tree, prey.base.commit)
    await discard(await throwaway(prey.tree, end, "jan"))
    await prey.again()
    prey.agent.write(inner__code="again", lib__code="again", new="x")
    await restart(prey.tree, end)
    assert isinstance(await merge(prey.base, prey.tree, end), Merged)
    await restart(prey.tree, prey.base.commit)
    await remove(prey.tree)
    assert not marker.exists()


@pytest.mark.parametrize("attack", FORGERIES, ids=lambda attack: attack.__name__)
async def test_no_forged_git_of_the_worktree_is_believed(
    prey: Run, tmp_path: Path, attack: Callable[[Run, Path], None]
) -> None:
    marker = tmp_path / "marker"

    def attacked() -> None:
        attack(prey, marker)
        prey.agent.write(code=f"work {len(list(tmp_path.rglob('*')))}\n")

    attacked()
    await remove(prey.tree)
    end = await commit(prey.tree, "x")
    assert prey.person.text("code", end).startswith("work")
    attacked()
    await prey.again()
    assert prey.agent.git("rev-parse", "HEAD") == end
    attacked()
    await restart(prey.tree, prey.base.commit)
    thrown = await throwaway(prey.tree, end, "jan")
    attack(Run(prey.person, prey.base, thrown, prey.home), marker)
    await discard(thrown)
    assert not thrown.git_dir.exists()
    attack(prey, marker)
    await remove(prey.tree)
    assert isinstance(await merge(prey.base, prey.tree, end), Merged)
    assert not marker.exists()


@pytest.mark.parametrize("attack", [forged_git_file, embedded_repository_as_a_link, filled_submodule])
async def test_git_as_anybody_uses_it_falls_into_the_trap(
    prey: Run, tmp_path: Path, attack: Callable[[Run, Path], None]
) -> None:
    attack(prey, tmp_path / "marker")
    prey.agent.git("add", "--all")
    assert (tmp_path / "marker").exists()


async def test_a_filter_of_the_persons_own_runs_where_the_agent_says(run: Run) -> None:
    """This remains, and is stated: programs that the person configured, for files that the agent chooses."""
    run.person.git("config", "filter.up.clean", "tr a-z A-Z")
    run.agent.write(**{".gitattributes": "code filter=up\n", "code": "low\n"})
    assert run.person.text("code", await commit(run.tree, "x")) == "LOW"


async def test_no_attribute_hides_text_from_a_reviewer(run: Run) -> None:
    run.agent.write(**{".gitattributes": "* -diff -text\n", "code": "bad\n"})
    await commit(run.tree, "x")
    assert "+bad" in await diff(run.tree, run.base.commit)
    added = {file.path: file.added for file in await stat(run.tree, run.base.commit)}
    assert added == {".gitattributes": 1, "code": 1}


async def test_no_replacement_hides_a_commit(run: Run) -> None:
    nice = run.agent.commit(code="nice\n")
    run.agent.git("reset", "--quiet", "--hard", "HEAD~1")
    bad = run.agent.commit(code="bad\n")
    run.agent.git("replace", bad, nice)
    assert await commit(run.tree, "x") == bad
    assert "+bad" in await diff(run.tree, run.base.commit)


async def test_what_leads_git_to_settings_is_not_read(run: Run, tmp_path: Path) -> None:
    marker, forged = tmp_path / "marker", tmp_path / "forged"
    shutil.copytree(run.base.common, forged)
    (forged / "config").write_text(f'[filter "x"]\n\tclean = touch {marker}; cat\n')
    (run.tree.git_dir / "commondir").write_text(str(forged))
    run.agent.write(**{".gitattributes": "* filter=x\n", "new": "work"})
    await commit(run.tree, "work")
    await restart(run.tree, run.base.commit)
    assert not marker.exists()


async def test_a_ref_of_the_run_that_means_the_persons_branch_moves_nothing_of_theirs(run: Run) -> None:
    run.person.git("symbolic-ref", run.tree.ref("last"), "refs/heads/main")
    before = run.person.head
    run.agent.write(new="work")
    end = await commit(run.tree, "work")
    assert run.person.head == before != end
    run.person.git("symbolic-ref", run.tree.ref("last"), "refs/heads/main")
    run.person.git("update-ref", run.tree.ref("interrupted/odd"), before)
    run.agent.write(lost="work")
    await restart(run.tree, run.base.commit)
    assert run.person.head == before
