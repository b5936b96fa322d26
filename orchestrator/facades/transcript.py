"""What happens in a conversation, drawn line by line as it comes. Knows no keys and no question.

The launched agent's own text stands at the margin; what other agents say stands behind a bar, below their
name, so that none of it passes for anybody else's.
"""

from __future__ import annotations

from typing import assert_never

from consent.call import Task
from consent.key import Path
from consent.show import BAR, safe
from mmconfigs.language import Sentence, Words
from orchestrator.agent import Stop
from orchestrator.events import (
    AgentState,
    CallEnded,
    CallStarted,
    Event,
    Level,
    Noted,
    RunState,
    Said,
    State,
    Thought,
)
from orchestrator.facades import sentences as say
from orchestrator.facades.markdown import Blocks
from orchestrator.facades.screen import INDENT, Screen
from orchestrator.words.catalogue import EMPTY_ANSWER, ENDED
from orchestrator.words.detail import gist
from orchestrator.words.party import BETWEEN, one_line, spelled
from orchestrator.words.table import table

MOST_LINES = 8
"""Lines of a tool's result that are drawn."""

_STYLES = {Level.INFO: "", Level.WARNING: "yellow", Level.ERROR: "bold red"}


def shows(event: Event) -> bool:
    """Whether there is anything to draw of this event."""
    return not isinstance(event, AgentState) or event.state is State.STARTING


class Transcript:
    """Draws events on `screen`. Text of an agent is drawn when its block of markdown has ended."""

    def __init__(self, screen: Screen, words: Words) -> None:
        self._screen = screen
        self._words = words
        self._speaker: Path = ()
        self._blocks = Blocks()
        self._apart = False  # whether the next block needs a blank line before it
        self._handed: set[tuple[Path, str]] = set()  # calls that hand a task to another agent
        self._thinking: Path | None = None
        self._titles: dict[tuple[Path, str], str] = {}
        self._last_call: tuple[Path, str] | None = None

    @property
    def doing(self) -> str:
        """What began last and has not ended: a call, else an asked agent's talk; else nothing."""
        return next(reversed(self._titles.values()), _name(self._speaker))

    def draw(self, event: Event) -> None:
        """Draw one event."""
        match event:
            case Said(path, text):
                self._say(path, text)
            case Thought(path):
                self._think(path)
            case CallStarted():
                self._start_call(event)
            case CallEnded():
                self._end_call(event)
            case AgentState(path, State.STARTING):
                self.note(self._words.say(say.STARTING, agent=_name(path)), style="dim")
            case AgentState():
                pass
            case RunState(rows=rows):
                self.note("\n".join(INDENT + line for line in table(rows, self._words)), style="dim")
            case Noted(_, noted, level, offers_stop):
                how = self._words.say(say.HOW_TO_STOP) if offers_stop else ""
                text = (safe(self._words.told(noted)) + how).replace("\n", f"\n{INDENT}")
                self.note(self._words.say(say.NOTES[level], text=text), style=_STYLES[level])
            case _:
                assert_never(event)

    def note(self, text: str, style: str = "") -> None:
        """Draw plain lines, already escaped, between what agents say."""
        self.flush()
        self._thinking = self._last_call = None
        self._screen.draw(*text.split("\n"), style=style)

    def flush(self) -> None:
        """Draw what was said so far: something else follows."""
        self._draw_block(self._blocks.rest())
        self._apart = False

    def end(self, stop: Stop) -> None:
        """The turn is over. The next one begins as the launched agent."""
        self.flush()
        self._speaker, self._titles, self._handed = (), {}, set()
        if stop.done and not stop.text.strip():
            self._tell(EMPTY_ANSWER)
        elif not stop.done:
            detail = f": {safe(self._words.told(stop.detail))}" if stop.detail else ""
            self._tell(ENDED[stop.reason.value], detail)

    def _tell(self, sentence: Sentence, detail: str = "") -> None:
        self.note(f"mm: {self._words.say(sentence)}{detail}")

    def _say(self, path: Path, text: str) -> None:
        if path != self._speaker:
            self.note(_name(path), style="bold") if path else self.flush()
            self._speaker = path
        self._thinking = self._last_call = None
        for block in self._blocks.feed(text):
            self._draw_block(block)

    def _draw_block(self, block: str) -> None:
        if not block:
            return
        margin = BAR if self._speaker else ""
        if self._apart:
            self._screen.draw(margin.rstrip())
        self._screen.markdown(safe(block), margin)
        self._apart = True

    def _think(self, path: Path) -> None:
        if path != self._thinking:
            who = f"{_name(path)}: " if path else ""
            self.note(who + self._words.say(say.THINKING), style="dim")
            self._thinking = path

    def _start_call(self, event: CallStarted) -> None:
        tool = event.name or (f"({event.kind})" if event.kind else "")
        name = _name((*event.path, tool) if tool else event.path)
        title = ": ".join(filter(None, (name, one_line(gist(event.detail) or event.title))))
        self.note(title, style="cyan")
        self._titles[event.path, event.call] = title
        self._last_call = (event.path, event.call)
        if isinstance(event.detail, Task):
            self._handed.add(self._last_call)

    def _end_call(self, event: CallEnded) -> None:
        call = (event.path, event.call)
        title = self._titles.pop(call, _name(event.path))
        if call in self._handed and event.ok:
            return  # its result is what the asked agent has just said
        failed = () if event.ok else (self._words.say(say.FAILED),)
        text = safe(event.text).rstrip("\n")
        lines = (*failed, *(text.split("\n") if text else ()))
        if not lines:
            return
        if self._last_call != call and title:  # another call's lines stand between
            self.note(title, style="dim")
        hidden = len(lines) - MOST_LINES
        if hidden > 0:
            count = self._words.number(hidden)
            lines = (*lines[:MOST_LINES], self._words.say(say.MORE_LINES, count=count))
        self.note("\n".join(INDENT + line for line in lines), style="dim")


def _name(path: Path) -> str:
    return BETWEEN.join(map(spelled, path))
