"""The command line: arguments in, exit code out. The last boundary: what goes wrong here exits with 2."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path

from consent.show import safe
from mmconfigs import sentences as say
from mmconfigs.check import Report, check
from mmconfigs.errors import ConfigError, Fault
from mmconfigs.language import SaidError, Words, language_of
from mmconfigs.load import load
from orchestrator import audit, log
from orchestrator.arguments import Arguments, Usage, no_file, parse
from orchestrator.explain import Explained, Query, Unexplained, explain, from_json, from_words, in_words
from orchestrator.launch import real_folder
from orchestrator.pipelines.command import NoRun, database_of, pipeline_command
from orchestrator.pipelines.places import EngineError
from orchestrator.run import run
from orchestrator.state import state_file
from orchestrator.wiring import BUILTIN_NAMES, Wanted, wire
from orchestrator.words.catalogue import NO_DECISIONS
from orchestrator.words.command_line import NO_SUCH

DONE, WRONG, INTERRUPTED = 0, 2, 130


def main(argv: list[str], environ: Mapping[str, str]) -> int:
    """Run the command line; gives the exit code (interface.md, "Exit codes")."""
    words = Words(language_of(None, environ))  # no file is read yet
    try:
        arguments = parse(argv, environ)
        match arguments.command:
            case "check":
                return _check(arguments, environ)
            case "explain":
                return _explain(arguments, environ)
            case "log":
                return _log(arguments, environ)
            case "pipeline" if arguments.rest[0] != "resume":
                return _pipeline(arguments, environ)
            case _:
                return run(arguments, environ)
    except ConfigError as error:
        _complain(*(fault.told(words) for fault in error.faults))
    except BrokenPipeError:  # whoever read our output has seen enough, as `head` has
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except (SaidError, NoRun, EngineError, ValueError, OSError) as error:
        _complain(f"mm: {_told(error, words)}")
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
        for line in _report(report, faults, file, Words(language_of(None, environ))):
            print(safe(line))
    return WRONG if faults else DONE


def _report(report: Report, faults: Sequence[Fault], file: Path, words: Words) -> Iterator[str]:
    """The faults, and what would be started and spoken to, for a person."""
    for fault in faults:
        yield fault.told(words)
    for program in report.programs:
        what = " ".join(program.command)
        yield words.say(say.STARTS, where=program.where, key=program.key, what=what)
    for address in report.addresses:
        yield words.say(say.SPEAKS_TO, where=address.where, key=address.key, what=address.url)
    if not faults:
        yield words.say(say.NO_FAULTS, file=str(file))


def _explain(arguments: Arguments, environ: Mapping[str, str]) -> int:
    """`mm explain`: what would be decided about a call, or about each call of a file."""
    if arguments.file is None:
        raise Usage(no_file())
    wiring = wire(Wanted("line", arguments.file, flags=arguments.flags), environ)
    folder, look = real_folder(arguments.folder), wiring.eyes(wiring.seal).marked
    if arguments.batch is not None:
        one = partial(explain, wiring.loaded, wiring.setting, folder, look=look)
        return _explain_each(arguments.batch, one)
    explained = explain(
        wiring.loaded, wiring.setting, folder, from_words(arguments.rest, arguments.below), look
    )
    if arguments.json:
        print(json.dumps(explained.as_json()))
    else:
        print(*in_words(explained, wiring.words, wiring.yolo_of(explained.call.path)), sep="\n")
    return DONE


def _explain_each(file: Path, explained: Callable[[Query], Explained]) -> int:
    """One object for each line of the file; one that names no call gets `{"error"}`, and the code says so."""
    code = DONE
    for text in filter(str.strip, file.read_text(encoding="utf-8").split("\n")):
        try:
            answer = explained(from_json(text)).as_json()
        except Unexplained as error:
            answer, code = {"error": str(error)}, WRONG
        print(json.dumps(answer))
    return code


def _log(arguments: Arguments, environ: Mapping[str, str]) -> int:
    """`mm log`: what was decided, on this computer, for this user."""
    now = datetime.now().astimezone()
    wanted = log.Wanted(
        arguments.below, arguments.key, log.since(arguments.since, now) if arguments.since else None
    )
    file, words = state_file(audit.NAME), Words(language_of(None, environ))
    lines = filter(wanted.includes, audit.read(file))
    shown = log.as_json(lines) if arguments.json else log.readable(lines, words, log.here)
    first = next(shown, None)
    for line in () if first is None else chain((first,), shown):
        print(line)
    if first is None:
        _complain(f"mm: {words.say(NO_DECISIONS, file=str(file))}")
    return DONE


def _pipeline(arguments: Arguments, environ: Mapping[str, str]) -> int:
    """`mm pipeline`: the runs of pipelines, without a conversation."""
    configured, language = None, None
    if arguments.file is not None:
        config = load(arguments.file, tools=BUILTIN_NAMES, environ=environ).config
        configured, language = config.pipelines_database, config.language
    words = Words(language_of(language, environ))
    for line in pipeline_command(arguments.rest, database_of(configured), words, json=arguments.json):
        print(line)
    return DONE


def _start_faults(wanted: Wanted, environ: Mapping[str, str]) -> tuple[Fault, ...]:
    """What would stop mm at its start although the file can be read."""
    try:
        wire(wanted, environ)
    except ConfigError as error:
        return error.faults
    return ()


def _told(error: Exception, words: Words) -> str:
    """What went wrong, in the language of the person as far as it is mm that says it."""
    match error:
        case SaidError():
            return words.told(error.text)
        case OSError(filename=str(file), strerror=str(reason)):
            return words.say(NO_SUCH, file=file, reason=reason)
        case _:
            return str(error)


def _complain(*lines: str) -> None:
    with suppress(OSError):  # nobody is left who could be told
        for line in lines:
            print(safe(line), file=sys.stderr, flush=True)
