"""What one conversation remembers: lasting answers by key. Nothing of it is ever written to disk."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from consent.answer import Answer, Response
from consent.key import Key


@dataclass(frozen=True, slots=True)
class Policy:
    """Lasting answers, a value: remembering gives a new one.

    One key holds one answer, the latest. It lives in the launched process; asked agents have none.
    """

    remembered: tuple[tuple[Key, Answer], ...] = ()

    def remember(self, key: Key, answer: Response) -> Policy:
        """This policy with `answer` under `key`; an answer that does not last changes nothing."""
        if not (isinstance(answer, Answer) and answer.lasts):
            return self
        return Policy((*self.forget([key]).remembered, (key, answer)))

    def forget(self, keys: Iterable[Key]) -> Policy:
        """This policy without `keys`."""
        gone = frozenset(keys)
        return Policy(tuple(grant for grant in self.remembered if grant[0] not in gone))

    def allows(self, key: Key) -> bool:
        """Whether exactly this key was allowed for the session."""
        return (key, Answer.ALLOW_SESSION) in self.remembered

    @property
    def nevers(self) -> tuple[Key, ...]:
        """The keys that must never run in this session."""
        return tuple(key for key, answer in self.remembered if answer is Answer.NEVER)
