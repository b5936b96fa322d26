"""What all asked agents of one conversation have in common. Knows no agent, process or facade."""

from __future__ import annotations

from dataclasses import dataclass

from orchestrator.alarm import Alarm
from orchestrator.desk import Desk
from orchestrator.events import Sink
from orchestrator.quota import Quota
from orchestrator.watch import Watch


@dataclass(frozen=True, slots=True)
class Shared:
    """The one door for their calls, those who look at what becomes of them, and where their events go."""

    desk: Desk
    watch: Watch
    alarm: Alarm
    quota: Quota
    sink: Sink
