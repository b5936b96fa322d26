"""Where a run begins: the person's repository, looked at and not touched. Knows no worktree of a run."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from orchestrator.pipelines.git import Git, GitFailed

OLDEST = (2, 38)
"""The first git that merges without touching anything (`git merge-tree --write-tree`)."""

GITLINK = b"160000"
"""The mode of an entry that stands for a commit of another repository: a submodule."""


class NoTree(Exception):
    """There is no worktree for this run. The message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Base:
    """What a run begins with.

    `repository` is the top of the person's checkout, `git_dir` and `common` are its folders of git (the
    same unless the checkout is a worktree itself). `commit` is the full id of what was checked out,
    `branch` its name, None if HEAD was detached. `inside` is the conversation's folder as seen from the
    top. The run sees neither `dirty`, the uncommitted and untracked files, nor `submodules`: both are paths
    from the top, in the bytes of the file system (`os.fsdecode`).
    """

    repository: Path
    git_dir: Path
    common: Path
    commit: str
    branch: str | None
    inside: Path
    dirty: tuple[str, ...] = ()
    submodules: tuple[str, ...] = ()

    @property
    def shared(self) -> Mapping[str, str]:
        """Where git finds settings and commits, whatever the file `commondir` says."""
        return {"GIT_COMMON_DIR": str(self.common)}

    @property
    def git(self) -> Git:
        """Git in the person's checkout."""
        return Git(self.repository, self.git_dir, self.shared)

    @property
    def store(self) -> Git:
        """Git for what needs no checkout: refs and commits. No file of any checkout is read.

        The folder of git stands for the work tree, and its index is one that does not exist.
        """
        return Git(self.common, self.common, {"GIT_INDEX_FILE": str(self.common / "no-index-of-mm")})


async def base_of(folder: Path) -> Base:
    """What a run begins with that is started in `folder`. Raises NoTree."""
    git = Git(folder)
    await _new_enough(git)
    await _checkout(git)
    repository = Path(await git.line("rev-parse", "--show-toplevel"))
    git_dir = Path(await git.line("rev-parse", "--absolute-git-dir"))
    common = Path(await git.line("rev-parse", "--path-format=absolute", "--git-common-dir"))
    top = Git(repository, git_dir)
    commit = await top.resolve("HEAD")
    if commit is None:
        raise NoTree(f"{repository} has no commit yet: commit something first, an agent begins with that")
    return Base(
        repository=repository,
        git_dir=git_dir,
        common=common,
        commit=commit,
        branch=await checked_out(top),
        inside=_inside(folder, repository),
        dirty=await _dirty(top),
        submodules=tuple(sorted(map(os.fsdecode, await _submodules(top)))),
    )


async def checked_out(git: Git) -> str | None:
    """The branch that HEAD stands on, also one without a commit; None if HEAD is detached."""
    ref = await git.maybe("symbolic-ref", "--quiet", "HEAD")
    return ref and ref.removeprefix("refs/heads/")


def _inside(folder: Path, top: Path) -> Path:
    return folder.resolve().relative_to(top.resolve())


async def _submodules(git: Git) -> list[bytes]:
    entries = await git.names("ls-tree", "-r", "-z", "--full-tree", "HEAD")
    return [entry.partition(b"\t")[2] for entry in entries if entry.startswith(GITLINK)]


async def _new_enough(git: Git) -> None:
    try:
        version = await git.line("--version")
    except GitFailed as error:
        raise NoTree(f"a worktree needs git, {_least()}: install it ({error})") from error
    numbers = re.search(r"(\d+)\.(\d+)", version)
    if not numbers or (int(numbers[1]), int(numbers[2])) < OLDEST:
        raise NoTree(f"a worktree needs git, {_least()}, this is {version!r}: install a newer one")


def _least() -> str:
    return f"{OLDEST[0]}.{OLDEST[1]} or newer"


async def _checkout(git: Git) -> None:
    """Make sure that the folder lies in a checkout; raises NoTree."""
    ran = await git.run("rev-parse", "--is-inside-work-tree", "--is-inside-git-dir", "--is-bare-repository")
    if ran.code:
        raise NoTree(f"{git.folder} is in no usable git repository: {ran.words}")
    match ran.out.split():
        case [b"true", *_]:
            return
        case [_, _, b"true"]:
            raise NoTree(f"{git.folder} is in a bare repository: start mm in a checkout of it")
        case _:
            raise NoTree(f"{git.folder} is in git's own folder: start mm in the checkout beside it")


async def _dirty(git: Git) -> tuple[str, ...]:
    """The paths that differ from HEAD, and untracked ones; a folder with nothing else ends with a slash."""
    words = ("--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal", "--ignore-submodules=dirty")
    return tuple(os.fsdecode(entry[3:]) for entry in await git.names("status", *words))
