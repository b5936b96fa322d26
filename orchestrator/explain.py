"""`mm explain`: what would be decided about a call, by which line of the table, and why. Runs nothing.

The same gates as in a run, with an empty memory: that of the agent whose call it is, and one for each agent
above it, with the same messages between them. Hooks are named, not run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, assert_never

from consent.call import Origin, ToolCall
from consent.docket import Waiting
from consent.gate import Decision, Question, check
from consent.hook import hooks_of
from consent.key import Kind
from consent.key import Path as AgentPath
from consent.matching import Rule, builtin_kinds, submitted
from consent.policy import Policy
from consent.rules import Outcome, Why
from consent.setting import Setting
from consent.show import show
from mmconfigs.language import SaidError, Words, saying
from mmconfigs.loaded import Loaded
from orchestrator.acp.permission import Asking, read_request
from orchestrator.acp.updates import request_of
from orchestrator.agent import Stop
from orchestrator.desk import Look, unlooked
from orchestrator.handover import ask_tool
from orchestrator.tools import tools_of
from orchestrator.tools.base import BadArguments, Tool, Workplace, call_of
from orchestrator.wiring import inherited, own_yolos, rules_of
from orchestrator.words import command_line as usage
from orchestrator.words import explained as say
from orchestrator.words import marks
from orchestrator.words.card import doubts_of, sentence_of

OPTIONS = [{"optionId": kind, "name": kind, "kind": kind} for kind in ("allow_once", "reject_once")]
"""What an agent offers with its request: the answer does not matter here."""

BY_MODE = (6, 10, 11)
"""The lines of the table that the mode, or an entry's own yolo, decides."""
EXAMPLE = """{"command": "date"}"""


class Unexplained(SaidError, ValueError):
    """There is no such call: an agent or a tool that does not exist, or arguments that are not its own."""


@dataclass(frozen=True, slots=True)
class Query:
    """A call that could be made: `path` are the agents from the launched one down, `tool` a name.

    A foreign agent's call may also be named by its kind alone, `(execute)`, or not at all, `(unclear)`.
    """

    tool: str
    arguments: Mapping[str, Any]
    path: AgentPath = ()


def from_words(words: Sequence[str], agent: str) -> Query:
    """The call that `mm explain TOOL [ARGS-JSON] --agent PATH` names; raises Unexplained."""
    match words:
        case [tool]:
            return from_value({"tool": tool, "agent": agent})
        case [tool, arguments]:
            return from_value({"tool": tool, "args": _json(arguments), "agent": agent})
        case _:
            raise Unexplained(saying(usage.NO_CALL, example=EXAMPLE))


def from_json(line: str) -> Query:
    """The call of one line of `--batch`: `{"tool", "args", "agent"}`; raises Unexplained."""
    return from_value(_json(line))


def from_value(value: Any) -> Query:
    """The call that a JSON object names; raises Unexplained."""
    match value:
        case {"tool": str(tool), **rest} if tool and not rest.keys() - {"args", "agent"}:
            arguments, agent = rest.get("args", {}), rest.get("agent") or ""
            if isinstance(arguments, dict) and isinstance(agent, str):
                return Query(tool, arguments, tuple(agent.split("/")) if agent else ())
    raise Unexplained(saying(usage.NO_QUERY))


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unexplained(saying(usage.NO_JSON, reason=str(error), example=EXAMPLE)) from error


@dataclass(frozen=True, slots=True)
class Explained:
    """What would be decided, as the call arrives at the launched agent or at the gate that decides it.

    `hooks` would see the call before, and may refuse it.
    """

    outcome: Outcome
    why: Why
    line: int
    rule: Rule | None
    call: ToolCall
    hooks: tuple[Rule, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The object of `mm explain --json` (interface.md, "What scripts, editors and tests rely on")."""
        found = self.call.mark
        return {
            "decision": self.outcome.value,
            "why": self.why.value,
            "line": self.line,
            "rule": self.rule.where if self.rule else None,
            "key": str(self.call.key),
            "mark": found.verdict.value if found.reason else None,
            "mark_reason": marks.reason(found, Words()) or None,
            "hooks": [rule.where for rule in self.hooks],
            "doubts": [doubt.value for doubt in self.call.doubts],
        }


def in_words(explained: Explained, words: Words, yolo: str) -> Iterator[str]:
    """The same for a person: what happens, by which line of the table, and what stands behind it.

    `yolo` is what counts for the agent that calls, and where it comes from.
    """
    yield f"{show(str(explained.call.key))}: {words.say(say.EXPLAINED[explained.outcome])}"
    yield words.say(say.BY_LINE, line=str(explained.line), text=words.say(say.LINES[explained.line]))
    if explained.outcome in (Outcome.ASK, Outcome.ASK_ONCE):
        yield words.say(say.ASKED, sentence=sentence_of(explained.call, words))
    if explained.line in BY_MODE:
        yield yolo
    if rule := explained.rule:
        yield words.say(say.BY_RULE, rule=show(f"{rule.pattern}: {rule.effect}"), where=show(rule.where))
    for rule in explained.hooks:
        yield words.say(say.BY_HOOK, rule=show(str(rule.pattern)), where=show(rule.where))
    yield from filter(None, (marks.mark(explained.call.mark, words), *doubts_of(explained.call, words)))


@dataclass(frozen=True, slots=True)
class _Level:
    """One of our agents on the way down: its file, its gate, and where it works."""

    loaded: Loaded
    setting: Setting
    folder: Path


def explain(loaded: Loaded, setting: Setting, folder: Path, query: Query, look: Look = unlooked) -> Explained:
    """What the gates say to the call, which `look` marks; raises Unexplained where there is no such call."""
    levels = _levels(_Level(loaded, replace(setting, somebody=True), folder), query.path)
    foreign = len(levels) <= len(query.path)
    call = look(_request(levels[-1], query) if foreign else _own_call(levels[-1], query))
    outcome, hooks = check(call, levels[-1].setting, Policy()), [*hooks_of(levels[-1].setting.rules, call)]
    for depth in range(len(levels) - 2, -1, -1):  # from the agent above the call's own up to the launched one
        if isinstance(outcome, Decision):
            break
        call = look(_passed_on(outcome, levels[depth + 1], query.path[depth]))
        rule = outcome.rule if call.marked else None  # of the agent's own file, which sent the mark along
        outcome = check(call, levels[depth].setting, Policy())
        outcome = replace(outcome, rule=outcome.rule or rule)
        hooks += hooks_of(levels[depth].setting.rules, call)
    return replace(_explained(outcome, replace(call, path=query.path)), hooks=tuple(hooks))


def _explained(outcome: Decision | Question, call: ToolCall) -> Explained:
    match outcome:
        case Decision(allowed, why, line, rule):
            return Explained(Outcome.ALLOW if allowed else Outcome.REFUSE, why, line, rule, call)
        case Question(_, line, once_only, rule):
            asks = Outcome.ASK_ONCE if once_only else Outcome.ASK
            return Explained(asks, Why.ANSWER, line, rule, call)
        case _:
            assert_never(outcome)


def _levels(top: _Level, path: AgentPath) -> list[_Level]:
    """Our agents along the path, the launched one first; the last of the path may be foreign."""
    levels = [top]
    for depth, name in enumerate(path, 1):
        below = _below(levels[-1], name)
        if below is None and depth < len(path):
            raise Unexplained(saying(usage.BY_COMMAND, name=name))
        levels += [below] if below else []
    return levels


def _below(level: _Level, name: str) -> _Level | None:
    """The agent of this name below, None for a foreign one."""
    entry = level.loaded.config.mm_configs.get(name)
    if entry is None:
        known = ", ".join(level.loaded.config.mm_configs) or saying(usage.NONE)
        raise Unexplained(saying(usage.HAS_NO_AGENT, agent=level.loaded.name, name=name, known=known))
    if entry.command:
        return None
    loaded = level.loaded.follow(name)
    if loaded is None:
        raise Unexplained(saying(usage.UNREADABLE, name=name))
    rules = (*rules_of(loaded), *inherited(submitted(level.setting.rules, name)))
    setting = Setting(entries=own_yolos(loaded), rules=rules, floor=True, somebody=True)
    return _Level(loaded, setting, _folder(level, name))


def _folder(level: _Level, name: str) -> Path:
    cwd = level.loaded.config.mm_configs[name].cwd
    return level.loaded.resolve(cwd) if cwd else level.folder


def _own_call(level: _Level, query: Query) -> ToolCall:
    """The call as the agent's own loop submits it."""
    tools = {tool.name: tool for tool in _tools(level)}
    tool = tools.get(query.tool)
    if tool is None:
        known = ", ".join(tools)
        raise Unexplained(saying(usage.HAS_NO_TOOL, agent=level.loaded.name, name=query.tool, known=known))
    frozen = json.dumps(query.arguments)
    try:
        seen = tool.look(json.loads(frozen), Workplace(level.folder, {}))
    except BadArguments as error:
        raise Unexplained(saying(usage.BAD_ARGUMENTS, tool=query.tool, reason=str(error))) from error
    return call_of(tool, frozen, seen, str(level.folder))


def _tools(level: _Level) -> Iterator[Tool]:
    yield from tools_of(level.loaded.config)
    for name in level.loaded.config.mm_configs:
        yield ask_tool(name, "", partial(level.setting.frees, (name,)), _never_asked)


async def _never_asked(_: str) -> Stop:
    raise NotImplementedError  # nothing runs here


def _request(level: _Level, query: Query) -> ToolCall:
    """The call as a foreign agent's request brings it: with the kind of the built-in tool of that name."""
    *_, name = query.path
    fields: dict[str, Any] = {"toolCallId": "1", "rawInput": dict(query.arguments)}
    if found := re.fullmatch(r"\((\w+)\)", query.tool):
        fields |= {"kind": found[1]} if found[1] in list(Kind) else {}
    else:
        kinds = sorted(builtin_kinds(query.tool))
        fields |= {"name": query.tool, **({"kind": kinds[0].value} if kinds else {})}
    asking = Asking((name,), Origin.FOREIGN, str(_folder(level, name)))
    return read_request({"toolCall": fields, "options": OPTIONS}, {}, asking).call


def _passed_on(question: Question, below: _Level, name: str) -> ToolCall:
    """The call as the agent above reads it from the question that is passed on to it."""
    folder = str(below.folder)
    params = request_of(Waiting(0, question), Words(), 0, folder, to_ours=True)
    return read_request(params, {}, Asking((name,), Origin.OURS, folder)).call
