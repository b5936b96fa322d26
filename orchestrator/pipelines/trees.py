"""The worktrees of a run: one on a branch of its own, for the work, and some that are thrown away.

They lie in HOME/RUN, outside the person's checkout. What is ours in the repository: the branch `mm/RUN`, and
the refs under `refs/mm/RUN/`: `base` (where it began; who has it owns the branch), `last` (the last
commit that `orchestrator.pipelines.history` made or went back to) and `interrupted/N`. Submodules stay empty.
Knows no agent. Source: issue 6, "Required".
"""

from __future__ import annotations

import os
import re
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

from orchestrator.paths import exact_folder
from orchestrator.pipelines.content import content, embedded, half_done, left_out, links
from orchestrator.pipelines.erase import erase
from orchestrator.pipelines.git import Git, GitFailed
from orchestrator.pipelines.names import some
from orchestrator.pipelines.repository import Base, NoTree
from orchestrator.pipelines.turns import alone, in_turn

NAME = re.compile(r"(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9_.-]{0,127}(?<!\.)(?<!\.lock)")
"""What a run, and a worktree of it, may be called: it becomes a part of a path and of a branch's name."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A worktree: its folder, its branch (None: detached, to be thrown away), its folder of git."""

    base: Base
    run: str
    folder: Path
    branch: str | None
    git_dir: Path

    @property
    def git(self) -> Git:
        """Git in this worktree, whatever an agent wrote into its `.git` and into what leads to settings."""
        return Git(self.folder, self.git_dir, self.base.shared, presence=self.presence)

    @property
    def presence(self) -> Path:
        """Where every git that works on it is present."""
        return self.git_dir / "mm-presence"

    def ref(self, name: str) -> str:
        """A ref of the run."""
        return f"refs/mm/{self.run}/{name}"

    def place(self) -> Path:
        """The folder in which an agent works: where the person is in the checkout. Made if it is missing.

        Raises NoTree where an agent put a link on the way: it would lead the next one out of the worktree.
        """
        place = self.folder / self.base.inside
        try:
            with exact_folder(place, make=True):
                return place
        except OSError as error:
            raise NoTree(f"{place} is no folder of the worktree: {error.strerror}; remove it") from error


@dataclass(frozen=True, slots=True)
class Kept:
    """The worktree was not removed, because something in it would be lost. `reason` says what."""

    reason: str


async def open_tree(base: Base, run: str, home: Path) -> Tree:
    """The worktree of a run, made, or found again whatever happened to it; work that lies there stays.

    Raises NoTree, also for a branch of that name that is none of ours, and GitFailed.
    """
    room = _room(home, run)
    await _own(base, run)
    folder, ready = room / "work", room / "ready"
    await _settle(room)
    _no_link(folder)
    if not folder.is_dir():
        ready.unlink(missing_ok=True)
    entry = await _sound_entry(base, folder)
    if entry is None:
        entry = await (_adopt if ready.exists() else _add)(base, folder, f"mm/{run}")
    tree = Tree(base, run, folder, f"mm/{run}", entry)
    await link(tree)
    if not ready.exists():
        await _fill(tree)
        ready.touch()
    elif not (entry / "index").exists():
        await tree.git.out("read-tree", "HEAD")  # the files stay as they are
    return tree


async def throwaway(tree: Tree, commit: str, name: str) -> Tree:
    """A worktree beside, with a commit of the run, for somebody who only looks. One of that name is replaced.

    Raises NoTree and GitFailed.
    """
    folder = _real(tree.folder.parent / "away") / _named(name)
    await _drop(tree.base, folder)
    entry = await _add(tree.base, folder, "--detach", commit)
    thrown = Tree(tree.base, tree.run, folder, None, entry)
    await _fill(thrown)
    return thrown


async def discard(thrown: Tree) -> None:
    """Remove a worktree that `throwaway` made, with whatever is in it."""
    if thrown.branch is not None:
        raise ValueError(f"{thrown.folder} is not thrown away")
    _check_way(thrown.folder.parent)
    await _drop(thrown.base, thrown.folder)


async def remove(tree: Tree) -> Kept | None:
    """Remove the worktree unless something would be lost: ignored files may go. The branch stays."""
    _check_way(tree.folder)
    if tree.folder.is_dir():
        if why := await _lost(tree):
            return Kept(f"{tree.folder} is kept: {why}")
        tree.folder.rename(tree.folder.with_name("gone"))  # at once: half of a worktree looks like changes
    room = tree.folder.parent
    await _drop(tree.base, tree.folder)
    for rest in (room / "away", room / "gone", room / "ready"):
        await erase(rest)
    return None


def check(tree: Tree) -> None:
    """Make sure that the worktree is a folder where it was made, not a link to another; raises NoTree."""
    _check_way(tree.folder)
    if not tree.folder.is_dir():
        raise NoTree(f"{tree.folder} is no folder any more: open the worktree again")


def _check_way(folder: Path) -> None:
    if os.path.realpath(folder) != str(folder):
        raise NoTree(f"{folder} is a link, or behind one, and would lead git elsewhere: remove the link")


async def link(tree: Tree) -> None:
    """Make the `.git` of the worktree what it was, for those who work in it."""
    file, text = tree.folder / ".git", f"gitdir: {tree.git_dir}\n"
    if file.is_dir() and not file.is_symlink():
        await erase(tree.folder.parent / "git-of-work")
        file.rename(tree.folder.parent / "git-of-work")  # a repository that an agent made there: not lost
    file.unlink(missing_ok=True)
    with file.open("x", encoding="utf-8", errors="surrogateescape") as opened:
        opened.write(text)


async def tidied(tree: Tree) -> None:
    """Take away what a merge, a rebase or a killed git left half-done in the worktree's folder of git.

    A git that a killed mm left running is waited for.
    """
    await alone(tree.presence)
    for path in half_done(tree.git_dir):
        await erase(path)
    await erase(tree.base.common / "refs" / "heads" / f"{tree.branch}.lock")


async def _own(base: Base, run: str) -> None:
    """Make the branch and the refs of the run, unless they are there; raises NoTree if they are others'."""
    branch, ours = f"refs/heads/mm/{run}", f"refs/mm/{run}"
    began, last, there = [await base.store.resolve(ref) for ref in (f"{ours}/base", f"{ours}/last", branch)]
    if there and not began:
        raise NoTree(f"there is a branch mm/{run} that no run made: rename it (git branch -m mm/{run} NAME)")
    if began not in (None, base.commit):
        raise NoTree(f"the run {run} began at {began}, not at {base.commit}: start another one")
    try:
        if not last:
            await base.store.out("update-ref", "--no-deref", f"{ours}/last", base.commit)
        await base.store.out("update-ref", "--no-deref", f"{ours}/base", base.commit)
        if not there:
            await base.store.out("update-ref", "--no-deref", branch, last or base.commit, "")
    except GitFailed as error:
        raise NoTree(f"the branch mm/{run} cannot be made: {error}") from error


async def _settle(room: Path) -> None:
    """Finish what a crash interrupted: a removal, or `_adopt`."""
    await erase(room / "gone")
    if (room / "aside").is_dir():
        await erase(room / "work")
        (room / "aside").rename(room / "work")


async def _sound_entry(base: Base, folder: Path) -> Path | None:
    """What git knows of the worktree in this folder, if it is whole; half of it, or of none, is removed."""
    entry = _entry(base, folder)
    if entry is None or _whole(entry, folder):
        return entry
    await _forget(base, entry)
    return None


def _whole(entry: Path, folder: Path) -> bool:
    """Whether the folder is there, and git was not killed while it made what it knows of it."""
    lock = entry / "locked"
    killed = lock.exists() and lock.read_bytes().startswith(b"initializing")
    return folder.is_dir() and (entry / "HEAD").exists() and not killed


def _entry(base: Base, folder: Path) -> Path | None:
    for file in base.common.glob("worktrees/*/gitdir"):
        where = os.fsdecode(file.read_bytes().strip(b"\n"))
        if os.path.normpath(file.parent / where) == str(folder / ".git"):
            return file.parent
    return None


async def _add(base: Base, folder: Path, *what: str) -> Path:
    """Make the worktree, still without files; gives its folder of git. Nothing of anybody lies there."""
    await erase(folder)
    try:
        async with _turn(base):
            await base.store.out("worktree", "add", "--quiet", "--no-checkout", folder, *what)
    except GitFailed as error:
        raise NoTree(f"there is no worktree for {what[-1]}: {error}") from error
    entry = _entry(base, folder)
    if entry is None:
        raise NoTree(f"git made {folder} and does not know it; try again")
    return entry


async def _adopt(base: Base, folder: Path, branch: str) -> Path:
    """Make git know a worktree again that somebody pruned; the files in it stay as they are."""
    aside = _put_aside(folder)
    entry = await _add(base, folder, branch)
    await erase(folder)
    aside.rename(folder)
    return entry


def _put_aside(folder: Path) -> Path:
    return folder.rename(folder.with_name("aside"))


async def _fill(tree: Tree) -> None:
    await tidied(tree)
    await tree.git.out("reset", "--hard", "--quiet")


async def _drop(base: Base, folder: Path) -> None:
    """Remove a worktree with whatever is in it, and what git knows of it."""
    await erase(folder)
    if entry := _entry(base, folder):
        await _forget(base, entry)


async def _forget(base: Base, entry: Path) -> None:
    async with _turn(base):
        await erase(entry)


def _turn(base: Base) -> AbstractAsyncContextManager[None]:
    """Making and forgetting worktrees: git fails where it finds the half of another one."""
    return in_turn(base.common / "mm-worktrees.lock")


async def _lost(tree: Tree) -> str:
    """What would be lost with the worktree; empty if nothing."""
    await tidied(tree)
    git = tree.git
    head, tip = await git.resolve("HEAD"), await git.resolve(f"refs/heads/{tree.branch}")
    last = await git.resolve(tree.ref("last"))
    if not head or not tip or not last:
        return f"its branch {tree.branch} is gone"
    if not (await git.contains(tip, head) and await git.contains(tip, last)):
        return f"it has commits that are not on the branch {tree.branch}"
    tree_now = await content(git, head, tree.base.submodules)
    changed = await git.names(
        "diff-tree", "-r", "-z", "--name-only", "--ignore-submodules=dirty", head, tree_now
    )
    if files := [*map(os.fsdecode, changed), *await left_out(git)]:
        return f"not committed: {some(files)}"
    if inside := await embedded(git):
        return f"repositories of their own in it: {some(inside)}"
    if filled := _filled(tree, {*map(os.fsdecode, await links(git) or {}), *tree.base.submodules}):
        return f"submodules in it that somebody filled: {some(filled)}"
    return ""


def _filled(tree: Tree, submodules: set[str]) -> list[str]:
    folders = [(name, tree.folder / name) for name in sorted(submodules)]
    there = [name for name, folder in folders if folder.is_dir() and any(folder.iterdir())]
    kept = [] if there else (tree.git_dir / "modules").glob("*")
    return there + [path.name for path in kept]


def _room(home: Path, run: str) -> Path:
    return _real(Path(os.path.realpath(home)) / _named(run))


def _real(folder: Path) -> Path:
    """A folder that is made if it is missing; raises NoTree if it is a link."""
    _no_link(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _no_link(folder: Path) -> None:
    if folder.is_symlink():
        raise NoTree(f"{folder} is a link and would lead git elsewhere: remove it")


def _named(name: str) -> str:
    if not NAME.fullmatch(name):
        raise NoTree(f"{name!r} is no name for a run or a worktree: take letters, digits, -, _ and .")
    return name
