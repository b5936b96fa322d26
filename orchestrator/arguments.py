"""The arguments of the command line, read into a value. Knows no conversation."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, NoReturn

import platformdirs

from mmconfigs.errors import hinted, nearest
from mmconfigs.language import SaidError, Saying, Sentence, Text, Words, language_of, saying
from mmconfigs.values import Mode
from orchestrator import __version__
from orchestrator.words import command_line as say

Command = Literal["line", "editor", "prompt", "ask", "run", "check", "explain", "log", "pipeline"]
WORDS: Mapping[str, Command] = {"check": "check", "explain": "explain", "log": "log", "pipeline": "pipeline"}
"""Commands that are written as a word; options may stand before and behind it."""
NOT_BUILT = ("sessions",)
"""Commands of the interface that do not exist yet."""
PIPELINE_VERBS = ("list", "show", "resume", "cancel", "clean")
MODES: Mapping[str, Mode] = {"always-ask": "always-ask", "write": "write", "yolo": "yolo"}


class Usage(SaidError):
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
        raise Usage(saying(say.SEE_HELP, what=_complaint(message)))


# What argparse says, and what we say of it; the first that fits counts.
_COMPLAINTS = (
    ("unrecognized arguments: (?P<given>.*)", say.UNKNOWN),
    ("argument (?P<option>.*): expected one argument", say.NO_VALUE),
    (
        "argument (?P<option>.*): invalid choice: (?P<given>.*) \\(choose from (?P<accepted>.*)\\)",
        say.NO_CHOICE,
    ),
    ("argument (?P<option>.*): ignored explicit argument .*", say.TAKES_NONE),
)


def _complaint(message: str) -> Text:
    """What argparse complains of, in our words; what it says itself where they do not fit."""
    for pattern, sentence in _COMPLAINTS:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            return saying(sentence, **found.groupdict())
    return message


def parse(argv: Sequence[str], environ: Mapping[str, str]) -> Arguments:
    """Read the arguments, options before and after the command word alike; raises Usage."""
    found = _parser(Words(language_of(None, environ))).parse_intermixed_args(list(argv))
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


def _parser(words: Words) -> _Parser:
    parser = _Parser(
        prog="mm",
        description=words.say(say.ABOUT),
        epilog=words.say(say.WITHOUT),
        allow_abbrev=False,
        add_help=False,
        formatter_class=partial(_Help, words),
    )
    positionals = parser.add_argument_group(words.say(say.POSITIONALS))
    positionals.add_argument("words", nargs="*", metavar="COMMAND | QUESTION", help=words.say(say.WORDS))
    group = parser.add_argument_group(words.say(say.OPTIONS))

    def add(*names: str, tells: Sentence, **options: Any) -> None:
        group.add_argument(*names, help=words.say(tells), **options)

    add("-h", "--help", tells=say.HELP, action="help")
    add("-c", "--config", tells=say.FILE, metavar="FILE")
    add("-m", "--model", tells=say.MODEL, metavar="NAME")
    add("-p", "--prompt", tells=say.PROMPT, metavar="PROMPT", nargs="?", const=None, default=False)
    add("--ask", tells=say.ASK, metavar="NAME")
    add("--pipeline", tells=say.PIPELINE, metavar="NAME")
    add("--acp", tells=say.ACP, action="store_true")
    add("--approval-mode", tells=say.APPROVAL, choices=list(MODES), metavar="MODE")
    add("--yolo", "--auto-approve", tells=say.YOLO, action="store_true", dest="yolo")
    add("--cwd", tells=say.FOLDER, metavar="DIR")
    add("--json", tells=say.JSON, action="store_true")
    add("--agent", tells=say.AGENT, metavar="PATH")
    add("--key", tells=say.KEY, metavar="KEY")
    add("--since", tells=say.SINCE, metavar="TIME")
    add("--batch", tells=say.BATCH, metavar="FILE")
    add("--verbose", tells=say.VERBOSE, action="store_true")
    add("--version", tells=say.VERSION, action="version", version=f"mm {__version__}")
    for name in ("--entry", "--digest"):
        parser.add_argument(name, help=argparse.SUPPRESS)
    for name in ("--window", "--continue", "--resume"):
        parser.add_argument(name, nargs="?", const="", default=None, help=argparse.SUPPRESS)
    return parser


class _Help(argparse.HelpFormatter):
    """The help in the language of the person."""

    def __init__(self, words: Words, prog: str) -> None:
        super().__init__(prog)
        self._words = words

    def add_usage(self, usage: str | None, actions: Any, groups: Any, prefix: str | None = None) -> None:
        whole = usage.lstrip() if usage else None  # argparse takes its own, English prefix off by its length
        super().add_usage(whole, actions, groups, prefix or self._words.say(say.USAGE))

    def start_section(self, heading: str | None) -> None:
        # argparse writes the colon; in French a blank stands before it.
        super().start_section(self._words.say(say.HEADING, heading=heading) if heading else None)


def _command(found: argparse.Namespace) -> Command:
    for name in ("window", "continue", "resume"):
        if getattr(found, name) is not None:
            raise Usage(saying(say.NOT_BUILT, what=f"--{name}"))
    asked = {
        "prompt": found.prompt is not False,
        "ask": found.ask is not None,
        "run": found.pipeline is not None,
        "editor": found.acp,
    }
    chosen = [command for command, on in asked.items() if on]
    if len(chosen) > 1:
        raise Usage(saying(say.EXCLUDED))
    word = found.words[0] if found.words else ""
    match chosen, word:
        case [["ask"], _]:
            return "ask"
        case [["run"], _]:
            return "run"
        case [[], "pipeline"]:
            return _pipeline_word(found.words[1:])
        case [[], "check" | "log"] if len(found.words) > 1:
            raise Usage(saying(say.NO_ARGUMENT, word=word))
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
            near = nearest(rest[0], PIPELINE_VERBS) if rest and rest[0] not in PIPELINE_VERBS else None
            raise Usage(hinted(saying(say.PIPELINE_WORDS), near))


def _no_command(word: str) -> Saying:
    if word in NOT_BUILT:
        return saying(say.NOT_BUILT, what=word)
    if word.endswith((".yaml", ".yml")):
        return saying(say.NAME_FILE, word=word)
    what = hinted(saying(say.NO_COMMAND, word=word), nearest(word, (*WORDS, *NOT_BUILT)))
    return saying(say.COMMANDS, what=what, listed=", ".join(WORDS))


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
        raise Usage(saying(say.EMPTY_NAME))
    if named is not None:
        return Path(named)
    own = user_file()
    return own if own.exists() else None


def user_file() -> Path:
    """Where the user's own file lies, or would lie."""
    return platformdirs.user_config_path("mm") / "agents.yaml"


def no_file() -> Saying:
    """What to do where no file is found."""
    return saying(say.NO_FILE, file=str(user_file()))


def _folder(given: str | None) -> Path:
    try:
        return Path(given) if given else Path.cwd()
    except FileNotFoundError:
        raise Usage(saying(say.FOLDER_GONE)) from None
