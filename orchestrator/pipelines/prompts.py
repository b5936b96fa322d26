"""Prompts of steps: the fields of a fixed list, filled in once. Text of agents is data, never a template.

Source of the list: `mmconfigs.pipelines.FIELDS`. Knows no step and no agent at work.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from orchestrator.pipelines.outcome import Outcome

_PARTS = re.compile(r"\{\{|\}\}|\{(\w+)\}")


def fill(prompt: str, fields: Mapping[str, str]) -> str:
    """The prompt with its fields; what is filled in is not looked at again."""

    def part(found: re.Match[str]) -> str:
        return found[0][0] if found[1] is None else fields[found[1]]

    return _PARTS.sub(part, prompt)


def quoted(text: str) -> str:
    """A text of an agent, each line as a quotation."""
    return "\n".join(f"> {line}".rstrip() for line in text.strip().splitlines()) or "> (nothing)"


def answers(outcomes: Sequence[Outcome]) -> str:
    """What the agents of a step answered, each under its name."""
    return (
        "\n\n".join(f"{each.agent} answered:\n\n{quoted(each.text)}" for each in outcomes) or "(nothing yet)"
    )


def findings(outcomes: Sequence[Outcome]) -> str:
    """What the reviewers found, each with its verdict, quoted."""
    judged = ((each.agent, each.judged) for each in outcomes if each.judged)
    return "\n\n".join(f"{agent} ({it.why}):\n\n{quoted(it.text)}" for agent, it in judged) or "(none yet)"
