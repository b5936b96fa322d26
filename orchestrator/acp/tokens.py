"""How many tokens a turn took, in the answer to its prompt: a number that is only shown.

Agents of ours say it as `_meta.mm.tokens`, which strict clients do not look at; others may say it as
`usage.totalTokens`, a draft of ACP.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MOST = 2**53 - 1
"""A larger number is none: JSON of other languages does not hold it."""


def as_meta(tokens: int | None) -> dict[str, Any]:
    """What is added to the answer to a prompt."""
    return {} if tokens is None else {"_meta": {"mm": {"tokens": tokens}}}


def tokens_in(answer: Mapping[str, Any]) -> int | None:
    """The tokens that an agent says its turn took; None where it says nothing usable."""
    match answer:
        case {"_meta": {"mm": {"tokens": found}}} | {"usage": {"totalTokens": found}}:
            usable = isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= MOST
            return found if usable else None
        case _:
            return None
