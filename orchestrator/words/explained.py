"""What a person is told that would be decided about a call, in English and French."""

from __future__ import annotations

from collections.abc import Mapping

from consent.rules import Outcome
from mmconfigs.language import Sentence

EXPLAINED: Mapping[Outcome, Sentence] = {
    Outcome.ALLOW: Sentence("runs without a question", "tourne sans question"),
    Outcome.ASK: Sentence("asks; the answer can be remembered", "demande ; la réponse peut être retenue"),
    Outcome.ASK_ONCE: Sentence("asks each time anew", "demande à chaque fois"),
    Outcome.REFUSE: Sentence("is refused without a question", "est refusé sans question"),
}
BY_LINE = Sentence("by line {line} of the rules: {text}", "selon la ligne {line} des règles : {text}")
LINES: Mapping[int, Sentence] = {
    0: Sentence(
        "the call cannot run as shown, or cannot be answered",
        "l'appel ne peut tourner tel qu'il est montré, ou ne peut recevoir de réponse",
    ),
    1: Sentence("a hook of `hooks.preToolCall` refuses", "un hook de `hooks.preToolCall` refuse"),
    2: Sentence("a `deny` of `tools.approval` matches", "un `deny` de `tools.approval` le vise"),
    3: Sentence('the conversation remembers "never"', "la conversation retient « jamais »"),
    4: Sentence("a choice that only a person can make", "un choix que seule une personne peut faire"),
    5: Sentence(
        "a `prompt` matches, or a mark was sent along", "un `prompt` le vise, ou une marque l'accompagne"
    ),
    6: Sentence("yolo counts as on for this agent", "yolo compte comme actif pour cet agent"),
    7: Sentence("the call is doubtful or critical", "l'appel est douteux ou critique"),
    8: Sentence("an own call that only reads", "un appel propre qui ne fait que lire"),
    9: Sentence("an `allow` of `tools.approval` matches", "un `allow` de `tools.approval` le vise"),
    10: Sentence(
        "mode `write`, an own built-in tool, inside the folder",
        "mode `write`, un outil intégré, dans le dossier",
    ),
    11: Sentence("no other line is about it", "aucune autre ligne n'en parle"),
    12: Sentence("it was allowed for the session", "il a été autorisé pour la session"),
    13: Sentence("nobody can answer", "personne ne peut répondre"),
}
"""The lines of the rules, by their number, as a person is told of them."""
ASKED = Sentence("the question: {sentence}", "la question : {sentence}")
BY_RULE = Sentence("rule: {rule} ({where})", "règle : {rule} ({where})")
BY_HOOK = Sentence(
    "before that a hook sees it, and may refuse it: {rule} ({where})",
    "avant cela, un hook le voit, et peut le refuser : {rule} ({where})",
)
