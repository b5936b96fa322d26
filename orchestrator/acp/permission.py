"""A `session/request_permission` of an asked agent, read into a ToolCall with the doubts found about it.

Here another process's words become values: nothing in them can remove a question. Source: acp.md, "The tool
name of a request"; consent.md, "Doubtful calls". Knows no Gate and no person.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from consent.call import Arguments, Command, Detail, Doubt, Origin, Tier, ToolCall, Unrunnable
from consent.key import VALID_NAME, Kind, Path
from consent.matching import kind_disagrees
from orchestrator.acp.details import NOTHING, arguments_text, contents_disagree, detail_of, paths_of
from orchestrator.acp.options import Options, read_options
from orchestrator.acp.profiles import GENERIC, Profile
from orchestrator.disk import one_file
from orchestrator.paths import usable
from orchestrator.words.detail import gist
from orchestrator.words.shown import LONGEST, unshown

MOST_FIELDS = 20
DEEPEST = 8
SHAPES: Mapping[str, tuple[Collection[str], Collection[str]]] = {
    "bash": ({"command"}, ()),
    "read_file": ({"path"}, ()),
    "write_file": ({"path", "content"}, ()),
    "edit_file": ({"path", "old", "new"}, ()),
    "fetch_content": ({"url"}, {"output"}),
}
"""The arguments of our built-in tools, all of them texts: the needed fields, and the possible ones."""
OVER = ("completed", "failed")
"""The statuses of a call that has ended."""

_ENTRY_NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_UNSHOWABLE = re.compile("[\x00\x7f\ud800-\udfff]")


class BadRequest(Exception):
    """The request is not what ACP says (-32602). The message says which field is wrong."""


@dataclass(frozen=True, slots=True)
class Asking:
    """The agent that asks: who it is by the launched file, where it works, and how its requests are read.

    `home` is its home folder, empty where that is not known.
    """

    path: Path
    origin: Origin
    folder: str
    profile: Profile = GENERIC
    home: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """A read request: the call for the Gate, and the options for the answer."""

    call: ToolCall
    options: Options


def read_request(
    params: Mapping[str, Any],
    known: Mapping[str, Any],
    asking: Asking,
    first: Mapping[str, Any] = MappingProxyType({}),
) -> Request:
    """Read a request together with what earlier updates said of the same call; raises BadRequest.

    `known` is the call before this request, `first` its first `tool_call`. A field of the request replaces
    what was known.
    """
    asked = _object(params, "toolCall")
    if not isinstance(asked.get("toolCallId"), str):
        raise BadRequest("toolCall.toolCallId must be a text")
    offered = _options(params)
    merged = {**known, **{field: value for field, value in asked.items() if value is not None}}
    meta = mm_meta(params, asking.origin)
    options = read_options(offered, asking.profile.plain_yes)
    seen = _Seen(merged, known, first, _below(asking, meta), meta)
    call = replace(_call(seen), yeses=options.names)
    if not options.allow:
        call = replace(call, unrunnable=Unrunnable.NO_USABLE_OPTIONS)
    return Request(call, options)


def read_call(
    fields: Mapping[str, Any], first: Mapping[str, Any], asking: Asking, meta: Mapping[str, Any]
) -> ToolCall:
    """A call as its agent reports it, in its own words or in those that our child passes on; BadRequest."""
    return _call(_Seen(fields, {}, first, _below(asking, meta), meta))


def _below(asking: Asking, meta: Mapping[str, Any]) -> Asking:
    """The agent below that asks through ours; of itself, ours cannot say what it is or where it works."""
    below = path_of(meta)
    if not below:
        return asking
    folder = meta.get("folder", asking.folder)
    if not isinstance(folder, str):
        raise BadRequest("_meta.mm.folder must be a text")
    origin = Origin.FOREIGN if meta.get("foreign") is True else asking.origin
    return Asking((*asking.path, *below), origin, folder)


@dataclass(frozen=True, slots=True)
class _Seen:
    """All that was said of a call: `fields` as they are now, `known` before the request, `first` of all."""

    fields: Mapping[str, Any]
    known: Mapping[str, Any]
    first: Mapping[str, Any]
    asking: Asking
    meta: Mapping[str, Any]

    @property
    def names(self) -> tuple[str, ...]:
        """The name from each place that has one, the surest first; one that is no text is invalid."""
        places = (
            self.fields.get("name"),
            self.known.get("name"),
            self.asking.profile.name(self.fields, self.first),
        )
        return tuple(name if isinstance(name, str) else "" for name in places if name is not None)

    @property
    def name(self) -> str | None:
        """The name that counts: the first, valid or not."""
        return next(iter(self.names), None)

    @property
    def server(self) -> str | None:
        """The MCP server that our child names beside this call, "" for none, None for one that does not fit.

        A foreign child's tool name is one opaque text, whatever is said of a server.
        """
        server = self.meta.get("server", "")
        if self.asking.origin is not Origin.OURS or server == "":
            return ""
        fits = isinstance(server, str) and _ENTRY_NAME.fullmatch(server) and "__" not in server
        tool = (self.name or "").removeprefix(f"mcp__{server}__")
        return server if fits and tool != self.name and VALID_NAME.fullmatch(tool) else None


def _call(seen: _Seen) -> ToolCall:
    name, kind, asking, fields = seen.name, kind_of(seen.fields), seen.asking, seen.fields
    detail = detail_of(name, kind, fields, asking.folder)
    doubts = dict.fromkeys((*_doubts(seen, detail), *_forwarded_doubts(seen.meta)))
    server = seen.server or ""
    return ToolCall(
        path=asking.path,
        origin=asking.origin,
        name=name and name.removeprefix(f"mcp__{server}__") if server else name,
        kind=kind,
        tier=Tier.EXEC,
        arguments=arguments_of(fields),
        detail=detail,
        folder=asking.folder,
        title=title_of(fields),
        beside=tuple(dict.fromkeys(paths_of({**fields, "rawInput": None}))),
        server=server,
        doubts=tuple(doubts),
        unrunnable=_unrunnable(seen),
        marked=seen.meta.get("ask") is True,
    )


def name_of(call: Mapping[str, Any]) -> str | None:
    """The name as found; one of a wrong type is present and invalid."""
    name = call.get("name")
    return name if name is None or isinstance(name, str) else ""


def kind_of(call: Mapping[str, Any]) -> Kind | None:
    """The kind, None where it is missing or none of ACP's."""
    kind = call.get("kind")
    return Kind(kind) if isinstance(kind, str) and kind in list(Kind) else None


def title_of(call: Mapping[str, Any]) -> str:
    """The agent's own words for the call, empty where it gave none."""
    title = call.get("title")
    return title if isinstance(title, str) else ""


def said_of(call: Mapping[str, Any], profile: Profile) -> tuple[str | None, Kind | None, str]:
    """What a question is made from besides the arguments: name, kind, the title where it is the command."""
    return name_of(call), kind_of(call), title_of(call) if profile.title_is_command else ""


def _doubts(seen: _Seen, detail: Detail) -> Iterator[Doubt]:
    merged, asking = seen.fields, seen.asking
    name, kind = seen.name, kind_of(merged)
    yield from _name_doubts(seen, kind)
    raw = merged.get("rawInput")
    if raw in NOTHING and not _visible(detail, merged, asking.profile):
        yield Doubt.NO_ARGUMENTS
    elif asking.origin is Origin.OURS and not _known_shape(name, raw):
        yield Doubt.UNKNOWN_SHAPE
    yield from _size_doubts(seen, detail)
    if not one_file(asking.folder, paths_of(merged)):
        yield Doubt.PATHS_DISAGREE
    if contents_disagree(merged):
        yield Doubt.CONTENTS_DISAGREE
    if merged.get("status") in OVER:
        yield Doubt.AFTER_THE_FACT


def _name_doubts(seen: _Seen, kind: Kind | None) -> Iterator[Doubt]:
    name = seen.name
    if name is None and kind is None:
        yield Doubt.NAME_MISSING
    if name is not None and not VALID_NAME.fullmatch(name):
        yield Doubt.NAME_INVALID
    if len(set(seen.names)) > 1 or seen.server is None:
        yield Doubt.NAMES_DISAGREE
    if kind_disagrees(name, kind):
        yield Doubt.KIND_DISAGREES


def _visible(detail: Detail, call: Mapping[str, Any], profile: Profile) -> bool:
    """Whether a call without arguments shows what it would do."""
    if not isinstance(detail, Arguments) or detail.text.strip():
        return True
    return profile.title_is_command and bool(title_of(call).strip())


def _size_doubts(seen: _Seen, detail: Detail) -> Iterator[Doubt]:
    raw = seen.fields.get("rawInput")
    if sum(map(len, _run(seen))) > LONGEST:
        yield Doubt.TOO_LONG
    beside = arguments_text(unshown(detail, raw, seen.asking.folder))
    drawn = 0 if isinstance(detail, Command) else len(gist(detail))
    if _fields(raw) > MOST_FIELDS or _depth(raw) > DEEPEST or max(drawn, len(beside)) > LONGEST:
        yield Doubt.TOO_LARGE


def _run(seen: _Seen) -> list[str]:
    """The command: that of the arguments, or the title where that is the command and nothing else is."""
    raw = seen.fields.get("rawInput")
    title = seen.asking.profile.title_is_command and raw in NOTHING
    return [title_of(seen.fields)] if title else _commands(raw)


def _known_shape(name: str | None, raw: Any) -> bool:
    """Whether the arguments are those of the built-in tool of this name, or of no built-in tool."""
    if name is None or name not in SHAPES:
        return True
    needed, possible = SHAPES[name]
    if not isinstance(raw, dict) or not set(needed) <= set(raw) <= {*needed, *possible}:
        return False
    return all(
        isinstance(value, str) or (field == "command" and _texts(value)) for field, value in raw.items()
    )


def _texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(part, str) for part in value)


def _commands(raw: Any) -> list[str]:
    command = raw.get("command") if isinstance(raw, dict) else None
    if isinstance(command, str):
        return [command]
    return list(command) if isinstance(command, list) and _texts(command) else []


def _fields(raw: Any) -> int:
    return len(raw) if isinstance(raw, dict | list) else 1


def _depth(raw: Any) -> int:
    """How deep the arguments nest. Frames are bounded in depth, so the recursion is, too."""
    parts = raw.values() if isinstance(raw, dict) else raw if isinstance(raw, list) else ()
    return 1 + max((_depth(part) for part in parts), default=0)


def _unrunnable(seen: _Seen) -> Unrunnable | None:
    """Why the call cannot run as shown, if so."""
    paths = paths_of(seen.fields)
    if any(_UNSHOWABLE.search(text) for text in (*_run(seen), *paths)):
        return Unrunnable.HIDDEN_CHARACTERS
    return Unrunnable.PATH_TOO_LONG if not all(map(usable, paths)) else None


def _object(params: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    value = params.get(field)
    if not isinstance(value, dict):
        raise BadRequest(f"{field} must be an object")
    return value


def _options(params: Mapping[str, Any]) -> list[dict[str, Any]]:
    offered = params.get("options")
    if not isinstance(offered, list):
        raise BadRequest("options must be a list")
    for option in offered:
        texts = isinstance(option, dict) and all(isinstance(option.get(f), str) for f in ("optionId", "kind"))
        if not texts:
            raise BadRequest("each option needs an optionId and a kind, both texts")
    return offered


def mm_meta(params: Mapping[str, Any], origin: Origin) -> Mapping[str, Any]:
    """What our own child says along (`_meta.mm`); nothing where the agent is foreign."""
    meta = params.get("_meta")
    ours = meta.get("mm") if isinstance(meta, dict) and origin is Origin.OURS else None
    return ours if isinstance(ours, dict) else {}


def path_of(meta: Mapping[str, Any]) -> Path:
    """The agents below our child that a message is about; raises BadRequest."""
    path = meta.get("path", [])
    if not isinstance(path, list) or not all(isinstance(n, str) and _ENTRY_NAME.fullmatch(n) for n in path):
        raise BadRequest("_meta.mm.path must be a list of entry names")
    return tuple(path)


def _forwarded_doubts(meta: Mapping[str, Any]) -> Iterator[Doubt]:
    """Doubts that our child found; one that we do not know still counts as a doubt."""
    doubts = meta.get("doubts", [])
    for doubt in doubts if isinstance(doubts, list) else ["?"]:
        yield Doubt(doubt) if isinstance(doubt, str) and doubt in list(Doubt) else Doubt.UNKNOWN_SHAPE


def to_meta(call: ToolCall, folder: str, *, marked: bool) -> dict[str, Any]:
    """What our own agent sends along with a forwarded question: read again by `read_request`.

    `folder` is the session's, where the call works unless the answer says otherwise.
    """
    meta: dict[str, Any] = {"path": list(call.path)}
    if marked:
        meta["ask"] = True
    if call.doubts:
        meta["doubts"] = [doubt.value for doubt in call.doubts]
    if call.origin is Origin.FOREIGN:
        meta["foreign"] = True
    if call.server:
        meta["server"] = call.server
    if call.folder != folder:
        meta["folder"] = call.folder
    return meta


def arguments_of(call: Mapping[str, Any]) -> str:
    """The arguments of a call as JSON text, what is decided about; empty where none are given."""
    return arguments_text(call.get("rawInput"))
