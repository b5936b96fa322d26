"""Bytes of a terminal become keys; knows no terminal, clock or question. Pure but for its own buffers."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from enum import Enum, auto


class Press(Enum):
    """A key that types nothing. OTHER is any key without a meaning here (arrows, Escape, Tab)."""

    ENTER = auto()
    BACKSPACE = auto()
    STOP = auto()
    END = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Typed:
    """One typed character."""

    text: str


@dataclass(frozen=True, slots=True)
class Pasted:
    """A text that the terminal marked as pasted."""

    text: str


Key = Press | Typed | Pasted

PASTE_BEGINS = "\x1b[200~"
STOPS = b"\x03"

_CONTROLS = {
    "\r": Press.ENTER,
    "\n": Press.ENTER,
    "\x7f": Press.BACKSPACE,
    "\x08": Press.BACKSPACE,
    "\x03": Press.STOP,
    "\x04": Press.END,
}

# A sequence that breaks off is one strange key; the control that broke it (Ctrl-C) still counts.
_KEY = re.compile(
    r"""\x1b\[200~ (?P<pasted> .*? ) \x1b\[201~
    | (?!\x1b\[200~) \x1b (?: \[ [0-?]* [ -/]* (?: [@-~] | (?=[^ -~]) ) | O (?: [ -~] | (?=[^ -~]) )
                            | [ -NP-Z\\-~] | (?=[^ -~]) )
    | (?P<char> [^\x1b] )""",
    re.DOTALL | re.VERBOSE,
)


class Decoder:
    """Takes bytes as they come, split anywhere, and gives the keys that are complete."""

    def __init__(self) -> None:
        self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def feed(self, data: bytes) -> tuple[Key, ...]:
        """The keys that `data` completes, in order."""
        text = self._rest + self._utf8.decode(data)
        keys: list[Key] = []
        at = 0
        while match := _KEY.match(text, at):
            keys.append(_key(match))
            at = match.end()
        self._rest = text[at:]
        return tuple(keys)

    def break_off(self, data: bytes) -> None:
        """Forget a sequence that has only begun: `data` follows too late to be its end.

        The end of a paste may take as long as it likes, but for a lone Ctrl-C: its end may never come.
        """
        if not self._rest.startswith(PASTE_BEGINS) or data == STOPS:
            self._rest = ""


def _key(match: re.Match[str]) -> Key:
    pasted, char = match["pasted"], match["char"]
    if pasted is not None:
        return Pasted(pasted)
    if char is None:
        return Press.OTHER
    return Typed(char) if char.isprintable() else _CONTROLS.get(char, Press.OTHER)


class TypeAhead:
    """What was typed while nothing asked for it: unsent text for the next prompt. Enter is a line break.

    `entered`: somebody meant to send it.
    """

    def __init__(self) -> None:
        self.text = ""
        self.entered = False

    def add(self, key: Key) -> None:
        """Keep what a key types; keys that type nothing do nothing."""
        match key:
            case Typed(text):
                self.text += text
            case Pasted(text):
                self.text += text.replace("\r\n", "\n").replace("\r", "\n")
            case Press.ENTER:
                self.entered = self.entered or bool(self.text.strip())
                self.text += "\n"
            case Press.BACKSPACE:
                self.text = self.text[:-1]
            case Press.STOP | Press.END | Press.OTHER:
                pass

    def take(self) -> str:
        """The text, which is then no longer kept; line breaks at its end are one blank: words stay apart."""
        text, self.text, self.entered = self.text.lstrip("\n"), "", False
        lines = text.rstrip("\n")
        return lines if lines == text else f"{lines} "
