"""What a step hands over: what each of its agents did, said, and how it ended. Plain values, kept as JSON.

Knows no agent at work, no git and no engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import TypeAdapter


class Ended(StrEnum):
    """How an agent's part of a step ended; only `done` is done. `late`: the run's time was over."""

    DONE = "done"
    REFUSED = "refused"
    CUT = "cut"
    FAILED = "failed"
    STOPPED = "stopped"
    LATE = "late"


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that an agent ran, and whether it ended well. `test`: it looks like one that tests."""

    command: str
    ok: bool
    test: bool = False


@dataclass(frozen=True, slots=True)
class Counted:
    """Calls of an agent: how many a person was asked about, and how many ran past every answer.

    `nobody`: how many of the refused ones were refused because nobody could be asked.
    """

    asked: int = 0
    allowed: int = 0
    refused: int = 0
    unasked: int = 0
    nobody: int = 0


@dataclass(frozen=True, slots=True)
class Judged:
    """A reviewer's verdict. `why` is the word that was found, or what was there; the coder is told `text`."""

    accepts: bool
    why: str
    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one agent did in one step.

    `stop` is the stop reason of its turn and `detail` says more; `files` are the paths that it changed,
    `refused` its calls that were refused; `commit` is where the branch of the run stands after it. `seconds`
    is the time that it worked, questions not counted; `tokens` is None where the agent does not say.
    `gone_on`: it is not done, and a person said to go on with what there is.
    """

    agent: str
    ended: Ended
    stop: str
    text: str = ""
    detail: str = ""
    files: tuple[str, ...] = ()
    commands: tuple[Ran, ...] = ()
    refused: tuple[str, ...] = ()
    counted: Counted = Counted()
    seconds: float = 0
    tokens: int | None = None
    judged: Judged | None = None
    commit: str = ""
    gone_on: bool = False


@dataclass(frozen=True, slots=True)
class Did:
    """A step that is over, in one round, its outcomes in the order in which its agents began.

    `commit` is where the branch of the run stands after it, if any.
    """

    step: int
    round: int
    outcomes: tuple[Outcome, ...]
    commit: str = ""


_OUTCOME = TypeAdapter(Outcome)


def as_json(outcome: Outcome) -> dict[str, Any]:
    """The outcome as JSON values."""
    found: dict[str, Any] = _OUTCOME.dump_python(outcome, mode="json")
    return found


def from_json(value: Any) -> Outcome:
    """The outcome that was kept; raises ValueError for anything else."""
    return _OUTCOME.validate_python(value)
