"""Where a run begins: the person's repository, looked at and not touched."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from orchestrator.pipelines.repository import NoTree, base_of
from tests.orchestrator.pipelines.parts import Checkout, new, script


async def test_a_base_is_what_is_checked_out(person: Checkout) -> None:
    base = await base_of(person.folder)
    assert (base.repository, base.git_dir, base.common) == (
        person.folder,
        person.folder / ".git",
        person.folder / ".git",
    )
    assert (base.commit, base.branch, base.inside) == (person.head, "main", Path())
    assert (base.dirty, base.submodules) == ((), ())


async def test_a_subfolder_is_remembered_also_through_a_link(person: Checkout, tmp_path: Path) -> None:
    person.write(src__deep__file="x")
    (tmp_path / "link").symlink_to(person.folder / "src" / "deep")
    assert (await base_of(tmp_path / "link")).inside == Path("src/deep")


async def test_a_folder_with_an_odd_name_is_fine(tmp_path: Path) -> None:
    person = new(tmp_path / "odd\nname \udcff'")
    assert (await base_of(person.folder)).repository == person.folder


async def test_what_the_run_will_not_see_is_named(person: Checkout) -> None:
    person.write(code="changed\n", new__a="x", new__b="y")
    person.git("mv", "code", "moved")
    (person.folder / "odd\nname").write_text("x")
    before = person.state()
    assert sorted((await base_of(person.folder)).dirty) == ["code", "moved", "new/", "odd\nname"]
    assert person.state() == before


async def test_looking_does_not_write_the_index(person: Checkout) -> None:
    os.utime(person.folder / "code", (1, 1))  # git would refresh what it knows of the file
    before = (person.folder / ".git" / "index").read_bytes()
    assert (await base_of(person.folder)).dirty == ()
    assert (person.folder / ".git" / "index").read_bytes() == before


async def test_a_detached_head_has_no_branch(person: Checkout) -> None:
    person.git("switch", "--quiet", "--detach")
    assert (await base_of(person.folder)).branch is None


async def test_a_worktree_of_the_person_is_a_checkout_like_any_other(
    person: Checkout, tmp_path: Path
) -> None:
    person.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    base = await base_of(tmp_path / "side")
    assert (base.repository, base.branch) == (tmp_path / "side", "side")
    assert (base.git_dir, base.common) == (
        person.folder / ".git" / "worktrees" / "side",
        person.folder / ".git",
    )


async def test_submodules_are_those_of_the_commit(person: Checkout, tmp_path: Path) -> None:
    new(tmp_path / "lib")
    person.git("submodule", "--quiet", "add", str(tmp_path / "lib"), "vendor/lib")
    assert (await base_of(person.folder)).submodules == ()
    person.commit()
    assert (await base_of(person.folder)).submodules == ("vendor/lib",)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda folder: None, "is in no usable git repository: fatal: not a git repository"),
        (lambda folder: Checkout(folder).git("init", "--bare", "--quiet"), "bare repository: start mm in"),
        (lambda folder: Checkout(folder).git("init", "--quiet"), "has no commit yet: commit something first"),
    ],
    ids=["none", "bare", "no commit"],
)
async def test_without_a_commit_checked_out_there_is_no_tree(
    make: Callable[[Path], object], words: str, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    make(folder)
    with pytest.raises(NoTree, match=words):
        await base_of(folder)


async def test_in_gits_own_folder_there_is_no_tree(person: Checkout) -> None:
    with pytest.raises(NoTree, match="git's own folder: start mm in the checkout"):
        await base_of(person.folder / ".git" / "refs")


async def test_an_old_git_is_refused(
    person: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "bin" / "git", "echo git version 2.37.9")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    with pytest.raises(NoTree, match=r"git, 2\.38 or newer, this is 'git version 2\.37\.9': install"):
        await base_of(person.folder)


async def test_no_git_at_all_is_told(
    person: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoTree, match="or newer: install it"):
        await base_of(person.folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
async def test_a_repository_of_somebody_else_is_refused_in_gits_words(person: Checkout) -> None:
    for path in (person.folder, person.folder / ".git"):
        os.chown(path, 12345, 12345)
    with pytest.raises(NoTree, match="dubious ownership"):
        await base_of(person.folder)


async def test_nothing_inherited_leads_git_elsewhere(
    person: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = new(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.folder))
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert (await base_of(person.folder)).repository == person.folder


async def test_a_git_that_lies_in_the_checkout_is_not_run(
    person: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(person.folder / "bin" / "git", "touch ran; echo git version 9.9")
    monkeypatch.setenv("PATH", f"bin:{os.defpath}")
    await base_of(person.folder)
    assert not (person.folder / "ran").exists()
