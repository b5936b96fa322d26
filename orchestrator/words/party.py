"""Who a call comes from, in words. Agents' names are spelled out: no letter passes for another."""

from __future__ import annotations

from dataclasses import dataclass, replace

from consent.call import Origin, ToolCall
from consent.key import Key
from consent.show import Excerpt, cut, show
from mmconfigs.language import Words
from orchestrator.words import catalogue as say

BETWEEN = " › "
"""Stands between the names of a path (U+203A)."""

LONGEST_NAME = 64
LONGEST_LINE = 120
LEAST_CUT = 12
"""Characters; what leaves out fewer makes a text no shorter to read."""


@dataclass(frozen=True, slots=True)
class Party:
    """Who asks: as a name, as the subject of a sentence, behind "of", and by itself."""

    who: str
    subject: str
    owner: str
    agent: str


def party(call: ToolCall, words: Words) -> Party:
    """Who asks with this call. An asked agent may be foreign: then its own agents are meant, too."""
    if not call.path:
        agent = words.say(say.YOUR_AGENT)
        return Party(words.say(say.YOU), agent, agent, agent)
    agent = BETWEEN.join(map(spelled, call.path))
    if call.origin is not Origin.FOREIGN:
        return Party(agent, agent, agent, agent)
    who = words.say(say.FOREIGN, agent=agent)
    return Party(who, f"{who},", words.say(say.OF_FOREIGN, agent=agent), agent)


def tool_of(key: Key) -> str:
    """The tool of a key as a person reads it: `bash`, `mcp__files__delete`, `(execute)`."""
    return spelled(str(replace(key, path=())))


def spelled(name: str) -> str:
    """A name that another process chose, in ASCII."""
    return one_line(name, LONGEST_NAME, ascii_only=True)


def one_line(text: str, characters: int = LONGEST_LINE, *, ascii_only: bool = False) -> str:
    """A text of another process on one line, its middle left out where it is longer."""
    excerpt = _excerpt(text, characters)
    ends = (show(end, ascii_only=ascii_only) for end in (excerpt.head, excerpt.tail) if end)
    return " … ".join(ends)


def is_cut(text: str) -> bool:
    """Whether `one_line` leaves out a part of this text."""
    return bool(_excerpt(text, LONGEST_LINE).characters)


def yes_name(name: str) -> str:
    """The name of one of several yeses, as it is offered; also one without a sign is told apart."""
    return " ".join(one_line(name).split()) or '""'


def _excerpt(text: str, characters: int) -> Excerpt:
    excerpt = cut(text, characters)
    return Excerpt(text) if excerpt.characters < LEAST_CUT else excerpt
