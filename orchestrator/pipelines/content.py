"""What lies in a worktree, as a tree of git, whatever an agent did to the index. Knows no run and no branch.

`git add` is not used: in an embedded repository, or a submodule that an agent filled, it runs `git status`,
and that obeys a configuration that the agent wrote. Here git is told each file by name, and enters neither.

An embedded repository (a folder with a `.git` of its own) counts as the files in it, so that what a program
like `rails new` made is part of the work. A submodule stays the commit that the base or the agent's own
index names; what lies in its folder is not looked at. Ignored files are no content. Huge files are: git
stores them whole, and a diff names them.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from anyio.to_thread import run_sync

from orchestrator.pipelines.git import Git, GitFailed
from orchestrator.pipelines.repository import GITLINK

HALF_DONE = (
    *("MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "MERGE_AUTOSTASH", "SQUASH_MSG", "AUTO_MERGE"),
    *("CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD", "sequencer", "rebase-merge", "rebase-apply"),
    *("BISECT_LOG", "BISECT_NAMES", "BISECT_START", "BISECT_TERMS", "BISECT_RUN"),
)
"""What git keeps, in the folder of a worktree, of work that it began."""

DECLARED = re.compile(rb"^\s*path\s*=\s*(.+?)\s*$", re.MULTILINE)
"""Where a `.gitmodules` says that a submodule lies."""

MODULES = 1 << 20
"""Bytes of a `.gitmodules` that is read."""


async def content(git: Git, head: str | None, submodules: Collection[str]) -> str:
    """Make the index say what lies in the worktree; gives the id of that tree. Raises GitFailed.

    `head` is the commit that the worktree is at, None without one; `submodules` are those of the base.
    The index keeps what it knows of files that are unchanged since `head`, so that they are not read again.
    """
    before = await links(git)
    await _reset_index(git, head)
    await _put_links(git, before, {os.fsencode(path) for path in submodules})
    changed = await _changed(git)
    there = [path for path in changed if _is_content(git.folder, path)]
    await _take_out(git, changed - {*there})
    there += await _untracked(git)
    await git.out("update-index", "--add", "--remove", "--replace", "-z", "--stdin", feed=_ended(there))
    return await git.line("write-tree")


async def left_out(git: Git) -> list[str]:
    """The files that are no content after `content`, although not ignored: git takes no such names."""
    return [os.fsdecode(name) for name in await git.names("ls-files", "-o", "--exclude-standard", "-z")]


async def embedded(git: Git) -> list[str]:
    """The folders with files of the index that are repositories of their own."""
    files = [os.fsdecode(name) for name in await git.names("ls-files", "-z")]
    folders = {str(above) for name in files for above in Path(name).parents} - {"."}
    return await run_sync(_repositories, git.folder, folders)


def _repositories(folder: Path, folders: set[str]) -> list[str]:
    return sorted(name for name in folders if os.path.lexists(folder / name / ".git"))


def half_done(git_dir: Path) -> list[Path]:
    """What a merge, a rebase or a kill -9 left in the folder of a worktree, and must go before new work."""
    return [*git_dir.glob("*.lock"), *(path for name in HALF_DONE if (path := git_dir / name).exists())]


async def _reset_index(git: Git, head: str | None) -> None:
    words = ("read-tree", "--reset", head) if head else ("read-tree", "--empty")
    if (await git.run(*words)).code:
        assert git.git_dir is not None  # noqa: S101 - a worktree has one
        (git.git_dir / "index").unlink(missing_ok=True)  # it is spoilt; it can be made anew
        await git.out(*words)


async def links(git: Git) -> dict[bytes, bytes] | None:
    """The paths of the index that stand for commits, with those; None if the index cannot be read."""
    try:
        entries = await git.names("ls-files", "--stage", "-z")
    except GitFailed:
        return None
    split = [entry.partition(b"\t") for entry in entries if entry.startswith(GITLINK)]
    return {path: about.split(b" ")[1] for about, _, path in split}


async def _put_links(git: Git, before: Mapping[bytes, bytes] | None, known: set[bytes]) -> None:
    """Keep the submodules of the index as it was `before`; other embedded repositories are no links."""
    now = await links(git) or {}
    stay = await run_sync(_staying, git.folder, now if before is None else before, known)
    await _take_out(git, now.keys() - stay.keys())
    lines = [GITLINK + b" " + commit + b"\t" + path for path, commit in stay.items()]
    await git.out("update-index", "--add", "--replace", "-z", "--index-info", feed=_ended(lines))


def _staying(folder: Path, found: Mapping[bytes, bytes], known: set[bytes]) -> dict[bytes, bytes]:
    """The links that are submodules, of the base or declared, and whose folder is there."""
    kept = known | (_declared(folder) if found.keys() - known else set())
    there = {path for path in found if stat.S_ISDIR(_mode(folder, path))}
    return {path: found[path] for path in there & kept}


def _declared(folder: Path) -> set[bytes]:
    if not stat.S_ISREG(_mode(folder, b".gitmodules")):
        return set()
    with (folder / ".gitmodules").open("rb") as opened:
        return set(DECLARED.findall(opened.read(MODULES)))


async def _take_out(git: Git, paths: Iterable[bytes]) -> None:
    await git.out("update-index", "--force-remove", "-z", "--stdin", feed=_ended(paths))


async def _changed(git: Git) -> set[bytes]:
    """The paths of the index whose files are not what it says."""
    return {*await git.names("diff-files", "--name-only", "--no-renames", "--ignore-submodules=all", "-z")}


def _is_content(folder: Path, path: bytes) -> bool:
    mode = _mode(folder, path)
    return stat.S_ISREG(mode) or stat.S_ISLNK(mode)


def _mode(folder: Path, path: bytes) -> int:
    """The kind of a file, 0 if there is none, or only behind a link."""
    whole = os.path.join(os.fsencode(folder), path)  # noqa: PTH118 - Path takes no bytes
    above = os.path.dirname(whole)  # noqa: PTH120
    try:
        return os.lstat(whole).st_mode if os.path.realpath(above) == above else 0
    except OSError:
        return 0


async def _untracked(git: Git) -> list[bytes]:
    names = await git.names("ls-files", "-o", "--exclude-standard", "-z")
    files = [name for name in names if not name.endswith(b"/")]
    for repository in names:
        if repository.endswith(b"/"):
            files += await _files_of(git, repository)
    return files


async def _files_of(git: Git, repository: bytes) -> list[bytes]:
    """The files in an embedded repository that are not ignored."""
    files = await run_sync(lambda: list(_walk(os.fsencode(git.folder) + b"/", repository)))
    asked = _ended(b"./" + file for file in files)  # a name that begins with a colon would be a pattern
    ran = await git.run("check-ignore", "--no-index", "-z", "--stdin", feed=asked)
    ignored = set((ran.checked() if ran.code > 1 else ran.out).split(b"\0"))
    return [file for file in files if b"./" + file not in ignored]


def _walk(top: bytes, repository: bytes) -> Iterator[bytes]:
    for folder, folders, files in os.walk(top + repository):
        names = [*files, *(name for name in folders if os.path.islink(os.path.join(folder, name)))]  # noqa: PTH114, PTH118
        folders[:] = [name for name in folders if name != b".git"]
        paths = [os.path.join(folder, name).removeprefix(top) for name in names if name != b".git"]  # noqa: PTH118
        yield from (path for path in paths if _is_content(Path(os.fsdecode(top)), path))


def _ended(names: Iterable[bytes]) -> bytes:
    return b"".join(name + b"\0" for name in names)
