"""What a run changed, for readers. Knows no worktree's files: only commits are compared.

No `.gitattributes` counts, so that an agent can hide nothing from a reviewer by calling it binary. No program
of the configuration draws or converts anything.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from orchestrator.pipelines.names import shown
from orchestrator.pipelines.trees import Tree

LONGEST = 256 << 10
"""Bytes of a diff that is shown."""

NAMED = 100
"""Names of files that are left out of a diff, at most."""

PLAIN = ("-r", "-M", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "--submodule=short")

WHAT = {b"A": "added", b"D": "deleted", b"M": "changed", b"R": "renamed", b"T": "of another kind"}


@dataclass(frozen=True, slots=True)
class Changed:
    """A file that is not what it was.

    `path` can be shown: what is not printable, quotes and backslashes are escapes between quotes, as of git.
    `added` and `removed` are numbers of lines, None if it is not text. `what` is one of WHAT,
    and `before` the path that a renamed file had.
    """

    path: str
    added: int | None
    removed: int | None
    what: str
    before: str | None = None


async def diff(tree: Tree, since: str, until: str | None = None) -> str:
    """The changes since a commit as a patch, up to LONGEST bytes; a last line names what is left out.

    `until` is the end of the branch unless given. Files that are not text are named. Raises GitFailed.
    """
    until = until or _end(tree)
    patch = ("diff-tree", "--patch", *PLAIN, since, until)
    ran = await tree.base.store.run(*patch, limit=LONGEST)
    if not ran.cut:
        return _text(ran.checked())
    whole = ran.out[: ran.out.rfind(b"\n") + 1] or ran.out
    begun = whole.count(b"\ndiff --git ") + 1
    return f"{_text(whole)}\n{_cut_note([file.path for file in await stat(tree, since, until)][begun:])}\n"


async def stat(tree: Tree, since: str, until: str | None = None) -> tuple[Changed, ...]:
    """The files that changed since a commit, in the order of a diff. Raises GitFailed."""
    words = ("diff-tree", "--raw", "--numstat", "-z", *PLAIN, since, until or _end(tree))
    parts = iter(await tree.base.store.names(*words))
    return tuple(_changes(parts))


def _changes(parts: Iterator[bytes]) -> Iterator[Changed]:
    """Read what git wrote: all the kinds of changes first, then all the numbers, in the same order."""
    kinds: deque[str] = deque()
    for part in parts:
        if part.startswith(b":"):
            kind = part.rsplit(b" ", 1)[1][:1]
            kinds.append(WHAT.get(kind, "changed"))
            _ = [next(parts) for _ in range(2 if kind == b"R" else 1)]
            continue
        added, removed, path = part.split(b"\t", 2)
        before = None if path else _path(next(parts))  # a renamed file has two paths of its own
        yield Changed(_path(path or next(parts)), _number(added), _number(removed), kinds.popleft(), before)


def _path(name: bytes) -> str:
    return shown(os.fsdecode(name))


def _number(text: bytes) -> int | None:
    return None if text == b"-" else int(text)


def _cut_note(left: list[str]) -> str:
    names = "".join(f"\n{name}" for name in left[:NAMED])
    more = f"\nand {len(left) - NAMED} more" if len(left) > NAMED else ""
    files = f" {len(left)} more files changed:{names}{more}" if left else ""
    return f"(cut here, after {LONGEST >> 10} KiB; the last file may go on.{files})"


def _text(patch: bytes) -> str:
    return patch.decode(errors="replace")


def _end(tree: Tree) -> str:
    return tree.ref("last")
