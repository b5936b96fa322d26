"""The command line: arguments in, exit code out. The last boundary: what goes wrong here exits with 2."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NoReturn, TextIO

from mmconfigs.check import check
from mmconfigs.errors import ConfigError, Fault
from orchestrator.arguments import Arguments, Usage, no_file, parse
from orchestrator.run import run
from orchestrator.wiring import BUILTIN_NAMES, Wanted, wire

DONE, WRONG, INTERRUPTED = 0, 2, 130


def entry() -> NoReturn:
    """The command `mm`."""
    _reopen()
    code = main(sys.argv[1:], os.environ)
    _flush()
    sys.exit(code)


def main(argv: list[str], environ: Mapping[str, str]) -> int:
    """Run the command line; gives the exit code (interface.md, "Exit codes")."""
    try:
        arguments = parse(argv, environ)
        if arguments.command == "check":
            return _check(arguments, environ)
        return run(arguments, environ)
    except ConfigError as error:
        _complain(*map(str, error.faults))
    except (Usage, ValueError, OSError) as error:
        _complain(f"mm: {error}")
    except KeyboardInterrupt:
        return INTERRUPTED
    return WRONG


def _reopen() -> None:
    """Open what was closed on nothing: no pipe may take its number, and no error go to the other stream."""
    sys.stdin = sys.stdin or _nowhere("r")
    sys.stdout = sys.stdout or _nowhere("w")
    sys.stderr = sys.stderr or _nowhere("w")


def _flush() -> None:
    """Write out what is left; where nobody reads it any more, it goes nowhere instead of into a traceback."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if not stream.closed:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _nowhere(mode: Literal["r", "w"]) -> TextIO:
    return Path(os.devnull).open(mode, encoding="utf-8")


def _check(arguments: Arguments, environ: Mapping[str, str]) -> int:
    """`mm check`: every fault of the file and of the files that it names, and what it would start."""
    file = arguments.file
    if file is None:
        raise Usage(no_file())
    report = check(file, tools=BUILTIN_NAMES, environ=environ)
    faults = report.faults or _start_faults(Wanted("line", file, flags=arguments.flags), environ)
    if arguments.json:
        print(json.dumps([fault.as_json() for fault in faults], indent=2))
    else:
        for fault in faults:
            print(fault)
        for program in report.programs:
            print(f"{program.where}: {program.key}: starts {' '.join(program.command)}")
        if not faults:
            print(f"{file}: no faults")
    return WRONG if faults else DONE


def _start_faults(wanted: Wanted, environ: Mapping[str, str]) -> tuple[Fault, ...]:
    """What would stop mm at its start although the file can be read."""
    try:
        wire(wanted, environ)
    except ConfigError as error:
        return error.faults
    return ()


def _complain(*lines: str) -> None:
    for line in lines:
        print(line, file=sys.stderr, flush=True)
