"""The model's refusals in plain words: what was found, what is accepted, what was probably meant."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from mmconfigs import model
from mmconfigs.environ import holds_secret
from mmconfigs.errors import cut, nearest
from mmconfigs.tree import Odd

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

    from mmconfigs.errors import Fault
    from mmconfigs.tree import Path, Tree, Value

MOST: Final = 100  # nobody reads more

_ACCEPTED: Final = {
    "bool_type": "true or false",
    "string_type": "text, in quotes if it could be read as anything else",
    "int_type": "a whole number",
    "float_type": "a number",
    "tuple_type": "a list",
    "too_short": "at least one text",
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


def _unknown(source: Tree, path: Path) -> Fault:
    known = model.keys(model.model_at(path[:-1]))
    near = nearest(path[-1], known)
    accepted = ", ".join(known)
    hint = f"did you mean {near}?" if near else f"accepted here: {accepted}"
    return source.fault(
        path, f"unknown key '{cut(path[-1])}'; {hint}", found=path[-1], accepted=accepted, near=near
    )


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
        return f"a mapping, lines of the form `key: value`, with the keys {', '.join(known)}"
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
