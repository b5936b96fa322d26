"""Foreign agents that are known: where each of them keeps what a permission request must say.

Pure, and about reading only: what makes an agent ask before it acts is not here. Every row was made from what
the agent really sends (acp.md, "Real agents"); an agent that is not known is `generic`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

Fields = Mapping[str, Any]
"""Raw fields of a call."""
Place = Callable[[Fields, Fields], Any]
"""Finds a name in a call, and in the `tool_call` that announced it; None where there is none."""


def _nowhere(_call: Fields, _first: Fields) -> None:
    return None


def _first_title(_call: Fields, first: Fields) -> Any:
    return first.get("title")


def _first_meta(*path: str) -> Place:
    def place(_call: Fields, first: Fields) -> Any:
        found: Any = first.get("_meta")
        for part in path:
            found = found.get(part) if isinstance(found, dict) else None
        return found

    return place


def _before_two_bars(call: Fields, _first: Fields) -> str | None:
    name, bars, _ = str(call.get("toolCallId")).partition("__")
    return name if bars else None


def _argument(field: str) -> Place:
    def place(call: Fields, _first: Fields) -> Any:
        raw = call.get("rawInput")
        return raw.get(field) if isinstance(raw, dict) else None

    return place


@dataclass(frozen=True, slots=True)
class Profile:
    """How the requests of one agent are read.

    `name`: the place of the tool name besides `toolCall.name`. `only_open`: a request has an id of its own,
    and means the only open call. `keeps_arguments`: a request may repeat a part of the arguments only.
    `title_is_command`: the title is what will run, and counts as visible arguments. `plain_yes`: the option
    that is the plain one of two yeses. `refused_completes`: it reports a refused call as completed.
    """

    name: Place = _nowhere
    only_open: bool = False
    keeps_arguments: bool = False
    title_is_command: bool = False
    plain_yes: str = ""
    refused_completes: bool = False

    def meant(self, asked: Fields, calls: Callable[[str], Fields], open_calls: Collection[str]) -> Fields:
        """The call of a request as one that was seen before, where this agent says it in its own way.

        `calls` gives what is known of a call by its id, `open_calls` are the ids of those announced and not
        yet over.
        """
        if self.only_open and not calls(str(asked.get("toolCallId"))) and len(open_calls) == 1:
            (only,) = open_calls
            kind = {} if asked.get("kind") == "other" else {"kind": asked.get("kind")}
            asked = {field: value for field, value in asked.items() if field != "kind"} | kind
            asked = {**asked, "toolCallId": only}
        if self.keeps_arguments:
            known = calls(str(asked.get("toolCallId"))).get("rawInput")
            if _repeats(asked.get("rawInput"), known):
                asked = {**asked, "rawInput": known}
        return asked


def _repeats(said: Any, known: Any) -> bool:
    """Whether these arguments say nothing but a part of those."""
    return isinstance(said, dict) and isinstance(known, dict) and said.items() <= known.items()


GENERIC = Profile()
PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        "generic": GENERIC,
        "opencode": Profile(name=_first_title),
        "vibe": Profile(name=_first_meta("tool_name")),
        "qwen": Profile(title_is_command=True),
        "gemini": Profile(name=_before_two_bars, title_is_command=True),
        "fast-agent": Profile(name=_first_title),
        "codex": GENERIC,
        "claude": Profile(name=_first_meta("claudeCode", "toolName")),
        "openhands": Profile(only_open=True, plain_yes="accept"),
        "agentao": Profile(name=_first_title),
        "omp": Profile(title_is_command=True),
        "deepagents": Profile(only_open=True, refused_completes=True),
        "isaac": Profile(name=_argument("tool"), keeps_arguments=True),
        "gptme": GENERIC,
    }
)
"""Every known agent. Those without a place of a name are known by the kind of the call."""
