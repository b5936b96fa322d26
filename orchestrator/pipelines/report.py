"""The end of a run, as Markdown for a person: what was found, what changed, what was refused and asked.

Text of agents stands in quotations, in blocks and spans of code, and nowhere else: none of it becomes a
heading or a verdict. Draws nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mmconfigs.language import Text, Words
from orchestrator.acp.markdown import fenced
from orchestrator.pipelines import sentences as say
from orchestrator.pipelines.course import Result
from orchestrator.pipelines.differences import Changed
from orchestrator.pipelines.listing import listed
from orchestrator.pipelines.outcome import Did, Outcome
from orchestrator.pipelines.prompts import quoted
from orchestrator.words.table import HEADS, UNKNOWN, lasting

MOST_FILES = 40
EMPTY = (*[""] * 4, UNKNOWN, *["0"] * 4)
"""What stands in a cell of the table that is empty."""
COUNTS = (say.ASKED, say.ALLOWED, say.REFUSED, say.UNASKED)


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that the end of a run tells. `base` is the commit that it began with.

    `merged` and `kept` are Markdown, or empty: how the merge went, and why the worktree stays.
    """

    run: str
    task: str
    result: Result
    why: Text
    history: tuple[Did, ...]
    changed: Sequence[Changed]
    branch: str
    base: str
    merged: str
    kept: str

    @property
    def outcomes(self) -> list[tuple[Did, Outcome]]:
        """What each agent did, with its step, in order."""
        return [(did, outcome) for did in self.history for outcome in did.outcomes]


def markdown(report: Report, words: Words) -> str:
    """The report in the language of the person."""
    return "\n".join(_lines(report, words)).rstrip() + "\n"


def _lines(report: Report, words: Words) -> Iterator[str]:
    why = words.told(report.why)
    title = words.say(say.STATES[say.State(report.result)])
    head = words.say(say.HEAD, who=report.run, what=title)
    yield from (f"# {words.say(say.HEAD, who=head, what=why) if why else head}", "", quoted(report.task), "")
    yield from (*_table(report, words), "")
    yield from _changes(report, words)
    yield from _section(words.say(say.TESTS), _commands(report, words, tests=True))
    yield from _section(words.say(say.COMMANDS), _commands(report, words, tests=False))
    yield from _section(words.say(say.REFUSED_CALLS), _refused(report))
    yield from _section(words.say(say.RAN_UNASKED), _unasked(report, words))
    for did, outcome in report.outcomes:
        yield from _told(did, outcome, words)


def _table(report: Report, words: Words) -> Iterator[str]:
    """A row for each agent in each step. A number that nobody has is no column, so that it can be narrow."""
    who, number, _, time, tokens = map(words.say, HEADS)
    heads = (number, who, words.say(say.ENDED), time, tokens, *map(words.say, COUNTS))
    rows = [_cells(did, outcome, words) for did, outcome in report.outcomes]
    told = [at for at in range(len(heads)) if any(row[at] for row in rows)]
    for line in (heads, ["---"] * len(heads), *rows):
        yield f"| {' | '.join(line[at] or EMPTY[at] for at in told)} |"


def _cells(did: Did, outcome: Outcome, words: Words) -> tuple[str, ...]:
    counted = outcome.counted
    numbers = (outcome.tokens, counted.asked, counted.allowed, counted.refused, counted.unasked)
    ended = _end(outcome, words).replace("|", "\\|")
    counts = (words.number(number) if number else "" for number in numbers)
    return (str(did.round), outcome.agent, ended, lasting(outcome.seconds), *counts)


def _end(outcome: Outcome, words: Words) -> str:
    """How an agent's part ended, and its verdict."""
    ended = words.say(say.ENDS[outcome.ended])
    return f"{ended}, {words.told(say.verdict(outcome.judged.why))}" if outcome.judged else ended


def _changes(report: Report, words: Words) -> Iterator[str]:
    if not report.branch:
        return
    lines = listed(report.changed, words, MOST_FILES)
    yield from (f"## {words.say(say.CHANGES)}", "")
    yield from (fenced("\n".join(lines)) if lines else words.say(say.NO_CHANGES), "")
    stands = words.say(say.BRANCH, branch=report.branch)
    yield from (" ".join(filter(None, (stands, report.merged or words.say(say.NOT_MERGED)))), "")
    if report.kept:
        yield from (report.kept, "")
    if lines:
        merges = [] if report.merged else [f"git merge {report.branch}"]
        yield fenced("\n".join((f"git diff {report.base[:12]} {report.branch}", *merges)))
        yield ""


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield from (f"## {title}", "", fenced("\n".join(lines)), "")


def _commands(report: Report, words: Words, *, tests: bool) -> list[str]:
    return [
        f"{outcome.agent}: {_line(ran.command)} ({words.say(say.WELL if ran.ok else say.BADLY)})"
        for _, outcome in report.outcomes
        for ran in outcome.commands
        if ran.test is tests
    ]


def _refused(report: Report) -> list[str]:
    return [f"{each.agent}: {_line(call)}" for _, each in report.outcomes for call in each.refused]


def _unasked(report: Report, words: Words) -> list[str]:
    found = [(did, each) for did, each in report.outcomes if each.counted.unasked]
    lines = [f"{_of(did, each, words)}: {words.number(each.counted.unasked)}" for did, each in found]
    return [*lines, "mm log"] if lines else []


def _told(did: Did, outcome: Outcome, words: Words) -> Iterator[str]:
    """What a reviewer found, or why an agent did not finish."""
    text = outcome.judged.text if outcome.judged else outcome.detail
    if outcome.judged or text:
        what = words.told(say.verdict(outcome.judged.why)) if outcome.judged else _end(outcome, words)
        head = words.say(say.HEAD, who=_of(did, outcome, words), what=what)
        yield from (f"## {head}", "", quoted(text), "")


def _of(did: Did, outcome: Outcome, words: Words) -> str:
    return words.say(say.IN_ROUND, agent=outcome.agent, number=str(did.round))


def _line(text: str) -> str:
    return " ".join(text.split())
