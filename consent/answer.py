"""The four answers a person can give, in the order in which they are offered."""

from __future__ import annotations

from enum import StrEnum


class Answer(StrEnum):
    """What the person said to one question.

    "Never" stands before "refuse once": small models retry a refusal, and "never" ends the questions.
    """

    ALLOW_ONCE = "allow_once"
    ALLOW_SESSION = "allow_session"
    NEVER = "never"
    REFUSE_ONCE = "refuse_once"

    @property
    def allows(self) -> bool:
        """Whether the call of this question may run."""
        return self in (Answer.ALLOW_ONCE, Answer.ALLOW_SESSION)

    @property
    def lasts(self) -> bool:
        """Whether the answer is remembered for its key."""
        return self in (Answer.ALLOW_SESSION, Answer.NEVER)
