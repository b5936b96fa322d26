"""The scripted model: says what a file says. For tests and documentation; docs/reference/scripted-model.md.

It reads its script when it is opened, strictly: whatever the format does not know is an error with its line.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import yaml

from orchestrator.llm.drafts import new_id
from orchestrator.llm.messages import Call, Message, Model, ModelError, Piece, Reply, Result, ToolSpec, User
from orchestrator.llm.speak import speak

_POLL = 0.02  # seconds between two looks at a file that is waited for


@dataclass(frozen=True, slots=True)
class Turn:
    """One reply of the script, and when it is given.

    `calls` are pairs of a tool and its argument text. `repeat` is how often the turn may be used, True for
    ever. `seconds` bounds the wait for the file `wait_for`.
    """

    say: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    finish: str = ""
    when: str = ""
    expect: str = ""
    repeat: int | bool = 1
    wait_for: str = ""
    seconds: float = 30


class ScriptedModel(Model):
    """Gives, of its turns, always the first that is not used up and whose `when` fits."""

    def __init__(self, turns: Sequence[Turn], name: str = "script", folder: Path = Path()) -> None:
        """`folder` is where `wait_for` looks for its files."""
        self.name = name
        self._turns = tuple(turns)
        self._used = [0] * len(self._turns)
        self._folder = folder

    async def reply(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        on_piece: Callable[[Piece], Awaitable[None]],
    ) -> Reply:
        """Give the next turn; raises ModelError when none fits, or when it expected something else."""
        del tools  # a script may call what is not declared
        turn = self._next(messages)
        last = messages[-1].text if messages else ""
        if turn.expect not in last:
            raise ModelError(
                f"{self.name}: expected {turn.expect!r} in the last message, but it is: {last!r}"
            )
        await self._wait(turn)
        await speak(turn.say, on_piece)
        calls = tuple(Call(new_id(), tool, arguments) for tool, arguments in turn.calls)
        return Reply(turn.say, calls, turn.finish or ("tool_calls" if calls else "stop"))

    def _next(self, messages: Sequence[Message]) -> Turn:
        heard = next((m.text for m in reversed(messages) if isinstance(m, User | Result)), "")
        for at, turn in enumerate(self._turns):
            if turn.when in heard and (turn.repeat is True or self._used[at] < turn.repeat):
                self._used[at] += 1
                return turn
        raise ModelError(f"{self.name}: the script has no turn left for: {heard!r}. Add one to it.")

    async def _wait(self, turn: Turn) -> None:
        if not turn.wait_for:
            return
        path = anyio.Path(self._folder / turn.wait_for)
        with anyio.move_on_after(turn.seconds):
            while not await path.exists():  # noqa: ASYNC110 - another process makes the file
                await anyio.sleep(_POLL)
            return
        raise ModelError(f"{self.name}: {path} did not appear within {turn.seconds:g} seconds.")


def load_script(path: Path, name: str) -> ScriptedModel:
    """The model of a script file. Raises ModelError with file and line for whatever it does not know."""
    try:
        turns = _Script(path).turns(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise ModelError(f"{path}: the script cannot be read: {error}") from error
    return ScriptedModel(turns, name, path.parent)


_TURN = {
    "say": str,
    "call": dict,
    "calls": list,
    "finish": str,
    "when": str,
    "expect": str,
    "repeat": int,
    "wait_for": str,
    "seconds": (int, float),
}
_CALL = {"tool": str, "args": dict, "raw": str}


class _Script:
    """Reads the nodes of one file, which know their lines."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def turns(self, text: str) -> list[Turn]:
        """All turns of the script."""
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        if not isinstance(root, yaml.SequenceNode):
            raise ModelError(f"{self._path}:1: a script is a list of turns, each begins with - say: TEXT")
        return [self._turn(node) for node in root.value]

    def _turn(self, node: yaml.Node) -> Turn:
        fields = self._fields(node, _TURN)
        found = {key: _value(value) for key, value in fields.items() if key not in ("call", "calls")}
        calls = [fields["call"]] if "call" in fields else []
        calls += fields["calls"].value if "calls" in fields else []
        return Turn(**found, calls=tuple(self._call(call) for call in calls))

    def _call(self, node: yaml.Node) -> tuple[str, str]:
        call = {key: _value(value) for key, value in self._fields(node, _CALL).items()}
        if "tool" not in call or ("args" in call and "raw" in call):
            raise self._fault(node, "a call has a tool, and either args or raw")
        return call["tool"], call.get("raw", _json(call.get("args", {})))

    def _fields(self, node: yaml.Node, known: Mapping[str, Any]) -> dict[str, yaml.Node]:
        """The nodes of a mapping by key; each key known, of its type, and there once."""
        if not isinstance(node, yaml.MappingNode):
            raise self._fault(node, f"here stands a mapping of {', '.join(known)}")
        fields: dict[str, yaml.Node] = {}
        for key_node, value in node.value:
            key = str(key_node.value)
            if key not in known or key in fields:
                raise self._fault(value, f"{key!r} is unknown or there twice; known are {', '.join(known)}")
            if not isinstance(_value(value), known[key]):
                raise self._fault(value, f"{key} has the wrong type")
            fields[key] = value
        return fields

    def _fault(self, node: yaml.Node, what: str) -> ModelError:
        return ModelError(f"{self._path}:{node.start_mark.line + 1}: {what}")


def _json(arguments: object) -> str:
    return json.dumps(arguments, ensure_ascii=False, default=str)  # YAML has dates, JSON has not


def _value(node: yaml.Node) -> Any:
    return yaml.constructor.SafeConstructor().construct_object(node, deep=True)
