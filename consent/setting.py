"""What the launched file, the flags and the environment decided: the standing input of the Gate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

from consent.key import Path
from consent.matching import Rule


class Mode(StrEnum):
    """`tools.approvalMode`; `yolo: true` is YOLO and `yolo: false` is ALWAYS_ASK."""

    ALWAYS_ASK = "always-ask"
    WRITE = "write"
    YOLO = "yolo"


@dataclass(frozen=True, slots=True)
class Setting:
    """How this process was launched.

    `entries` holds the own `yolo` of those entries that have one. `floor` is set where another agent or
    an editor said `AGENT_YOLO=false`: then nothing of the file widens any more. `somebody` tells whether
    anybody can answer a question.
    """

    mode: Mode = Mode.ALWAYS_ASK
    entries: Mapping[str, bool] = field(default_factory=lambda: MappingProxyType({}))
    rules: tuple[Rule, ...] = ()
    floor: bool = False
    somebody: bool = False

    def yolo(self, path: Path) -> bool:
        """Whether yolo counts as on for the calls of the agent at `path` ("Which yolo counts")."""
        if self.floor:
            return False
        return self.entries.get(path[0], self.mode is Mode.YOLO) if path else self.mode is Mode.YOLO

    def with_rules(self, rules: tuple[Rule, ...]) -> Setting:
        """This setting under other rules."""
        return replace(self, rules=rules)

    def frees(self, path: Path) -> bool:
        """Whether handing a task to the agent at `path` frees something that the asking one may not do."""
        return self.yolo(path) and not self.yolo(path[:-1])
