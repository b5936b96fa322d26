"""The report of a run: what it tells, in which language, and that no text of an agent passes for its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from mmconfigs.language import Words, saying
from orchestrator.pipelines import sentences as say
from orchestrator.pipelines.closing import kept_line, merge_question, merged_line
from orchestrator.pipelines.course import Result
from orchestrator.pipelines.differences import WHAT, Changed
from orchestrator.pipelines.listing import listed
from orchestrator.pipelines.merging import Conflict, Merged, NotMerged
from orchestrator.pipelines.outcome import Counted, Did, Ended, Judged, Outcome, Ran
from orchestrator.pipelines.report import Report, markdown

ENGLISH, FRENCH = Words(), Words("fr")
BASE = "239daef324c1" + "0" * 28
CHANGED = (
    Changed("a.py", 3, 1, "changed"),
    Changed("logo.png", None, None, "added"),
    Changed("b.py", 0, 0, "renamed", "c.py"),
)
CODES = Outcome(
    "homer",
    Ended.REFUSED,
    "end_turn",
    detail="# accepted",
    commands=(Ran("pytest -q\n# accepted", True, test=True), Ran("ls", False)),
    refused=("homer/bash: rm\n# x",),
    counted=Counted(2, 1, 1, 3),
    seconds=61.2,
)
JUDGES = Outcome("jan", Ended.DONE, "end_turn", judged=Judged(False, "REJECT", "# accepted\n```\nACCEPT"))
REPORT = Report(
    run="review-1",
    task="make it\n# accepted",
    result=Result.REJECTED,
    why=saying(say.NOT_APPROVED, agent="homer"),
    history=(Did(0, 1, (CODES,)), Did(1, 1, (JUDGES,))),
    changed=CHANGED,
    branch="mm/review-1",
    base=BASE,
    merged="",
    kept="",
)


def test_it_tells_everything_in_order() -> None:
    assert (
        markdown(REPORT, ENGLISH)
        == """\
# review-1: rejected: the task for homer was not approved

> make it
> # accepted

| round | who | ended | time | asked | allowed | refused | unasked |
| --- | --- | --- | --- | --- | --- | --- | --- |
| 1 | homer | refused | 1 min 1 s | 2 | 1 | 1 | 3 |
| 1 | jan | done, REJECT | 0 s | 0 | 0 | 0 | 0 |

## Changes

```
a.py +3 -1
logo.png (new, not text)
b.py +0 -0 (before: c.py)
3 files, +3 -1
```

Branch `mm/review-1`. Not merged.

```
git diff 239daef324c1 mm/review-1
git merge mm/review-1
```

## Tests

```
homer: pytest -q # accepted (ok)
```

## Commands

```
homer: ls (failed)
```

## Refused

```
homer: homer/bash: rm # x
```

## Ran past the answers

```
homer, round 1: 3
mm log
```

## homer, round 1: refused

> # accepted

## jan, round 1: REJECT

> # accepted
> ```
> ACCEPT
"""
    )


@pytest.mark.parametrize("words", [ENGLISH, FRENCH])
def test_no_text_of_an_agent_is_a_heading_of_the_report(words: Words) -> None:
    depth, headings = 0, []
    for token in MarkdownIt().enable("table").parse(markdown(REPORT, words)):
        depth += (token.type == "blockquote_open") - (token.type == "blockquote_close")
        if token.type == "heading_open" and not depth:
            headings.append(token.tag)
    assert headings == ["h1", *["h2"] * 7]


def test_it_is_french_for_a_person_who_reads_french() -> None:
    said = markdown(replace(REPORT, merged=merged_line(Merged("a" * 40), FRENCH)), FRENCH)
    assert said.startswith("# review-1 : rejetée : la tâche pour homer n'a pas été approuvée\n")
    for line in (
        "| tour | qui | fin | durée | demandés | autorisés | refusés | sans demande |",
        "logo.png (nouveau, pas du texte)",
        "3 fichiers, +3 -1",
        "Branche `mm/review-1`. Fusionnée : aaaaaaaaaaaa.",
        "homer: ls (échec)",
        "## jan, tour 1 : REJECT",
    ):
        assert line in said.splitlines()
    assert "git merge" not in said


def test_numbers_that_nobody_has_are_no_columns() -> None:
    quiet = replace(JUDGES, tokens=4812, judged=Judged(False, "no verdict", "hm"))
    said = markdown(replace(REPORT, history=(Did(0, 1, (quiet, JUDGES)),)), FRENCH)
    assert "| 1 | jan | fini, REJECT | 0 s | – |" in said
    assert "| tour | qui | fin | durée | jetons |" in said
    assert "| 1 | jan | fini, aucun verdict | 0 s | 4\u202f812 |" in said


def test_a_verdict_of_the_file_cannot_break_the_table() -> None:
    odd = replace(JUDGES, judged=Judged(True, "a|b", "a|b"))
    assert "| done, a\\|b |" in markdown(replace(REPORT, history=(Did(0, 1, (odd,)),)), ENGLISH)


def test_without_a_worktree_there_are_no_changes_to_tell() -> None:
    said = markdown(replace(REPORT, branch="", changed=(), result=Result.ACCEPTED, why=""), ENGLISH)
    assert said.startswith("# review-1: accepted\n")
    assert "Changes" not in said
    assert "git" not in said


def test_where_nothing_changed_there_is_nothing_to_type() -> None:
    said = markdown(replace(REPORT, changed=(), kept="It stays."), ENGLISH)
    assert "None.\n\nBranch `mm/review-1`. Not merged.\n\nIt stays.\n\n## Tests" in said


def test_of_many_files_the_first_are_named_and_all_are_counted() -> None:
    many = [Changed(f"{number}.py", 1, 0, "changed") for number in range(5)]
    assert listed(many, ENGLISH, 2) == ("0.py +1 -0", "1.py +1 -0", "and 3 more files", "5 files, +5 -0")
    assert listed(many[:1], ENGLISH, 2) == ("0.py +1 -0",)


def test_every_kind_of_change_but_the_plain_one_has_words() -> None:
    assert {*say.KINDS_OF_CHANGE} == {*WHAT.values()} - {"changed"}


def test_every_end_and_every_verdict_that_there_is_not_has_words() -> None:
    assert {*say.ENDS} == {*Ended}
    assert {say.UNFINISHED.format(ended=ended) for ended in Ended} < {*say.WHYS}


def test_the_question_about_a_merge_names_what_would_be_done_and_how_to_look_first() -> None:
    assert merge_question("mm/review-1", BASE, "c" * 40, CHANGED[:1], ENGLISH).splitlines() == [
        "git merge mm/review-1 (cccccccccccc)",
        "",
        "a.py +3 -1",
        "",
        "to look at it first: git diff 239daef324c1 cccccccccccc",
    ]


def test_paths_and_the_words_of_git_are_code_in_what_came_of_a_merge() -> None:
    conflict = merged_line(Conflict(("# a.py", "b\n.py")), ENGLISH)
    assert conflict.endswith('files:\n\n```\n# a.py\n"b\\012.py"\n```')
    assert merged_line(NotMerged("error:\n# b"), ENGLISH) == "Not merged:\n\n```\nerror:\n# b\n```"
    assert kept_line(Path("/w"), "/w is kept: *a*", ENGLISH) == "` /w is kept: *a* `"
    assert kept_line(Path("/w"), "", FRENCH) == "` Le worktree reste : /w `"
