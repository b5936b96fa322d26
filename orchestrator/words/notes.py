"""What a person is told of agents, their calls and their turns, in English and French.

Where a model is told the same, in the answer of an agent that it asked, it is told in English.
"""

from __future__ import annotations

from collections.abc import Mapping

from consent.circles import Circle, TooMany
from consent.key import Path
from orchestrator.language import Saying, Sentence, Text, saying
from orchestrator.words.catalogue import YOUR_AGENT
from orchestrator.words.party import BETWEEN, spelled

OF_AGENT = Sentence("{agent}: {what}", "{agent} : {what}")

# Going in circles. The words "going in circles" and "same call again" are relied on (interface.md).
CIRCLES: Mapping[Circle, Sentence] = {
    Circle.FAILING: Sentence(
        "{agent} is going in circles: three of its calls in a row failed or were refused",
        "{agent} tourne en rond : trois de ses appels de suite ont échoué ou ont été refusés",
    ),
    Circle.REPEATING: Sentence(
        "{agent} makes the same call again: the fourth time, and it has changed nothing else since",
        "{agent} refait le même appel : la quatrième fois, sans avoir rien changé d'autre depuis",
    ),
}
TOO_MANY: Mapping[TooMany, Sentence] = {
    TooMany.IN_A_ROW: Sentence(
        "the turn was ended: five calls in a row were refused",
        "le tour a été arrêté : cinq appels de suite ont été refusés",
    ),
    TooMany.IN_A_TURN: Sentence(
        "the turn was ended: twelve calls were refused in it",
        "le tour a été arrêté : douze appels y ont été refusés",
    ),
}


def agent_at(path: Path) -> Text:
    """The agent at `path`, as the subject of a sentence."""
    return BETWEEN.join(map(spelled, path)) if path else saying(YOUR_AGENT)


def circling(path: Path, circle: Circle) -> Saying:
    """That the agent at `path` goes in circles."""
    return saying(CIRCLES[circle], agent=agent_at(path))
