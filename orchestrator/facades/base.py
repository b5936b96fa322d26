"""What facades have in common. Knows no terminal and no protocol.

A facade is a Sink (it draws events), an Asker (it draws questions and waits for a person) and a `run`.
"""

from __future__ import annotations

from orchestrator.conversation import CommandHelp, Conversation, Quit, Shown, Submitted

__all__ = ["CommandHelp", "Conversation", "Quit", "Shown", "Submitted"]
