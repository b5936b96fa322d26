"""Who draws a question and waits for a person: a port, filled by each facade."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from consent.answer import Response
from consent.docket import Waiting
from consent.hook import Objection
from consent.rules import Why


class Asker(Protocol):
    """Asks one person. Being cancelled while it waits takes the question from the screen."""

    async def ask(self, waiting: Waiting, behind: Callable[[], int]) -> Response | Why | Objection:
        """The person's answer, or why there is none.

        CANCELLED for Stop, NOBODY where nobody could be asked, INVALID for an answer that makes no sense.
        An asker that only passes questions on gives the reason of a refusal made further up, or what a hook
        had against the call there. Any `Why` refuses, and so do an Objection and an error raised here.
        `behind` tells how many questions wait behind this one.
        """
        ...
