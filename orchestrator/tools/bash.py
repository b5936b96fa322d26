"""The shell: one command, its output, its end. Knows no rule about commands."""

from __future__ import annotations

import os
import shutil
from functools import partial
from pathlib import PurePath
from signal import strsignal
from subprocess import DEVNULL, STDOUT

from anyio import create_task_group, current_time, move_on_after

from consent.call import Command, Doubt, Tier
from consent.key import Kind
from orchestrator.processes import NotStarted, Started, start
from orchestrator.tools.arguments import check_arguments, hidden, text_schema
from orchestrator.tools.base import Arguments, Outcome, Seen, Tool, Workplace
from orchestrator.tools.output import Output
from orchestrator.words.shown import LONGEST

LIMIT = 600.0
"""Seconds that a command may take."""

GRACE = 2.0
"""Seconds that a command has to end by itself when its time is up."""

LINGER = 1.0
"""Seconds to read on after the end, for a program that left the group and holds the output open."""

DESCRIPTION = """\
Run a command in bash, in the working folder, and return its output (stdout and stderr in order) and its \
exit code. It cannot read input. When the command ends, everything that it started ends with it, programs in \
the background included. A command that takes longer than {limit:g} seconds is ended."""

PARAMETERS = text_schema({"command": "what bash -c runs"})


def bash_tool(limit: float = LIMIT) -> Tool:
    """The tool; `limit` is the number of seconds that a command may take."""
    return Tool(
        "bash",
        DESCRIPTION.format(limit=limit),
        PARAMETERS,
        Kind.EXECUTE,
        _look,
        partial(_run, limit=limit),
    )


def _look(arguments: Arguments, _place: Workplace) -> Seen:
    command = check_arguments(PARAMETERS, arguments)["command"]
    doubts = (Doubt.TOO_LONG,) if len(command) > LONGEST else ()
    return Seen(Command(command), Tier.EXEC, unrunnable=hidden(command), doubts=doubts)


async def _run(arguments: Arguments, _seen: Seen, place: Workplace, *, limit: float) -> Outcome:
    environ = place.inherited()
    shell = _shell(environ.get("PATH", os.defpath))
    # A command that begins with a dash is no option. The last word is what the shell calls itself.
    argv = (shell, "-c", "--", arguments["command"], PurePath(shell).name)
    output = Output(place.scratch)
    try:
        async with start(argv, cwd=place.folder, environ=environ, stdin=DEVNULL, stderr=STDOUT) as process:
            code = await _finish(process, output, limit)
    except NotStarted as error:
        return Outcome(str(error), ok=False)
    return _outcome(output.text(), code, limit)


def _shell(path: str) -> str:
    """Bash where PATH names a whole path to it, else sh. Other parts of PATH mean the working folder."""
    folders = filter(os.path.isabs, path.split(os.pathsep))
    return shutil.which("bash", path=os.pathsep.join(folders)) or "/bin/sh"


async def _finish(process: Started, output: Output, limit: float) -> int | None:
    """Read until the command and its group have ended: its exit code, None when its time was up."""
    code = None
    async with create_task_group() as tasks:
        tasks.start_soon(output.fill, process.stdout)
        with move_on_after(limit):
            code = await process.wait()
        await process.end(GRACE)
        tasks.cancel_scope.deadline = current_time() + LINGER
    return code


def _outcome(text: str, code: int | None, limit: float) -> Outcome:
    match code:
        case 0:
            return Outcome(text or "(no output)")
        case None:
            end = f"ended after {limit:g} seconds, the longest that a command may take"
        case _ if code < 0:
            end = f"ended by signal {-code} ({strsignal(-code)})"
        case _:
            end = f"exit code {code}"
    return Outcome("\n".join(filter(None, (text.removesuffix("\n"), end))), ok=False)
