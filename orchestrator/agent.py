"""How a turn of an agent ended, of the launched one's loop and of an asked child alike."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mmconfigs.language import Text


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

    `refused` names each call of an asked agent that was refused, whatever the agent says of itself;
    `unasked`: it ended since nobody could be asked. `tokens` are those of its models, None if unknown.
    """

    reason: Reason
    text: str = ""
    detail: Text = ""
    refused: tuple[str, ...] = ()
    unasked: bool = False
    tokens: int | None = None

    @property
    def done(self) -> bool:
        """Whether the agent finished its work: any other end is not."""
        return self.reason is Reason.END_TURN
