"""The command line: arguments in, exit code out. The last boundary: what goes wrong here exits with 2."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping

from consent.show import safe
from mmconfigs.check import check
from mmconfigs.errors import ConfigError, Fault
from orchestrator.arguments import Arguments, Usage, no_file, parse
from orchestrator.run import run
from orchestrator.wiring import BUILTIN_NAMES, Wanted, wire

DONE, WRONG, INTERRUPTED = 0, 2, 130


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
            print(safe(f"{program.where}: {program.key}: starts {' '.join(program.command)}"))
        if not faults:
            print(safe(f"{file}: no faults"))
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
        print(safe(line), file=sys.stderr, flush=True)
