"""`mm log`: the audit, readable. Reads only; knows no conversation."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from consent.answer import Answer
from consent.rules import Why
from consent.show import show
from consent.unasked import Finding
from mmconfigs.language import SaidError, Sentence, Words, saying
from orchestrator import audit
from orchestrator.words import catalogue as say
from orchestrator.words.command_line import NO_TIME
from orchestrator.words.party import one_line
from orchestrator.words.summary import BY, HOW

UNITS: Mapping[str, str] = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}

KEY_WIDTH = 8
"""A longer key pushes what follows to the right."""

Line = Mapping[str, Any]


class BadTime(SaidError, ValueError):
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
        raise BadTime(saying(NO_TIME, text=text)) from error


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
    widest = max(len(words.say(outcome)) for outcome in say.LOGGED)
    for line in lines:
        at = _at(line)
        columns = (
            zone(at).isoformat(" ", "seconds") if at else "?",
            words.say(_outcome(line)).ljust(widest),
            show(str(line.get("key"))).ljust(KEY_WIDTH),
            _reason(line, words),
            one_line(_gist(line.get("args"))),
        )
        yield "  ".join(filter(None, columns))


def _outcome(line: Line) -> Sentence:
    match line.get("why"):
        case audit.UNASKED:
            return say.LOG_RAN
        case audit.SWITCHED:
            return say.LOG_CHOSEN
        case _:
            return say.LOG_ALLOWED if line.get("allowed") is True else say.LOG_REFUSED


def _reason(line: Line, words: Words) -> str:
    """Who or what decided, and what stands behind it: the answer, or the rule with its place."""
    why, rule = str(line.get("why")), line.get("rule")
    told = words.say(sentence) if (sentence := _why(why, str(line.get("acted")))) else show(why)
    behind = _answer(str(line.get("answer") or ""), words) or (show(str(rule)) if rule else "")
    return words.say(say.LOG_WITH, reason=told, behind=behind) if behind else told


def _why(why: str, acted: str) -> Sentence | None:
    """The reason in words; None for one that this version does not know."""
    if why == audit.SWITCHED:
        return BY[Why.ANSWER]
    if why == audit.UNASKED:
        return HOW[Finding(acted)] if acted in set(Finding) else None
    return BY[Why(why)] if why in set(Why) else None


def _answer(answer: str, words: Words) -> str:
    """The answer in words; one of several yeses as the audit spells it."""
    if answer in set(Answer):
        return words.say(say.ANSWERS[Answer(answer)])
    return show(answer)


def _gist(arguments: Any) -> str:
    """The one argument that says most, else all of them."""
    match arguments:
        case None:
            return ""
        case str():
            return arguments
        case {"mode": str(mode), "by": str(by)}:
            return f"{mode} ({by})"
        case {"command": str(text)} | {"path": str(text)} | {"url": str(text)} | {"question": str(text)}:
            return text
        case _:
            return json.dumps(arguments, ensure_ascii=False)
