"""Brings the commits of a run into the person's branch, or says why not. Nothing is resolved by force.

It is tried without touching anything first. What then happens in the person's checkout is a fast-forward,
which git does whole or not at all: a merge of two lines is made as a commit before. Hooks do not run, since
what they run may be a file of the run.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from shlex import quote

from anyio import CancelScope

from orchestrator.pipelines.git import Git
from orchestrator.pipelines.history import commit_of
from orchestrator.pipelines.repository import Base, checked_out
from orchestrator.pipelines.trees import Tree


@dataclass(frozen=True, slots=True)
class Merged:
    """The person's branch is at `commit`, which contains the run."""

    commit: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """The run and the person changed the same places of these files (paths as `os.fsdecode` gives them)."""

    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotMerged:
    """Nothing was done. `why` says why and what to type."""

    why: str


async def parted(base: Base, commit: str) -> str:
    """Where the person's checkout and the run parted, which may be after the start: an agent can merge, too.

    A merge changes the checkout by what lies between this and the commit. Raises GitFailed; empty where there
    is no such one place.
    """
    ran = await base.git.run("merge-base", "--all", "HEAD", commit)
    found = os.fsdecode(ran.out).split()
    return found[0] if len(found) == 1 and not ran.code else ""


async def merge(
    base: Base, tree: Tree, commit: str, since: str | None = None
) -> Merged | Conflict | NotMerged:
    """Merge exactly this commit of the run into the branch that the person's checkout had at the start.

    `since` is where both parted when the person was asked: then nothing else is merged than what was shown.
    Once more after a crash is fine. Raises GitFailed if git cannot be run.
    """
    if why := await _elsewhere(base, tree):
        return NotMerged(why)
    git = base.git
    head = await git.resolve("HEAD") or base.commit
    if await git.contains(head, commit):
        return Merged(head)
    if since is not None and (not since or since != await parted(base, commit)):
        place = f"cd {quote(str(base.repository))} && git merge {tree.branch}"
        return NotMerged(f"a merge would change other things than you were shown: {place}")
    target: str | Conflict | NotMerged = commit
    if not await git.contains(commit, head):
        target = await _joined(git, tree, head, commit)
    return await _forward(git, tree, target) if isinstance(target, str) else target


async def _elsewhere(base: Base, tree: Tree) -> str:
    """Why the checkout is not where it was at the start; empty if it is."""
    place = f"cd {quote(str(base.repository))}"
    if not base.repository.is_dir():
        return f"{base.repository} is not there any more"
    if base.branch is None:
        return (
            f"no branch was checked out at the start (HEAD was detached): {place} && git merge {tree.branch}"
        )
    if (now := await checked_out(base.git)) != base.branch:
        there = "no branch" if now is None else f"the branch {now}"
        type_this = f"{place} && git switch {quote(base.branch)} && git merge {tree.branch}"
        return f"{there} is checked out now, not {base.branch}: {type_this}"
    return ""


async def _joined(git: Git, tree: Tree, head: str, commit: str) -> str | Conflict | NotMerged:
    """A commit of both lines, which is nowhere yet."""
    ran = await git.run("merge-tree", "--write-tree", "--no-messages", "--name-only", "-z", head, commit)
    names = [os.fsdecode(name) for name in ran.out.split(b"\0") if name]
    match ran.code:
        case 0:
            return await commit_of(git, names[0], [head, commit], f"Merge branch '{tree.branch}'\n")
        case 1:
            return Conflict(tuple(names[1:]))
        case _:
            return NotMerged(f"git cannot merge {tree.branch}: {ran.words}")


async def _forward(git: Git, tree: Tree, target: str) -> Merged | NotMerged:
    words = ("--ff-only", "--no-squash", "--no-stat", "--no-autostash", "--quiet")
    with CancelScope(shield=True):  # half of it would be worse than all
        ran = await git.run("merge", *words, target)
    if not ran.code:
        return Merged(target)
    place = f"cd {quote(str(git.folder))} && git merge {tree.branch}"
    return NotMerged(
        f"git refused, and nothing was touched. Put right what it says, then: {place}\n{ran.words}"
    )
