"""Foreign agents that are known: where each keeps what a permission request must say, and what makes it ask.

Pure. Every row was made from what the agent really sends (acp.md, "Real agents"); an agent that is not known
is `generic`. An agent is made to ask by its environment and its session mode only: nothing is ever written
into a person's own configuration of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from orchestrator.words.banner import Asks

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


NOTHING: Mapping[str, str] = MappingProxyType({})
OPENCODE_ASKS = MappingProxyType(
    {"OPENCODE_CONFIG_CONTENT": '{"permission": {"edit": "ask", "bash": "ask", "webfetch": "ask"}}'}
)
FREE_MODES = frozenset(
    {
        "acceptedits",
        "agentfullaccess",
        "auto",
        "autoapprove",
        "autoedit",
        "bypasspermissions",
        "dangerfullaccess",
        "fullaccess",
        "smartapprove",
        "yolo",
    }
)
"""Names under which agents act without asking, in small letters and without signs between them."""


@dataclass(frozen=True, slots=True)
class Profile:
    """How the requests of one agent are read, and what makes it ask.

    `name`: the place of the tool name besides `toolCall.name`. `only_open`: a request has an id of its own,
    and means the only open call. `keeps_arguments`: a request may repeat a part of the arguments only.
    `title_is_command`: the title is what will run, and counts as visible arguments. `plain_yes`: the option
    that is the plain one of two yeses. `refused_completes`: it reports a refused call as completed.

    `asks`: whether it asks before each change, once `environ` is in its environment and its session is in
    `mode`, where these are given.
    """

    name: Place = _nowhere
    only_open: bool = False
    keeps_arguments: bool = False
    title_is_command: bool = False
    plain_yes: str = ""
    refused_completes: bool = False
    asks: Asks = Asks.UNSURE
    environ: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    mode: str = ""

    def frees(self, mode: str) -> bool:
        """Whether the agent may act without asking in a session mode that it says it is in, "" for none."""
        if self.mode:
            return mode not in ("", self.mode)
        return "".join(filter(str.isalpha, mode)).lower() in FREE_MODES

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
        "opencode": Profile(name=_first_title, asks=Asks.ALWAYS, environ=OPENCODE_ASKS),
        "vibe": Profile(name=_first_meta("tool_name"), asks=Asks.UNLESS_HARMLESS, mode="ask"),
        "qwen": Profile(title_is_command=True, asks=Asks.UNLESS_HARMLESS),
        "gemini": Profile(name=_before_two_bars, title_is_command=True, asks=Asks.ALWAYS),
        "fast-agent": Profile(name=_first_title, asks=Asks.NEVER),
        "codex": Profile(asks=Asks.NEVER),
        "claude": Profile(name=_first_meta("claudeCode", "toolName"), asks=Asks.UNLESS_HARMLESS),
        "openhands": Profile(only_open=True, plain_yes="accept", asks=Asks.ALWAYS),
        "agentao": Profile(name=_first_title, asks=Asks.NEVER),
        "omp": Profile(title_is_command=True, asks=Asks.NEVER),
        "deepagents": Profile(only_open=True, refused_completes=True, asks=Asks.NEVER),
        "isaac": Profile(name=_argument("tool"), keeps_arguments=True, asks=Asks.ALWAYS),
        "gptme": Profile(asks=Asks.NEVER),
    }
)
"""Every known agent. Those without a place of a name are known by the kind of the call.

`asks` is NEVER also where what would make an agent ask is not built: a second door of its own (fast-agent,
omp), a temporary copy of its configuration (codex, agentao), a host in between (deepagents).
"""


def profile_of(name: str | None) -> Profile:
    """The profile that an entry names, `generic` for none."""
    return PROFILES[name or "generic"]
