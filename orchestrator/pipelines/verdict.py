"""How a reviewer's answer becomes a verdict: its exact last line, or an answer that is JSON and nothing else.

None is a rejection, and so are two that differ. What stands elsewhere in an answer may be quoted from the
work: it can speak against it, never for it. Text of an agent is data here, and never a template.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from mmconfigs.model import Judging
from orchestrator.pipelines.outcome import Judged

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)\n[ \t]*```", re.DOTALL)
_LINE_END = re.compile(r"\r\n?|\n")

NO_VERDICT = "no verdict"
TWO_VERDICTS = "more than one verdict"


def judge(text: str, rule: Judging) -> Judged:
    """The verdict of an answer that ended as it should."""
    words = set(_said(text, rule))
    why = TWO_VERDICTS if len(words) > 1 else next(iter(words), NO_VERDICT)
    return Judged(bool(words) and why == rule.accept, why, _findings(text))


def together(judged: tuple[Judged, ...], rule: Judging) -> bool:
    """Whether reviewers accept: all of them, or one where one is enough."""
    return (all if rule.all else any)(each.accepts for each in judged)


def _said(text: str, rule: Judging) -> list[str]:
    """The words of a verdict in an answer: first that which counts, then those that speak against it."""
    words = (rule.accept, rule.reject)
    last = _LINE_END.split(text.strip())[-1].strip()
    found = last if last in words else _read(_whole(text)).get("verdict")
    if found not in words:
        return []
    lines = [line.strip() for line in text.splitlines()]
    quoted = (each["verdict"] for each in map(_read, _FENCED.findall(text)) if "verdict" in each)
    return [found, *(word for word in words if word in lines), *map(str, quoted)]


def _whole(text: str) -> str:
    """The answer without the fence around all of it."""
    fenced = _FENCED.fullmatch(text.strip())
    return fenced[1] if fenced else text


def _read(text: str) -> dict[str, Any]:
    """The JSON object that the text is; an empty one where it is none."""
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of a verdict that stands in it twice nothing is left but that it is none."""
    found = dict(pairs)
    if [key for key, _ in pairs].count("verdict") > 1:
        found["verdict"] = None
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _findings(text: str) -> str:
    """What the coder is told: the `findings` of a JSON answer as lines, else the whole text."""
    findings = _read(_whole(text)).get("findings")
    if isinstance(findings, list) and findings:
        return "\n".join(f"- {_line(each)}" for each in findings)
    return findings if isinstance(findings, str) and findings.strip() else text.strip()


def _line(finding: Any) -> str:
    return finding if isinstance(finding, str) else json.dumps(finding, ensure_ascii=False)
