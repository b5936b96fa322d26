"""Runs the hooks of a file: programs that see a call before the Gate, and may refuse it.

A hook reads the call as JSON on stdin and answers by its exit code and stdout (docs/reference/hooks.md).
Whatever it does that is not a clear "go on" refuses. Knows no Gate, and no file.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from signal import strsignal
from typing import Any

import anyio
from anyio import BrokenResourceError, CapacityLimiter, ClosedResourceError
from anyio.abc import ByteReceiveStream, ByteSendStream

from consent.call import ToolCall
from consent.hook import Broken, Objection, hooks_of
from consent.key import Path
from consent.matching import Rule
from consent.show import cut
from orchestrator.processes import NotStarted, Started, start
from orchestrator.tools.base import Workplace

VERSION = 1
"""The `v` of what a hook reads."""
LIMIT = 10.0
"""Seconds that a hook may take (consent.md)."""
LINGER = 1.0
"""Seconds to read on after its end, for a program that left its group and holds the output open."""
MOST_OUTPUT = 64 * 1024
"""Bytes that a hook may write to stdout; of stderr as many are kept."""
LONGEST_REASON = 400
AT_ONCE = 8
"""Hooks that run at the same time for the calls of one agent."""
REFUSED = 2
"""The exit code of a hook that refuses."""


@dataclass(frozen=True, slots=True)
class Hook:
    """A hook of the file: `rule` says which calls it sees, `argv` is its command.

    `changed` tells which file of the command is not what it was at the start, if one is.
    """

    rule: Rule
    argv: tuple[str, ...]
    changed: Callable[[], str]


@dataclass
class Hooks:
    """The hooks of one conversation, in the order of the file. `limit` is in seconds."""

    all: Sequence[Hook]
    place: Workplace
    limit: float = LIMIT
    _places: defaultdict[Path, CapacityLimiter] = field(
        default_factory=lambda: defaultdict(lambda: CapacityLimiter(AT_ONCE))
    )

    async def __call__(self, call: ToolCall) -> Objection | None:
        """Show the call to each hook that sees it, one after the other; the first refusal decides."""
        for hook in self.all:
            if not any(hooks_of((hook.rule,), call)):
                continue
            async with self._places[call.path]:
                objection = await self._run(hook, call)
            if objection:
                return objection
        return None

    async def _run(self, hook: Hook, call: ToolCall) -> Objection | None:
        if file := hook.changed():
            return Objection(hook.rule, file, Broken.CHANGED)
        environ = self.place.inherited()
        program = _program(hook.argv[0], environ.get("PATH", os.defpath))
        if program is None:
            return Objection(hook.rule, hook.argv[0], Broken.NOT_STARTED)
        heard = _Heard()
        try:
            argv = (program, *hook.argv[1:])
            async with start(argv, cwd=self.place.folder, environ=environ) as process:
                code = await heard.listen(process, spoken(call), self.limit)
        except NotStarted as error:
            return Objection(hook.rule, _bounded(str(error)), Broken.NOT_STARTED)
        return heard.objection(hook.rule, code, self.limit)


def spoken(call: ToolCall) -> bytes:
    """The line that a hook reads: the arguments stand in it byte for byte as they will run."""
    about = {
        "v": VERSION,
        "agent": "/".join(call.path),
        "tool": call.name,
        "server": call.server or None,
        "cwd": call.folder,
    }
    line = f'{json.dumps(about)[:-1]}, "args": {call.told or "null"}}}\n'
    return line.encode("utf-8", "surrogatepass")


def _program(name: str, path: str) -> str | None:
    """The program, on the whole paths of PATH; other parts of PATH mean the working folder."""
    folders = filter(os.path.isabs, path.split(os.pathsep))
    return shutil.which(name, path=os.pathsep.join(folders))


class _Heard:
    """What one run of a hook wrote."""

    def __init__(self) -> None:
        self._stdout = b""
        self._stderr = b""
        self._whole = False  # stdout was read to its end

    async def listen(self, process: Started, line: bytes, limit: float) -> int | None:
        """Hand the call over and read until the hook has ended: its exit code, None if it had to be ended."""
        code = None
        with anyio.move_on_after(limit) as scope:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_write, process.stdin, line)
                tasks.start_soon(self._read_stderr, process.stderr)
                tasks.start_soon(self._read_stdout, process.stdout, scope)
                code = await process.wait()
                await process.end(0)
                tasks.cancel_scope.deadline = anyio.current_time() + LINGER
        return code

    def objection(self, rule: Rule, code: int | None, limit: float) -> Objection | None:
        """What the hook has against the call, None where it lets it go on."""
        if len(self._stdout) > MOST_OUTPUT:
            return Objection(rule, f"{MOST_OUTPUT // 1024} KiB", Broken.FLOOD)
        if code is None:
            return Objection(rule, f"{limit:g} s", Broken.TOO_LATE)
        if code == REFUSED:
            return Objection(rule, self._complaint)
        if code != 0:
            ended = f"exit code {code}" if code > 0 else strsignal(-code) or str(code)
            return Objection(rule, ": ".join(filter(None, (ended, self._complaint))), Broken.FAILED)
        if not self._whole:
            return Objection(rule, f"{LINGER:g} s", Broken.STAYED_OPEN)
        return _answered(rule, self._stdout)

    @property
    def _complaint(self) -> str:
        """The first line of stderr that says something."""
        lines = self._stderr.decode(errors="backslashreplace").splitlines()
        return _bounded(next((line.strip() for line in lines if line.strip()), ""))

    async def _read_stdout(self, stream: ByteReceiveStream, everything: anyio.CancelScope) -> None:
        async for chunk in stream:
            self._stdout += chunk
            if len(self._stdout) > MOST_OUTPUT:
                everything.cancel()
                return
        self._whole = True

    async def _read_stderr(self, stream: ByteReceiveStream) -> None:
        async for chunk in stream:  # to the end, so that it never stalls
            self._stderr += chunk[: MOST_OUTPUT - len(self._stderr)]


async def _write(stdin: ByteSendStream, line: bytes) -> None:
    """Hand the call over; a hook need not read it."""
    with suppress(BrokenResourceError, ClosedResourceError):
        await stdin.send(line)
    await stdin.aclose()


def _answered(rule: Rule, stdout: bytes) -> Objection | None:
    """What an answer on stdout says. Only blanks, and the one documented answer, let the call go on."""
    if not stdout.strip():
        return None
    match _json(stdout):
        case {"decision": "refuse", **rest}:
            reason = rest.get("reason")
            return Objection(rule, _bounded(reason if isinstance(reason, str) else ""))
        case {"decision": "allow", "reason": str(), **rest} | {"decision": "allow", **rest} if not rest:
            return None  # to the Gate: nothing that a hook writes allows a call
    return Objection(rule, _bounded(stdout.decode(errors="backslashreplace").strip()), Broken.UNCLEAR)


def _json(stdout: bytes) -> Any:
    """The one JSON value that was printed, None where that is not clear."""
    try:
        return json.loads(stdout.decode(), object_pairs_hook=_object)
    except (ValueError, RecursionError):
        return None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which no key stands twice: the second would hide the first."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands there twice")
    return found


def _bounded(text: str) -> str:
    excerpt = cut(text, LONGEST_REASON)
    return f"{excerpt.head} … {excerpt.tail}" if excerpt.characters else text
