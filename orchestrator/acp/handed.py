"""What an asking agent of ours hands down with `session/new`, in `_meta.mm`.

Nothing of it widens: the patterns make more calls ask, the seal only compares, the rest names things in the
audit. Knows no file and no process.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from consent.key import Path
from consent.matching import parse_pattern
from orchestrator.acp.permission import BadRequest, path_of


@dataclass(frozen=True, slots=True)
class Handed:
    """`submit` are patterns of calls to submit beyond the usual ones, `seal` the files that decide.

    `path` says where the agent stands in the tree of the launched one, `conversation` in whose conversation;
    `without` are tools that do not exist there.
    """

    submit: tuple[str, ...] = ()
    seal: Mapping[str, str] | None = None
    path: Path = ()
    conversation: str = ""
    without: tuple[str, ...] = ()

    def as_meta(self) -> dict[str, Any]:
        """As it is sent."""
        return {
            "submit": list(self.submit),
            **({"without": list(self.without)} if self.without else {}),
            **({} if self.seal is None else {"seal": dict(self.seal)}),
            "path": list(self.path),
            "conversation": self.conversation,
        }


def read_handed(params: Mapping[str, Any], *, from_ours: bool) -> Handed:
    """What `session/new` hands down; an editor may only narrow. Raises BadRequest."""
    meta = params.get("_meta")
    mm = meta.get("mm") if isinstance(meta, dict) else None
    if not isinstance(mm, dict):
        return Handed()
    submit, without = _patterns(mm.get("submit", [])), _tools(mm.get("without", []))
    if not from_ours:
        return Handed(submit, without=without)
    return Handed(submit, _seal(mm.get("seal")), path_of(mm), _name(mm.get("conversation", "")), without)


def _patterns(value: Any) -> tuple[str, ...]:
    texts = isinstance(value, list) and all(isinstance(pattern, str) for pattern in value)
    try:
        return tuple(str(parse_pattern(pattern)) for pattern in value) if texts else _no_patterns()
    except ValueError:
        return _no_patterns()


def _no_patterns() -> NoReturn:
    raise BadRequest("_meta.mm.submit must be a list of patterns")


def _tools(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(tool, str) for tool in value):
        raise BadRequest("_meta.mm.without must be a list of tools")
    return tuple(value)


def _seal(value: Any) -> Mapping[str, str] | None:
    if value is None:
        return None
    if not isinstance(value, dict) or not all(isinstance(mark, str) for mark in value.values()):
        raise BadRequest("_meta.mm.seal must be an object of texts")
    return value


def _name(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 64:
        raise BadRequest("_meta.mm.conversation must be a short text")
    return value
