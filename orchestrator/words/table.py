"""The table of a run, in words: who, in which round, how it stands, for how long. Draws nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
UNKNOWN = "–"


def table(rows: Sequence[Row], words: Words) -> tuple[str, ...]:
    """The rows below their heads, in columns."""
    lines = [("", *(words.say(head) for head in HEADS)), *(_cells(row, words) for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(lines[0]))]
    return tuple("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def entry(row: Row, words: Words) -> str:
    """One row as a sentence, for a plan of an editor."""
    _, who, number, state, time, tokens = _cells(row, words)
    heads = [words.say(head) for head in HEADS]
    return f"{who}: {state} ({heads[1]} {number}, {time}, {tokens} {heads[4]})"


def _cells(row: Row, words: Words) -> tuple[str, ...]:
    state = words.say(PHASES[row.phase]) + (f": {one_line(row.says)}" if row.says else "")
    time = UNKNOWN if row.seconds is None else f"{row.seconds:.0f} s"
    tokens = UNKNOWN if row.tokens is None else words.number(row.tokens)
    return (SIGNS[row.phase], spelled(row.agent), str(row.round), state, time, tokens)
