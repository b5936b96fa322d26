"""When a typed line counts as the answer to a question (consent.md, "A question"). Pure: times are passed in.

A question is drawn (Settling), answers are invited once it has stood there long enough without any input
(Inviting), a line that is exactly one answer waits whether more follows (Confirming), and only then it
counts (Accepted). Times are seconds of one monotonic clock.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import assert_never

from orchestrator.facades.keys import Key, Pasted, Press, Typed

SETTLE = 0.5
"""No key counts for so long after a question was drawn, a key that came too early, or a wrong line."""

QUIET = 0.1
"""Input within so long of other input is not a person's answer but text that passes by."""

LONGEST = 40
"""Characters of a line that are kept: no answer is as long."""


@dataclass(frozen=True, slots=True)
class Settling:
    """Nothing counts until `pause` seconds have passed since the `last` input, or the drawing."""

    last: float
    pause: float


@dataclass(frozen=True, slots=True)
class Inviting:
    """Answers count. `alone`: nothing but one character was typed into `line`, and that after a silence."""

    last: float
    line: str = ""
    alone: bool = True


@dataclass(frozen=True, slots=True)
class Confirming:
    """`line` is an answer unless more input follows within QUIET of `entered`."""

    line: str
    entered: float


@dataclass(frozen=True, slots=True)
class Accepted:
    """The answer."""

    line: str


State = Settling | Inviting | Confirming | Accepted


def drawn(now: float, pause: float = SETTLE) -> Settling:
    """A question, or what is said to a wrong line, has just been drawn: all input until now is of now."""
    return Settling(now, pause)


def wait(state: State, now: float) -> float | None:
    """Seconds until `rest` has something to say; None where only a key can."""
    match state:
        case Settling(last, pause):
            return last + pause - now
        case Confirming(_, entered):
            return entered + QUIET - now
        case Inviting() | Accepted():
            return None
        case _:
            assert_never(state)


def rest(state: State, now: float) -> State:
    """Time has passed, and all input until `now` was pressed."""
    left = wait(state, now)
    if left is None or left > 0:
        return state
    match state:
        case Settling(last):
            return Inviting(last)
        case Confirming(line):
            return Accepted(line)
        case _:
            return state


def press(state: State, key: Key, now: float, accepted: Collection[str]) -> State:
    """A key came at `now`; `accepted` are the lines that are answers."""
    match state:
        case Settling():
            return replace(state, last=now)
        case Inviting():
            return _typed(state, key, now, accepted)
        case Confirming():
            return _wrong(now)
        case Accepted():
            return state
        case _:
            assert_never(state)


def _typed(state: Inviting, key: Key, now: float, accepted: Collection[str]) -> State:
    match key:
        case Press.ENTER:
            answers = state.alone and state.line in accepted
            return Confirming(state.line, now) if answers else _wrong(now)
        case Press.BACKSPACE:
            line = state.line[:-1]
            return Inviting(now, line, alone=not line)
        case Typed(text):
            alone = not state.line and now - state.last >= QUIET
            return Inviting(now, (state.line + text)[:LONGEST], alone)
        case Pasted(text):
            return Inviting(now, (state.line + text)[:LONGEST], alone=False)
        case Press.STOP | Press.END | Press.OTHER:
            return Inviting(now, state.line, alone=False)
        case _:
            assert_never(key)


def _wrong(now: float) -> Settling:
    return drawn(now)
