"""What a person can answer to a question: four answers, or one of several yeses that the request offers."""

from __future__ import annotations

from dataclasses import dataclass
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


MOST_YESES = 6
"""Yeses that one request may offer: more than a person can tell apart are refused without a question."""


@dataclass(frozen=True, slots=True)
class Yes:
    """One of several yeses of a request, each an "allow once" of its own (consent.md, "The order", line 4).

    `number` counts from 0, in the order in which the request offers them.
    """

    number: int

    @property
    def allows(self) -> bool:
        """It allows the call of this question."""
        return True

    @property
    def lasts(self) -> bool:
        """It is never remembered."""
        return False


Response = Answer | Yes
"""An answer as a person gives it to one question."""
