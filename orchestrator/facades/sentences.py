"""What the facades say to a person, beside the words of the question itself; most of it line mode alone."""

from __future__ import annotations

from mmconfigs.language import Sentence
from orchestrator.events import Level

INVITATION = Sentence(
    "answer {answers} or s, then Enter (d shows details):",
    "répondez {answers} ou s, puis Entrée (d montre les détails) :",
)
NO_ANSWER = Sentence(
    "only {answers}, s or d counts, typed alone and then Enter; Ctrl-C stops the turn",
    "seuls {answers}, s ou d comptent, tapés seuls puis Entrée ; Ctrl-C arrête le tour",
)
EARLY = Sentence(
    "mm: that was typed before an answer was invited; it is kept for your next prompt",
    "mm: tapé avant l'invitation à répondre ; gardé pour votre prochaine demande",
)
MORE = Sentence(
    "{page} of {pages}: Enter shows more, b goes back to the question:",
    "{page} sur {pages} : Entrée continue, b revient à la question :",
)
NO_MORE = Sentence(
    "only Enter (more) or b (back to the question) counts here; answer when you are back",
    "seuls Entrée (la suite) ou b (retour à la question) comptent ici ; répondez une fois revenu",
)
WITHDRAWN = Sentence("(question withdrawn: {who})", "(question retirée : {who})")

STARTING = Sentence("starting {agent} …", "démarrage de {agent} …")
THINKING = Sentence("thinking …", "réflexion …")
FAILED = Sentence("failed", "échec")
MORE_LINES = Sentence("… {count} more lines", "… encore {count} lignes")

MODEL_AT = Sentence("{model} at {address}", "{model} à {address}")
USE_ONE = Sentence(
    "use {model}? y, or Enter for the demo model, which is no AI:",
    "utiliser {model} ? o, ou Entrée pour le modèle de démonstration, pas une IA :",
)
USE_FIRST = Sentence(
    "use {model}? y or a number, or Enter for the demo model, which is no AI:",
    "utiliser {model} ? o ou un numéro, ou Entrée pour le modèle de démonstration, pas une IA :",
)
YES = ("y", "yes", "o", "oui")

HOW_TO_STOP = Sentence(" (Ctrl-C stops)", " (Ctrl-C pour arrêter)")
UNSENT = Sentence(
    "mm: entered before the prompt was there: kept, not sent; Enter sends it",
    "mm: entré avant l'invite : gardé, pas envoyé ; Entrée l'envoie",
)
STOPPING = Sentence("mm: stopping …", "mm: arrêt …")
LEAVING = Sentence("mm: Ctrl-D or /quit leaves", "mm: Ctrl-D ou /quit pour quitter")
NO_HISTORY = Sentence(
    "what you enter is not kept for the next run: {reason}",
    "ce que vous entrez n'est pas gardé pour la prochaine fois : {reason}",
)
MORE_CHOICES = Sentence("… {count} more", "… encore {count}")

WORKING = Sentence("working", "en cours")
SECONDS = Sentence(" … {seconds} s", " … {seconds} s")

NOTES = {
    Level.INFO: Sentence("mm: {text}", "mm: {text}"),
    Level.WARNING: Sentence("mm: warning: {text}", "mm: attention : {text}"),
    Level.ERROR: Sentence("mm: error: {text}", "mm: erreur : {text}"),
}

# A run that nobody watches.
CALL_ENDED = Sentence("{call} ended", "{call} terminé")
CALL_FAILED = Sentence("{call} failed", "{call} a échoué")
NOT_WRITTEN = Sentence(
    "the answer could not be written: {reason}", "la réponse n'a pas pu être écrite : {reason}"
)
