"""The mark of one shell command: every program in command position is looked at, and the worst counts.

It never raises and always ends: what is too long, too deep or not understood is unclear, never quiet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import assert_never

from consent.danger.fetched import Fed
from consent.danger.finding import Finding, Harm, Reason
from consent.danger.forks import multiplies
from consent.danger.paths import Surroundings
from consent.danger.plain import names
from consent.danger.running import Running
from consent.danger.walk import Walk
from consent.shell.commands import read
from consent.shell.cursor import Cursor
from consent.shell.syntax import Command, Compound, Function, Pipeline, Redirect, Simple, Word

_EVALUATES = names("test [ let declare typeset local export readonly read unset mapfile readarray wait")
"""What the shell itself runs that takes names of variables, with subscripts, from its words."""
_EXPANDS_AGAIN = re.compile(r"\A[^\[]*+\[(?:[^$`]|\$(?!\())*+(?:\$\(|`)")
_APPENDS = (">>", "&>>", "<>")
_TRUNCATES = (">", ">|", "&>", ">&")


def assess(command: str, around: Surroundings) -> Finding:
    """The mark of a command that would run in these surroundings."""
    walk = Walk(command, around)
    _Eyes(walk).read(Cursor(command, walk.effort), Fed.OTHER)
    return walk.finding()


class _Eyes:
    __slots__ = ("_running", "_walk")

    def __init__(self, walk: Walk) -> None:
        self._walk = walk
        self._running = Running(walk, self)

    def read(self, cursor: Cursor, fed: Fed) -> None:
        self._script(read(cursor), fed)

    def _script(self, script: Iterable[Pipeline], fed: Fed) -> None:
        for pipeline in script:
            self._pipeline(pipeline, fed)

    def _pipeline(self, pipeline: Pipeline, fed: Fed) -> None:
        walk, folders = self._walk, self._walk.scene.folders
        for command in pipeline.commands:
            self._command(command, fed)
            if len(pipeline.commands) > 1:
                walk.scene.either(folders)
                fed = Fed.FETCHED if fed is Fed.FETCHED or walk.fetched.by(command) else Fed.PIPE

    def _command(self, command: Command, fed: Fed) -> None:
        match command:
            case Simple():
                self._simple(command, fed)
            case Compound():
                self._compound(command, fed)
            case Function(name, body):
                if multiplies(name.text, body):
                    self._walk.note((Harm(Reason.FORK_BOMB, name),))
                self._command(body, Fed.OTHER)
            case _:
                assert_never(command)

    def _compound(self, command: Compound, fed: Fed) -> None:
        folders = self._walk.scene.folders
        self._inside(command.looked_at, fed)
        self._subscripts(command.looked_at)
        fed, document = self._redirects(command.redirects, fed)
        fed = max(fed, Fed.PIPE) if document else fed
        for script in command.scripts:
            self._script(script, fed)
        self._walk.scene.either(folders)  # it may have been a subshell, or have done nothing

    def _simple(self, command: Simple, fed: Fed) -> None:
        if not self._walk.effort.spend(len(command.words)):
            return
        self._inside(command.assigned, fed)
        self._inside(command.words, fed)
        fed, document = self._redirects(command.redirects, fed)
        self._evaluated(command)
        if command.words:
            self._running.look(command.words, fed, document)

    def _evaluated(self, command: Simple) -> None:
        """What the shell will expand though it is quoted: subscripts; and what moves every `cd`."""
        texts = [word.text for word in command.words[:2]]
        evaluates = (texts[:1] and texts[0] in _EVALUATES) or texts == ["printf", "-v"]
        words = (*command.assigned, *command.words[1:]) if evaluates else command.assigned
        self._subscripts(words)
        moves = (word for word in words if word.text.startswith("CDPATH="))
        self._walk.note(Harm(Reason.COMPUTED, word) for word in moves)

    def _subscripts(self, words: Iterable[Word]) -> None:
        self._walk.note(Harm(Reason.COMPUTED, word) for word in words if _EXPANDS_AGAIN.search(word.text))

    def _inside(self, words: Iterable[Word], fed: Fed) -> None:
        """Substitutions: they run in a shell of their own."""
        scene, folders = self._walk.scene, self._walk.scene.folders
        for word in words:
            for script in word.scripts:
                self._script(script, fed)
                scene.folders = folders

    def _redirects(self, redirects: tuple[Redirect, ...], fed: Fed) -> tuple[Fed, Word | None]:
        """What redirections write to; and what they make of standard input: its source, its text if known."""
        walk, scene, document = self._walk, self._walk.scene, None
        for operator, target, feed in redirects:
            if not walk.effort.spend(2):
                break
            texts = (target, feed.word) if feed and feed.word else (target,)
            self._inside(texts, fed)
            if operator in _APPENDS:
                walk.note(harm for each in walk.spread((target,)) for harm in scene.written(each))
            elif operator in _TRUNCATES and not (operator == ">&" and _is_descriptor(target)):
                for each in walk.spread((target,)):
                    walk.note(scene.overwritten(each, Reason.OVERWRITES))
            elif operator.startswith("<"):
                document = texts[-1] if operator.startswith("<<") else None
                fed = self._source(operator, texts, fed)
        return fed, document

    def _source(self, operator: str, texts: Iterable[Word], fed: Fed) -> Fed:
        """What standard input holds behind a redirection; another descriptor may hold what this one does."""
        if any(map(self._walk.fetched.in_word, texts)):
            return Fed.FETCHED
        if operator == "<&":
            return max(fed, Fed.PIPE)
        return Fed.PIPE if operator == "<" and any(word.scripts for word in texts) else Fed.OTHER


def _is_descriptor(target: Word) -> bool:
    return target.text.rstrip("-").isdigit() or target.text == "-"
