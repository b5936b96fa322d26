"""What every agent is, the launched one's loop and an asked child alike: a prompt in, a Stop out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from orchestrator.events import Sink


class Reason(StrEnum):
    """Why a turn ended: the stop reasons of ACP, and `failed` for an agent that broke."""

    END_TURN = "end_turn"
    MAX_TOKENS = "max_tokens"
    MAX_TURN_REQUESTS = "max_turn_requests"
    REFUSAL = "refusal"
    CANCELLED = "cancelled"
    FAILED = "failed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Stop:
    """How a turn ended. `text` is what is handed over to whoever asked; `detail` says why it broke.

    `refused` names each call of an asked agent that was refused, whatever the agent says of itself.
    """

    reason: Reason
    text: str = ""
    detail: str = ""
    refused: tuple[str, ...] = ()

    @property
    def done(self) -> bool:
        """Whether the agent finished its work: any other end is not."""
        return self.reason is Reason.END_TURN


class Agent(Protocol):
    """Takes one prompt at a time. Cancelling the awaiting task stops the turn."""

    async def prompt(self, text: str, sink: Sink) -> Stop:
        """Work on `text` until the turn ends; what happens on the way goes to `sink`."""
        ...
