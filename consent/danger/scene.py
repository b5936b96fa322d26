"""Where a command stands while it is looked at: which folder, which files are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import basename, join

from consent.danger.finding import Harm, Reason
from consent.danger.paths import Blind, Surroundings, critical_path, is_disk, normal, readings, root_or_home
from consent.shell.braces import CHARS_PER_STEP
from consent.shell.cursor import Effort
from consent.shell.syntax import HOME, UNKNOWN, Word

_LOOK = 10
"""Steps that a look at the file system costs."""

_ANY = "\N{REPLACEMENT CHARACTER}"
"""Stands in a path for what only the shell will know."""

_MOST_FOLDERS = 4
_SINK = re.compile(r"/dev/(?:null|zero|full|tty|std(?:in|out|err)|fd/.*)")


class Scene:
    """The surroundings of a call, and the folders that the command may have gone to by now."""

    __slots__ = ("_around", "_effort", "folders")

    def __init__(self, around: Surroundings, effort: Effort) -> None:
        self._around = around
        self._effort = effort
        self.folders: tuple[str, ...] = (around.folder,)

    def go(self, word: Word | None) -> None:
        """Go to another folder; no word is home, and where a word is not known, no folder is."""
        target = self._around.home if word is None else self._expanded(word.text)
        unknown = UNKNOWN in target or target == "-"
        self.folders = () if unknown else tuple(map(normal, self._paths(target)))

    def either(self, folders: tuple[str, ...]) -> None:
        """The command may also still be in these folders."""
        self.folders = tuple(dict.fromkeys((*self.folders, *folders)))[:_MOST_FOLDERS]

    def overwritten(self, word: Word, reason: Reason) -> Iterator[Harm]:
        """What is wrong with replacing the content of a file: it exists, or more."""
        if _SINK.fullmatch(word.text):
            return
        yield from self.written(word)
        if self._there(word):
            yield Harm(reason, word)

    def written(self, word: Word, *, whole: bool = False) -> Iterator[Harm]:
        """What is critical about writing to a file; `whole`: about losing a folder with all in it."""
        for path in self._written_paths(word.text):
            around = self._around
            paths = readings(path, around.home, around.looks)
            reason = critical_path(paths, around.home, around.deciding, whole=whole)
            if any(map(is_disk, paths)):
                reason = Reason.DISK
            if reason:
                yield Harm(reason, word)

    def is_file(self, word: Word) -> bool:
        """Whether a name means a file, and no branch; where nobody looks, by its form."""
        formed = not word.known or any(sign in word.text for sign in "./*?[:")
        return self._there(word) and (formed or not isinstance(self._around.looks, Blind))

    def deleted(self, word: Word) -> Iterator[Harm]:
        """What is critical about deleting a path."""
        reason = self.base(word)
        yield from (Harm(reason, word),) if reason else ()
        yield from self.written(word, whole=True)

    def opened(self, word: Word) -> Iterator[Harm]:
        """What is critical about changing who may do what with a path."""
        yield from (Harm(Reason.PERMISSIONS, word),) if self.base(word) else ()
        yield from self.written(word)

    def base(self, word: Word) -> Reason | None:
        """Whether a path is the root or a home."""
        around = self._around
        paths = self._paths(self._expanded(word.text))
        return next((reason for path in paths if (reason := root_or_home(normal(path), around.home))), None)

    def arrived(self, source: Word, target: Word) -> Iterator[Harm]:
        """What is critical about writing the file that a copy of `source` becomes if `target` is a folder."""
        if self._spend(target.text):
            text = join(target.text, basename(source.text.rstrip("/")))
            yield from self.written(target._replace(text=text))

    def _there(self, word: Word) -> bool:
        if UNKNOWN in word.text or not self.folders:
            return True
        paths = self._paths(self._expanded(word.text))
        each = (path for meant in paths for path in (normal(meant), meant))
        return any(map(self._around.looks.exists, each)) or self._effort.spent

    def _expanded(self, text: str) -> str:
        home = self._around.home
        return home + text[1:] if text.startswith(HOME) else text.replace(HOME, home)

    def _paths(self, text: str) -> Iterator[str]:
        if UNKNOWN in text or not text:
            return
        for folder in ("/",) if text.startswith("/") else self.folders:
            path = join(folder, text)
            if not self._spend(path):
                return
            yield path

    def _spend(self, text: str) -> bool:
        """Use up what a look at a path takes."""
        spend = self._effort.spend
        return spend(_LOOK) and spend(text.count("/") + len(text) // CHARS_PER_STEP)

    def _written_paths(self, text: str) -> Iterator[str]:
        # What begins with something unknown may lie at home; elsewhere the unknown is any name.
        if text.startswith(UNKNOWN + "/"):
            yield from self._paths(self._around.home + text[1:].replace(UNKNOWN, _ANY))
        yield from self._paths(self._expanded(text.replace(UNKNOWN, _ANY)))
