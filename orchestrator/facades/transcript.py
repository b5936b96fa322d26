"""What happens in a conversation, drawn line by line as it comes. Knows no keys and no question.

The launched agent's own text stands at the margin; what other agents say stands behind a bar, below their
name, so that none of it passes for anybody else's. Where several speak at once, each has whole blocks.
"""

from __future__ import annotations

from collections import defaultdict
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
from orchestrator.facades.course import Course
from orchestrator.facades.markdown import Blocks
from orchestrator.facades.screen import INDENT, Screen
from orchestrator.words.catalogue import EMPTY_ANSWER, ENDED
from orchestrator.words.detail import headline
from orchestrator.words.party import BETWEEN, one_line, spelled

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
        self._blocks: defaultdict[Path, Blocks] = defaultdict(Blocks)  # of each who speaks
        self._apart = False  # whether the next block needs a blank line before it
        self._handed: set[tuple[Path, str]] = set()  # calls that hand a task to another agent
        self._thinking: Path | None = None
        self._titles: dict[tuple[Path, str], str] = {}
        self._last_call: tuple[Path, str] | None = None
        self._course = Course(words, lambda: screen.now)

    @property
    def working(self) -> str:
        """Who works for the run of a pipeline, each with how long; empty where there is none."""
        return self._course.doing

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
            case RunState():
                self._go_on(event)
            case Noted(_, noted, level, offers_stop):
                how = self._words.say(say.HOW_TO_STOP) if offers_stop else ""
                text = (safe(self._words.told(noted)) + how).replace("\n", f"\n{INDENT}")
                self.note(self._words.say(say.NOTES[level], text=text), style=_STYLES[level])
            case _:
                assert_never(event)

    def note(self, text: str, style: str = "", of: Path | None = None) -> None:
        """Draw plain lines, already escaped, between what agents say; `of` is the agent that they tell of."""
        self.flush(of if self._course.several else None)
        self._thinking = self._last_call = None
        self._screen.draw(*text.split("\n"), style=style)

    def flush(self, of: Path | None = None) -> None:
        """Draw what was said so far, by one agent or by all: something else follows."""
        for path in [*self._blocks] if of is None else [of]:
            self._draw_block(path, self._blocks[path].rest())
        self._apart = False

    def end(self, stop: Stop) -> None:
        """The turn is over. The next one begins as the launched agent."""
        self.flush()
        self._course.end()
        self._speaker, self._titles, self._handed = (), {}, set()
        if stop.done and not stop.text.strip():
            self._tell(EMPTY_ANSWER)
        elif not stop.done:
            detail = f": {safe(self._words.told(stop.detail))}" if stop.detail else ""
            self._tell(ENDED[stop.reason.value], detail)

    def _go_on(self, state: RunState) -> None:
        lines = [*self._course.lines(state, self._screen.size[0] - 1 - len(INDENT))]
        if lines:
            self.note("\n".join(INDENT + line for line in lines), style="dim")

    def _tell(self, sentence: Sentence, detail: str = "") -> None:
        self.note(f"mm: {self._words.say(sentence)}{detail}")

    def _say(self, path: Path, text: str) -> None:
        if path != self._speaker and not self._course.several:
            self.flush()
            self._turn_to(path)
        self._thinking = self._last_call = None
        for block in self._blocks[path].feed(text):
            self._draw_block(path, block)

    def _turn_to(self, path: Path) -> None:
        if path:
            self._screen.draw(_name(path), style="bold")
        self._speaker, self._apart = path, False

    def _draw_block(self, path: Path, block: str) -> None:
        if not block:
            return
        if path != self._speaker:
            self._turn_to(path)
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
        title = ": ".join(filter(None, (name, one_line(headline(event.detail) or event.title))))
        self.note(title, style="cyan", of=event.path)
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
            self.note(title, style="dim", of=event.path)
        hidden = len(lines) - MOST_LINES
        if hidden > 0:
            count = self._words.number(hidden)
            lines = (*lines[:MOST_LINES], self._words.say(say.MORE_LINES, count=count))
        self.note("\n".join(INDENT + line for line in lines), style="dim", of=event.path)


def _name(path: Path) -> str:
    return BETWEEN.join(map(spelled, path))
