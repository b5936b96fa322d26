"""What line mode says to a person, beside the words of the question itself."""

from __future__ import annotations

from orchestrator.agent import Reason
from orchestrator.events import Level
from orchestrator.words.catalogue import Sentence

INVITATION = Sentence(
    "answer {answers} or s, then Enter (d shows details):",
    "répondez {answers} ou s, puis Entrée (d montre les détails) :",
)
NO_ANSWER = Sentence(
    "only {answers}, s or d counts, typed alone and then Enter",
    "seuls {answers}, s ou d comptent, tapés seuls puis Entrée",
)
MORE = Sentence(
    "{page} of {pages}: Enter shows more, b goes back:", "{page} sur {pages} : Entrée continue, b revient :"
)
NO_MORE = Sentence("only Enter or b counts here", "seuls Entrée ou b comptent ici")
WITHDRAWN = Sentence("(question of {who} withdrawn)", "(question de {who} retirée)")

STARTING = Sentence("starting {agent} …", "démarrage de {agent} …")
THINKING = Sentence("thinking …", "réflexion …")
FAILED = Sentence("failed", "échec")
HIDDEN_LINES = Sentence("… {count} more lines", "… encore {count} lignes")

STOPPING = Sentence("mm: stopping …", "mm: arrêt …")
EMPTY = Sentence("mm: the answer is empty", "mm: la réponse est vide")

NOTES = {
    Level.INFO: Sentence("mm: {text}", "mm: {text}"),
    Level.WARNING: Sentence("mm: warning: {text}", "mm: attention : {text}"),
    Level.ERROR: Sentence("mm: error: {text}", "mm: erreur : {text}"),
}

ENDINGS = {
    Reason.MAX_TOKENS: Sentence(
        "mm: warning: the answer was cut: the model reached its length limit",
        "mm: attention : la réponse est coupée : le modèle a atteint sa longueur limite",
    ),
    Reason.MAX_TURN_REQUESTS: Sentence(
        "mm: warning: the turn ended early: it took too many steps",
        "mm: attention : le tour s'est terminé trop tôt : il a pris trop d'étapes",
    ),
    Reason.REFUSAL: Sentence(
        "mm: warning: the model refused to go on", "mm: attention : le modèle a refusé de continuer"
    ),
    Reason.CANCELLED: Sentence("mm: stopped", "mm: arrêté"),
    Reason.FAILED: Sentence("mm: error: the turn failed", "mm: erreur : le tour a échoué"),
    Reason.UNKNOWN: Sentence(
        "mm: warning: the turn ended for an unknown reason",
        "mm: attention : le tour s'est terminé pour une raison inconnue",
    ),
}
"""How a turn ended that did not reach its end."""
