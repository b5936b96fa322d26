"""One conversation, as a facade sees it: typed lines in, and how each of them ended.

Knows no session and no terminal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from consent.tally import Tally
from orchestrator.agent import Reason, Stop

DONE, FAILED, REFUSED, INTERRUPTED = 0, 1, 3, 130
"""Exit codes (interface.md, "Exit codes")."""


def exit_code(stop: Stop, *, unasked: bool) -> int:
    """The exit code of a run that ended so; `unasked`: calls were refused because nobody could be asked."""
    if stop.reason is Reason.CANCELLED:
        return INTERRUPTED
    if not stop.done:
        return REFUSED if stop.unasked else FAILED
    return REFUSED if unasked else DONE


@dataclass(frozen=True, slots=True)
class Shown:
    """A slash command's plain answer, ready to be shown."""

    text: str


@dataclass(frozen=True, slots=True)
class Quit:
    """The person asked to leave."""


Submitted = Stop | Shown | Quit


@dataclass(frozen=True, slots=True)
class CommandHelp:
    """A slash command: its `name` without the slash; `hint` names its argument, if it takes one.

    `words` are arguments that can be given now, to be completed.
    """

    name: str
    description: str
    hint: str = ""
    words: tuple[str, ...] = ()


class Conversation(Protocol):
    """One conversation, as a facade sees it."""

    @property
    def commands(self) -> tuple[CommandHelp, ...]:
        """The slash commands that this conversation knows."""
        ...

    @property
    def tally(self) -> Tally:
        """What was decided in it so far, counted."""
        ...

    async def submit(self, text: str) -> Submitted:
        """Work on one typed line: a prompt for the launched agent, or a slash command."""
        ...

    def stop(self) -> None:
        """Stop the running turn and everything below it; nothing happens when none runs."""
        ...
