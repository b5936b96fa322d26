"""Offers the models that were found on this computer, before a conversation. Only a yes takes one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from consent.show import show
from mmconfigs.language import Words
from orchestrator.facades import sentences as say
from orchestrator.llm.pick import Found

MOST = 9
"""Models that are offered."""


def offer(found: Sequence[Found], words: Words, source: TextIO, output: TextIO) -> Found | None:
    """Ask once which of the models `found` to use; anything but a clear yes is a no."""
    offered = found[:MOST]
    if not offered:
        return None
    names = [words.say(say.MODEL_AT, model=show(each.model), address=each.address) for each in offered]
    if len(names) > 1:
        output.writelines(f"{number}  {name}\n" for number, name in enumerate(names, 1))
    question = say.USE_ONE if len(names) == 1 else say.USE_FIRST
    output.write(words.say(question, model=names[0]) + " ")
    output.flush()
    return _chosen(offered, source.readline().strip().lower())


def _chosen(offered: Sequence[Found], answer: str) -> Found | None:
    if answer in say.YES:
        return offered[0]
    numbers = {str(number): each for number, each in enumerate(offered, 1)}
    return numbers.get(answer)
