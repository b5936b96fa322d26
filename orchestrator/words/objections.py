"""What a hook has against a call, for the person in English and French, and for models in English."""

from __future__ import annotations

from collections.abc import Mapping

from consent.hook import Broken, Objection
from consent.show import show
from mmconfigs.language import Sentence, Text, saying

SAID = Sentence("it says: {detail}", "il dit : {detail}")
SILENT = Sentence("it gives no reason", "il ne donne pas de raison")
BROKEN: Mapping[Broken, Sentence] = {
    Broken.CHANGED: Sentence(
        "it was not run, since {detail} changed after the start of mm; start mm anew to use it",
        "il n'a pas été exécuté, car {detail} a changé depuis le démarrage de mm ; relancez mm",
    ),
    Broken.NOT_STARTED: Sentence("it could not be started: {detail}", "il n'a pas pu démarrer : {detail}"),
    Broken.FAILED: Sentence("it failed: {detail}", "il a échoué : {detail}"),
    Broken.TOO_LATE: Sentence("it did not answer within {detail}", "il n'a pas répondu en {detail}"),
    Broken.FLOOD: Sentence("it wrote more than {detail}", "il a écrit plus de {detail}"),
    Broken.STAYED_OPEN: Sentence(
        "what it started kept its output open for more than {detail}",
        "ce qu'il a lancé a gardé sa sortie ouverte plus de {detail}",
    ),
    Broken.UNCLEAR: Sentence(
        'it gave no clear answer; expected on its stdout: nothing, or {{"decision": "refuse"}} or'
        ' {{"decision": "allow"}} with at most a "reason" beside it; found: {detail}',
        'il n\'a pas répondu clairement ; attendu sur sa sortie : rien, ou {{"decision": "refuse"}} ou'
        ' {{"decision": "allow"}}, avec tout au plus un « reason » à côté ; trouvé : {detail}',
    ),
}
WHERE = Sentence("{what} ({where})", "{what} ({where})")


def objection(against: Objection) -> Text:
    """What the hook says, escaped, or what is wrong with it; with its place, if that is known."""
    detail = show(against.reason)
    what = saying(_sentence(against), detail=detail)
    return saying(WHERE, what=what, where=show(against.rule.where)) if against.rule else what


def _sentence(against: Objection) -> Sentence:
    if against.broken:
        return BROKEN[against.broken]
    return SAID if against.reason else SILENT
