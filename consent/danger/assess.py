"""The mark of one shell command: every program in command position is looked at, and the worst counts.

It never raises and always ends: what is too long, too deep or not understood is unclear, never quiet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import assert_never

from consent.danger.finding import QUIET, TROUBLES, Finding, Harm, Reason, Verdict, reason_of
from consent.danger.interpreters import is_interpreter, is_shell, source
from consent.danger.options import options
from consent.danger.paths import Surroundings
from consent.danger.plain import FETCHERS, PLAIN
from consent.danger.programs import judge_of, whole_roots
from consent.danger.scene import Scene
from consent.danger.wrappers import (
    SHELL_TEXT,
    WRAPPERS,
    Program,
    base_name,
    innermost,
    layers,
    shell_texts,
)
from consent.shell.commands import read
from consent.shell.cursor import Cursor, Effort, inside
from consent.shell.syntax import (
    Command,
    Compound,
    Function,
    Pipeline,
    Redirect,
    Script,
    Simple,
    Trouble,
    Word,
)

_RANK = {verdict: rank for rank, verdict in enumerate(Verdict)}
_EXEC = ("-exec", "-execdir", "-ok", "-okdir")
_MOST_TRIALS = 8
_GOES = ("cd", "pushd", "popd")
_APPENDS = (">>", "&>>", "<>")
_TRUNCATES = (">", ">|", "&>", ">&")


class _Fed(IntEnum):
    """What standard input holds."""

    OTHER = 0
    PIPE = 1
    FETCHED = 2


def assess(command: str, around: Surroundings) -> Finding:
    """The mark of a command that would run in these surroundings."""
    eyes = _Eyes(command, around)
    eyes.read(Cursor(command, eyes.effort), _Fed.OTHER)
    return eyes.finding()


class _Eyes:
    __slots__ = ("_full", "_scene", "_worst", "effort")

    def __init__(self, full: str, around: Surroundings) -> None:
        self.effort = Effort()
        self._full = full
        self._scene = Scene(around, self.effort)
        self._worst: Harm | None = None

    def finding(self) -> Finding:
        """The worst of all that was noted."""
        if self.effort.steps < 0:
            self.effort.stop(Trouble.TOO_LONG, 0)
        if self.effort.trouble:
            at = min(self.effort.at, len(self._full))
            self._note((Harm(reason_of(self.effort.trouble), Word("", at, len(self._full))),))
        if self._worst is None:
            return QUIET
        reason, (_, start, end, *_) = self._worst
        what = "" if reason in TROUBLES else self._full[start:end]
        return Finding(reason.verdict, reason, what, start, end)

    def read(self, cursor: Cursor, fed: _Fed) -> None:
        """Look at all commands of a text."""
        self._script(read(cursor), fed)

    def _note(self, harms: Iterable[Harm]) -> None:
        for harm in harms:
            if self._worst is None or _rank(harm) > _rank(self._worst):
                self._worst = harm

    # What the shell runs.

    def _script(self, script: Iterable[Pipeline], fed: _Fed) -> None:
        for pipeline in script:
            self._pipeline(pipeline, fed)

    def _pipeline(self, pipeline: Pipeline, fed: _Fed) -> None:
        folders = self._scene.folders
        for command in pipeline.commands:
            self._command(command, fed)
            if len(pipeline.commands) > 1:
                self._scene.either(folders)
                fed = _Fed.FETCHED if fed is _Fed.FETCHED or self._fetches(command) else _Fed.PIPE

    def _command(self, command: Command, fed: _Fed) -> None:
        match command:
            case Simple():
                self._simple(command, fed)
            case Compound():
                self._compound(command, fed)
            case Function(name, body):
                if _multiplies(name.text, body):
                    self._note((Harm(Reason.FORK_BOMB, name),))
                self._command(body, _Fed.OTHER)
            case _:
                assert_never(command)

    def _compound(self, command: Compound, fed: _Fed) -> None:
        folders = self._scene.folders
        self._inside(command.looked_at, fed)
        fed, _ = self._redirects(command.redirects, fed)
        for script in command.scripts:
            self._script(script, fed)
        self._scene.either(folders)  # it may have been a subshell, or have done nothing

    def _simple(self, command: Simple, fed: _Fed) -> None:
        if not self.effort.spend(len(command.words)):
            return
        self._inside(command.assigned, fed)
        self._inside(command.words, fed)
        fed, document = self._redirects(command.redirects, fed)
        if command.words:
            self._run(command.words, fed, document)

    def _inside(self, words: Iterable[Word], fed: _Fed) -> None:
        """Substitutions: they run in a shell of their own."""
        folders = self._scene.folders
        for word in words:
            for script in word.scripts:
                self._script(script, fed)
                self._scene.folders = folders

    def _redirects(self, redirects: tuple[Redirect, ...], fed: _Fed) -> tuple[_Fed, Word | None]:
        """What redirections write to; and what they make of standard input: its source, its text if known."""
        document = None
        for operator, target, feed in redirects:
            if not self.effort.spend(2):
                break
            texts = (target, feed.word) if feed and feed.word else (target,)
            self._inside(texts, fed)
            if operator in _APPENDS:
                self._note(self._scene.written(target))
            elif operator in _TRUNCATES and not (operator == ">&" and _is_descriptor(target)):
                self._note(self._scene.overwritten(target, Reason.OVERWRITES))
            elif operator.startswith("<"):
                document = texts[-1] if operator.startswith("<<") else None
                fed = _Fed.FETCHED if any(map(self._any_fetches, texts)) else _Fed.OTHER
        return fed, document

    # What a program runs.

    def _run(self, words: Sequence[Word], fed: _Fed, document: Word | None = None) -> None:
        last = None
        for last in layers(words):
            if _is_computed(last.word):
                fetched = self._any_fetches(last.word)
                self._note((Harm(Reason.RUNS_FETCHED if fetched else Reason.COMPUTED, last.word),))
            for text in shell_texts(last):
                self._code(text, fed)
        if last and last.name not in WRAPPERS:
            self._program(last, fed, document)

    def _program(self, program: Program, fed: _Fed, document: Word | None) -> None:
        name = program.name
        judge = judge_of(name)
        if judge:
            self._note(judge(program, self._scene))
        if is_interpreter(name):
            self._interpreter(program, fed, document)
        elif name == "find":
            self._find(program, fed)
        elif name in _GOES:
            self._go(program)
        elif name in (".", "source"):
            self._runs_if_fetched(program.args[:1])
        elif judge is None and name not in PLAIN and name not in SHELL_TEXT:
            self._unknown(program, fed)

    def _go(self, program: Program) -> None:
        operands = options(program.args).operands
        self._scene.go(operands[0] if operands else None)

    def _interpreter(self, program: Program, fed: _Fed, document: Word | None) -> None:
        text, file = source(program)
        if text is None and file is None:
            text = document
        if text or file:
            self._runs_if_fetched(filter(None, (text, file)))
        elif fed:
            reason = Reason.RUNS_FETCHED if fed is _Fed.FETCHED else Reason.PIPED
            self._note((Harm(reason, program.word),))
        if text and is_shell(program.name):
            self._code(text, fed)

    def _runs_if_fetched(self, words: Iterable[Word]) -> None:
        self._note(Harm(Reason.RUNS_FETCHED, word) for word in words if self._any_fetches(word))

    def _code(self, word: Word, fed: _Fed) -> None:
        """A word that is itself a text for a shell."""
        self._runs_if_fetched((word,))
        if not word.known:
            self._note((Harm(Reason.COMPUTED, word),))
        folders = self._scene.folders
        self.effort.enter()  # what is too deep is not read
        self.read(inside(word, self._full, self.effort), fed)
        self.effort.leave()
        self._scene.either(folders)

    def _find(self, program: Program, fed: _Fed) -> None:
        """`find -exec`: `{}` stands for the folders that it starts from, where it leaves nothing out."""
        roots = tuple(whole_roots(program))
        texts = [word.text for word in program.args]
        for at in (at for at, text in enumerate(texts) if text in _EXEC):
            end = next((end for end in range(at, len(texts)) if texts[end] in (";", "+")), len(texts))
            words = [
                found
                for word in program.args[at + 1 : end]
                for found in (roots if roots and word.text == "{}" else (word,))
            ]
            if words and self.effort.spend(len(words)):
                self._nested(words, fed)

    def _unknown(self, program: Program, fed: _Fed) -> None:
        """A program that is not known may be a wrapper: is there a dangerous command among its arguments?"""
        args = program.args
        suspects = [at for at, word in enumerate(args) if _may_run(base_name(word.text))]
        for at in suspects[:_MOST_TRIALS]:
            if self._is_harmful(args[at:], fed):
                self._note((Harm(Reason.UNKNOWN_PROGRAM, args[at]),))
                return
        if len(suspects) > _MOST_TRIALS:
            self._note((Harm(Reason.UNKNOWN_PROGRAM, program.word),))

    def _is_harmful(self, words: Sequence[Word], fed: _Fed) -> bool:
        worst, folders = self._worst, self._scene.folders
        self._worst = None
        self._nested(words, fed)
        found, self._worst, self._scene.folders = self._worst, worst, folders
        return found is not None

    def _nested(self, words: Sequence[Word], fed: _Fed) -> None:
        if self.effort.enter():
            self._run(words, fed)
        else:
            self.effort.stop(Trouble.TOO_DEEP, words[0].start)
        self.effort.leave()

    # What comes from another computer.

    def _fetches(self, command: Command) -> bool:
        match command:
            case Simple(words=words):
                last = innermost(words)
                return bool(last and last.name in FETCHERS) or any(map(self._any_fetches, words))
            case Compound(scripts=scripts):
                return any(map(self._script_fetches, scripts))
            case Function():
                return False
            case _:
                assert_never(command)

    def _any_fetches(self, word: Word) -> bool:
        return any(map(self._script_fetches, word.scripts))

    def _script_fetches(self, script: Script) -> bool:
        commands = (command for pipeline in script for command in pipeline.commands)
        return self.effort.spend(len(script)) and any(map(self._fetches, commands))


def _rank(harm: Harm) -> int:
    return _RANK[harm.reason.verdict]


def _is_descriptor(target: Word) -> bool:
    return target.text.rstrip("-").isdigit() or target.text == "-"


def _is_computed(word: Word) -> bool:
    return not word.known or any(char in word.text for char in "*?{") or not base_name(word.text)


def _may_run(name: str) -> bool:
    return judge_of(name) is not None or is_interpreter(name) or name in SHELL_TEXT


def _multiplies(name: str, body: Command) -> bool:
    """Whether a function starts itself more than once, or starts itself and goes on: a fork bomb."""
    return any(
        _calls(name, pipeline) > 1 or (pipeline.background and _calls(name, pipeline))
        for pipeline in _pipelines(body)
    )


def _pipelines(command: Command) -> Iterator[Pipeline]:
    match command:
        case Compound(scripts=scripts):
            for pipeline in (pipeline for script in scripts for pipeline in script):
                yield pipeline
                for inner in pipeline.commands:
                    yield from _pipelines(inner)
        case Simple() | Function():
            return
        case _:
            assert_never(command)


def _calls(name: str, pipeline: Pipeline) -> int:
    """How often the commands of a pipeline call a function."""
    simple = (command for command in pipeline.commands if isinstance(command, Simple))
    direct = sum(bool(command.words) and command.words[0].text == name for command in simple)
    return direct + sum(_calls(name, inner) for command in pipeline.commands for inner in _pipelines(command))
