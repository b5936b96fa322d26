"""What was decided in a turn or a session, in one line for each agent, in English and French."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from consent.rules import Why
from consent.tally import Count, Tally
from consent.unasked import Finding
from mmconfigs.language import Sentence, Words
from orchestrator.words.notes import agent_at

QUESTIONS = (Sentence("1 question", "1 question"), Sentence("{count} questions", "{count} questions"))
ALLOWED = (Sentence("1 allowed", "1 autorisé"), Sentence("{count} allowed", "{count} autorisés"))
REFUSED = (Sentence("1 refused", "1 refusé"), Sentence("{count} refused", "{count} refusés"))
RAN = (
    Sentence("1 ran past the answers", "1 lancé malgré les réponses"),
    Sentence("{count} ran past the answers", "{count} lancés malgré les réponses"),
)
"""Each for one call, and for several."""
BY: Mapping[Why, Sentence] = {
    Why.INVALID: Sentence("could not run as shown", "sans pouvoir tourner tel que montré"),
    Why.HOOK: Sentence("by a hook", "par un hook"),
    Why.POLICY: Sentence("by a rule of the file", "par une règle du fichier"),
    Why.MEMORY: Sentence("by an earlier answer", "par une réponse précédente"),
    Why.YOLO: Sentence("by yolo", "par yolo"),
    Why.READ: Sentence("changing nothing", "sans rien changer"),
    Why.MODE: Sentence("by the mode write", "par le mode write"),
    Why.ANSWER: Sentence("by you", "par vous"),
    Why.NOBODY: Sentence("nobody could be asked", "personne à qui demander"),
    Why.CANCELLED: Sentence("stopped or withdrawn", "par arrêt ou retrait"),
}
HOW: Mapping[Finding, Sentence] = {
    Finding.UNASKED: Sentence("without asking", "sans demander"),
    Finding.REFUSED: Sentence("although refused", "malgré le refus"),
    Finding.OTHER: Sentence("other than allowed", "autre que l'autorisé"),
}
OF_TURN = Sentence("mm: calls of this turn: {counts}", "mm: appels de ce tour : {counts}")
OF_AGENT = Sentence("mm: calls of {agent}: {counts}", "mm: appels de {agent} : {counts}")


def of_turn(tally: Tally, words: Words) -> str:
    """What the calls of a turn came to, all agents together, on one line."""
    return words.say(OF_TURN, counts=_counts(tally.whole, words))


def of_run(tally: Tally, words: Words) -> Iterator[str]:
    """What the calls of a run, or of a session, came to, a line for each agent."""
    for path, count in tally.agents.items():
        agent = words.told(agent_at(path))
        yield words.say(OF_AGENT, agent=agent, counts=_counts(count, words))


def unexplained(count: Count) -> bool:
    """Whether something happened that no question told of: a refusal without one, or what ran unasked."""
    return bool(count.unasked or count.refused.keys() - {Why.ANSWER, Why.CANCELLED})


def _counts(count: Count, words: Words) -> str:
    parts = (
        _number(QUESTIONS, count.asked, words) if count.asked else "",
        _way(ALLOWED, {words.say(BY[why]): number for why, number in count.allowed.items()}, words),
        _way(REFUSED, {words.say(BY[why]): number for why, number in count.refused.items()}, words),
        _way(RAN, {words.say(HOW[how]): number for how, number in count.unasked.items()}, words),
    )
    return ", ".join(filter(None, parts))


def _way(sentences: Sequence[Sentence], reasons: Mapping[str, int], words: Words) -> str:
    """One way in which calls went, with its reasons; where there is but one, its number is the whole."""
    if not reasons:
        return ""
    listed = [f"{number} {reason}" if len(reasons) > 1 else reason for reason, number in reasons.items()]
    return f"{_number(sentences, sum(reasons.values()), words)} ({', '.join(listed)})"


def _number(sentences: Sequence[Sentence], count: int, words: Words) -> str:
    one, many = sentences
    return words.say(one) if count == 1 else words.say(many, count=words.number(count))
