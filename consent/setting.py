"""What the launched file, the flags and the environment decided: the standing input of the Gate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

from consent.key import Path
from consent.matching import Effect, Rule


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

    @property
    def offered(self) -> tuple[Mode, ...]:
        """The modes that a conversation may be switched to. Under the floor none that widens."""
        return (Mode.ALWAYS_ASK,) if self.floor else tuple(Mode)

    @property
    def counts(self) -> Mode:
        """The mode that counts: under the floor it is ALWAYS_ASK, whatever was said."""
        return Mode.ALWAYS_ASK if self.floor else self.mode

    @property
    def own_calls_ask(self) -> bool:
        """Whether a call of this process itself may ask or be refused: no program that it starts is freer."""
        narrowed = any(rule.effect is not Effect.ALLOW and not rule.pattern.path for rule in self.rules)
        return narrowed or not self.yolo(())

    def with_mode(self, mode: Mode) -> Setting:
        """This setting in another mode. Entries keep their own yolo, and the floor stays."""
        return replace(self, mode=mode)

    def with_rules(self, rules: tuple[Rule, ...]) -> Setting:
        """This setting under other rules."""
        return replace(self, rules=rules)

    def frees(self, path: Path) -> bool:
        """Whether handing a task to the agent at `path` frees something that the asking one may not do."""
        return self.yolo(path) and not self.yolo(path[:-1])
