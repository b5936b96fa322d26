"""What a pipeline must keep beyond the types of its keys, before anything of it runs.

Knows no agent at work: only the names of the entries, and which fields a prompt may hold.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mmconfigs import sentences as say
from mmconfigs.errors import nearest
from mmconfigs.language import saying

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mmconfigs.errors import Fault
    from mmconfigs.language import Saying
    from mmconfigs.loaded import Loaded
    from mmconfigs.model import Judging, Pipeline, Step
    from mmconfigs.tree import Path

FIELDS: Final = {
    "task": "the task, as the person gave it",
    "answer": "what the agents of the step before answered, quoted",
    "findings": "what the reviewers of the last verdict said, quoted",
    "files": "the files that the run has changed so far",
    "diff": "the difference that the run has made so far",
    "round": "the number of the round, from 1",
}
"""The fields of a prompt; `{{` and `}}` stand for braces."""
NEED_A_TREE: Final = ("diff", "files")
_BRACES: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


def faults(loaded: Loaded) -> Iterator[Fault]:
    """Yield every fault of every pipeline."""
    for name, pipeline in loaded.config.pipelines.items():
        place = ("pipelines", name)
        for at, step in enumerate(pipeline.steps):
            yield from _step(loaded, pipeline, step, (*place, "steps", str(at)))
        yield from _repeats(loaded, pipeline.steps, place)
        yield from _too_many(loaded, pipeline, place)
        if not pipeline.worktree and pipeline.finish.merge != "branch":
            yield loaded.fault((*place, "finish", "merge"), saying(say.NOTHING_TO_MERGE))


def fields_of(prompt: str) -> tuple[str, ...]:
    """The fields in a prompt, in order; a brace that is neither doubled nor around a name is one, too."""
    found = (match for match in _BRACES.finditer(prompt) if match[0] not in ("{{", "}}"))
    return tuple(match[0] if match[1] is None else match[1] for match in found)


def _step(loaded: Loaded, pipeline: Pipeline, step: Step, place: Path) -> Iterator[Fault]:
    if sum(form is not None for form in (step.ask, step.together, step.repeat)) != 1:
        yield loaded.fault(place, saying(say.STEP_FORM))
        return
    if step.ask is not None:
        yield from _alone(loaded, pipeline, step, place)
    elif step.prompt is not None:
        yield loaded.fault((*place, "prompt"), saying(say.ONLY_ASK))
    yield from _together(loaded, pipeline, step, place)
    if step.verdict:
        yield from _words(loaded, step.verdict, (*place, "verdict"))
    if step.repeat is not None:
        yield from _prompt(loaded, pipeline, step.repeat.prompt, (*place, "repeat", "prompt"))
        yield from _only_back(loaded, step, place)


def _words(loaded: Loaded, rule: Judging, place: Path) -> Iterator[Fault]:
    """The words of a verdict are compared with a whole line, its blanks taken away."""
    for key, word in (("accept", rule.accept), ("reject", rule.reject)):
        if word != word.strip():
            yield loaded.fault((*place, key), saying(say.BLANKS), found=word)
    if rule.accept == rule.reject:
        yield loaded.fault((*place, "reject"), saying(say.SAME_WORD))


def _alone(loaded: Loaded, pipeline: Pipeline, step: Step, place: Path) -> Iterator[Fault]:
    """A step of one agent, which writes unless it judges."""
    yield from _asked(loaded, pipeline, step.ask or "", place)
    if step.prompt is None:
        yield loaded.fault(place, saying(say.KEY_MISSING, key="prompt"), accepted="prompt")
    else:
        yield from _prompt(loaded, pipeline, step.prompt, (*place, "prompt"))
    if step.verdict:
        yield from _kept_from_writing(loaded, pipeline, step.ask or "", place)


def _together(loaded: Loaded, pipeline: Pipeline, step: Step, place: Path) -> Iterator[Fault]:
    seen: set[str] = set()
    for number, reviewer in enumerate(step.together or ()):
        here = (*place, "together", str(number))
        yield from _asked(loaded, pipeline, reviewer.ask, here)
        yield from _prompt(loaded, pipeline, reviewer.prompt, (*here, "prompt"))
        yield from _kept_from_writing(loaded, pipeline, reviewer.ask, here)
        if reviewer.ask in seen:
            yield loaded.fault((*here, "ask"), saying(say.TWICE_ASKED, name=reviewer.ask))
        seen.add(reviewer.ask)


def _only_back(loaded: Loaded, step: Step, place: Path) -> Iterator[Fault]:
    others = {"verdict": step.verdict, "handover": step.handover, "onFail": step.on_fail}
    for key, value in others.items():
        if value is not None:
            yield loaded.fault((*place, key), saying(say.ONLY_BACK))


def _asked(loaded: Loaded, pipeline: Pipeline, name: str, place: Path) -> Iterator[Fault]:
    known = loaded.config.mm_configs
    if name not in known:
        near = nearest(name, known)
        hint = saying(say.DID_YOU_MEAN, near=near) if near else _known(known)
        text = saying(say.NOT_IN_CONFIGS, name=name, hint=hint)
        yield loaded.fault((*place, "ask"), text, found=name, near=near)
    elif pipeline.worktree and known[name].cwd:
        yield loaded.fault((*place, "ask"), saying(say.TWO_FOLDERS, name=name))


def _kept_from_writing(loaded: Loaded, pipeline: Pipeline, name: str, place: Path) -> Iterator[Fault]:
    """Who reads lacks the tools that write; of a foreign agent only a folder of its own is sure."""
    entry = loaded.config.mm_configs.get(name)
    if entry is not None and entry.command and not pipeline.worktree:
        yield loaded.fault((*place, "ask"), saying(say.WRITES, name=name))


def _prompt(loaded: Loaded, pipeline: Pipeline, prompt: str, place: Path) -> Iterator[Fault]:
    for name in fields_of(prompt):
        if name not in FIELDS:
            near = nearest(name, FIELDS)
            hint = saying(say.DID_YOU_MEAN, near=f"{{{near}}}") if near else _all_fields()
            shown = name if name in ("{", "}") else f"{{{name}}}"
            yield loaded.fault(place, saying(say.NO_FIELD, shown=shown, hint=hint), near=near)
            return
        if name in NEED_A_TREE and not pipeline.worktree:
            yield loaded.fault(place, saying(say.NEEDS_TREE, name=f"{{{name}}}"))
            return


def _too_many(loaded: Loaded, pipeline: Pipeline, place: Path) -> Iterator[Fault]:
    """Who writes stays for later rounds; those who read side by side come on top."""
    writers = {step.ask for step in pipeline.steps if step.ask is not None and not step.verdict}
    readers = max(len(step.together or ()) or bool(step.verdict) for step in pipeline.steps)
    needed, most = len(writers) + min(readers, pipeline.limits.agents), loaded.config.limits.agents
    if needed > most:
        yield loaded.fault(place, saying(say.TOO_MANY_LIVE, needed=str(needed), most=str(most)))


def _repeats(loaded: Loaded, steps: Sequence[Step], place: Path) -> Iterator[Fault]:
    """A repeat leads back to a step that writes, over a verdict, and into no other repeat."""
    last = -1
    for at, step in enumerate(steps):
        if step.repeat is not None:
            key, wrong = _wrong(steps, at, step.repeat.start, last)
            if wrong is not None:
                yield loaded.fault((*place, "steps", str(at), "repeat", *key), wrong)
            last = at


def _wrong(steps: Sequence[Step], at: int, start: int, last: int) -> tuple[Path, Saying | None]:
    """What is wrong with a repeat at one place, after the `last` one; and with which of its keys."""
    if not last < start < at:
        return ("from",), saying(say.NO_START, start=str(start))
    if steps[start].ask is None or steps[start].verdict:
        return ("from",), saying(say.READS_ONLY, start=str(start))
    if not any(step.verdict for step in steps[start:at]):
        return (), saying(say.NO_VERDICT, start=str(start), end=str(at - 1))
    return (), None


def _known(names: Iterable[str]) -> Saying:
    return saying(say.KNOWN, names=", ".join(names) or saying(say.NONE))


def _all_fields() -> Saying:
    return saying(say.THE_FIELDS, fields=", ".join(FIELDS))
