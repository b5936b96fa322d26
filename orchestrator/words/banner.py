"""What the launched agent says of itself at the start, and of its refused calls at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import assert_never

from consent.key import Key
from consent.matching import Effect, Rule
from consent.setting import Mode, Setting
from consent.show import show
from mmconfigs.language import Sentence, Words
from orchestrator.words import catalogue as say

# Scripts and tests read these: they are the same in every language.
YOLO_ON = "yolo: on"
YOLO_OFF = "yolo: off (tools ask)"
YOLO_WRITE = "yolo: write (commands, MCP and asked agents ask)"


class Asks(StrEnum):
    """Whether an agent of another make asks before it changes something, as far as mm knows."""

    ALWAYS = "always"
    UNLESS_HARMLESS = "unless-harmless"
    """It judges by itself which commands are harmless, and runs those."""
    UNSURE = "unsure"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Launched:
    """What a banner tells. `origin` says where the yolo comes from, `servers` are those of the file.

    `foreign` are the entries that are started by `command`, and whether each of them asks.
    """

    name: str
    description: str
    model: str
    setting: Setting
    origin: str
    instructions: Sequence[str] = ()
    servers: Sequence[str] = ()
    foreign: Mapping[str, Asks] = field(default_factory=dict)


def banner(launched: Launched, words: Words) -> tuple[str, ...]:
    """The lines of the banner; names and texts of the file are escaped."""
    return tuple(_lines(launched, words))


def mode_text(mode: Mode) -> str:
    """What a mode means for the launched agent's own calls, literally."""
    match mode:
        case Mode.YOLO:
            return YOLO_ON
        case Mode.WRITE:
            return YOLO_WRITE
        case Mode.ALWAYS_ASK:
            return YOLO_OFF
        case _:
            assert_never(mode)


def yolo_line(launched: Launched) -> str:
    """The yolo that counts now for the launched agent's own calls, and where it comes from."""
    return f"{mode_text(launched.setting.counts)} ({show(launched.origin)})"


def standing(launched: Launched, words: Words) -> Iterator[str]:
    """The yolo that counts now, and a line for each entry that has its own."""
    yield yolo_line(launched)
    yield from _entries(launched.setting, words)


def cautions(launched: Launched, words: Words) -> Iterator[str]:
    """At most one line for each foreign agent whose calls must ask, or that a rule is about.

    It says how far the agent is known to ask (consent.md, "Matching", "Acting without asking").
    """
    for name, asks in launched.foreign.items():
        must_ask = not launched.setting.yolo((name,))
        rules = [rule for rule in launched.setting.rules if _narrows(rule, name)]
        if caution := _caution(asks, must_ask=must_ask, narrowed=bool(rules)):
            listed = ", ".join(f"`{show(str(rule.pattern))}: {rule.effect.value}`" for rule in rules)
            yield words.say(caution, agent=show(name), rules=listed)


def _caution(asks: Asks, *, must_ask: bool, narrowed: bool) -> Sentence | None:
    """What there is to say of an agent whose calls must ask, or that rules narrow."""
    match asks:
        case Asks.UNSURE if narrowed:
            return say.GENERIC_RULES
        case Asks.UNSURE if must_ask:
            return say.GENERIC
        case Asks.UNLESS_HARMLESS if must_ask or narrowed:
            return say.JUDGES
        case Asks.NEVER if must_ask:
            return say.NEVER_ASKS
        case Asks.NEVER if narrowed:
            return say.NEVER_ASKS_RULES
        case _:
            return None


def _narrows(rule: Rule, name: str) -> bool:
    """Whether a rule narrows what the agent `name` may do: by its name, or in the whole tree."""
    return rule.effect is not Effect.ALLOW and rule.pattern.path[:1] in ((), (name,))


def unasked_line(calls: Mapping[Key, int]) -> str:
    """The one line, read by scripts, about the calls of a run that nobody could answer."""
    total = sum(calls.values())
    keys = ", ".join(f"{show(str(key), ascii_only=True)} ({count})" for key, count in calls.items())
    noun = "call" if total == 1 else "calls"
    return f"mm: {total} {noun} refused because nobody could be asked: {keys}"


def _lines(launched: Launched, words: Words) -> Iterator[str]:
    yield " — ".join(show(text) for text in (launched.name, launched.description) if text)
    yield words.say(say.MODEL, model=show(launched.model))
    yield from standing(launched, words)
    if launched.instructions:
        yield words.say(say.INSTRUCTIONS, files=_listed(launched.instructions))
    if launched.servers:
        yield words.say(say.SERVERS, names=_listed(launched.servers))


def _entries(setting: Setting, words: Words) -> Iterator[str]:
    """A line for each entry whose own yolo makes a difference, or no longer makes one."""
    for name, own in setting.entries.items():
        if setting.yolo((name,)) is not setting.yolo(()):
            yield words.say(say.ENTRY_YOLO, entry=show(name), yolo=YOLO_ON if own else YOLO_OFF)
        elif own and setting.floor:
            yield words.say(say.ENTRY_FLOOR, entry=show(name))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(show(name) for name in names)
