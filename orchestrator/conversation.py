"""One conversation, as a facade sees it: typed lines in, and how each of them ended.

Knows no session and no terminal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from consent.tally import Tally
from orchestrator.agent import Stop


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
