"""The arguments of the command line, read into a value. Knows no conversation."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NoReturn

import platformdirs

from mmconfigs.errors import nearest
from mmconfigs.model import Mode
from orchestrator import __version__

Command = Literal["line", "editor", "prompt", "ask", "run", "check", "explain", "log", "pipeline"]
WORDS: Mapping[str, Command] = {"check": "check", "explain": "explain", "log": "log", "pipeline": "pipeline"}
"""Commands that are written as a word; options may stand before and behind it."""
NOT_BUILT = ("sessions",)
"""Commands of the interface that do not exist yet."""
MODES: Mapping[str, Mode] = {"always-ask": "always-ask", "write": "write", "yolo": "yolo"}


class Usage(Exception):
    """The command line is wrong. Says what is wrong and what is accepted."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """What was asked for. `text` is the prompt, question or task, None where it is to be read from stdin.

    `file` is None where nothing names one; `entry` leads to a configuration written in place. `rest` are the
    words behind the command word; `below`, `key`, `since` and `batch` belong to explain and log.
    """

    command: Command
    file: Path | None
    entry: tuple[str, ...]
    digest: str | None
    agent: str
    pipeline: str
    text: str | None
    model: str | None
    flags: Mapping[str, Mode]
    folder: Path
    verbose: bool
    json: bool
    rest: tuple[str, ...] = ()
    below: str = ""
    key: str = ""
    since: str = ""
    batch: Path | None = None


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Usage(f"{message}; see mm --help")


def parse(argv: Sequence[str], environ: Mapping[str, str]) -> Arguments:
    """Read the arguments, options before and after the command word alike; raises Usage."""
    found = _parser().parse_intermixed_args(list(argv))
    command = _command(found)
    words: list[str] = found.words
    return Arguments(
        command=command,
        file=_file(found.config, environ),
        entry=tuple(found.entry.split("/")) if found.entry else (),
        digest=found.digest,
        agent=found.ask or "",
        pipeline=found.pipeline or "",
        text=found.prompt if command == "prompt" else " ".join(words) if words else None,
        model=found.model,
        flags=_flags(found),
        folder=_folder(found.cwd),
        verbose=found.verbose,
        json=found.json,
        rest=tuple(words[1:]) if command in WORDS else (),
        below=found.agent or "",
        key=found.key or "",
        since=found.since or "",
        batch=Path(found.batch) if found.batch else None,
    )


def _parser() -> _Parser:
    parser = _Parser(
        prog="mm",
        description="A multi-agent orchestrator: the agent that you launch decides for all agents below it.",
        epilog="Without a command: a conversation in this terminal. `mm check` reads the file and reports; "
        "`mm explain TOOL [ARGS-JSON]` says what would be decided; `mm log` shows what was decided.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "words",
        nargs="*",
        metavar="COMMAND | QUESTION",
        help="check, explain, log, pipeline; or the question of --ask, or the task of --pipeline",
    )
    add = parser.add_argument
    add("-c", "--config", metavar="FILE", help="the file; else MM_CONFIG, else the user's own agents.yaml")
    add("-m", "--model", metavar="NAME", help="another model than the file's")
    add(
        "-p",
        "--prompt",
        metavar="PROMPT",
        nargs="?",
        const=None,
        default=False,
        help="one run; else from stdin",
    )
    add("--ask", metavar="NAME", help="ask one agent of mmConfigs; the question from the argument or stdin")
    add("--pipeline", metavar="NAME", help="run a pipeline of the file; the task from the argument or stdin")
    add("--acp", action="store_true", help="an ACP agent on stdin and stdout, for editors")
    add("--approval-mode", choices=list(MODES), metavar="MODE", help="always-ask, write or yolo")
    add("--yolo", "--auto-approve", action="store_true", dest="yolo", help="run tools without asking")
    add("--cwd", metavar="DIR", help="work in this folder")
    add("--json", action="store_true", help="for check, explain and log: machine-readable")
    add("--agent", metavar="PATH", help="for explain and log: the agent, as jan/homer")
    add("--key", metavar="KEY", help="for log: only this key, as jan/bash or jan/*")
    add("--since", metavar="TIME", help="for log: 30m, 2h, 7d, 1w, or a date")
    add("--batch", metavar="FILE", help="for explain: one JSON object a line, with tool, args and agent")
    add("--verbose", action="store_true", help="for -p and --ask: tell each call on stderr")
    add("--version", action="version", version=f"mm {__version__}")
    add("--entry", help=argparse.SUPPRESS)
    add("--digest", help=argparse.SUPPRESS)
    for name in ("--window", "--continue", "--resume"):
        add(name, nargs="?", const="", default=None, help=argparse.SUPPRESS)
    return parser


def _command(found: argparse.Namespace) -> Command:
    for name in ("window", "continue", "resume"):
        if getattr(found, name) is not None:
            raise Usage(f"--{name} is not built yet")
    asked = {
        "prompt": found.prompt is not False,
        "ask": found.ask is not None,
        "run": found.pipeline is not None,
        "editor": found.acp,
    }
    chosen = [command for command, on in asked.items() if on]
    if len(chosen) > 1:
        raise Usage("-p, --ask, --pipeline and --acp exclude each other")
    word = found.words[0] if found.words else ""
    match chosen, word:
        case [["ask"], _]:
            return "ask"
        case [["run"], _]:
            return "run"
        case [[], "pipeline"]:
            return _pipeline_word(found.words[1:])
        case [[], "check" | "log"] if len(found.words) > 1:
            raise Usage(f"{word} takes no argument; mm --help lists its options")
        case [[], _] if word in WORDS:
            return WORDS[word]
        case [_, ""]:
            return "prompt" if chosen == ["prompt"] else "editor" if chosen else "line"
        case _:
            raise Usage(_no_command(word))


def _pipeline_word(rest: Sequence[str]) -> Command:
    """`mm pipeline` takes a verb, and for some the id of a run."""
    match rest:
        case ["list" | "clean"] | ["show" | "resume" | "cancel", _]:
            return "pipeline"
        case _:
            raise Usage("mm pipeline takes one of: list, show ID, resume ID, cancel ID, clean")


def _no_command(word: str) -> str:
    if word in NOT_BUILT:
        return f"{word} is not built yet"
    if word.endswith((".yaml", ".yml")):
        return f"name the file with -c: mm -c {word}"
    near = nearest(word, (*WORDS, *NOT_BUILT))
    hint = f"; did you mean {near}?" if near else ""
    listed = f"{', '.join(WORDS)}; a prompt stands behind -p, a question behind --ask NAME"
    return f"{word} is no command of mm{hint} (commands: {listed})"


def _flags(found: argparse.Namespace) -> dict[str, Mode]:
    flags: dict[str, Mode] = {}
    if found.approval_mode:
        flags["--approval-mode"] = MODES[found.approval_mode]
    if found.yolo:
        flags["--yolo"] = "yolo"
    return flags


def _file(given: str | None, environ: Mapping[str, str]) -> Path | None:
    """The file that is named, else the user's own if there is one. Nothing of the working folder."""
    named = given if given is not None else environ.get("MM_CONFIG")
    if named == "":
        raise Usage("the name of the file is empty; name one with -c, or in MM_CONFIG")
    if named is not None:
        return Path(named)
    own = user_file()
    return own if own.exists() else None


def user_file() -> Path:
    """Where the user's own file lies, or would lie."""
    return platformdirs.user_config_path("mm") / "agents.yaml"


def no_file() -> str:
    """What to do where no file is found."""
    enough = "to begin, `model: demo` and `yolo: false` are enough"
    return f"no file: write {user_file()}, or name a file with -c; {enough}"


def _folder(given: str | None) -> Path:
    try:
        return Path(given) if given else Path.cwd()
    except FileNotFoundError:
        raise Usage("the working folder is gone; go to another one, or name one with --cwd") from None
