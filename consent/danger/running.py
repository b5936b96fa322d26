"""What the words of a simple command run: the program behind its wrappers, and what that program runs itself.

What single programs do to files is judged in `consent.danger.programs`; texts for a shell are read by whoever
reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Protocol

from consent.danger import git
from consent.danger.fetched import Fed
from consent.danger.finding import Harm, Reason
from consent.danger.interpreters import STDIN, is_interpreter, is_shell, only_reads, source
from consent.danger.options import options
from consent.danger.plain import PLAIN, is_plain
from consent.danger.programs import judge_of, whole_roots
from consent.danger.walk import Walk
from consent.danger.wrappers import (
    SHELL_TEXT,
    WRAPPERS,
    Program,
    base_name,
    layers,
    shell_texts,
    takes_commands,
)
from consent.shell.cursor import Cursor, inside
from consent.shell.syntax import Trouble, Word

_WORDS_PER_STEP = 4
"""Arguments of a program that are looked at for one step, for each program."""

_JUDGING = 4
"""Steps that a look at the arguments of one program costs beside them."""

_READING = 4
"""Steps that a text for a shell costs beside what is in it."""

_DESCRIPTOR = re.compile(r"/dev/fd/|/proc/[^/]*/fd/")
_EXEC = re.compile(r"()-(?:exec|execdir|ok|okdir)")
_FD_EXEC = re.compile(r"(?:-[A-Za-z]*?[xX]|--exec(?:-batch)?(?:=|\Z))(.*)", re.DOTALL)
_MOST_TRIALS = 8
_GOES = ("cd", "pushd", "popd")


class Shell(Protocol):
    """Whoever looks at a text as a shell does."""

    def read(self, cursor: Cursor, fed: Fed) -> None:
        """Look at all commands of a text."""
        ...


class Running:
    """Looks at the programs that a command runs."""

    __slots__ = ("_shell", "_walk")

    def __init__(self, walk: Walk, shell: Shell) -> None:
        self._walk = walk
        self._shell = shell

    def look(self, words: Sequence[Word], fed: Fed, document: Word | None = None) -> None:
        """Look at every program that these words run, wrappers first; `document` is its here-document."""
        walk, last, from_input = self._walk, None, False
        for last in layers((words[0], *walk.spread(words[1:]))):
            if not walk.effort.spend(1 + len(last.args) // _WORDS_PER_STEP):
                return
            if _is_computed(last.word):
                fetched = walk.fetched.in_word(last.word)
                walk.note((Harm(Reason.RUNS_FETCHED if fetched else Reason.COMPUTED, last.word),))
            for text in shell_texts(last):
                self._code(text, fed)
            from_input = from_input or last.name == "xargs"
        if last and from_input and fed is Fed.FETCHED and not _is_written_out(last):
            walk.note((Harm(Reason.RUNS_FETCHED, last.word),))
        if last and takes_commands(last):
            self._fed(last, fed, document)
        if last and last.name not in WRAPPERS:
            self._program(last, fed, document)

    def _program(self, program: Program, fed: Fed, document: Word | None) -> None:
        name = program.name
        judge = judge_of(name)
        if judge and self._walk.effort.spend(_JUDGING):
            self._walk.note(judge(program, self._walk.scene))
        for words in _runs_of(program):
            if words and self._walk.effort.spend(len(words)):
                self._nested(words, fed)
        for text in git.shell_texts(program):
            self._code(text, fed)
        if is_interpreter(name):
            self._interpreter(program, fed, document)
        elif name in _GOES:
            self._go(program)
        elif name in (".", "source"):
            self._sourced(program, fed, document)
        elif judge is None and not _runs_nothing(program):
            self._unknown(program, fed)

    def _interpreter(self, program: Program, fed: Fed, document: Word | None) -> None:
        if only_reads(program):
            return
        text, file = source(program)
        self._runs_if_fetched(filter(None, (text, file)))
        if file:
            self._made(file)
        if text is None and file is None:
            self._fed(program, fed, document, code=is_shell(program.name))
        elif text and is_shell(program.name):
            self._code(text, fed)

    def _sourced(self, program: Program, fed: Fed, document: Word | None) -> None:
        for file in program.args[:1]:
            self._runs_if_fetched((file,))
            if file.text in STDIN:
                self._fed(program, fed, document)
            else:
                self._made(file)

    def _made(self, file: Word) -> None:
        """A program that is no file on a disk: what other commands write, or what a descriptor holds."""
        made = file.scripts and "<(" in self._walk.full[file.start : file.end]
        if made or _DESCRIPTOR.match(file.text):
            self._walk.note((Harm(Reason.PIPED, file),))

    def _fed(self, program: Program, fed: Fed, document: Word | None, *, code: bool = True) -> None:
        """A program that runs what stands in its input, in a here-document if there is one."""
        if document:
            self._runs_if_fetched((document,))
            if code:
                self._code(document, fed)
        elif fed:
            reason = Reason.RUNS_FETCHED if fed is Fed.FETCHED else Reason.PIPED
            self._walk.note((Harm(reason, program.word),))

    def _runs_if_fetched(self, words: Iterable[Word]) -> None:
        fetched = filter(self._walk.fetched.in_word, words)
        self._walk.note(Harm(Reason.RUNS_FETCHED, word) for word in fetched)

    def _code(self, word: Word, fed: Fed) -> None:
        """A word that is itself a text for a shell."""
        walk = self._walk
        self._runs_if_fetched((word,))
        if not word.known:
            walk.note((Harm(Reason.COMPUTED, word),))
        folders = walk.scene.folders
        walk.effort.enter()  # what is too deep is not read
        walk.effort.spend(_READING)
        self._shell.read(inside(word, walk.full, walk.effort), fed)
        walk.effort.leave()
        walk.scene.either(folders)

    def _go(self, program: Program) -> None:
        operands = options(program.args).operands
        self._walk.scene.go(operands[0] if operands else None)

    def _unknown(self, program: Program, fed: Fed) -> None:
        """A program that is not known may be a wrapper: is there a dangerous command among its arguments?"""
        walk, args = self._walk, program.args
        suspects = [at for at, word in enumerate(args) if _may_run(base_name(word.text))]
        for at in suspects[:_MOST_TRIALS]:
            if walk.is_harmful(partial(self._nested, args[at:], fed)):
                walk.note((Harm(Reason.UNKNOWN_PROGRAM, args[at]),))
                return
        if len(suspects) > _MOST_TRIALS:
            walk.note((Harm(Reason.UNKNOWN_PROGRAM, program.word),))

    def _nested(self, words: Sequence[Word], fed: Fed) -> None:
        effort = self._walk.effort
        if effort.enter():
            self.look(words, fed)
        else:
            effort.stop(Trouble.TOO_DEEP, words[0].start)
        effort.leave()


def _runs_of(program: Program) -> Iterator[Sequence[Word]]:
    """What `find` and `fd` run; `{}` stands for the folders that `find` starts from, if it omits none."""
    if program.name == "find":
        roots = tuple(whole_roots(program))
        for run in _runs(program.args, _EXEC):
            yield [found for word in run for found in (roots if roots and word.text == "{}" else (word,))]
    elif program.name in ("fd", "fdfind"):
        yield from _runs(program.args, _FD_EXEC)


def _runs(args: Sequence[Word], exec_: re.Pattern[str]) -> Iterator[Sequence[Word]]:
    """The words behind each option that runs them, up to `;`, or to `+` behind `{}`."""
    at = 0
    while at < len(args):
        at += 1
        if option := exec_.fullmatch(args[at - 1].text):
            joined = (args[at - 1]._replace(text=option.group(1)),) if option.group(1) else ()
            begin = at
            while at < len(args) and not (
                args[at].text == ";" or (args[at].text == "+" and args[at - 1].text == "{}")
            ):
                at += 1
            yield (*joined, *args[begin:at])


def _is_written_out(program: Program) -> bool:
    """Whether the program, and what an interpreter runs, stand there."""
    runs = source(program) if is_interpreter(program.name) else ()
    return program.word.known and all(word is None or word.known for word in runs)


def _is_computed(word: Word) -> bool:
    wild = any(sign in word.text.removesuffix("[") for sign in "*?[{")
    return wild or not word.known or not base_name(word.text)


def _runs_nothing(program: Program) -> bool:
    if program.name in PLAIN:
        return is_plain(program.name, (word.text for word in program.args))
    return program.name in SHELL_TEXT and program.name != "npx"


def _may_run(name: str) -> bool:
    return judge_of(name) is not None or is_interpreter(name) or name in SHELL_TEXT
