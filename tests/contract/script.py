"""The script of the contract: what agents want to do, what the person says to it, what must come of it.

Knows no facade. A scene is one turn of one fresh `mm`. Later facades play the same scenes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from consent.answer import Answer, Response
from consent.rules import Why

Says = Response | Why
"""What the person says to a question: an answer, or CANCELLED for Stop."""

ASKED = (Why.ANSWER, Why.CANCELLED)
"""Decisions that a person made at a question."""


class Row(NamedTuple):
    """How one call was decided, as the audit spells it."""

    key: str
    allowed: bool
    why: Why

    @property
    def seen(self) -> Seen:
        """What can be seen of it from outside."""
        return Seen(self.allowed, self.why in ASKED, "" if self.allowed else self.why.value)


class Seen(NamedTuple):
    """What can be seen of one decision. `told`: why it was refused, as its agent has it."""

    allowed: bool
    asked: bool
    told: str


@dataclass(frozen=True, slots=True)
class Call:
    """One call. Its `name` stands in what it would do, so that its question and its traces are known by it.

    `request` are further fields of a foreign agent's permission request. `leaves`: the file that is there
    afterwards if it ran; empty for a call that leaves none.
    """

    name: str
    tool: str
    row: Row
    arguments: Mapping[str, str]
    says: Says | None = None
    request: Mapping[str, Any] = field(default_factory=dict)
    leaves: str = ""

    def expected(self, *, somebody: bool) -> Row:
        """The decision: where nobody can be asked, whatever a person would have said is refused."""
        depends = self.row.why in (*ASKED, Why.MEMORY)
        return self.row if somebody or not depends else Row(self.row.key, allowed=False, why=Why.NOBODY)

    def allowed_by(self, why: Why) -> Call:
        """The same call, allowed without a question."""
        return replace(self, says=None, row=Row(self.row.key, allowed=True, why=why))

    def refused_by(self, why: Why) -> Call:
        """The same call, refused without a question."""
        return replace(self, says=None, row=Row(self.row.key, allowed=False, why=why))


@dataclass(frozen=True, slots=True)
class Task:
    """What an asked agent does in one turn of its own: these calls, one after the other.

    `handed`: the own call that hands the task over, where that asks by itself.
    """

    agent: str
    calls: tuple[Call, ...]
    handed: Call | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """One turn: own calls and tasks in order, under a file with these lines and with these flags."""

    title: str
    steps: tuple[Call | Task, ...]
    yolo: str = "yolo: false"
    rules: Mapping[str, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    jan: Mapping[str, Any] = field(default_factory=dict)

    @property
    def calls(self) -> tuple[Call, ...]:
        """Every call, in the order in which it is made."""
        return tuple(call for step in self.steps for call in _calls(step))

    def rows(self, *, somebody: bool) -> dict[str, Row]:
        """How each call is to be decided, by name. What was never handed over is never submitted."""
        rows = {call.name: call.expected(somebody=somebody) for call in self.calls}
        for task in self.tasks():
            if task.handed and not rows[task.handed.name].allowed:
                for call in task.calls:
                    del rows[call.name]
        return rows

    def tasks(self, agent: str = "") -> tuple[Task, ...]:
        """The tasks of one asked agent, or of all."""
        tasks = (step for step in self.steps if isinstance(step, Task))
        return tuple(task for task in tasks if agent in ("", task.agent))


def _calls(step: Call | Task) -> tuple[Call, ...]:
    return (step,) if isinstance(step, Call) else (*filter(None, (step.handed,)), *step.calls)


def _asked(key: str, says: Says) -> Row:
    if isinstance(says, Why):
        return Row(key, allowed=False, why=says)
    return Row(key, says.allows, Why.ANSWER)


# --- the calls of the scenes


def bash(name: str, says: Says = Answer.REFUSE_ONCE) -> Call:
    """An own command that makes the file `name`."""
    return Call(name, "bash", _asked("bash", says), {"command": f"touch {name}"}, says, leaves=name)


def write(name: str, says: Says = Answer.REFUSE_ONCE, folder: str = "") -> Call:
    """An own write of the file `name`."""
    arguments = {"path": f"{folder}{name}", "content": "text"}
    return Call(name, "write_file", _asked("write_file", says), arguments, says, leaves=arguments["path"])


def read(name: str) -> Call:
    """An own look at a file that is there."""
    row = Row("read_file", allowed=True, why=Why.READ)
    return Call(name, "read_file", row, {"path": name})


def hand_over(name: str, agent: str, says: Says = Answer.REFUSE_ONCE) -> Call:
    """An own call that hands a task to an agent which runs free."""
    tool = f"ask_{agent}"
    return Call(name, tool, _asked(tool, says), {"question": name}, says)


def shell(agent: str, name: str, says: Says = Answer.REFUSE_ONCE, **request: Any) -> Call:
    """A command of an asked agent that makes the file `name`."""
    call = {"name": "bash", "kind": "execute", "rawInput": {"command": f"touch {name}"}}
    return Call(name, "bash", _asked(f"{agent}/bash", says), {}, says, {"toolCall": call, **request}, name)


def unclear(agent: str, name: str, says: Says = Answer.REFUSE_ONCE) -> Call:
    """A call of an asked agent that names neither tool nor kind."""
    return replace(
        shell(agent, name, says),
        row=_asked(f"{agent}/(unclear)", says),
        request={"toolCall": {"title": f"Terminal {name}", "rawInput": {"command": f"touch {name}"}}},
    )


def switch_mode(agent: str, name: str, says: Says = Answer.REFUSE_ONCE) -> Call:
    """An asked agent wants to change what it may do without asking."""
    return replace(
        shell(agent, name, says),
        row=_asked(f"{agent}/(unclear)", says),
        request={"toolCall": {"title": name, "kind": "switch_mode", "rawInput": {"plan": name}}},
    )


def edits(agent: str, name: str, says: Says = Answer.REFUSE_ONCE, kind: str = "edit") -> Call:
    """A write of an asked agent; another kind than edit disagrees with the tool's name."""
    arguments = {"path": name, "content": "text"}
    call = {"name": "write_file", "kind": kind, "rawInput": arguments}
    return Call(name, "write_file", _asked(f"{agent}/write_file", says), {}, says, {"toolCall": call}, name)


def jan(*calls: Call) -> Task:
    """A task of jan, who asks."""
    return Task("jan", calls)


def homer(*calls: Call, handed: Call | None = None) -> Task:
    """A task of homer, whose entry runs free."""
    return Task("homer", calls, handed)
