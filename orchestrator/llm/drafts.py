"""Puts tool calls together from the fragments of a stream, whatever is in their index and id. Pure."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from orchestrator.llm.loose import Json, as_object, as_text, decoded
from orchestrator.llm.messages import Call


def new_id() -> str:
    """An id for a call that has none: unique wherever the call may still be spoken of."""
    return f"call_{uuid.uuid4().hex}"


@dataclass(slots=True)
class _Draft:
    id: str
    name: str = ""
    arguments: str = ""


class Drafts:
    """The calls of one reply while they arrive."""

    def __init__(self) -> None:
        self._drafts: list[_Draft] = []
        self._latest: dict[str, _Draft] = {}

    def add(self, fragment: Json) -> None:
        """Take the next element of a `tool_calls` list."""
        function = as_object(fragment.get("function"))
        name, ident = as_text(function.get("name")), as_text(fragment.get("id"))
        draft = self._draft(str(fragment.get("index")), ident, name)
        draft.id = draft.id or ident
        if name != draft.name and not draft.arguments:  # some repeat the name with each fragment, some cut it
            draft.name += name
        draft.arguments += _arguments(function.get("arguments"))

    def _draft(self, index: str, ident: str, name: str) -> _Draft:
        latest = self._latest.get(index)
        if latest is None or (name and _is_other(latest, ident)):
            latest = self._latest[index] = _Draft(ident)
            self._drafts.append(latest)
        return latest

    def calls(self, taken: Iterable[str], *, cut: bool) -> tuple[Call, ...]:
        """The calls in the order in which they began, none with an id of `taken`.

        A reply that was `cut` off keeps its arguments as they came, so that nothing incomplete runs.
        """
        seen = set(taken)
        calls = []
        for draft in self._drafts:
            if not draft.name and not draft.arguments:
                continue
            ident = draft.id if draft.id and draft.id not in seen else new_id()
            seen.add(ident)
            calls.append(Call(ident, draft.name, draft.arguments if cut else _unwrapped(draft.arguments)))
        return tuple(calls)


def _is_other(latest: _Draft, ident: str) -> bool:
    """Whether a fragment with a name begins another call: by its id, else because the latest one is whole."""
    if ident and latest.id:
        return ident != latest.id
    return decoded(latest.arguments) is not None


def _arguments(value: object) -> str:
    """Arguments as text: some servers send the object itself, or null."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _unwrapped(text: str) -> str:
    """No arguments mean an empty object; an object that was encoded twice is taken out of its text."""
    inner = decoded(text)
    if isinstance(inner, str) and isinstance(decoded(inner), dict):
        return inner
    return text if text.strip() else "{}"
