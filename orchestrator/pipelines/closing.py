"""What a person is asked and told at the end of a run, in words: the merge, and the worktree that stays.

What it gives back is Markdown, with paths and git's own words as code. Knows no git.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import assert_never

from mmconfigs.language import Words
from orchestrator.acp.markdown import as_markdown, fenced
from orchestrator.pipelines import sentences as say
from orchestrator.pipelines.differences import Changed
from orchestrator.pipelines.listing import listed
from orchestrator.pipelines.merging import Conflict, Merged, NotMerged
from orchestrator.pipelines.names import shown

MOST_SHOWN = 200
"""Files in the question; all of them are in the diff that it names."""


def merge_question(branch: str, base: str, commit: str, changed: Sequence[Changed], words: Words) -> str:
    """The text of the question whether a run is merged: what would be done, and how to look at it first."""
    look = words.say(say.LOOK_FIRST, command=f"git diff {base[:12]} {commit[:12]}")
    files = listed(changed, words, MOST_SHOWN)
    return "\n".join((f"git merge {branch} ({commit[:12]})", "", *files, "", look))


def merged_line(merged: Merged | Conflict | NotMerged, words: Words) -> str:
    """What came of a merge."""
    match merged:
        case Merged(made):
            return words.say(say.MERGED, commit=made[:12])
        case Conflict(files):
            listing = fenced("\n".join(map(shown, files)))
            return f"{words.say(say.CONFLICT)}\n\n{listing}"
        case NotMerged(why):
            return f"{words.say(say.NOT_MERGED_SINCE)}\n\n{fenced(why)}"
        case _:
            assert_never(merged)


def kept_line(folder: Path, reason: str, words: Words) -> str:
    """Where the worktree stays, or the reason, which names it."""
    return as_markdown([reason or words.say(say.STAYS, folder=shown(str(folder)))])
