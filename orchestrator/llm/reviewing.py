"""The demo model as a reviewer, and as the coder who is told what reviewers found. Pure.

    Review …. End with a line ACCEPT or REJECT      Relis …. Termine par une ligne ACCEPT ou REJECT
    Address these findings:                         Traite ces remarques :

It looks for TODO in the lines that a diff adds, and for nothing else. Each becomes a finding: the sentence
that would mend it, so that the coder who is told understands it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from orchestrator.llm.sentences import Step, understand

LOOKS = "I am the demo model, no AI: I look for TODO in the lines that a diff adds, and for nothing else."
NOTHING = "There is no line that was added."
TODO, DONE = "TODO", "done"

_REVIEW = re.compile(
    r"\s*(?:review|relis)\b.*\b(?:line|ligne)\s+(?P<accept>\w+)\s+(?:or|ou)\s+(?P<reject>\w+)\W*",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\s*(?:address|traite)\b.*:\s*", re.IGNORECASE)
_REVIEWER = re.compile(r"\S+ \(.*\):")
_QUOTED = re.compile(r"> ?(.*)")


def review(prompt: str) -> str | None:
    """What the demo model says to a prompt that wants a verdict, which is its last line; None for others."""
    asked = next(filter(None, map(_REVIEW.fullmatch, prompt.splitlines())), None)
    if asked is None:
        return None
    added = [*_added(prompt)]
    found = [_finding(path, line) for path, line in added if TODO in line]
    verdict = asked["reject" if found or not added else "accept"]
    return "\n\n".join((LOOKS, *(found if added else [NOTHING]), verdict))


def addressed(prompt: str) -> tuple[Step, ...]:
    """The sentences that are quoted below a line which wants them addressed; empty for other prompts."""
    return tuple(step for line in _findings(prompt.splitlines()) for step in understand(line))


def _findings(lines: Iterable[str]) -> Iterator[str]:
    """What is quoted of reviewers; a quotation below any other line, such as that of the task, is none."""
    wanted = below = False
    for line in lines:
        if quoted := _QUOTED.fullmatch(line):
            yield from [quoted[1]] if below else []
        elif line.strip():
            wanted = wanted or bool(_ADDRESS.fullmatch(line))
            below = wanted and bool(_ADDRESS.fullmatch(line) or _REVIEWER.fullmatch(line))


def _added(diff: str) -> Iterator[tuple[str, str]]:
    """The lines that a diff adds, each with its file."""
    path, inside = "", False
    for line in diff.splitlines():
        if line.startswith("+++ ") and not inside:
            path = line.removeprefix("+++ ").removeprefix("b/")
        elif line.startswith("+") and inside:
            yield path, line[1:].strip()
        inside = line.startswith("@@") or (inside and not line.startswith("diff --git "))


def _finding(path: str, line: str) -> str:
    """The sentence that mends a line, where there is one."""
    mended = {"path": path, "old": line, "new": line.replace(TODO, DONE)}
    sentence = "edit {path}: {old} => {new}".format_map(mended)
    return sentence if understand(sentence) == (Step("edit_file", mended),) else f"{TODO} in {path}"
