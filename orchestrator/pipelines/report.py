"""The end of a run, as Markdown: what was found, what changed, what was refused and asked. Draws nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from orchestrator.pipelines.course import Result
from orchestrator.pipelines.differences import Changed
from orchestrator.pipelines.names import shown
from orchestrator.pipelines.outcome import Did, Outcome
from orchestrator.pipelines.prompts import fenced, quoted

MOST_FILES = 40
TITLES = {Result.ACCEPTED: "accepted", Result.REJECTED: "rejected", Result.LIMIT: "ended by a limit"}


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that the end of a run tells. `merged` and `kept` are sentences, or empty."""

    run: str
    task: str
    result: Result
    why: str
    history: tuple[Did, ...]
    changed: Sequence[Changed]
    branch: str
    merged: str
    kept: str


def markdown(report: Report) -> str:
    """The report, with text of agents quoted."""
    return "\n".join(_lines(report)).rstrip() + "\n"


def _lines(report: Report) -> Iterator[str]:
    why = f": {report.why}" if report.why else ""
    yield from (
        f"# {report.run}: {TITLES[report.result]}{why}",
        "",
        quoted(report.task),
        "",
    )
    yield from ("| round | who | ended | time | asked | allowed | refused | unasked |", "|" + "---|" * 8)
    yield from (_row(did, outcome) for did in report.history for outcome in did.outcomes)
    yield ""
    yield from _changes(report)
    yield from _section("Tests and commands", _commands(report.history))
    yield from _section("Refused", _refused(report.history))
    for did in report.history:
        for outcome in did.outcomes:
            if outcome.judged:
                yield from (f"## {outcome.agent}, round {did.round}: {outcome.judged.why}", "")
                yield from (quoted(outcome.judged.text), "")
            elif outcome.detail:
                yield from (f"## {outcome.agent}, round {did.round}", "", quoted(outcome.detail), "")


def _row(did: Did, outcome: Outcome) -> str:
    counted = outcome.counted
    counts = (counted.asked, counted.allowed, counted.refused, counted.unasked)
    ended = f"{outcome.ended}" + (f", {outcome.judged.why}" if outcome.judged else "")
    cells = (did.round, outcome.agent, ended, f"{outcome.seconds:.1f} s", *counts)
    return f"| {' | '.join(map(str, cells))} |"


def _changes(report: Report) -> Iterator[str]:
    if not report.branch:
        return
    yield from ("## Changes", "")
    lines = [f"{shown(each.path)} +{each.added} -{each.removed}" for each in report.changed[:MOST_FILES]]
    more = len(report.changed) - len(lines)
    yield from (
        fenced("\n".join((*lines, *([f"and {more} more files"] if more > 0 else ())))) if lines else "None.",
        "",
    )
    yield from (f"Branch `{report.branch}`. {report.merged or 'Not merged.'} {report.kept}".strip(), "")


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield from (f"## {title}", "", fenced("\n".join(lines)), "")


def _commands(history: Sequence[Did]) -> list[str]:
    every = [(outcome.agent, ran) for did in history for outcome in did.outcomes for ran in outcome.commands]
    return [
        f"{agent}: {' '.join(ran.command.split())} ({'ok' if ran.ok else 'failed'})" for agent, ran in every
    ]


def _refused(history: Sequence[Did]) -> list[str]:
    return [
        f"{each.agent}: {' '.join(call.split())}"
        for did in history
        for each in did.outcomes
        for call in each.refused
    ]
