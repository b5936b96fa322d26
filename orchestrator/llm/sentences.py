"""The handful of sentences that the demo model understands. Pure.

    run COMMAND                 lance COMMANDE
    read FILE                   lis FICHIER
    write FILE: TEXT            écris FICHIER : TEXTE
    edit FILE: OLD => NEW       modifie FICHIER : ANCIEN => NOUVEAU
    ask NAME: QUESTION          demande à NOM : QUESTION
    ask NAME to QUESTION        demande à NOM de QUESTION

Several on one line are joined by " then " (" puis "). It joins only where a sentence follows, so that text
may hold the word; it belongs to whoever is spoken to, never to the question for an asked agent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """One call to make: the tool, and its arguments."""

    tool: str
    arguments: Mapping[str, str]


_FORMS = tuple(
    (tool, re.compile(form, re.IGNORECASE))
    for tool, form in (
        ("bash", r"(?:run|lance)\s+(?P<command>.+)"),
        ("read_file", r"(?:read|lis)\s+(?P<path>.+)"),
        ("write_file", r"(?:write|(?:é|e\u0301?)cris)\s+(?P<path>[^:]*[^:\s])\s*:\s*(?P<content>.+)"),
        ("edit_file", r"(?:edit|modifie)\s+(?P<path>[^:]*[^:\s])\s*:\s*(?P<old>.+?)\s*=>\s*(?P<new>.*)"),
        ("ask_", r"(?:ask|demande\s+à)\s+(?P<name>[\w-]+)(?:\s*:\s*|\s+(?:to|de)\s+)(?P<question>.+)"),
    )
)

_JOIN = re.compile(r"\s+(?:then|puis)\s+", re.IGNORECASE)


def understand(text: str) -> tuple[Step, ...]:
    """The steps of the first line of `text` that is a sentence; empty when none is.

    The first, since the text may carry context: what the line wants stands before what it wants it for.
    """
    return next((steps for line in text.splitlines() if (steps := _line(line.strip()))), ())


def _line(line: str) -> tuple[Step, ...]:
    """The steps of one line, empty when it is no sentence."""
    for join in _JOIN.finditer(line):
        first, rest = _step(line[: join.start()]), line[join.end() :]
        if first and _step(rest):
            return (first, *_line(rest))
    step = _step(line)
    return (step,) if step else ()


def _step(sentence: str) -> Step | None:
    for tool, form in _FORMS:
        if match := form.fullmatch(sentence):
            found = match.groupdict()
            return Step(tool + found.pop("name", "").lower(), found)
    return None
