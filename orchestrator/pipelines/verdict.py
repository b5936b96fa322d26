"""How a reviewer's answer becomes a verdict: its exact last line, or an answer in JSON.

None is a rejection, and so are two that differ. Text of an agent is data here, and never a template.
"""

from __future__ import annotations

import json
import re
from typing import Any

from mmconfigs.model import Judging
from orchestrator.pipelines.outcome import Judged

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)\n[ \t]*```", re.DOTALL)

NO_VERDICT = "no verdict"
TWO_VERDICTS = "more than one verdict"


def judge(text: str, rule: Judging) -> Judged:
    """The verdict of an answer that ended as it should."""
    found = {*_of_lines(text, rule), *_of_json(text, rule)}
    match sorted(found):
        case [accepts]:
            return Judged(accepts, rule.accept if accepts else rule.reject, _findings(text))
        case []:
            return Judged(accepts=False, why=NO_VERDICT, text=_findings(text))
        case _:
            return Judged(accepts=False, why=TWO_VERDICTS, text=_findings(text))


def together(judged: tuple[Judged, ...], rule: Judging) -> bool:
    """Whether reviewers accept: all of them, or one where one is enough."""
    return (all if rule.all else any)(each.accepts for each in judged)


def _of_lines(text: str, rule: Judging) -> set[bool]:
    """What the last line says. A word that stands alone on another line speaks against it, never for it."""
    lines = [line.strip() for line in text.strip().splitlines()]
    if not lines or lines[-1] not in (rule.accept, rule.reject):
        return set()
    against = rule.reject if lines[-1] == rule.accept else rule.accept
    return {lines[-1] == rule.accept} | ({against == rule.accept} if against in lines else set())


def _of_json(text: str, rule: Judging) -> set[bool]:
    """What an answer says that is a JSON object, or holds one in a fence, with a `verdict`."""
    said = [found["verdict"] for found in _objects(text) if "verdict" in found]
    # A verdict in any other word counts against: with one beside it that accepts, there are two.
    return {word == rule.accept for word in said}


def _objects(text: str) -> list[dict[str, Any]]:
    found = []
    for part in (text.strip(), *_FENCED.findall(text)):
        try:
            value = json.loads(part)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def _findings(text: str) -> str:
    """What the coder is told: the `findings` of a JSON answer as lines, else the whole text."""
    for found in _objects(text):
        findings = found.get("findings")
        if isinstance(findings, list) and findings:
            return "\n".join(f"- {_line(each)}" for each in findings)
        if isinstance(findings, str) and findings.strip():
            return findings
    return text.strip()


def _line(finding: Any) -> str:
    return finding if isinstance(finding, str) else json.dumps(finding, ensure_ascii=False)
