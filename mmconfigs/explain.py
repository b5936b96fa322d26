"""The model's refusals in plain words: what was found, what is accepted, what was probably meant."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from mmconfigs import model
from mmconfigs.environ import holds_secret
from mmconfigs.errors import cut, nearest, similar
from mmconfigs.tree import Odd

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

    from mmconfigs.errors import Fault
    from mmconfigs.tree import Path, Tree, Value

MOST: Final = 100  # nobody reads more
LISTED: Final = 10  # keys of one place that are listed one by one
PAGE: Final = "docs/reference/configuration.md"

_ACCEPTED: Final = {
    "bool_type": "true or false",
    "string_type": "text, in quotes if it could be read as anything else",
    "int_type": "a whole number",
    "float_type": "a number",
    "tuple_type": "a list",
    "too_short": "at least one element",
    "string_too_short": "a text that is not empty",
    "dict_type": "a mapping, lines of the form `name: value`",
}


def faults(source: Tree, prefix: Path, error: ValidationError) -> Iterator[Fault]:
    """Yield the faults that pydantic found in the mapping at `prefix`."""
    for problem in islice(error.errors(include_url=False), MOST):
        path = (*prefix, *map(str, problem["loc"]))
        if path[-1] == "[key]" and path not in source.keys:  # how pydantic says: the name itself
            yield source.fault(path[:-1], str(problem["ctx"]["error"]), found=path[-2])
        elif problem["type"] == "extra_forbidden":
            yield _unknown(source, path)
        else:
            yield _refused(source, path, problem)


def without_faults(values: dict[str, Value], error: ValidationError) -> None:
    """Take out of `values` all that pydantic refused in it, so that the rest can be judged."""
    for problem in error.errors(include_url=False):
        _take_out(values, *map(str, problem["loc"]))


def _take_out(values: dict[str, Value], step: str, *below: str) -> None:
    """Take out what lies below; a list goes whole, so that its other places keep their numbers."""
    inner = values.get(step)
    if below and isinstance(inner, dict) and below[0] in inner:
        _take_out(inner, *below)
    else:
        values.pop(step, None)


def _unknown(source: Tree, path: Path) -> Fault:
    place, key = model.model_at(path[:-1]), path[-1]
    known = model.keys(place)
    near = nearest(key, known)
    if place is model.Entry and key in model.keys(model.Config):
        hint = "it is a key of a whole file: put it under `config:`, or into the file that `path` names"
    elif near:
        hint = f"did you mean {near}?"
    else:
        hint = _known_keys(key, known)
    accepted = ", ".join(known)
    return source.fault(path, f"unknown key '{cut(key)}'; {hint}", found=key, accepted=accepted, near=near)


def _known_keys(key: str, known: Collection[str]) -> str:
    if len(known) <= LISTED:
        return f"accepted here: {', '.join(known)}"
    few = ", ".join(similar(key, known, 3, 0.45))
    return f"the nearest: {few}; all stand in {PAGE}" if few else f"the accepted keys stand in {PAGE}"


def _refused(source: Tree, path: Path, problem: ErrorDetails) -> Fault:
    if problem["type"] == "value_error":
        return source.fault(path, str(problem["ctx"]["error"]), value=True)
    if problem["type"] == "missing":
        return source.fault(path, f"the key {path[-1]} is missing here", accepted=path[-1])
    accepted = _accepted(problem)
    words = re.findall("'([^']*)'", accepted)
    secret = holds_secret(path) or holds_secret((*path, ""))
    found = "a value that is not shown" if secret else _shown(problem["input"])
    near = nearest(str(problem["input"]), words)
    hint = f"; did you mean {near}?" if near else ""
    message = f"found {found}; accepted: {accepted}{hint}"
    return source.fault(path, message, value=True, found=found, accepted=accepted, near=near)


def _accepted(problem: ErrorDetails) -> str:
    if problem["type"] == "model_type":
        known = model.keys(getattr(model, problem["ctx"]["class_name"]))
        listed = ", ".join(known) if len(known) <= LISTED else f"of {PAGE}"
        return f"a mapping, lines of the form `key: value`, with the keys {listed}"
    return _ACCEPTED.get(problem["type"], problem["msg"].removeprefix("Input should be "))


def _shown(value: Value) -> str:
    match value:
        case bool():
            return str(value).lower()
        case Odd() | int() | float():
            return cut(str(value), 60)
        case dict():
            return "a mapping"
        case tuple():
            return "a list"
        case _:
            return f"the text '{cut(value)}'"
