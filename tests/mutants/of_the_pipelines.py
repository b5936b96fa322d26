"""Pipelines, broken where work would be accepted, run or written that nobody accepted or approved."""

from __future__ import annotations

from tests.mutants.fault import Fault

VERDICT = "tests/orchestrator/pipelines/test_verdict.py"
COURSE = "tests/orchestrator/pipelines/test_course.py"
PROMPTS = "tests/orchestrator/pipelines/test_prompts.py"
WATCH = "tests/orchestrator/pipelines/test_stopwatch.py"
FILE = "tests/mmconfigs/test_pipelines.py"
WALKS = "tests/walks/test_pipelines.py"
ASKED = "tests/walks/test_pipelines_asked.py"
FAILING = "tests/walks/test_pipelines_failing.py"
IN_GIT = "tests/walks/test_pipelines_in_git.py"

FAULTS = (
    Fault(
        "a verdict is whatever line ends with the word",
        "orchestrator/pipelines/verdict.py",
        "found = last if last in words else",
        "found = last.split()[-1] if last.split()[-1:] and last.split()[-1] in words else",
        (VERDICT,),
    ),
    Fault(
        "a quoted piece of JSON in a reviewer's text accepts",
        "orchestrator/pipelines/verdict.py",
        'fenced = len(blocks) == 1 and blocks[0].count("\\n") == len(lines) - 3',
        "fenced = bool(blocks)",
        (VERDICT,),
    ),
    Fault(
        "of two verdicts in one JSON answer the last one counts",
        "orchestrator/pipelines/verdict.py",
        'count("verdict") > 1',
        'count("verdict") > 2',
        (VERDICT,),
    ),
    Fault(
        "a rejection beside an acceptance does not count",
        "orchestrator/pipelines/verdict.py",
        "why = TWO_VERDICTS if len(words) > 1",
        "why = rule.accept if len(words) > 1",
        (VERDICT,),
    ),
    Fault(
        "a run is accepted although its last work was cut off",
        "orchestrator/pipelines/course.py",
        "    if undone := _undone(pipeline, history):\n",
        "    if (undone := _undone(pipeline, history)) and not history:\n",
        (COURSE,),
    ),
    Fault(
        "reviewers without a verdict do not matter",
        "orchestrator/pipelines/course.py",
        "return len(judged) == len(did.outcomes) and together(judged, rule)",
        "return together(judged, rule)",
        (COURSE,),
    ),
    Fault(
        "a pipeline goes round for ever",
        "orchestrator/pipelines/course.py",
        "if number >= pipeline.limits.rounds:",
        "if number > pipeline.limits.rounds:",
        (COURSE,),
    ),
    Fault(
        "agents that work one after the other count as one",
        "orchestrator/pipelines/course.py",
        "return Lanes(min(pipeline.limits.agents, agents))",
        "return Lanes(agents)",
        (COURSE,),
    ),
    Fault(
        "an answer of an agent is a template",
        "orchestrator/pipelines/prompts.py",
        "    return _PARTS.sub(part, prompt)\n",
        "    return _PARTS.sub(part, _PARTS.sub(part, prompt))\n",
        (PROMPTS,),
    ),
    Fault(
        "time in which a question is open counts",
        "orchestrator/pipelines/stopwatch.py",
        "if waited and self._waits():",
        "if waited and not self._waits():",
        (WATCH,),
    ),
    Fault(
        "an unknown field of a prompt is found only when the agent works",
        "mmconfigs/pipelines.py",
        "        if name not in FIELDS:\n",
        "        if name in ():\n",
        (FILE,),
    ),
    Fault(
        "a foreign reviewer may work in the person's folder",
        "mmconfigs/pipelines.py",
        "if entry is not None and entry.command and not pipeline.worktree:",
        "if entry is not None and entry.command and pipeline.worktree is None:",
        (FILE,),
    ),
    Fault(
        "a reviewer can write files",
        "orchestrator/pipelines/crew.py",
        "frozenset() if writes else WRITING",
        "frozenset()",
        (f"{WALKS}::test_a_reviewer_has_no_tool_that_writes",),
    ),
    Fault(
        "an agent gets its task without the approval",
        "orchestrator/pipelines/run.py",
        "        if not act.approve:\n",
        "        if not act.approve or act.round == 1:\n",
        (f"{ASKED}::test_a_hand_over_that_nobody_can_approve_ends_the_run_before_the_step",),
    ),
    Fault(
        "a reviewer that was cut off accepts by its last word",
        "orchestrator/pipelines/run.py",
        "        if outcome.ended is not Ended.DONE:\n            return Judged(",
        "        if outcome.ended is Ended.FAILED:\n            return Judged(",
        (f"{FAILING}::test_a_reviewer_that_does_not_finish_accepts_nothing",),
    ),
    Fault(
        "the time of a run does not end an agent that only starts",
        "orchestrator/pipelines/crew.py",
        "    scope.cancel()\n",
        "    await anyio.sleep(15)\n    scope.cancel()\n",
        (f"{FAILING}::test_reviewers_in_turn_share_the_time",),
    ),
    Fault(
        "the tree of a reviewer stays when another one ends the run",
        "orchestrator/pipelines/run.py",
        "        with anyio.CancelScope(shield=True):\n            await discard(spare)",
        "        await discard(spare)",
        (f"{ASKED}::test_one_reviewer_that_ends_the_run_takes_the_trees_of_the_others_along",),
    ),
    Fault(
        "nobody is told that the run does not see what is not committed",
        "orchestrator/pipelines/notes.py",
        "        if base.dirty:\n",
        "        if base.dirty and base.branch is None:\n",
        (f"{IN_GIT}::test_a_dirty_tree_is_told_and_neither_seen_nor_touched",),
    ),
)
