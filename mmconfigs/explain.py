"""The model's refusals in plain words: what was found, what is accepted, what was probably meant."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from mmconfigs import model
from mmconfigs import sentences as say
from mmconfigs.environ import holds_secret
from mmconfigs.errors import cut, hinted, nearest, similar
from mmconfigs.language import Saying, Text, saying
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


def faults(source: Tree, prefix: Path, error: ValidationError) -> Iterator[Fault]:
    """Yield the faults that pydantic found in the mapping at `prefix`."""
    for problem in islice(error.errors(include_url=False), MOST):
        path = (*prefix, *map(str, problem["loc"]))
        if path[-1] == "[key]" and path not in source.keys:  # how pydantic says: the name itself
            yield source.fault(path[:-1], problem["ctx"]["error"].text, found=path[-2])
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
        hint = saying(say.OF_WHOLE_FILE)
    elif near:
        hint = saying(say.DID_YOU_MEAN, near=near)
    else:
        hint = _known_keys(key, known)
    accepted = ", ".join(known)
    text = saying(say.UNKNOWN_KEY, key=cut(key), hint=hint)
    return source.fault(path, text, found=key, accepted=accepted, near=near)


def _known_keys(key: str, known: Collection[str]) -> Saying:
    if len(known) <= LISTED:
        return saying(say.ACCEPTED_HERE, keys=", ".join(known))
    few = ", ".join(similar(key, known, 3, 0.45))
    return saying(say.NEAREST, few=few, page=PAGE) if few else saying(say.ALL_KEYS, page=PAGE)


def _refused(source: Tree, path: Path, problem: ErrorDetails) -> Fault:
    if problem["type"] == "value_error":
        return source.fault(path, problem["ctx"]["error"].text, value=True)
    if problem["type"] == "missing":
        return source.fault(path, saying(say.KEY_MISSING, key=path[-1]), accepted=path[-1])
    accepted = _accepted(problem)
    words = re.findall("'([^']*)'", str(accepted))
    secret = holds_secret(path) or holds_secret((*path, ""))
    found = saying(say.NOT_SHOWN) if secret else _shown(problem["input"])
    near = nearest(str(problem["input"]), words)
    text = hinted(saying(say.FOUND, found=found, accepted=accepted), near)
    return source.fault(path, text, value=True, found=str(found), accepted=str(accepted), near=near)


def _accepted(problem: ErrorDetails) -> Text:
    if problem["type"] == "model_type":
        known = model.keys(getattr(model, problem["ctx"]["class_name"]))
        listed = ", ".join(known) if len(known) <= LISTED else saying(say.OF_PAGE, page=PAGE)
        return saying(say.KEYS_OF, keys=listed)
    if problem["type"] in say.ACCEPTED:
        limits = {name: str(limit) for name, limit in problem.get("ctx", {}).items()}
        return saying(say.ACCEPTED[problem["type"]], **limits)
    one, either, other = problem["msg"].removeprefix("Input should be ").rpartition(" or ")
    return saying(say.EITHER, one=one, other=other) if either else other


def _shown(value: Value) -> Text:
    match value:
        case bool():
            return str(value).lower()
        case Odd():
            return value.told
        case int() | float():
            return cut(str(value), 60)
        case dict():
            return saying(say.A_MAPPING)
        case tuple():
            return saying(say.A_LIST)
        case _:
            return saying(say.THE_TEXT, text=cut(value))
