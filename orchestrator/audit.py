"""The audit: one JSON line for each decision, and for each call that ran past them, in the state folder.

Never read back in order to decide. A failing audit changes no decision; it is told once. Source: consent.md,
"Audit". Knows no facade.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from consent.answer import Yes
from consent.call import ToolCall
from consent.gate import Decision
from consent.key import Path as AgentPath
from consent.rules import Why
from consent.setting import Mode
from consent.show import cut
from consent.unasked import Finding
from orchestrator.state import make_folder, opened

NAME = "audit.jsonl"
"""The file in the state folder."""
VERSION = 1
"""The `v` of each line: readers skip lines of a version that they do not know."""
SWITCHED = "switched"
"""The `why` of a mode that a person chose."""
UNASKED = "unasked"
"""The `why` of a line for a call that ran past the answers: no decision has it."""
MASK = "***"
LONGEST_TEXT = 400
"""Characters of a text in `args`; of a longer one its two ends stay."""
MOST_FIELDS = 20
DEEPEST = 8
MOST_ARGUMENTS = 8 * 1024
"""Characters of `args` as JSON; larger arguments are kept as one text, cut in its middle."""
MOST_BYTES = 8 * 1024 * 1024
"""Size at which a file is set aside for a new one."""
KEPT = 4
"""Files that were set aside and are kept: `audit.1.jsonl` is the youngest of them."""


def entry(
    call: ToolCall,
    decision: Decision,
    *,
    at: datetime,
    conversation: str,
    waited: float,
    secrets: Collection[str],
) -> dict[str, Any]:
    """The line for one decision, as JSON values. `at` has a time zone, `waited` is in seconds.

    `secrets` are texts that never stand in it (mmconfigs.hidden).
    """
    return {
        **_about(call, at, conversation, secrets),
        "allowed": decision.allowed,
        "why": decision.why.value,
        "line": decision.line,
        "rule": masked(f"{decision.rule.pattern}: {decision.rule.effect} ({decision.rule.where})", secrets)
        if decision.rule
        else None,
        "answer": _answer(decision),
        "who": _who(decision),
        "waited_ms": round(waited * 1000),
    }


def acted_entry(
    call: ToolCall, finding: Finding, *, at: datetime, conversation: str, secrets: Collection[str]
) -> dict[str, Any]:
    """The line for a call that ran past the answers: no decision, so nobody allowed it, and no line did."""
    return {
        **_about(call, at, conversation, secrets),
        "allowed": False,
        "why": UNASKED,
        "line": None,
        "rule": None,
        "answer": None,
        "who": "nobody",
        "waited_ms": 0,
        "acted": finding.value,
    }


def switched_entry(mode: Mode, origin: str, *, at: datetime, conversation: str) -> dict[str, Any]:
    """The line for a mode that a person chose in mid-session; `origin` names how. No call, so no decision."""
    said = json.dumps({"mode": mode.value, "by": origin})
    return {
        "v": VERSION,
        "time": at.astimezone(UTC).isoformat(timespec="milliseconds"),
        "conversation": conversation,
        "key": "(mode)",
        "agent": "",
        "tool": None,
        "server": None,
        "args": json.loads(said),
        "digest": sha256(said.encode()).hexdigest(),
        "allowed": True,
        "why": SWITCHED,
        "line": None,
        "rule": None,
        "answer": None,
        "who": "person",
        "waited_ms": 0,
    }


def _about(call: ToolCall, at: datetime, conversation: str, secrets: Collection[str]) -> dict[str, Any]:
    """When and where, and what the call is."""
    return {
        "v": VERSION,
        "time": at.astimezone(UTC).isoformat(timespec="milliseconds"),
        "conversation": conversation,
        "key": masked(str(call.key), secrets),
        "agent": "/".join(call.path),
        "tool": None if call.name is None else masked(call.name, secrets),
        "server": masked(call.server, secrets) or None,
        "args": _arguments(call.told, secrets),
        "digest": sha256(call.told.encode("utf-8", "surrogatepass")).hexdigest(),
    }


def _answer(decision: Decision) -> str | None:
    match decision.answer:
        case None:
            return None
        case Yes(number):
            return f"yes_{number + 1}"
        case answer:
            return answer.value


def _who(decision: Decision) -> str:
    """Who decided: a person, nobody (where none could be asked), or mm by its rules and its memory."""
    match decision.why:
        case Why.ANSWER:
            return "person"
        case Why.NOBODY | Why.CANCELLED:
            return "nobody"
        case _:
            return "mm"


def masked(text: str, secrets: Collection[str]) -> str:
    """The text without the secrets, the longest first: one may be a part of another."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, MASK)
    return text


def _arguments(text: str, secrets: Collection[str]) -> Any:
    """The arguments, shortened, and masked before that: half a secret is one, too."""
    try:
        value = json.loads(text or "null")
    except (ValueError, RecursionError):
        return _short(masked(text, secrets))
    shortened = _shortened(value, secrets, DEEPEST)
    whole = json.dumps(shortened)
    return shortened if len(whole) <= MOST_ARGUMENTS else _short(whole, MOST_ARGUMENTS)


def _shortened(value: Any, secrets: Collection[str], depth: int) -> Any:
    match value:
        case str():
            return _short(masked(value, secrets))
        case dict() | list() if depth == 0:
            return "…"
        case dict():
            items = list(value.items())[:MOST_FIELDS]
            kept = {_short(masked(k, secrets)): _shortened(v, secrets, depth - 1) for k, v in items}
            return kept | ({"…": len(value) - MOST_FIELDS} if len(value) > MOST_FIELDS else {})
        case list():
            kept_items = [_shortened(item, secrets, depth - 1) for item in value[:MOST_FIELDS]]
            return kept_items + ([f"… {len(value) - MOST_FIELDS} more"] if len(value) > MOST_FIELDS else [])
        case int() | float() if (number := masked(json.dumps(value), secrets)) != json.dumps(value):
            return number
        case _:
            return value


def _short(text: str, longest: int = LONGEST_TEXT) -> str:
    excerpt = cut(text, longest)
    return f"{excerpt.head}… {excerpt.characters} characters …{excerpt.tail}" if excerpt.characters else text


@dataclass
class Audit:
    """Where the decisions of one conversation are written. `lost` is told once why one could not be.

    `above` leads from the launched agent to the one that writes. Where that one is itself `asked_above`, what
    it asks its asker is written there. `secrets` may become more while it is in use: files of agents change.
    """

    file: Path
    conversation: str
    secrets: Collection[str] = ()
    above: AgentPath = ()
    asked_above: bool = False
    lost: Callable[[str], None] = lambda _: None
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    failed: bool = False

    def record(self, call: ToolCall, decision: Decision, waited: float, asked: bool) -> None:
        """Append the line for one decision; whatever goes wrong is told, and changes nothing."""
        if asked and self.asked_above:
            return
        self._write(
            entry(
                self._from_above(call),
                decision,
                at=self.now(),
                conversation=self.conversation,
                waited=waited,
                secrets=self.secrets,
            )
        )

    def acted(self, call: ToolCall, finding: Finding) -> None:
        """Append the line for a call that ran past the answers."""
        self._write(
            acted_entry(
                self._from_above(call),
                finding,
                at=self.now(),
                conversation=self.conversation,
                secrets=self.secrets,
            )
        )

    def switched(self, mode: Mode, origin: str) -> None:
        """Append the line for a mode that was chosen in mid-session."""
        self._write(switched_entry(mode, origin, at=self.now(), conversation=self.conversation))

    def _from_above(self, call: ToolCall) -> ToolCall:
        return replace(call, path=(*self.above, *call.path))

    def _write(self, line: Mapping[str, Any]) -> None:
        try:
            append(self.file, (json.dumps(line) + "\n").encode())
        except OSError as error:
            if not self.failed:
                self.failed = True
                self.lost(str(error))


def append(file: Path, line: bytes) -> None:
    """Append one line to the audit, whole, whoever else writes to it. Raises OSError.

    A line that was broken off before it, by a crash or a full disk, spoils nothing but itself.
    """
    make_folder(file)
    _make_room(file)
    with opened(file, os.O_RDWR | os.O_APPEND | os.O_CREAT) as stream:
        size = os.fstat(stream.fileno()).st_size
        whole = not size or os.pread(stream.fileno(), 1, size - 1) == b"\n"
        data = line if whole else b"\n" + line
        if os.write(stream.fileno(), data) != len(data):
            raise OSError(f"{file} took only a part of a line")


def _make_room(file: Path) -> None:
    """Set a full file aside. Only one process does so at a time; the others go on with the full one."""
    if not _full(file):
        return
    with opened(file.with_suffix(".lock"), os.O_WRONLY | os.O_APPEND | os.O_CREAT) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        if _full(file):
            _set_aside(file)


def _full(file: Path) -> bool:
    try:
        return file.lstat().st_size >= MOST_BYTES
    except FileNotFoundError:
        return False


def _set_aside(file: Path) -> None:
    """Each older file gets the next number; the oldest goes."""
    for old, new in reversed(list(pairwise((file, *older(file))))):
        if old.exists():
            old.replace(new)


def older(file: Path) -> Iterator[Path]:
    """The files that were set aside, or would be, the youngest first."""
    return (file.with_name(f"{file.stem}.{number}{file.suffix}") for number in range(1, KEPT + 1))


def read(file: Path) -> Iterator[Mapping[str, Any]]:
    """All lines that can be read, the oldest first. Broken ones are left out. Raises OSError."""
    for part in (*reversed(list(older(file))), file):
        try:
            stream = opened(part, os.O_RDONLY)
        except FileNotFoundError:
            continue
        with stream:
            yield from filter(None, map(_parsed, stream))


def _parsed(line: bytes) -> Mapping[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and value.get("v") == VERSION else None
