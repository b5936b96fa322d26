"""The sentences that mm says to a person, in English and French. Fields are data, never templates.

Not here: what is told of agents and turns (`notes`), what the facades say beside (`facades.sentences`), wrong
usage and the help (`command_line`), faults of the file (`mmconfigs.sentences`), what models are told
(`refusals`), keys, JSON, lines that scripts read; and what is English only: what programs and servers answer.
"""

from __future__ import annotations

from collections.abc import Mapping

from consent.answer import Answer
from consent.call import Doubt, Move
from consent.key import Kind, Sort
from mmconfigs.language import Sentence

# Who asks.
YOU = Sentence("you", "vous")
YOUR_AGENT = Sentence("your agent", "votre agent")
FOREIGN = Sentence("{agent}, or an agent that it asks", "{agent}, ou un agent qu'il interroge")
OF_FOREIGN = Sentence("{agent} and of agents that it asks", "{agent} et des agents qu'il interroge")

# What it wants to do.
RUN = Sentence(
    "{who} wants to run a command on this computer", "{who} veut exécuter une commande sur cet ordinateur"
)
CREATE = Sentence(
    "{who} wants to create a file on this computer", "{who} veut créer un fichier sur cet ordinateur"
)
WRITE = Sentence(
    "{who} wants to write a whole file on this computer",
    "{who} veut écrire un fichier entier sur cet ordinateur",
)
CHANGE = Sentence(
    "{who} wants to change a file on this computer", "{who} veut modifier un fichier sur cet ordinateur"
)
HAND_OVER = Sentence(
    "{who} wants to hand a task to {agent}",
    "{who} veut confier une tâche à {agent}",
)
HAND_OVER_FREE = Sentence(
    "{who} wants to hand a task to {agent}, who runs free: its yolo is on",
    "{who} veut confier une tâche à {agent}, qui agit librement : son yolo est activé",
)
START_CHANGED = Sentence(
    "{who} wants to start {agent} on this computer; the file that decides what {agent} does changed since "
    "mm was started",
    "{who} veut démarrer {agent} sur cet ordinateur ; le fichier qui décide de ce que fait {agent} a changé "
    "depuis le démarrage de mm",
)
PROPOSED: Mapping[Move, Sentence] = {
    Move.HAND_OVER: Sentence(
        "the pipeline hands this task to {agent}", "le pipeline confie cette tâche à {agent}"
    ),
    Move.GO_ON: Sentence(
        "{agent} did not finish; the pipeline can go on with what there is",
        "{agent} n'a pas fini ; le pipeline peut continuer avec ce qu'il y a",
    ),
    Move.MERGE: Sentence(
        "the pipeline wants to merge {agent} on this computer",
        "le pipeline veut fusionner {agent} sur cet ordinateur",
    ),
}
READ = Sentence(
    "{who} wants to read a file on this computer", "{who} veut lire un fichier sur cet ordinateur"
)
FETCH = Sentence(
    "{who} wants to open a network address from this computer",
    "{who} veut ouvrir une adresse du réseau depuis cet ordinateur",
)
USE_TOOL = Sentence(
    "{who} wants to use the tool {tool} on this computer",
    "{who} veut utiliser l'outil {tool} sur cet ordinateur",
)
USE_SERVER = Sentence(
    "{who} wants to use the tool {tool} of the third-party server {server} on this computer",
    "{who} veut utiliser l'outil {tool} du serveur tiers {server} sur cet ordinateur",
)
USE_UNCLEAR = Sentence(
    "{who} wants to do something on this computer, with a tool that it does not name clearly",
    "{who} veut faire quelque chose sur cet ordinateur, avec un outil qu'il ne nomme pas clairement",
)

BY_KIND: Mapping[Kind, Sentence] = {
    Kind.READ: READ,
    Kind.EDIT: CHANGE,
    Kind.DELETE: Sentence(
        "{who} wants to delete something on this computer",
        "{who} veut supprimer quelque chose sur cet ordinateur",
    ),
    Kind.MOVE: Sentence(
        "{who} wants to move or rename something on this computer",
        "{who} veut déplacer ou renommer quelque chose sur cet ordinateur",
    ),
    Kind.SEARCH: Sentence("{who} wants to search on this computer", "{who} veut chercher sur cet ordinateur"),
    Kind.EXECUTE: Sentence(
        "{who} wants to run a program on this computer", "{who} veut exécuter un programme sur cet ordinateur"
    ),
    Kind.THINK: Sentence(
        "{who} wants to use a thinking tool on this computer",
        "{who} veut utiliser un outil de réflexion sur cet ordinateur",
    ),
    Kind.FETCH: FETCH,
    Kind.SWITCH_MODE: Sentence(
        "{who} wants to change its mode: what it may do on this computer without asking",
        "{who} veut changer de mode : ce qu'il peut faire sur cet ordinateur sans demander",
    ),
    Kind.OTHER: Sentence(
        "{who} wants to use a tool without a name on this computer",
        "{who} veut utiliser un outil sans nom sur cet ordinateur",
    ),
}
"""What a call that gives no name wants to do, by the kind that it gives."""

# The detail.
NEW_FILE = Sentence("new file", "nouveau fichier")
WHOLE_FILE = Sentence(
    "whole content; a file that is there is replaced", "contenu entier ; un fichier présent est remplacé"
)
LEADS_TO = Sentence("leads to {target}", "mène à {target}")
LOOK = Sentence(
    "to see what it says now, open this file", "pour voir ce qu'il dit maintenant, ouvrez ce fichier"
)
ARGUMENTS = Sentence("all arguments:", "tous les arguments :")
HIDDEN = Sentence("… {characters} characters hidden …", "… {characters} caractères cachés …")
HIDDEN_LINES = Sentence(
    "… {characters} characters and {lines} lines hidden …",
    "… {characters} caractères et {lines} lignes cachés …",
)
CLAIM = Sentence("{agent} calls it: {title}", "{agent} l'appelle : {title}")
FOLDER = Sentence("folder: {folder}", "dossier : {folder}")

# Doubts.
# Why it asks, where a rule wants it.
CAUSE = Sentence("a rule asks: {rule} ({where})", "une règle le demande : {rule} ({where})")
CAUSE_BELOW = Sentence("the own file of {agent} asks", "le propre fichier de {agent} le demande")

DOUBTS: Mapping[Doubt, Sentence] = {
    Doubt.NAME_INVALID: Sentence(
        "{agent} gave a tool name that is no valid name: {name}",
        "{agent} a donné un nom d'outil qui n'est pas valable : {name}",
    ),
    Doubt.NAME_MISSING: Sentence(
        "{agent} did not say which tool it wants to use", "{agent} n'a pas dit quel outil il veut utiliser"
    ),
    Doubt.NAMES_DISAGREE: Sentence(
        "{agent} gave two tool names: one does not match the other",
        "{agent} a donné deux noms d'outil : l'un ne correspond pas à l'autre",
    ),
    Doubt.KIND_DISAGREES: Sentence(
        "the kind of call that {agent} gave ({kind}) does not match the tool {name}",
        "le genre d'appel que {agent} a donné ({kind}) ne correspond pas à l'outil {name}",
    ),
    Doubt.NO_ARGUMENTS: Sentence(
        "{agent} did not say what it would run or change",
        "{agent} n'a pas dit ce qu'il exécuterait ou modifierait",
    ),
    Doubt.UNKNOWN_SHAPE: Sentence(
        "the arguments of {agent} are not those of the tool {name}",
        "les arguments de {agent} ne sont pas ceux de l'outil {name}",
    ),
    Doubt.PATHS_DISAGREE: Sentence(
        "{agent} named several files: one does not match the other",
        "{agent} a nommé plusieurs fichiers : l'un ne correspond pas à l'autre",
    ),
    Doubt.CONTENTS_DISAGREE: Sentence(
        "{agent} showed another change than its arguments make: one does not match the other",
        "{agent} a montré un autre changement que celui de ses arguments : l'un ne correspond pas à l'autre",
    ),
    Doubt.TOO_LONG: Sentence(
        "the command is longer than a person can read",
        "la commande est plus longue que ce qu'une personne peut lire",
    ),
    Doubt.TOO_LARGE: Sentence(
        "the arguments are too many, too long, or too deeply nested, to be read",
        "les arguments sont trop nombreux, trop longs, ou trop imbriqués, pour être lus",
    ),
    Doubt.AFTER_THE_FACT: Sentence(
        "{agent} asks after the fact: it has already happened",
        "{agent} demande après coup : c'est déjà arrivé",
    ),
}

# The answers, and what each covers.
ANSWERS: Mapping[Answer, Sentence] = {
    Answer.ALLOW_ONCE: Sentence("allow once", "autoriser une fois"),
    Answer.ALLOW_SESSION: Sentence("allow for the session", "autoriser pour la session"),
    Answer.NEVER: Sentence("never in this session", "jamais dans cette session"),
    Answer.REFUSE_ONCE: Sentence("refuse once", "refuser une fois"),
}
ONE_YES = Sentence("allow once: {name}", "autoriser une fois : {name}")
COVERS_YES = Sentence(
    "only this call, and whatever {agent} means by it", "seulement cet appel, et ce que {agent} entend par là"
)
THIS_CALL = Sentence("only this call", "seulement cet appel")
EVERY: Mapping[Sort, Sentence] = {
    Sort.NAME: Sentence(
        "every {tool} call of {owner} until mm stops", "chaque appel {tool} de {owner} jusqu'à l'arrêt de mm"
    ),
    Sort.KIND: Sentence(
        "every {tool} call of {owner} without a tool name until mm stops",
        "chaque appel {tool} de {owner} sans nom d'outil jusqu'à l'arrêt de mm",
    ),
    Sort.UNCLEAR: Sentence(
        "every call of {owner} without a clear name until mm stops",
        "chaque appel de {owner} sans nom clair jusqu'à l'arrêt de mm",
    ),
}
STOP = Sentence(
    "stop {agent} and every agent below: all that waits is cancelled",
    "arrêter {agent} et tous les agents au-dessous : tout ce qui attend est annulé",
)
BEHIND = Sentence("{count} more waiting", "encore {count} en attente")

# The banner.
MODEL = Sentence("model: {model}", "modèle : {model}")
INSTRUCTIONS = Sentence("instructions read: {files}", "instructions lues : {files}")
SERVERS = Sentence("MCP servers, not started: {names}", "serveurs MCP, non démarrés : {names}")
ENTRY_YOLO = Sentence("{entry}: {yolo} (its own)", "{entry} : {yolo} (le sien)")
ENTRY_FLOOR = Sentence(
    "{entry}: its own yolo is off in this run; write yolo: false in the file to keep it off",
    "{entry} : son propre yolo est coupé ici ; écrivez yolo: false dans le fichier pour qu'il le reste",
)

# Slash commands.
HELP_ASK = Sentence("ask {agent}; it goes on where it was", "interroger {agent} ; il reprend où il en était")
HELP_AGENTS = Sentence("the agents that can be asked (* runs)", "les agents à interroger (* en marche)")
HELP_GRANTS = Sentence("what this conversation remembers", "ce que cette conversation retient")
HELP_REVOKE = Sentence(
    "take answers back: a key of /grants, jan/*, or * for all",
    "reprendre des réponses : une clé de /grants, jan/*, ou * pour toutes",
)
HELP_YOLO = Sentence(
    "what asks before it runs, now and for this conversation",
    "ce qui demande avant d'agir, ici et maintenant",
)
YOLO_WORDS = Sentence(
    "{found} is no mode, and nothing changed; accepted: {accepted}",
    "{found} n'est pas un mode, rien n'a changé ; acceptés : {accepted}",
)
YOLO_FLOOR = Sentence(
    "nothing changed: mm was started by an agent, or with AGENT_YOLO=false by an editor, so every call asks",
    "rien n'a changé : mm a été lancé par un agent, ou par un éditeur avec AGENT_YOLO=false ; tout demande",
)
MODE_OPTION = Sentence("approval", "approbation")
HELP_NEW = Sentence(
    "start afresh; what was allowed or refused stays", "recommencer ; les réponses données restent"
)
HELP_STOP = Sentence("stop what is running", "arrêter ce qui tourne")
HELP_HELP = Sentence("this list", "cette liste")
HELP_QUIT = Sentence("leave", "quitter")
UNKNOWN_COMMAND = Sentence(
    "there is no /{name}; /help lists the commands", "/{name} n'existe pas ; /help liste les commandes"
)
UNKNOWN_AGENT = Sentence(
    "there is no agent {name}; known: {known}", "il n'y a pas d'agent {name} ; connus : {known}"
)
NO_AGENTS = Sentence("none; name some under mmConfigs", "aucun ; nommez-en sous mmConfigs")
EMPTY_QUESTION = Sentence("what should {agent} do? /ask-{agent} QUESTION", "que demander ? /ask-{agent} …")
NO_GRANTS = Sentence("nothing is remembered", "rien n'est retenu")
NOT_GRANTED = Sentence(
    "nothing is remembered for {key}; /grants lists the keys", "rien n'est retenu pour {key} ; voir /grants"
)
REVOKED = Sentence("taken back: {keys}", "repris : {keys}")
AFRESH = Sentence(
    "a new conversation; the answers given so far still hold",
    "une nouvelle conversation ; les réponses données valent toujours",
)
PRESS_STOP = Sentence(" (Stop ends the turn)", " (Stop arrête le tour)")
STOPPED = Sentence("stopped", "arrêté")
NOT_SHOWN = Sentence(
    "the question could not be shown: {reason}", "la question n'a pas pu être montrée : {reason}"
)
NOT_UNDERSTOOD = Sentence(
    "the answer to the question could not be understood, so the call is refused",
    "la réponse à la question n'a pas pu être comprise, l'appel est donc refusé",
)

# How a turn ended.
ENDED: Mapping[str, Sentence] = {
    "max_tokens": Sentence(
        "warning: the answer was cut at its length limit", "attention : réponse coupée à sa longueur limite"
    ),
    "max_turn_requests": Sentence("stopped: too many steps in one turn", "arrêt : trop d'étapes en un tour"),
    "refusal": Sentence("the model refused to answer", "le modèle a refusé de répondre"),
    "cancelled": Sentence("stopped", "arrêté"),
    "failed": Sentence("error: the turn failed", "erreur : le tour a échoué"),
    "unknown": Sentence("ended for a reason that mm does not know", "fin pour une raison inconnue de mm"),
}
EMPTY_ANSWER = Sentence("the answer is empty", "la réponse est vide")
FLOOR = Sentence(
    "AGENT_YOLO=false: the own yolo of {entries} is off here; write `yolo: false` in the file to keep it",
    "AGENT_YOLO=false : le yolo propre de {entries} ne compte pas ici ; écrivez `yolo: false` pour le garder",
)
EDITOR_SERVERS = Sentence(
    "the MCP servers that the editor gave are not started: not built yet",
    "les serveurs MCP donnés par l'éditeur ne sont pas démarrés : pas encore construit",
)
GENERIC = Sentence(
    "mm cannot tell whether {agent} asks before it acts; what it does unasked is told",
    "mm ne peut pas savoir si {agent} demande avant d'agir ; ce qu'il fait sans demander est dit",
)
GENERIC_RULES = Sentence(
    "mm cannot tell whether {agent} asks before it acts, so {rules} holds only where it does",
    "mm ne peut pas savoir si {agent} demande avant d'agir ; {rules} ne vaut que là où il demande",
)
JUDGES = Sentence(
    "{agent} asks before it acts, except for commands that it judges harmless by itself",
    "{agent} demande avant d'agir, sauf pour les commandes qu'il juge lui-même sans danger",
)
NEVER_ASKS = Sentence(
    "{agent} is not asked: mm cannot make it ask before it acts; `yolo: true` in its entry lets it act "
    "unasked",
    "{agent} n'est pas sollicité : mm ne peut pas le faire demander avant d'agir ; `yolo: true` dans son "
    "entrée le laisse agir sans demander",
)
NEVER_ASKS_RULES = Sentence(
    "mm cannot make {agent} ask before it acts, so {rules} does not hold for it",
    "mm ne peut pas faire demander {agent} avant d'agir ; {rules} ne vaut donc pas pour lui",
)
NO_MODEL = Sentence(
    "no model: this is the demo model, no AI. Name one with `model` in {file}",
    "pas de modèle : modèle de démonstration, pas une IA. Nommez-en un avec `model` dans {file}",
)
KEEP_MODEL = Sentence(
    "to keep this model, write {keys} into {file}",
    "pour garder ce modèle, écrivez {keys} dans {file}",
)
NO_FILE = Sentence(
    "no file: this is the demo model, no AI. Write {file}, or name a file with -c",
    "pas de fichier : modèle de démonstration, pas une IA. Écrivez {file}, ou nommez-en un avec -c",
)

# The log.
NO_DECISIONS = Sentence("no decision that fits is in {file}", "aucune décision qui convienne dans {file}")
LOG_ALLOWED = Sentence("allowed", "autorisé")
LOG_REFUSED = Sentence("refused", "refusé")
LOG_RAN = Sentence("ran", "lancé")
LOG_CHOSEN = Sentence("chosen", "choisi")
LOGGED = (LOG_ALLOWED, LOG_REFUSED, LOG_RAN, LOG_CHOSEN)
LOG_WITH = Sentence("{reason}: {behind}", "{reason} : {behind}")

# At the start.
HINT = Sentence("/help lists the commands; Ctrl-D leaves", "/help liste les commandes ; Ctrl-D pour quitter")
WAITS_FOR_EDITOR = Sentence(
    "an editor speaks here: its messages are read from stdin; Ctrl-D ends",
    "un éditeur parle ici : ses messages sont lus sur stdin ; Ctrl-D pour finir",
)
BUILT_IN = Sentence("built in", "intégré")
TYPE_HERE = Sentence(
    "type the prompt here, then end it with Ctrl-D", "tapez la demande ici, terminez-la par Ctrl-D"
)
