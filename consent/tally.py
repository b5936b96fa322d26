"""How many calls were allowed and refused, by whom, for each agent; and how many ran without asking.

Pure: a value that decisions are added to, and that an earlier one is taken from. Knows no words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar

from consent.gate import Decision
from consent.key import Path
from consent.rules import Why
from consent.unasked import Finding

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Count:
    """One agent's calls: those that were asked about, those decided, by reason, and what ran unasked."""

    asked: int = 0
    allowed: Mapping[Why, int] = field(default_factory=lambda: MappingProxyType({}))
    refused: Mapping[Why, int] = field(default_factory=lambda: MappingProxyType({}))
    unasked: Mapping[Finding, int] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def empty(self) -> bool:
        """Whether nothing was counted."""
        return self == Count()

    @property
    def remarkable(self) -> bool:
        """Whether a person was asked, or anything was refused or ran unasked."""
        return bool(self.asked or self.refused or self.unasked)

    def plus(self, other: Count) -> Count:
        """Both together."""
        return Count(
            self.asked + other.asked,
            _sum(self.allowed, other.allowed),
            _sum(self.refused, other.refused),
            _sum(self.unasked, other.unasked),
        )

    def minus(self, earlier: Count) -> Count:
        """What came since."""
        return Count(
            self.asked - earlier.asked,
            _rest(self.allowed, earlier.allowed),
            _rest(self.refused, earlier.refused),
            _rest(self.unasked, earlier.unasked),
        )


NONE = Count()


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of a conversation by agent, in the order in which the agents came."""

    agents: Mapping[Path, Count] = field(default_factory=lambda: MappingProxyType({}))

    def decided(self, path: Path, decision: Decision, *, asked: bool) -> Tally:
        """One decision more; `asked`: a person was shown a question."""
        one = {decision.why: 1}
        way = Count(int(asked), allowed=one) if decision.allowed else Count(int(asked), refused=one)
        return self._plus(path, way)

    def acted(self, path: Path, finding: Finding) -> Tally:
        """A call more that ran past the answers."""
        return self._plus(path, Count(unasked={finding: 1}))

    def since(self, earlier: Tally) -> Tally:
        """What came after `earlier`; agents that did nothing since are left out."""
        rest = {path: count.minus(earlier.agents.get(path, NONE)) for path, count in self.agents.items()}
        return Tally({path: count for path, count in rest.items() if not count.empty})

    @property
    def whole(self) -> Count:
        """All agents together."""
        total = NONE
        for count in self.agents.values():
            total = total.plus(count)
        return total

    def _plus(self, path: Path, count: Count) -> Tally:
        return Tally({**self.agents, path: self.agents.get(path, NONE).plus(count)})


def _sum(one: Mapping[K, int], other: Mapping[K, int]) -> Mapping[K, int]:
    return dict(Counter(one) + Counter(other))


def _rest(all_: Mapping[K, int], earlier: Mapping[K, int]) -> Mapping[K, int]:
    return dict(Counter(all_) - Counter(earlier))
