"""`mm log`: the audit, readable. Reads only; knows no conversation."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from consent.show import show
from orchestrator.audit import UNASKED
from orchestrator.words import catalogue as say
from orchestrator.words.catalogue import Sentence, Words
from orchestrator.words.party import one_line

UNITS: Mapping[str, str] = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}

Line = Mapping[str, Any]


class BadTime(ValueError):
    """The text after `--since` is no time."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which lines are wanted: those of an agent and of the agents below it, of a key, since a time.

    An empty text, and None, want all; `jan/*` is every key of jan.
    """

    agent: str = ""
    key: str = ""
    since: datetime | None = None

    def includes(self, line: Line) -> bool:
        """Whether the line is wanted; one whose fields cannot be read is not, where they matter."""
        agent, key = str(line.get("agent")), str(line.get("key"))
        below = not self.agent or agent == self.agent or agent.startswith(f"{self.agent}/")
        named = self.key in ("", key) or self.key == f"{agent}/*"
        return below and named and self._recent(_at(line))

    def _recent(self, at: datetime | None) -> bool:
        return self.since is None or (at is not None and at >= self.since)


def since(text: str, now: datetime) -> datetime:
    """The time that `--since` means: `30m`, `2h`, `7d`, `1w`, or a date and time of ISO 8601.

    Without a zone it is the local one. Raises BadTime.
    """
    try:
        if found := re.fullmatch(r"(\d{1,6})([mhdw])", text):
            return now - timedelta(**{UNITS[found[2]]: int(found[1])})
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError) as error:
        raise BadTime(f"{text} is no time; accepted: 30m, 2h, 7d, 1w or 2026-12-01T09:00") from error


def here(at: datetime) -> datetime:
    """A time in the zone of this computer."""
    try:
        return at.astimezone()
    except OverflowError:  # at one of the two ends of time
        return at


def _at(line: Line) -> datetime | None:
    try:
        return datetime.fromisoformat(str(line.get("time"))).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def as_json(lines: Iterable[Line]) -> Iterator[str]:
    """Each line as it is kept: one object a decision."""
    return map(json.dumps, lines)


def readable(lines: Iterable[Line], words: Words, zone: Callable[[datetime], datetime]) -> Iterator[str]:
    """Each decision on one line: when, the key, allowed or refused and why, and what it was about.

    `zone` turns a time into the reader's own. Every text of the audit is escaped.
    """
    for line in lines:
        yield "  ".join(filter(None, _columns(line, words, zone)))


def _columns(line: Line, words: Words, zone: Callable[[datetime], datetime]) -> Iterator[str]:
    at = _at(line)
    yield zone(at).isoformat(" ", "seconds") if at else "?"
    yield words.say(_outcome(line))
    yield show(str(line.get("key")))
    yield _why(line)
    yield one_line(_gist(line.get("args")))


def _outcome(line: Line) -> Sentence:
    if line.get("why") == UNASKED:
        return say.LOG_RAN
    return say.LOG_ALLOWED if line.get("allowed") is True else say.LOG_REFUSED


def _why(line: Line) -> str:
    """The reason as the audit spells it, and what stands behind it: the answer, the rule, or the finding."""
    behind = line.get("answer") or line.get("rule") or line.get("acted")
    why = show(str(line.get("why")))
    return f"{why} ({show(str(behind))})" if behind else why


def _gist(arguments: Any) -> str:
    """The one argument that says most, else all of them."""
    match arguments:
        case None:
            return ""
        case str():
            return arguments
        case {"command": str(text)} | {"path": str(text)} | {"url": str(text)} | {"question": str(text)}:
            return text
        case _:
            return json.dumps(arguments, ensure_ascii=False)
