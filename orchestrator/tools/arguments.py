"""Checks of a tool's arguments that every tool shares. Knows no tool."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from consent.call import Unrunnable
from orchestrator.tools.base import Arguments, BadArguments

HIDDEN = re.compile("[\0\x7f\ud800-\udfff]")
"""NUL, DEL and lone surrogates: no command or path runs as shown with one (consent.md, "Doubtful calls")."""


def text_schema(properties: Mapping[str, str]) -> Mapping[str, object]:
    """The JSON Schema of an object of texts, all required; `properties` are names with descriptions."""
    return {
        "type": "object",
        "properties": {
            name: {"type": "string", "description": description} for name, description in properties.items()
        },
        "required": list(properties),
        "additionalProperties": False,
    }


def check_arguments(schema: Mapping[str, Any], value: object) -> Arguments:
    """Return `value` if it is an object of texts as `schema` says; raises BadArguments with every fault.

    Of JSON Schema it knows what `text_schema` writes, and keys that are not required.
    """
    takes = ", ".join(schema["properties"])
    if not isinstance(value, Mapping):
        raise BadArguments(f"the arguments are one object of {takes}")
    if faults := [*_faults(schema, value)]:
        each = "each a text" if len(schema["properties"]) > 1 else "a text"
        raise BadArguments(f"{'; '.join(faults)}. This tool takes {takes}, {each}")
    return value


def _faults(schema: Mapping[str, Any], value: Mapping[str, Any]) -> Iterator[str]:
    for name in schema["required"]:
        if name not in value:
            yield f"{name} is missing"
    for name, given in value.items():
        if name not in schema["properties"]:
            near = get_close_matches(name, schema["properties"], n=1)
            yield f"there is no {name!r}" + "".join(f", is {match!r} meant?" for match in near)
        elif not isinstance(given, str):
            yield f"{name} must be a text"


def hidden(*texts: str) -> Unrunnable | None:
    """Why a call with such commands or paths cannot run as shown, if so."""
    return Unrunnable.HIDDEN_CHARACTERS if any(map(HIDDEN.search, texts)) else None
