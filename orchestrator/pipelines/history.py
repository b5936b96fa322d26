"""What becomes of the work in a worktree: a commit on the branch of the run, or a way back.

Agents commit by themselves, switch branches, rewrite, and leave merges half-done. Whatever they did, the
branch `mm/RUN` only grows from the commit that a step began with (`refs/mm/RUN/last`). Its new end contains
that commit, where the branch was, where HEAD was, and what lies in the worktree. What an agent left on
other branches stays there. Hooks never run, nothing is signed.
"""

from __future__ import annotations

import os
from dataclasses import replace

from orchestrator.pipelines.content import content, left_out
from orchestrator.pipelines.git import Git
from orchestrator.pipelines.repository import NoTree
from orchestrator.pipelines.trees import Tree, check, link, tidied

NOBODY = ("-c", "user.name=mm", "-c", "user.email=mm@localhost")
"""Who commits where the person has not said who they are."""


async def commit(tree: Tree, message: str) -> str:
    """Put everything that lies in the worktree on the branch of the run; gives the id of its new end.

    Without a change that is the end that it had. Raises NoTree and GitFailed.
    """
    check(tree)
    last = await tree.git.resolve(tree.ref("last")) or tree.base.commit
    found, lying = await _gathered(tree, last, message)
    end = await _after(tree.git, last, found, message)
    await _point(tree, end)
    if await tree.git.tree_of(end) != lying:
        await _at_place(tree).out("reset", "--hard", "--quiet")
    await link(tree)
    return end


async def restart(tree: Tree, commit: str) -> tuple[str, ...]:
    """Bring branch and worktree back to a commit of the run, from whatever state.

    What is lost thereby is kept first, as commits under `refs/mm/RUN/interrupted/N`; gives those refs.
    Ignored files are in none of them, since they can be huge or secret, and stay where they lie. What
    counts as ignored is said by the files of that commit: those that only an interrupted `.gitignore` hid
    are kept, and go, unless it hid itself. Of embedded repositories the files are kept, not the history;
    a file with a name that git takes from nobody (`git~1`) is lost. Raises NoTree and GitFailed.
    """
    check(tree)
    await tree.git.tree_of(commit)
    kept = await _keep(tree, commit)
    await _reset(tree, commit)
    if await left_out(tree.git):  # what a .gitignore hid that is gone now
        kept += await _keep(tree, commit)
        await _reset(tree, commit)
    await _at_place(tree).out("clean", "-ffdq", "--", ":/")
    await link(tree)
    return tuple(kept)


async def _keep(tree: Tree, commit: str) -> list[str]:
    found, _ = await _gathered(tree, commit, "What an interrupted step left")
    if await tree.git.contains(commit, found):
        return []
    taken = (await tree.git.line("for-each-ref", "--format=%(refname)", tree.ref("interrupted"))).split()
    ends = (name.rpartition("/")[2] for name in taken)
    number = max((int(end) for end in ends if end.isdecimal()), default=0) + 1
    name = tree.ref(f"interrupted/{number}")
    await tree.git.out("update-ref", "--no-deref", name, found, "")
    return [name]


async def _reset(tree: Tree, commit: str) -> None:
    await _point(tree, commit)
    await _at_place(tree).out("reset", "--hard", "--quiet")


def _at_place(tree: Tree) -> Git:
    """Git that leaves the folder alone in which agents are, who may be working on in it."""
    try:
        return replace(tree.git, at=tree.place())
    except NoTree:  # a link is there, which will go
        return tree.git


async def _point(tree: Tree, end: str) -> None:
    """Let the branch, `last` and HEAD be at a commit. A ref that was made to mean another is none."""
    branch = f"refs/heads/{tree.branch}"
    await tree.git.out("update-ref", "--no-deref", branch, end)
    await tree.git.out("symbolic-ref", "HEAD", branch)
    await tree.git.out("update-ref", "--no-deref", tree.ref("last"), end)


async def _gathered(tree: Tree, last: str, message: str) -> tuple[str, str]:
    """A commit that contains all there is, and the tree that lies in the worktree.

    `last` stands for the branch or HEAD if an agent took it away.
    """
    await tidied(tree)
    git = tree.git
    head, branch = await git.resolve("HEAD"), await git.resolve(f"refs/heads/{tree.branch}")
    lying = await content(git, head, tree.base.submodules)
    return await _with_branch(git, head or last, branch or last, lying, message), lying


async def _after(git: Git, last: str, found: str, message: str) -> str:
    """What was found, as something that comes after `last`: also a way back is a step forward."""
    if await git.contains(found, last):
        return found
    parents = [last] if await git.contains(last, found) else [last, found]
    return await commit_of(git, await git.tree_of(found), parents, message)


async def _with_branch(git: Git, head: str, branch: str, lying: str, message: str) -> str:
    """A commit with what lies there at `head`, and with where the branch is, if that is elsewhere."""
    unchanged = lying in [await git.tree_of(commit) for commit in {head, branch}]
    if unchanged and await git.contains(branch, head):  # HEAD was only moved back to look
        return branch
    end = head if lying == await git.tree_of(head) else await commit_of(git, lying, [head], message)
    if await git.contains(end, branch):
        return end
    merged = await git.run("merge-tree", "--write-tree", "--no-messages", branch, end)
    both = lying if merged.code else os.fsdecode(merged.out.strip())
    return await commit_of(git, both, [branch, end], message)


async def commit_of(git: Git, tree: str, parents: list[str], message: str) -> str:
    """Make a commit, on no branch yet; gives its id. Raises GitFailed."""
    named = await git.maybe("-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT")
    words = [part for parent in parents for part in ("-p", parent)]
    text = message.replace("\0", "\N{REPLACEMENT CHARACTER}").encode(errors="replace")
    return await git.line(*(() if named else NOBODY), "commit-tree", tree, *words, "-F", "-", feed=text)
