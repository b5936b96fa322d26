"""The files that a run changed, one a line, for people: in reports and in the question about a merge."""

from __future__ import annotations

from collections.abc import Sequence

from mmconfigs.language import Words
from orchestrator.pipelines import sentences as say
from orchestrator.pipelines.differences import Changed


def listed(changed: Sequence[Changed], words: Words, most: int) -> tuple[str, ...]:
    """The first of the files, how many more there are, and the sum of their lines."""
    lines = [_line(each, words) for each in changed[:most]]
    left = len(changed) - len(lines)
    more = [words.say(say.MORE_FILES, count=words.number(left))] if left else []
    return (*lines, *more, _sum(changed, words)) if len(changed) > 1 else tuple(lines)


def _line(each: Changed, words: Words) -> str:
    """`a.py +3 -1`, `logo.png (new, not text)`."""
    size = "" if each.added is None else f" +{each.added} -{each.removed}"
    kind = say.KINDS_OF_CHANGE.get(each.what)
    what = words.say(kind, before=each.before or "") if kind else ""
    notes = ", ".join(filter(None, (what, words.say(say.NO_TEXT) if each.added is None else "")))
    return f"{each.path}{size}{f' ({notes})' if notes else ''}"


def _sum(changed: Sequence[Changed], words: Words) -> str:
    added = sum(each.added or 0 for each in changed)
    removed = sum(each.removed or 0 for each in changed)
    return words.say(say.SUM, files=words.number(len(changed)), added=str(added), removed=str(removed))
