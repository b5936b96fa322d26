"""Prints docs/reference/rules.md: the table of the rules, and the words and ids that go with it.

`python -m consent.reference > docs/reference/rules.md` writes the page. What it says of a line, of a pattern
and of an id comes from the code that decides.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from consent.call import Arguments, Doubt, Origin, Tier, ToolCall, Unrunnable
from consent.key import BUILTIN_KINDS, Kind, Path
from consent.matching import Effect, Match, narrows, parse_pattern, widens
from consent.rules import NOBODY, REMEMBERED, TABLE, Line, Outcome, Why

_HEAD = """\
# The rules

<!-- Written by `python -m consent.reference` from consent/; do not edit. -->

May this call run? `mm` decides by the first line of this table that applies. The same table is used for the
launched agent's own calls and for the calls of every agent below it, in every facade.
[Why the launched agent decides](../explanation/consent.md) is another page.

## The order
"""

_AFTER_ORDER = """\
Line 1: a hook that lets a call pass has not allowed it; the lines below decide. A hook sees the calls that a
`deny` with its pattern would mean, and also those that it only *might* mean. [What hooks read and
answer](hooks.md) is another page.

*Ask once only*: an allow counts for this call and is not remembered, and an earlier "allow for the session"
does not answer it. "Never in this session" can still be said. *Under the floor* (`AGENT_YOLO` is false, and
an editor or another agent started `mm`) nothing of the file widens: lines 6, 9 and 10 do not apply.
"""

_MATCHING = """\
## Which calls a rule means

A pattern of `tools.approval` has one of four forms:

| pattern | is about |
|---|---|
| `bash` | `deny` and `prompt`: this tool of every agent of the tree; `allow`: the own tool only |
| `jan/bash`, `jan/homer/bash` | this tool of exactly this agent |
| `jan/*` | every tool of exactly this agent |
| `jan/**` | every tool of this agent and of the agents below it |

Where several patterns match, `deny` wins over `prompt`, and `prompt` over `allow`.

`deny`, `prompt` and "never" are wide: they match every call that they *might* mean. Letter case is ignored. A
call that gives a kind but no name is matched by the kinds of the built-in tools, and so is every call of an
agent that is not one of `mm`. The kind `other` may be any of them. `allow` and "allow for the session" are
exact.

| tool | kinds of its calls |
|---|---|
"""

_EXAMPLES = """\
For example, where jan is an agent of `mm` and gem one of another make (*might* leads to line 4; `allow` frees
no doubtful call, since line 7 stands before line 9):
"""

OUTCOMES: Mapping[Outcome, str] = {
    Outcome.ALLOW: "allowed",
    Outcome.ASK: "ask",
    Outcome.ASK_ONCE: "ask once only",
    Outcome.REFUSE: "refused",
}
WHYS: Mapping[Why, str] = {
    Why.INVALID: "the call cannot run as shown, cannot be answered, or its answer could not be understood",
    Why.HOOK: "a hook of the file refused it",
    Why.POLICY: "a rule of `tools.approval` decided",
    Why.MEMORY: "the person answered for the whole session before",
    Why.YOLO: "yolo is on for this agent",
    Why.READ: "an own call that only reads",
    Why.MODE: "mode `write`, and the file lies inside the folder",
    Why.ANSWER: "the person answered this question",
    Why.NOBODY: "nobody could be asked",
    Why.CANCELLED: "Stop, the end of the agent or the terminal, or a request that was withdrawn or changed",
}
DOUBTS: Mapping[Doubt, str] = {
    Doubt.NAME_INVALID: "the tool name is no valid name",
    Doubt.NAME_MISSING: "neither a tool name nor a kind was given",
    Doubt.NAMES_DISAGREE: "two names were given for one call",
    Doubt.KIND_DISAGREES: "the tool is known, and the kind is not one of its kinds",
    Doubt.NO_ARGUMENTS: "nothing can be seen of what it would do",
    Doubt.UNKNOWN_SHAPE: "the arguments are not those of the tool",
    Doubt.PATHS_DISAGREE: "the files that it names are not one file",
    Doubt.CONTENTS_DISAGREE: "its diff makes another text than its arguments",
    Doubt.TOO_LONG: "the command is longer than 64 KiB",
    Doubt.TOO_LARGE: "more than 20 fields, deeper than 8, over 64 KiB beside the detail, or too many names",
    Doubt.AFTER_THE_FACT: "it asks for what it has done already",
}
UNRUNNABLE: Mapping[Unrunnable, str] = {
    Unrunnable.HIDDEN_CHARACTERS: "NUL, DEL or half a surrogate pair in a command or path",
    Unrunnable.PATH_TOO_LONG: "a path longer than the system can open",
    Unrunnable.NO_USABLE_OPTIONS: "the request offers no option for a plain yes, or its options are unsound",
    Unrunnable.TOO_MANY_WAITING: "1,000 questions of this agent wait already",
}
_FITS: Mapping[Match, str] = {Match.YES: "yes", Match.MIGHT: "might", Match.NO: "–"}


def _call(path: Path, name: str | None, kind: Kind | None) -> ToolCall:
    origin = Origin.FOREIGN if path == ("gem",) else Origin.OURS if path else Origin.OWN
    return ToolCall(path, origin, name, kind, Tier.EXEC, "", Arguments(""), "")


_CALLS: Mapping[str, ToolCall] = {
    "own `bash`": _call((), "bash", Kind.EXECUTE),
    "jan's `bash`": _call(("jan",), "bash", Kind.EXECUTE),
    "jan's `BASH`": _call(("jan",), "BASH", Kind.EXECUTE),
    "jan's `(execute)`": _call(("jan",), None, Kind.EXECUTE),
    "jan's `(unclear)`": _call(("jan",), "no name", Kind.EXECUTE),
    "homer's `bash`, asked by jan": _call(("jan", "homer"), "bash", Kind.EXECUTE),
    "gem's `shell`, kind `execute`": _call(("gem",), "shell", Kind.EXECUTE),
}
_RULES = (
    *((Effect.DENY, text) for text in ("bash", "jan/bash", "jan/lsp", "jan/*", "jan/**", "gem/bash")),
    *((Effect.ALLOW, text) for text in ("bash", "jan/bash", "jan/*", "jan/**", "gem/bash")),
)


def markdown() -> str:
    """The page."""
    order = _rows(("#", "when", "then", "`why`", "more"), map(_line, (*TABLE, REMEMBERED, NOBODY)))
    kinds = (f"| `{tool}` | {', '.join(sorted(kinds))} |" for tool, kinds in BUILTIN_KINDS.items())
    matching = (_MATCHING + "\n".join(kinds), _EXAMPLES, _examples())
    ids = (
        _ids("Why it was decided", "The reason of a decision, `why`.", WHYS),
        _ids("Doubts", "Why a call cannot be taken at its word (line 7).", DOUBTS),
        _ids("Calls that are refused without a question", "The reasons of line 0.", UNRUNNABLE),
    )
    return "\n\n".join(part.strip("\n") for part in (_HEAD, order, _AFTER_ORDER, *matching, *ids)) + "\n"


def _line(line: Line) -> tuple[str, ...]:
    outcome = ", or ".join(OUTCOMES[outcome] for outcome in line.outcomes)
    words = " ".join((inspect.getdoc(line.applies) or "").split())
    return str(line.number), line.text, outcome, f"`{line.why}`", words


def _examples() -> str:
    """How each rule fits each of the calls."""
    rows = ((f"`{text}: {effect}`", *_fits(effect, text)) for effect, text in _RULES)
    return _rows(("rule", *_CALLS), rows)


def _fits(effect: Effect, text: str) -> Iterator[str]:
    pattern = parse_pattern(text)
    for call in _CALLS.values():
        exact = Match.YES if widens(pattern, call.key) else Match.NO
        yield _FITS[exact if effect is Effect.ALLOW else narrows(pattern, call)]


def _ids(heading: str, about: str, words: Mapping[Any, str]) -> str:
    rows = ((f"`{each}`", text) for each, text in words.items())
    return f"## {heading}\n\n{about}\n\n" + _rows(("id", "means"), rows)


def _rows(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    first, *others = ("| " + " | ".join(row) + " |" for row in (head, *rows))
    return "\n".join((first, "|---" * len(head) + "|", *others))


if __name__ == "__main__":
    print(markdown(), end="")
