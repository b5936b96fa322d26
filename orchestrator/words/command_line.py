"""What the command line says: its help, wrong usage, and calls and times that are none. English and French.

Names of options, commands and placeholders are the same in both.
"""

from __future__ import annotations

from typing import Final

from mmconfigs.language import Sentence

# Help.
ABOUT: Final = Sentence(
    "A multi-agent orchestrator: the agent that you launch decides for all agents below it.",
    "Un orchestrateur d'agents : l'agent que vous lancez décide pour tous les agents au-dessous.",
)
WITHOUT: Final = Sentence(
    "Without a command: a conversation in this terminal. `mm check` reads the file and reports; "
    "`mm explain TOOL [ARGS-JSON]` says what would be decided; `mm log` shows what was decided; "
    "`mm pipeline list` names the runs of pipelines.",
    "Sans commande : une conversation dans ce terminal. `mm check` lit le fichier et dit ses fautes ; "
    "`mm explain TOOL [ARGS-JSON]` dit ce qui serait décidé ; `mm log` montre ce qui a été décidé ; "
    "`mm pipeline list` nomme les exécutions des pipelines.",
)
USAGE: Final = Sentence("usage: ", "usage : ")
HEADING: Final = Sentence("{heading}", "{heading} ")
POSITIONALS: Final = Sentence("what to do", "que faire")
OPTIONS: Final = Sentence("options", "options")
WORDS: Final = Sentence(
    "check, explain, log, pipeline; or the question of --ask, or the task of --pipeline",
    "check, explain, log, pipeline ; ou la question de --ask, ou la tâche de --pipeline",
)
HELP: Final = Sentence("this help", "cette aide")
VERSION: Final = Sentence("the version", "la version")
FILE: Final = Sentence(
    "the file; else MM_CONFIG, else the user's own agents.yaml",
    "le fichier ; sinon MM_CONFIG, sinon le agents.yaml de l'utilisateur",
)
MODEL: Final = Sentence("another model than the file's", "un autre modèle que celui du fichier")
PROMPT: Final = Sentence(
    "one run; without PROMPT it is read from stdin", "un seul tour ; sans PROMPT, il est lu sur stdin"
)
ASK: Final = Sentence(
    "ask one agent of mmConfigs; the question from the argument or stdin",
    "interroger un agent de mmConfigs ; la question en argument ou sur stdin",
)
PIPELINE: Final = Sentence(
    "run a pipeline of the file; the task from the argument or stdin",
    "lancer un pipeline du fichier ; la tâche en argument ou sur stdin",
)
ACP: Final = Sentence(
    "an ACP agent on stdin and stdout, for editors", "un agent ACP sur stdin et stdout, pour les éditeurs"
)
APPROVAL: Final = Sentence("always-ask, write or yolo", "always-ask, write ou yolo")
YOLO: Final = Sentence("run tools without asking", "lancer les outils sans demander")
FOLDER: Final = Sentence("work in this folder", "travailler dans ce dossier")
JSON: Final = Sentence(
    "for check, explain, log and pipeline: JSON", "pour check, explain, log et pipeline : du JSON"
)
AGENT: Final = Sentence(
    "for explain and log: the agent, as jan/homer", "pour explain et log : l'agent, comme jan/homer"
)
KEY: Final = Sentence(
    "for log: only this key, as jan/bash or jan/*", "pour log : cette clé seule, comme jan/bash ou jan/*"
)
SINCE: Final = Sentence("for log: 30m, 2h, 7d, 1w, or a date", "pour log : 30m, 2h, 7d, 1w, ou une date")
BATCH: Final = Sentence(
    "for explain: one JSON object a line, with tool, args and agent",
    "pour explain : un objet JSON par ligne, avec tool, args et agent",
)
VERBOSE: Final = Sentence(
    "for -p, --ask and --pipeline: tell each call on stderr",
    "pour -p, --ask et --pipeline : dire chaque appel sur stderr",
)

# Wrong usage.
SEE_HELP: Final = Sentence("{what}; see mm --help", "{what} ; voir mm --help")
UNKNOWN: Final = Sentence("unknown arguments: {given}", "arguments inconnus : {given}")
NO_VALUE: Final = Sentence("{option} needs a value", "{option} demande une valeur")
NO_CHOICE: Final = Sentence(
    "{option}: found {given}; accepted: {accepted}", "{option} : trouvé {given} ; accepté : {accepted}"
)
TAKES_NONE: Final = Sentence("{option} takes no value", "{option} ne prend pas de valeur")
NOT_BUILT: Final = Sentence("{what} is not built yet", "{what} n'est pas encore construit")
EXCLUDED: Final = Sentence(
    "-p, --ask, --pipeline and --acp exclude each other",
    "-p, --ask, --pipeline et --acp s'excluent les uns les autres",
)
PIPELINE_WORDS: Final = Sentence(
    "mm pipeline takes one of: list, show ID, resume ID, cancel ID, clean",
    "mm pipeline prend l'un de : list, show ID, resume ID, cancel ID, clean",
)
NO_ARGUMENT: Final = Sentence(
    "{word} takes no argument; mm --help lists its options",
    "{word} ne prend pas d'argument ; mm --help montre ses options",
)
NAME_FILE: Final = Sentence("name the file with -c: mm -c {word}", "nommez le fichier avec -c : mm -c {word}")
NO_COMMAND: Final = Sentence("{word} is no command of mm", "{word} n'est pas une commande de mm")
COMMANDS: Final = Sentence(
    "{what} (commands: {listed}; a prompt stands behind -p, a question behind --ask NAME)",
    "{what} (commandes : {listed} ; une demande est derrière -p, une question derrière --ask NAME)",
)
EMPTY_NAME: Final = Sentence(
    "the name of the file is empty; name one with -c, or in MM_CONFIG",
    "le nom du fichier est vide ; nommez-en un avec -c, ou dans MM_CONFIG",
)
NO_FILE: Final = Sentence(
    "no file: write {file}, or name a file with -c; to begin, `model: demo` and `yolo: false` are enough",
    "pas de fichier : écrivez {file}, ou nommez-en un avec -c ; pour commencer, `model: demo` et "
    "`yolo: false` suffisent",
)
FOLDER_GONE: Final = Sentence(
    "the working folder is gone; go to another one, or name one with --cwd",
    "le dossier de travail n'est plus là ; allez dans un autre, ou nommez-en un avec --cwd",
)
NO_AGENT: Final = Sentence(
    "there is no agent {name}; known: {known}", "il n'y a pas d'agent {name} ; connus : {known}"
)
NO_PIPELINE: Final = Sentence(
    "there is no pipeline {name}; known: {known}", "il n'y a pas de pipeline {name} ; connus : {known}"
)
NONE: Final = Sentence("none", "aucun")
EMPTY_PROMPT: Final = Sentence(
    "the prompt is empty: write it behind -p, --ask NAME or --pipeline NAME, or on stdin",
    "la demande est vide : écrivez-la derrière -p, --ask NAME ou --pipeline NAME, ou sur stdin",
)

# Calls and times that are none.
NO_CALL: Final = Sentence(
    "explain takes TOOL and at most one argument, the JSON object of the call: {example}",
    "explain prend TOOL et au plus un argument, l'objet JSON de l'appel : {example}",
)
NO_QUERY: Final = Sentence(
    'a call is named by {{"tool": TEXT, "args": OBJECT, "agent": "jan/homer"}}',
    'un appel se nomme par {{"tool": TEXTE, "args": OBJET, "agent": "jan/homer"}}',
)
NO_JSON: Final = Sentence(
    "no JSON: {reason}; the arguments of a call are one object, as {example}",
    "pas du JSON : {reason} ; les arguments d'un appel sont un objet, comme {example}",
)
BY_COMMAND: Final = Sentence(
    "{name} is started by command: what its own agents do, it asks for itself",
    "{name} est lancé par command : ce que font ses propres agents, il le demande lui-même",
)
HAS_NO_AGENT: Final = Sentence(
    "{agent} has no agent {name}; known: {known}", "{agent} n'a pas d'agent {name} ; connus : {known}"
)
UNREADABLE: Final = Sentence(
    "the file of {name} cannot be read; mm check says why",
    "le fichier de {name} ne peut être lu ; mm check dit pourquoi",
)
HAS_NO_TOOL: Final = Sentence(
    "{agent} has no tool {name}; known: {known}", "{agent} n'a pas d'outil {name} ; connus : {known}"
)
BAD_ARGUMENTS: Final = Sentence("{tool}: {reason}", "{tool} : {reason}")
NO_TIME: Final = Sentence(
    "{text} is no time; accepted: 30m, 2h, 7d, 1w or 2026-12-01T09:00",
    "{text} n'est pas un temps ; accepté : 30m, 2h, 7d, 1w ou 2026-12-01T09:00",
)
NO_SUCH: Final = Sentence("{file}: {reason}", "{file} : {reason}")
