"""Runs git so that nobody but the person decides what it starts. Knows no worktree and no pipeline.

An agent writes every file of the worktree that git looks at. So git is always told where its folder and
its work tree are, and never reads the `.git` that lies in the worktree; hooks and the file system monitor
are off; nothing inherited (GIT_*, relative parts of PATH) changes which repository or program is meant;
and a submodule or an embedded repository is never entered, since git would obey the configuration in it.

What remains is the person's own configuration and the repository's: filters (`filter.NAME.clean`, as of
Git LFS) and merge drivers named there run, and `.gitattributes` of an agent chooses for which files.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import DEVNULL, PIPE

from anyio import BrokenResourceError, CancelScope, create_task_group, move_on_after, open_process
from anyio.abc import ByteReceiveStream, Process

from orchestrator.pipelines.turns import presence

LIMIT = 64 << 20
"""Bytes of an answer of git: names of files, for instance. What writes more is ended, and has failed."""

WORDS = 64 << 10
"""Bytes of what git says on stderr that are kept."""

GRACE = 5.0
"""Seconds between SIGTERM, at which git takes its lock files away, and SIGKILL."""

SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.untrackedCache": "false",
    "core.safecrlf": "false",
    "core.quotePath": "true",
    "submodule.recurse": "false",
    "commit.gpgSign": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "i18n.commitEncoding": "UTF-8",
    "merge.autoStash": "false",
    "merge.verifySignatures": "false",
    "worktree.useRelativePaths": "false",
}
"""What holds whatever the files of configuration say."""


class GitFailed(Exception):
    """Git could not do what it must. The message says what, and why in git's words."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run of git gave; `what` names it. `cut` if it was ended for writing too much."""

    what: str
    code: int
    out: bytes
    words: str
    cut: bool = False

    def checked(self) -> bytes:
        """What git wrote; raises GitFailed if it failed."""
        if self.code:
            raise GitFailed(f"{self.what} failed: {self.words or f'exit code {self.code}'}")
        return self.out


@dataclass(frozen=True, slots=True)
class Git:
    """Git in one place: `folder` is its work tree; with `git_dir` it looks for no repository by itself.

    `more` are environment variables that it gets besides. It runs in `at`, or else in `folder`; the folder it
    runs in stays. While it runs, also after the end of mm, it is present at `presence`
    (`orchestrator.pipelines.turns`).
    """

    folder: Path
    git_dir: Path | None = None
    more: Mapping[str, str] = field(default_factory=dict)
    at: Path | None = None
    presence: Path | None = None

    async def run(self, *arguments: str | Path, feed: bytes | None = None, limit: int = LIMIT) -> Ran:
        """Run git to its end, whatever its exit code. `feed` is what it reads, else nothing.

        Cancelled, it is ended with all that it started. When mm itself is killed, it goes on to its end:
        a merge is not left half-way. Raises GitFailed if it cannot be started.
        """
        with CancelScope(shield=True):  # half-started, it could only be killed
            process = await self._start([*map(str, arguments)], feed is not None)
        try:
            return await _listen(f"git {arguments[0]} in {self.folder}", process, feed, limit)
        finally:
            await _end(process)

    async def out(self, *arguments: str | Path, feed: bytes | None = None) -> bytes:
        """What git writes; raises GitFailed if it fails, or writes more than LIMIT."""
        ran = await self.run(*arguments, feed=feed)
        if ran.cut:
            raise GitFailed(f"{ran.what} failed: it wrote more than {LIMIT >> 20} MiB")
        return ran.checked()

    async def line(self, *arguments: str | Path, feed: bytes | None = None) -> str:
        """The one text that git writes, without the end of the line; raises GitFailed."""
        return os.fsdecode((await self.out(*arguments, feed=feed)).removesuffix(b"\n"))

    async def maybe(self, *arguments: str | Path) -> str | None:
        """The one text that git writes, or None where it says that there is none."""
        ran = await self.run(*arguments)
        return None if ran.code else os.fsdecode(ran.out.removesuffix(b"\n"))

    async def names(self, *arguments: str | Path, feed: bytes | None = None) -> list[bytes]:
        """The names that git writes, each ended by NUL (`-z`); raises GitFailed."""
        return (await self.out(*arguments, feed=feed)).split(b"\0")[:-1]

    async def resolve(self, name: str) -> str | None:
        """The full id of the commit that a name stands for; None if there is none."""
        return await self.maybe("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")

    async def tree_of(self, commit: str) -> str:
        """The id of the tree of a commit; raises GitFailed."""
        return await self.line("rev-parse", "--verify", f"{commit}^{{tree}}")

    async def contains(self, commit: str, older: str) -> bool:
        """Whether a commit is another one, or comes after it."""
        return not (await self.run("merge-base", "--is-ancestor", older, commit)).code

    async def _start(self, arguments: Sequence[str], feeding: bool) -> Process:
        settings = [part for key, value in SETTINGS.items() for part in ("-c", f"{key}={value}")]
        try:
            with ExitStack() as stack:
                present = [stack.enter_context(presence(self.presence))] if self.presence else []
                return await open_process(
                    ["git", *settings, *arguments],
                    stdin=PIPE if feeding else DEVNULL,
                    stdout=PIPE,
                    stderr=PIPE,
                    cwd=self.at or self.folder,
                    env=self._environ(),
                    start_new_session=True,  # Ctrl-C is ours
                    pass_fds=[file.fileno() for file in present],
                )
        except (OSError, ValueError) as error:
            raise GitFailed(f"git cannot be started in {self.folder}: {error}") from error

    def _environ(self) -> dict[str, str]:
        environ = clean(os.environ)
        if self.git_dir is not None:
            environ |= {"GIT_DIR": str(self.git_dir), "GIT_WORK_TREE": str(self.folder)}
        return {**environ, **self.more}


def clean(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without what would lead git elsewhere, and with what keeps it silent and exact."""
    kept = {name: value for name, value in environ.items() if not name.startswith("GIT_")}
    path = kept.get("PATH", os.defpath).split(os.pathsep)
    return kept | {
        "PATH": os.pathsep.join(part for part in path if Path(part).is_absolute()),
        "LC_ALL": "C",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",  # looking at the person's checkout does not write its index
        "GIT_NO_REPLACE_OBJECTS": "1",  # a commit is what it is, whatever refs/replace says
    }


async def _listen(what: str, process: Process, feed: bytes | None, limit: int) -> Ran:
    out, words = bytearray(), bytearray()
    async with create_task_group() as tasks:
        if feed is not None:
            tasks.start_soon(_feed, process, feed)
        tasks.start_soon(_gather, process.stderr, words, WORDS, True)
        cut = await _gather(process.stdout, out, limit, False)
        if cut:
            tasks.cancel_scope.cancel()
    if cut:
        return Ran(what, 0, bytes(out), "", cut=True)
    code = await process.wait()
    return Ran(what, code, bytes(out), words.decode(errors="replace").strip())


async def _feed(process: Process, feed: bytes) -> None:
    assert process.stdin is not None  # noqa: S101 - it was started with a pipe
    with suppress(BrokenResourceError):  # git has read enough; its exit code says the rest
        await process.stdin.send(feed)
    await process.stdin.aclose()


async def _gather(stream: ByteReceiveStream | None, into: bytearray, limit: int, drain: bool) -> bool:
    """Read up to `limit` bytes, and with `drain` forget what follows. Whether there was more."""
    assert stream is not None  # noqa: S101 - it was started with a pipe
    more = False
    async for chunk in stream:
        room = limit - len(into)
        into += chunk[:room]
        more = more or len(chunk) > room
        if more and not drain:
            break
    return more


async def _end(process: Process) -> None:
    """End the program and what it started, if it still runs."""
    with CancelScope(shield=True):
        if process.returncode is None:
            _signal(process, signal.SIGTERM)
            with move_on_after(GRACE):
                await process.wait()
            _signal(process, signal.SIGKILL)  # and what it started, if that did not listen
        await process.aclose()


def _signal(process: Process, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)
