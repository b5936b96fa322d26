"""One tool call about to run, frozen as it is shown.

Filled in by the tool itself for own calls, and by `orchestrator.acp.permission` for the calls of asked
agents. Knows no protocol: what the wire said has become values here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum

from consent.danger.finding import QUIET, Finding, Verdict
from consent.key import Key, Kind, Path, key_of


class Origin(StrEnum):
    """Whose call it is. A handshake claim moves no agent from one class to the other."""

    OWN = "own"
    OURS = "ours"
    FOREIGN = "foreign"


class Tier(StrEnum):
    """What a tool can do. A tool that declares nothing is `exec`."""

    READ = "read"
    WRITE = "write"
    EXEC = "exec"


class Doubt(StrEnum):
    """Why a call cannot be taken at its word (consent.md, "Doubtful calls")."""

    NAME_INVALID = "name-invalid"
    NAME_MISSING = "name-missing"
    NAMES_DISAGREE = "names-disagree"
    KIND_DISAGREES = "kind-disagrees"
    NO_ARGUMENTS = "no-arguments"
    UNKNOWN_SHAPE = "unknown-shape"
    PATHS_DISAGREE = "paths-disagree"
    CONTENTS_DISAGREE = "contents-disagree"
    TOO_LONG = "too-long"
    TOO_LARGE = "too-large"
    AFTER_THE_FACT = "after-the-fact"


class Unrunnable(StrEnum):
    """Why a call is refused without a question: it cannot run as shown, or cannot be answered."""

    HIDDEN_CHARACTERS = "hidden-characters"
    PATH_TOO_LONG = "path-too-long"
    NO_USABLE_OPTIONS = "no-usable-options"
    TOO_MANY_WAITING = "too-many-waiting"


@dataclass(frozen=True, slots=True)
class Command:
    """A shell command, as it will run."""

    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """A file change. `target` is the real file behind links; `before` is None for nothing there or known."""

    path: str
    target: str
    before: str | None
    after: str


@dataclass(frozen=True, slots=True)
class Task:
    """A task handed to another agent, as it will be sent."""

    agent: str
    text: str


@dataclass(frozen=True, slots=True)
class Place:
    """A file or address that is only named."""

    text: str


@dataclass(frozen=True, slots=True)
class Arguments:
    """Nothing better known: the arguments as JSON text, or `""` where none were given."""

    text: str


@dataclass(frozen=True, slots=True)
class Altered:
    """A file that decides what an agent does and that changed since the start; `file` is the real one."""

    agent: str
    path: str
    file: str


class Move(StrEnum):
    """What a run of a pipeline may do next only after a person's yes."""

    HAND_OVER = "hand-over"
    GO_ON = "go-on"
    MERGE = "merge"


@dataclass(frozen=True, slots=True)
class Proposed:
    """A move of a run that a person decides: about which agent or branch, and all of it as text."""

    move: Move
    about: str
    text: str


Detail = Command | Change | Task | Place | Arguments | Altered | Proposed
"""The one detail of a call that counts for a person."""


_NOTHING = ("", "null", "{}", "[]", '""')
"""Arguments that say nothing."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A submitted call. `arguments` is JSON text, byte for byte what will run.

    `id` tells the calls of one agent apart, and decides nothing. `name` is the tool name as found, valid or
    not; `yeses` are the names of the yeses of a request that offers several, in its order; `marked` is a mark
    that our child sent along (`_meta.mm.ask`); `mark` is what was found about it here;
    `folder` is where it would run; `beside` are the files that are named beside the arguments: in diffs, as
    locations, by a look of our own tools.
    """

    path: Path
    origin: Origin
    name: str | None
    kind: Kind | None
    tier: Tier
    arguments: str
    detail: Detail
    folder: str
    id: str = ""
    title: str = ""
    server: str = ""
    doubts: tuple[Doubt, ...] = ()
    unrunnable: Unrunnable | None = None
    mark: Finding = QUIET
    yeses: tuple[str, ...] = ()
    marked: bool = False
    fenced: bool = False
    beside: tuple[str, ...] = ()

    @property
    def full_name(self) -> str | None:
        """The name as it is spelled where no server stands beside it: `mcp__files__delete`."""
        return f"mcp__{self.server}__{self.name}" if self.server else self.name

    @property
    def told(self) -> str:
        """What hooks and the audit read as its arguments, as JSON text: what was shown where none were given.

        Some agents put the command into the title, or into a text beside it (acp.md, "Real agents").
        """
        if self.arguments.strip() not in _NOTHING:
            return self.arguments
        shown = self.detail.text if isinstance(self.detail, Command | Arguments) else ""
        if shown.strip() not in _NOTHING:
            return json.dumps({"command" if isinstance(self.detail, Command) else "content": shown})
        named = "command" if self.kind is Kind.EXECUTE else "title"
        return json.dumps({named: self.title}) if self.title else self.arguments

    @property
    def critical(self) -> bool:
        """Whether what it does is critical: then no answer to it is remembered."""
        return self.mark.verdict is Verdict.CRITICAL

    @property
    def key(self) -> Key:
        """What an answer to this call is remembered under."""
        return key_of(self.path, self.name, self.kind, self.server)
