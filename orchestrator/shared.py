"""What all asked agents of one conversation have in common. Knows no agent, process or facade."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from orchestrator.alarm import Alarm
from orchestrator.desk import Desk
from orchestrator.events import Sink
from orchestrator.quota import Quota
from orchestrator.watch import Watch


@dataclass(frozen=True, slots=True)
class Shared:
    """The one door for their calls, those who look at what becomes of them, and where their events go.

    `numbers` tells processes and questions of the conversation apart.
    """

    desk: Desk
    watch: Watch
    alarm: Alarm
    quota: Quota
    sink: Sink
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
