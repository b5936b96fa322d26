"""What a person is told of agents, their calls and their turns, in English and French.

Where a model is told the same, in the answer of an agent that it asked, it is told in English.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from consent.call import ToolCall, Unrunnable
from consent.circles import Circle, TooMany
from consent.key import Key, Kind, Path, Sort
from consent.rules import Why
from consent.show import show
from consent.unasked import Finding
from mmconfigs.language import Saying, Sentence, Text, saying
from orchestrator.words.catalogue import YOUR_AGENT
from orchestrator.words.detail import gist
from orchestrator.words.party import BETWEEN, one_line, spelled, tool_of

OF_AGENT = Sentence("{agent}: {what}", "{agent} : {what}")

NO_AUDIT = Sentence(
    "decisions are not written down: {reason}", "les décisions ne sont pas consignées : {reason}"
)

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

# Acting without asking. The first words of each are relied on.
ACTED: Mapping[Finding, Sentence] = {
    Finding.UNASKED: Sentence("{agent} ran {what} without asking", "{agent} a lancé {what} sans demander"),
    Finding.REFUSED: Sentence(
        "{agent} ran {what} although refused", "{agent} a lancé {what} malgré le refus"
    ),
    Finding.OTHER: Sentence(
        "{agent} ran something other than what you allowed",
        "{agent} a lancé autre chose que ce que vous avez autorisé",
    ),
}
A_COMMAND = Sentence("a command", "une commande")
A_CALL_OF: Mapping[Kind, Sentence] = {
    Kind.READ: Sentence("a reading of a file", "une lecture de fichier"),
    Kind.EDIT: Sentence("a change of a file", "une modification de fichier"),
    Kind.DELETE: Sentence("a deletion", "une suppression"),
    Kind.MOVE: Sentence("a move", "un déplacement"),
    Kind.SEARCH: Sentence("a search", "une recherche"),
    Kind.EXECUTE: A_COMMAND,
    Kind.THINK: Sentence("a thought", "une réflexion"),
    Kind.FETCH: Sentence("a fetch", "une requête réseau"),
    Kind.SWITCH_MODE: Sentence("a change of its mode", "un changement de mode"),
    Kind.OTHER: Sentence("a tool without a name", "un outil sans nom"),
}
"""What ran, where the agent gave no name."""
UNNAMED = Sentence("something that it did not name", "quelque chose sans le nommer")
WITH_GIST = Sentence("{told}: {gist}", "{told} : {gist}")
TAKEN_BACK = Sentence(
    "{told}. What was allowed for the session asks again: {keys}",
    "{told}. Ce qui était autorisé pour la session redemande : {keys}",
)

# What an asked agent sends.
CHANGED = Sentence(
    "{agent} changed a call while it was asked about: withdrawn",
    "{agent} a changé un appel pendant qu'on vous le demandait : retiré",
)
STRANGE_SESSION = Sentence(
    "{agent} asked for a session that it was never given: refused",
    "{agent} a demandé pour une session qui ne lui a jamais été donnée : refusé",
)
INVALID_UPDATE = Sentence(
    "{agent} sent an update that is not valid: {fault}",
    "{agent} a envoyé une nouvelle qui n'est pas valable : {fault}",
)
INVALID_REQUEST = Sentence(
    "{agent} sent a permission request that is not valid: {fault}",
    "{agent} a envoyé une demande d'autorisation qui n'est pas valable : {fault}",
)
UNASKED: Mapping[Why, Sentence] = {
    Why.INVALID: Sentence(
        "{key} was refused without a question: {reason}", "{key} a été refusé sans question : {reason}"
    ),
    Why.HOOK: Sentence("{key} was refused by a hook: {reason}", "{key} a été refusé par un hook : {reason}"),
    Why.POLICY: Sentence(
        "{key} was refused by a rule of the file: {reason}",
        "{key} a été refusé par une règle du fichier : {reason}",
    ),
}
"""Refusals that no person saw a question for, and that the person is told of."""
UNRUNNABLE: Mapping[Unrunnable, Sentence] = {
    Unrunnable.HIDDEN_CHARACTERS: Sentence(
        "its command or path holds characters that nobody can see ({id})",
        "sa commande ou son chemin contient des caractères que personne ne voit ({id})",
    ),
    Unrunnable.PATH_TOO_LONG: Sentence(
        "its path is longer than the system can open ({id})",
        "son chemin est plus long que ce que le système peut ouvrir ({id})",
    ),
    Unrunnable.NO_USABLE_OPTIONS: Sentence(
        "it came without options with which it could be answered ({id})",
        "il est venu sans options permettant d'y répondre ({id})",
    ),
    Unrunnable.TOO_MANY_WAITING: Sentence(
        "too many questions of this agent wait already ({id})",
        "trop de questions de cet agent attendent déjà ({id})",
    ),
}

# An asked agent whose calls must ask, and that would not.
NEVER_ASKS = Sentence(
    "mm cannot make it ask before it acts, so it is not asked while its calls must ask; `yolo: true` in its "
    "entry lets it act unasked, except under AGENT_YOLO=false",
    "mm ne peut pas le faire demander avant d'agir : il n'est pas sollicité tant que ses appels doivent "
    "demander ; `yolo: true` dans son entrée le laisse agir sans demander, sauf sous AGENT_YOLO=false",
)
FREE_MODE = Sentence(
    "it says that it is in its mode {mode}, in which it acts without asking, so it was ended",
    "il dit être dans son mode {mode}, où il agit sans demander, on l'a donc terminé",
)

# How an asked agent, or its turn, ends.
TOO_LATE = Sentence(
    "it took longer than its timeout of {seconds} s", "il a dépassé son délai de {seconds} s (timeout)"
)
ANSWERED_ERROR = Sentence("it answered with an error: {error}", "il a répondu par une erreur : {error}")
ENDED_WITH = Sentence("it ended its turn with {word}", "il a fini son tour par {word}")
DID_NOT_STOP = Sentence("it did not stop, so it was ended", "il ne s'arrêtait pas, on l'a donc terminé")
STOPPED_TWICE = Sentence("it was stopped twice, so it was ended", "arrêté deux fois, il a donc été terminé")
WAS_ENDED = Sentence("it was ended", "il a été terminé")
WENT_AWAY = Sentence("it went away", "il est parti")
NOT_RUNNING = Sentence("it is not running", "il ne tourne pas")
NOT_STARTED = Sentence("it did not start within {seconds} s", "il n'a pas démarré en {seconds} s")
NO_SESSION = Sentence("it could not start a session: {error}", "il n'a pas pu ouvrir de session : {error}")
EXIT_CODE = Sentence("{what}, exit code {code}", "{what}, code de sortie {code}")
KILLED = Sentence("{what}, killed by signal {number}", "{what}, tué par le signal {number}")
LAST_WORDS = Sentence("{what}; its last words: {tail}", "{what} ; ses derniers mots : {tail}")
FULL = Sentence(
    "{agent} is not started: limits.agents is {most}, running: {running}",
    "{agent} n'est pas démarré : limits.agents vaut {most}, en marche : {running}",
)

# The launched agent's own turn.
ONLY_TEXT = Sentence(
    "the answer describes a tool call, but none was made, and nothing ran",
    "la réponse décrit un appel d'outil, mais aucun n'a été fait, et rien n'a été exécuté",
)
AGAIN = Sentence("{why} Trying again in {seconds} seconds.", "{why} Nouvel essai dans {seconds} secondes.")
STEPS = Sentence(
    "the turn reached its limit of {steps} steps", "le tour a atteint sa limite de {steps} étapes"
)


def agent_at(path: Path) -> Text:
    """The agent at `path`, as the subject of a sentence."""
    return BETWEEN.join(map(spelled, path)) if path else saying(YOUR_AGENT)


def of_agent(path: Path, what: Text) -> Saying:
    """What is told of the asked agent at `path`, which whoever asked it calls by its own name."""
    return saying(OF_AGENT, agent=path[-1], what=what)


def circling(path: Path, circle: Circle) -> Saying:
    """That the agent at `path` goes in circles."""
    return saying(CIRCLES[circle], agent=agent_at(path))


def acted(call: ToolCall, finding: Finding, dropped: Collection[Key]) -> Saying:
    """That an agent ran this call past the answers, and what is asked about again because of that."""
    told = saying(ACTED[finding], agent=agent_at(call.path), what=_what(call))
    if text := one_line(gist(call.detail)):
        told = saying(WITH_GIST, told=told, gist=text)
    if dropped:
        told = saying(TAKEN_BACK, told=told, keys=", ".join(show(str(key)) for key in dropped))
    return told


def _what(call: ToolCall) -> Text:
    """What ran: the tool by its name, else by its kind."""
    if call.key.sort is Sort.NAME:
        return tool_of(call.key)
    return saying(A_CALL_OF[call.kind] if call.name is None and call.kind else UNNAMED)
