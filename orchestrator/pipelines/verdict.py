"""How a reviewer's answer becomes a verdict: its exact last line, or an answer that is JSON and nothing else.

None is a rejection, and so are two that differ. What stands elsewhere in an answer may be quoted from the
work: it can speak against it, never for it. Text of an agent is data here, and never a template.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from mmconfigs.model import Judging
from orchestrator.pipelines.outcome import Judged

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
    lines = _LINE_END.split(text.strip())
    last = lines[-1].strip()
    blocks = _blocks(lines)
    found = last if last in words else _read(_whole(lines, blocks)).get("verdict")
    if found not in words:
        return []
    alone = [line.strip() for line in text.splitlines()]
    objects = map(_read, (*blocks, *(line for line in alone if line.startswith("{"))))
    quoted = (each["verdict"] for each in objects if "verdict" in each)
    return [found, *(word for word in words if word in alone), *map(str, quoted)]


def _blocks(lines: Sequence[str]) -> list[str]:
    """What stands between fences, line by line; the last may be open to the end."""
    blocks: list[list[str]] = []
    mark = ""
    for line in map(str.strip, lines):
        if mark and line.startswith(mark) and not line.strip(mark[0]):
            mark = ""
        elif mark:
            blocks[-1].append(line)
        elif line.startswith(("```", "~~~")):
            mark = line[: len(line) - len(line.lstrip(line[0]))]
            blocks.append([])
    return ["\n".join(block) for block in blocks]


def _whole(lines: Sequence[str], blocks: Sequence[str]) -> str:
    """The answer without the fence around all of it."""
    fenced = len(blocks) == 1 and blocks[0].count("\n") == len(lines) - 3
    return blocks[0] if fenced else "\n".join(lines)


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
    lines = _LINE_END.split(text.strip())
    findings = _read(_whole(lines, _blocks(lines))).get("findings")
    if isinstance(findings, list) and findings:
        return "\n".join(f"- {_line(each)}" for each in findings)
    return findings if isinstance(findings, str) and findings.strip() else text.strip()


def _line(finding: Any) -> str:
    return finding if isinstance(finding, str) else json.dumps(finding, ensure_ascii=False)
