"""Who is listened to, and where what is to be told of it goes."""

from __future__ import annotations

from dataclasses import dataclass

from mmconfigs.language import Text
from orchestrator.acp.permission import Asking
from orchestrator.events import Level, Noted, Sink
from orchestrator.words.notes import agent_at


@dataclass(frozen=True, slots=True)
class Speaker:
    """One run of an asked agent: `run` numbers the processes of a conversation."""

    asking: Asking
    sink: Sink
    run: int

    @property
    def name(self) -> Text:
        """The agent's path in words."""
        return agent_at(self.asking.path)

    async def note(self, text: Text) -> None:
        """Tell the person something about this agent."""
        await self.sink.emit(Noted(self.asking.path, text, Level.WARNING))

    def id_of(self, call_id: str) -> str:
        """The call's id among all runs of this agent: a new process may count from the start again."""
        return f"{self.run}:{call_id}"
