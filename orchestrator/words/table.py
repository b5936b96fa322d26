"""The table of a run, in words: who, in which round, how it stands, for how long. Draws nothing.

How it stands is always a word; the sign in front of it, and colours, only repeat it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from mmconfigs.language import Sentence, Words
from orchestrator.events import Phase, Row
from orchestrator.words.party import one_line, spelled

PHASES: Mapping[Phase, Sentence] = {
    Phase.WAITING: Sentence("waiting", "en attente"),
    Phase.WORKING: Sentence("working", "au travail"),
    Phase.DONE: Sentence("done", "fini"),
    Phase.FAILED: Sentence("not finished", "pas fini"),
}
SIGNS: Mapping[Phase, str] = {Phase.WAITING: "·", Phase.WORKING: "▸", Phase.DONE: "✓", Phase.FAILED: "✗"}
HEADS = (
    Sentence("who", "qui"),
    Sentence("round", "tour"),
    Sentence("state", "état"),
    Sentence("time", "durée"),
    Sentence("tokens", "jetons"),
)
ROUND = Sentence("round {number}", "tour {number}")
TOKENS = Sentence("{count} tokens", "{count} jetons")
UNKNOWN = "–"


def table(rows: Sequence[Row], words: Words, width: int) -> tuple[str, ...]:
    """The rows below their heads, in columns; a sentence each where the columns are wider than `width`.

    Nobody's tokens are known: then there is no column for them.
    """
    lines = [("", *(words.say(head) for head in HEADS)), *(_cells(row, words) for row in rows)]
    if all(row.tokens is None for row in rows):
        lines = [line[:-1] for line in lines]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    drawn = tuple("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)
    return drawn if max(map(len, drawn)) <= width else tuple(change(row, words) for row in rows)


def change(row: Row, words: Words) -> str:
    """One row as a line of its own, with its sign."""
    return f"{SIGNS[row.phase]} {entry(row, words)}"


def entry(row: Row, words: Words) -> str:
    """One row as a sentence without signs: `jan: done, ACCEPT, round 2, 12 s`."""
    known = (
        _state(row, words),
        words.say(ROUND, number=str(row.round)),
        "" if row.seconds is None else lasting(row.seconds),
        "" if row.tokens is None else words.say(TOKENS, count=words.number(row.tokens)),
    )
    return f"{spelled(row.agent)}: {', '.join(filter(None, known))}"


def news(before: Sequence[Row], now: Sequence[Row]) -> tuple[Row, ...]:
    """The rows that are not what they were, less those that only wait."""
    pairs = zip_longest(before[: len(now)], now)
    return tuple(row for was, row in pairs if row and row != was and row.phase is not Phase.WAITING)


def is_between(rows: Sequence[Row]) -> bool:
    """Whether a step has ended and the next one has not begun: nobody works."""
    return all(row.phase in (Phase.DONE, Phase.FAILED) for row in rows)


def lasting(seconds: float) -> str:
    """How long something took: `12 s`, `2 min 5 s`."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _cells(row: Row, words: Words) -> tuple[str, ...]:
    time = UNKNOWN if row.seconds is None else lasting(row.seconds)
    tokens = UNKNOWN if row.tokens is None else words.number(row.tokens)
    return (SIGNS[row.phase], spelled(row.agent), str(row.round), _state(row, words), time, tokens)


def _state(row: Row, words: Words) -> str:
    """Its phase and its verdict, or why it is not done."""
    says = one_line(words.told(row.says))
    return ", ".join(filter(None, (words.say(PHASES[row.phase]), says)))
