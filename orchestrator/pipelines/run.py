"""One run of a pipeline, driven: the course says what comes next, the crew works, git keeps, the engine
remembers. Everything here may be done again after a crash; what must not stands in a step of the engine.

Knows no facade: what happens is told to the conversation's sink.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import anyio

from consent.call import Move, Proposed
from consent.gate import Decision
from consent.rules import Why
from mmconfigs.language import Text, Words, saying
from mmconfigs.model import Pipeline
from mmconfigs.pipelines import fields_of
from orchestrator.acp.markdown import fenced
from orchestrator.pipelines import prompts
from orchestrator.pipelines import sentences as say
from orchestrator.pipelines.approval import ask_about
from orchestrator.pipelines.closing import kept_line, merge_question, merged_line
from orchestrator.pipelines.course import (
    Act,
    End,
    Lanes,
    Part,
    Result,
    ahead,
    judged_last,
    lanes,
    seconds_left,
)
from orchestrator.pipelines.crew import Member, at_post
from orchestrator.pipelines.differences import Changed, diff, stat
from orchestrator.pipelines.durable import Durable, Suspended
from orchestrator.pipelines.history import commit, restart
from orchestrator.pipelines.merging import merge, parted
from orchestrator.pipelines.notes import Notes
from orchestrator.pipelines.outcome import Did, Ended, Judged, Outcome, as_json, from_json
from orchestrator.pipelines.report import Report, markdown
from orchestrator.pipelines.repository import Base
from orchestrator.pipelines.table import Table
from orchestrator.pipelines.trees import Tree, discard, open_tree, remove, throwaway
from orchestrator.pipelines.verdict import judge
from orchestrator.session import Session

MOST_SHOWN = 60
"""Lines of a list of files in a prompt."""


@dataclass(frozen=True, slots=True)
class Order:
    """What was asked for: the run's name, the pipeline with its name, the task; `base` is where it begins.

    `home` is the folder of all worktrees, `folder` that of the conversation.
    """

    run: str
    name: str
    pipeline: Pipeline
    task: str
    folder: Path
    home: Path
    base: Base | None


@dataclass(frozen=True, slots=True)
class Over:
    """How a run ended for good: what the engine keeps of it."""

    result: Result
    why: str
    report: str


@dataclass(frozen=True, slots=True)
class Pause:
    """Why a run ended here without being over. `unasked`: since nobody could be asked."""

    why: Text
    unasked: bool = False
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class _Time:
    """The seconds of work that a run has left when a step begins, and when its agents begin."""

    left: float
    lanes: Lanes


class Run:
    """One run, in one conversation. `begun`: it can be resumed from now on."""

    def __init__(self, order: Order, session: Session, table: Table, words: Words) -> None:
        self._order = order
        self._pipeline = order.pipeline
        self._session = session
        self._table = table
        self._words = words
        self._questions = count(1)
        self._stack = AsyncExitStack()
        self._writers: dict[str, Member] = {}
        self.begun = False
        self._notes = Notes(session.sink)

    async def body(self, engine: Durable) -> Any:
        """The whole run; raises Suspended where it ends without being over."""
        self.begun = True
        async with self._stack:
            tree = await self._open_tree()
            history: list[Did] = []
            while isinstance(act := ahead(self._pipeline, history), Act):
                history.append(await self._did(engine, tree, act, history))
        over = await self._end(engine, tree, act, history)
        return {"result": over.result.value, "why": over.why, "report": over.report}

    async def _open_tree(self) -> Tree | None:
        order = self._order
        return await open_tree(order.base, order.run, order.home) if order.base else None

    async def _did(self, engine: Durable, tree: Tree | None, act: Act, history: Sequence[Did]) -> Did:
        """One step of the course, with all that it needs."""
        label = f"{act.round}.{act.step}"
        since = self._commit(history)
        texts = await engine.step(f"{label} prompts", partial(self._prompts, tree, act, history))
        work = self._write if act.writes else self._read
        time = _Time(seconds_left(self._pipeline, history), lanes(self._pipeline, len(act.parts)))
        turns = [
            (f"{label} {part.agent}", partial(work, tree, act, part, text, since, time))
            for part, text in zip(act.parts, texts, strict=True)
        ]
        kept = await engine.steps(turns, self._pipeline.limits.agents)
        outcomes = tuple(map(from_json, kept))
        for outcome in outcomes:
            await self._table.ended(act, outcome)
        return Did(act.step, act.round, outcomes, outcomes[0].commit if act.writes else since)

    def _commit(self, history: Sequence[Did]) -> str:
        start = self._order.base.commit if self._order.base else ""
        return history[-1].commit if history else start

    # --- what agents are told

    async def _prompts(self, tree: Tree | None, act: Act, history: Sequence[Did]) -> list[str]:
        fields = await self._fields(tree, act, history)
        texts = [prompts.fill(part.prompt, fields) for part in act.parts]
        return [self._reminded(act, part, text, history) for part, text in zip(act.parts, texts, strict=True)]

    def _reminded(self, act: Act, part: Part, text: str, history: Sequence[Did]) -> str:
        """Who goes on with earlier work may be somebody new, after a crash: the task is told once more."""
        before = (outcome.agent for did in history if not self._judges(did) for outcome in did.outcomes)
        if not act.writes or part.agent not in before or "task" in fields_of(part.prompt):
            return text
        return f"{text}\n\nThe task on which you work:\n\n{prompts.quoted(self._order.task)}"

    def _judges(self, did: Did) -> bool:
        return self._pipeline.steps[did.step].verdict is not None

    async def _fields(self, tree: Tree | None, act: Act, history: Sequence[Did]) -> Mapping[str, str]:
        changed = await self._changed(tree, self._commit(history))
        return {
            "task": self._order.task,
            "round": str(act.round),
            "answer": prompts.answers(history[-1].outcomes if history else ()),
            "findings": prompts.findings(judged_last(self._pipeline, history)),
            "files": "\n".join(each.path for each in changed[:MOST_SHOWN]) or "(none)",
            "diff": await self._diff(tree, self._commit(history)),
        }

    async def _changed(self, tree: Tree | None, commit: str) -> tuple[Changed, ...]:
        return await stat(tree, tree.base.commit, commit) if tree else ()

    async def _diff(self, tree: Tree | None, commit: str) -> str:
        if tree is None:
            return ""
        return fenced((await diff(tree, tree.base.commit, commit)).rstrip("\n") or "(no difference)")

    # --- what agents do

    async def _write(
        self, tree: Tree | None, act: Act, part: Part, text: str, since: str, time: _Time
    ) -> dict[str, Any]:
        """A turn in the run's own tree, from the commit before it, whatever an earlier try has left."""
        await self._approve(act, part, text)
        if tree:
            await self._notes.interrupted(await restart(tree, since))
        member = self._writers.get(part.agent)
        if member is None:
            post = at_post(self._session, part.agent, tree.place() if tree else None, writes=True)
            member = self._writers[part.agent] = await self._stack.enter_async_context(post)
        outcome = await self._turn(member, act, part, text, time)
        if tree:
            made = await commit(tree, f"{self._order.name}: {part.agent}, step {act.step}, round {act.round}")
            files = tuple(each.path for each in await stat(tree, since, made))
            outcome = replace(outcome, files=files, commit=made)
        await self._table.ended(act, outcome)
        return as_json(outcome)

    async def _read(
        self, tree: Tree | None, act: Act, part: Part, text: str, since: str, time: _Time
    ) -> dict[str, Any]:
        """A turn in a tree that is thrown away, without the tools that write."""
        await self._approve(act, part, text)
        name = f"{act.round}-{act.step}-{part.agent}"
        async with (
            _spare(tree, since, name) as folder,
            at_post(self._session, part.agent, folder, writes=False) as member,
        ):
            outcome = await self._turn(member, act, part, text, time)
        outcome = replace(outcome, judged=self._judged(act, outcome))
        await self._table.ended(act, outcome)
        return as_json(outcome)

    def _judged(self, act: Act, outcome: Outcome) -> Judged | None:
        rule = self._pipeline.steps[act.step].verdict
        if rule is None:
            return None
        if outcome.ended is not Ended.DONE:
            return Judged(accepts=False, why=say.UNFINISHED.format(ended=outcome.ended), text=outcome.text)
        return judge(outcome.text, rule)

    async def _turn(self, member: Member, act: Act, part: Part, text: str, time: _Time) -> Outcome:
        """The agent's turn. What is not done follows the declared path."""
        await self._table.began(act, part.agent)
        began = time.lanes.begin()
        outcome = await member.turn(text, time.left - began)
        time.lanes.end(began + outcome.seconds)
        if outcome.ended in (Ended.DONE, Ended.LATE) or act.on_fail == "continue":
            return outcome
        await self._table.ended(act, outcome)
        if outcome.ended is Ended.STOPPED:
            raise Suspended(Pause(saying(say.WAS_STOPPED, agent=part.agent), stopped=True))
        why = _unfinished(outcome, self._words)
        if act.on_fail == "ask" and await self._goes_on(part.agent, why):
            return replace(outcome, gone_on=True)
        unfinished = saying(say.DID_NOT_FINISH, agent=part.agent, why=why)
        raise Suspended(Pause(unfinished, unasked=bool(outcome.counted.nobody)))

    async def _goes_on(self, agent: str, why: str) -> bool:
        """A person's word on work that is not done. Where nobody is, there is no question: the run ends."""
        if not self._session.desk.setting.somebody:
            return False
        return (await self._ask(Proposed(Move.GO_ON, agent, why))).allowed

    # --- what a person decides

    async def _approve(self, act: Act, part: Part, text: str) -> None:
        """A person's yes to exactly what is sent then. Without one the run ends, and asks again when resumed.

        The yes is kept nowhere: what a database says was approved by somebody else, or for another text.
        """
        if not act.approve:
            return
        decision = await self._ask(Proposed(Move.HAND_OVER, part.agent, text))
        if not decision.allowed:
            raise Suspended(_unapproved(saying(say.NOT_APPROVED, agent=part.agent), decision))

    async def _ask(self, proposed: Proposed) -> Decision:
        desk, sink = self._session.desk, self._session.sink
        return await ask_about(proposed, next(self._questions), str(self._order.folder), desk, sink)

    # --- its end

    async def _end(self, engine: Durable, tree: Tree | None, end: End, history: Sequence[Did]) -> Over:
        merged, commit = "", self._commit(history)
        changed = await self._changed(tree, commit)
        if tree and end.result is Result.ACCEPTED and self._pipeline.finish.merge == "ask" and changed:
            merged = await engine.step("merge", partial(self._merge, tree, commit, changed))
        kept = await self._leave(tree)
        report = Report(
            run=self._order.run,
            task=self._order.task,
            result=end.result,
            why=end.why,
            history=tuple(history),
            changed=changed,
            branch=(tree.branch or "") if tree else "",
            base=tree.base.commit if tree else "",
            merged=merged,
            kept=kept,
        )
        return Over(end.result, self._words.told(end.why), markdown(report, self._words))

    async def _leave(self, tree: Tree | None) -> str:
        """Take the worktree away, unless it is to stay or holds what is nowhere else; why it stays."""
        if tree is None:
            return ""
        if self._pipeline.finish.merge == "never":
            return kept_line(tree.folder, "", self._words)
        kept = await remove(tree)
        return kept_line(tree.folder, kept.reason, self._words) if kept else ""

    async def _merge(self, tree: Tree, commit: str, changed: Sequence[Changed]) -> str:
        """Ask whether exactly this commit is merged, and do it; what came of it."""
        branch = tree.branch or ""
        since = await parted(tree.base, commit)
        shown = await stat(tree, since, commit) if since else changed
        text = merge_question(branch, since or tree.base.commit, commit, shown, self._words)
        decision = await self._ask(Proposed(Move.MERGE, branch, text))
        if not decision.allowed:
            if decision.why in (Why.NOBODY, Why.CANCELLED):
                raise Suspended(_unapproved(saying(say.WAITS_FOR_MERGE), decision))
            return self._words.say(say.SAID_NO)
        return merged_line(await merge(tree.base, tree, commit, since), self._words)


@asynccontextmanager
async def _spare(tree: Tree | None, commit: str, name: str) -> AsyncIterator[Path | None]:
    """A folder that is thrown away, whatever ends the work in it; None where there is no tree."""
    if tree is None:
        yield None
        return
    with anyio.CancelScope(shield=True):  # half of a worktree would stay
        spare = await throwaway(tree, commit, name)
    try:
        yield spare.place()
    finally:
        with anyio.CancelScope(shield=True):
            await discard(spare)


def _unapproved(what: Text, decision: Decision) -> Pause:
    nobody = decision.why is Why.NOBODY
    return Pause(saying(say.SINCE_NOBODY, what=what) if nobody else what, unasked=nobody)


def _unfinished(outcome: Outcome, words: Words) -> str:
    """Why a part is not done, in a few lines."""
    refused = words.say(say.REFUSED_ONES, calls=", ".join(outcome.refused)) if outcome.refused else ""
    stop = "" if outcome.stop == outcome.ended else f" ({outcome.stop})"
    return "\n".join(filter(None, (f"{words.say(say.ENDS[outcome.ended])}{stop}", outcome.detail, refused)))
