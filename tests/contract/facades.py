"""One adapter for each facade: start it, give it a prompt, read its questions, answer them, wait for the end.

A new facade is one class here and its line in FACADES.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from consent.answer import Answer, Yes
from consent.rules import Why
from tests.contract.script import Says
from tests.walks.builder import Walk
from tests.walks.editor import Editor
from tests.walks.peer import Frame
from tests.walks.terminal import Terminal

KINDS = dict(zip(Answer, ("allow_once", "allow_always", "reject_always", "reject_once"), strict=True))
"""How an editor spells the answers."""


class Facade(Protocol):
    """A running mm, and the person in front of it. `somebody`: whether there is one."""

    somebody: bool

    @staticmethod
    def starts(walk: Walk, *flags: str) -> AbstractContextManager[Facade]:
        """Start mm with these flags, and end it in the end."""

    def says(self, prompt: str) -> None:
        """Give it a prompt, without waiting for its end."""

    def question(self) -> str:
        """Wait for the next question, and give all that it shows; empty once the turn is over."""

    def answers(self, says: Says) -> None:
        """Answer the question that was read last; CANCELLED is Stop."""

    def shown(self) -> str:
        """All that the person was shown so far; an editor draws questions elsewhere."""


class Line:
    """A person at a pseudo-terminal."""

    somebody = True

    def __init__(self, mm: Terminal) -> None:
        self._mm = mm

    @staticmethod
    @contextmanager
    def starts(walk: Walk, *flags: str) -> Iterator[Line]:
        with walk.line(*flags) as mm:
            yield Line(mm)
            mm.types("/quit").ends(0)

    def says(self, prompt: str) -> None:
        self._mm.types(prompt)

    def question(self) -> str:
        return self._mm.next_question()

    def answers(self, says: Says) -> None:
        self._mm.answers(_typed(says))

    def shown(self) -> str:
        return self._mm.shown()


def _typed(says: Says) -> str:
    """The line that says it; the further of several yeses have the digits above the four."""
    match says:
        case Answer():
            return str(1 + list(Answer).index(says))
        case Yes(number):
            return str(number + len(Answer)) if number else "1"
        case Why():
            return "s"


class InEditor:
    """A person in front of an editor."""

    somebody = True

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._asked: Frame = {}

    @staticmethod
    @contextmanager
    def starts(walk: Walk, *flags: str) -> Iterator[InEditor]:
        with walk.editor(*flags) as editor:
            yield InEditor(editor.opens())
            editor.closes_stdin().ends(0)

    def says(self, prompt: str) -> None:
        self._editor.says(prompt)

    def question(self) -> str:
        self._asked = self._editor.next_question()
        if not self._asked:
            return ""
        params = self._asked["params"]
        return "\n".join((*_drawn(params["toolCall"]), *(option["name"] for option in params["options"])))

    def answers(self, says: Says) -> None:
        match says:
            case Answer():
                self._editor.answers(self._asked, KINDS[says])
            case Yes(number):
                options = self._asked["params"]["options"]
                yeses = [option["optionId"] for option in options if option["kind"] == "allow_once"]
                self._editor.decides(self._asked, {"outcome": "selected", "optionId": yeses[number]})
            case Why():
                self._editor.stops().decides(self._asked, {"outcome": "cancelled"})

    def shown(self) -> str:
        calls = (*self._editor.updates("tool_call"), *self._editor.updates("tool_call_update"))
        return "\n".join((self._editor.text(), *(text for call in calls for text in _drawn(call))))


def _drawn(call: Frame) -> Iterator[str]:
    """The texts that an editor draws of a call; it draws no other field."""
    yield call.get("title", "")
    for block in call.get("content", ()):
        text = block["type"] == "content"
        yield block["content"]["text"] if text else f"{block['path']}\n{block['newText']}"


class Headless:
    """Nobody: a script that reads what mm prints."""

    somebody = False

    def __init__(self, walk: Walk, flags: tuple[str, ...]) -> None:
        self._walk = walk
        self._flags = flags
        self._printed = ""

    @staticmethod
    @contextmanager
    def starts(walk: Walk, *flags: str) -> Iterator[Headless]:
        yield Headless(walk, flags)

    def says(self, prompt: str) -> None:
        ran = self._walk.runs("-p", prompt, *self._flags)
        refused = "nobody could be asked" in ran.stderr
        assert (ran.code, ran.stdout) == (3 if refused else 0, "done\n"), ran
        self._printed += ran.stdout + ran.stderr

    def question(self) -> str:
        return ""

    def answers(self, says: Says) -> None:
        raise AssertionError(f"nobody is there to say {says}")

    def shown(self) -> str:
        return self._printed


FACADES: dict[str, type[Facade]] = {"line": Line, "editor": InEditor, "headless": Headless}
"""The adapter of each facade, by the name that the facade has in the program."""
