"""Every state in which a call may meet the Gate, over small representative values, and the steps between.

Speaks the oracle's plain values. Each dimension lists its values from the widest to the narrowest: a step to
the next value is one narrowing, so the states are a grid in which no step may lead toward allow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from tests.consent.oracle import Call, Path, World, key_text

Dimensions = Mapping[str, tuple[Any, ...]]

OWN: Path = ()
JAN: Path = ("jan",)
SHAPES: Mapping[str, Call] = {
    "own bash": Call(OWN, "own", "bash", "execute", "exec", builtin=True),
    "own write": Call(OWN, "own", "write_file", "edit", "write", builtin=True),
    "own read": Call(OWN, "own", "read_file", "read", "read", builtin=True),
    "own MCP": Call(OWN, "own", "mcp__files__delete", None, "write"),
    "jan bash": Call(JAN, "ours", "bash", "execute"),
    "jan read": Call(JAN, "ours", "read_file", "read", "read"),
    "jan (execute)": Call(JAN, "ours", None, "execute"),
    "jan (unclear)": Call(JAN, "ours", "no name", "execute"),
    "homer of jan": Call(("jan", "homer"), "ours", "bash", "execute"),
    "jan foreign": Call(JAN, "foreign", "shell", "execute"),
    "jan switches": Call(JAN, "ours", None, "switch_mode"),
}
"""Calls of each origin, whose key is a name, a kind, or neither."""

OF_THE_CALL: Dimensions = {
    "doubtful": (False, True),
    "critical": (False, True),
    "marked": (False, True),
    "several_yes": (False, True),
    "invalid": (False, True),
    "hook_refuses": (False, True),
}
OF_THE_START: Dimensions = {
    "mode": ("yolo", "write", "always-ask"),
    "floor": (False, True),
    "somebody": (True, False),
}
OF_THE_RULES: Dimensions = {
    "exact": ("allow", None, "prompt", "deny"),
    "wide": ("allow", None, "prompt", "deny"),
}
OF_THE_MEMORY: Dimensions = {"kept": ("allow", None, "never")}


def dimensions(shape: Call) -> tuple[Dimensions, Dimensions, Dimensions]:
    """What may be otherwise about a call of this shape: of itself, of the world, and of the memory."""
    of_the_call = {**OF_THE_CALL, "fence_holds": (True, False)} if shape.path == OWN else OF_THE_CALL
    entry = {} if shape.path == OWN else {"entry": (True, None, False)}
    return of_the_call, {**OF_THE_START, **entry, **OF_THE_RULES}, OF_THE_MEMORY


def states(of: Dimensions) -> Iterator[dict[str, Any]]:
    """Every combination of values, the last dimension running fastest."""
    return (dict(zip(of, values, strict=True)) for values in product(*of.values()))


def world(shape: Call, state: Mapping[str, Any]) -> World:
    """The world of a state. The exact rule spells the tool as the call does, the wide one covers more."""
    here = "/".join(shape.path)
    tool = shape.name if shape.name and " " not in shape.name else "bash"
    exact, wide = (f"{here}/{tool}", f"{here}/*") if here else (tool, tool.upper())
    return World(
        mode=state["mode"],
        floor=state["floor"],
        somebody=state["somebody"],
        entries={"jan": state.get("entry")},
        rules=tuple(
            (pattern, state[rule]) for pattern, rule in ((exact, "exact"), (wide, "wide")) if state[rule]
        ),
    )


def memory(shape: Call, state: Mapping[str, Any]) -> World:
    """A world that remembers one answer for the very key of the call."""
    kept = state["kept"]
    return World(remembered=((shape.path, key_text(shape), kept),) if kept else ())


def narrowed(shape: Call) -> Iterator[Call]:
    """The calls of this shape, in the order of their states."""
    return (replace(shape, **state) for state in states(dimensions(shape)[0]))
