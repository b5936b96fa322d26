"""What is said of a file and of what overrides it, in English and French. Fields are data, never templates.

Keys, names and what YAML itself says stay as they are; programs read the English (`Fault.as_json`).
"""

from __future__ import annotations

from typing import Final

from mmconfigs.language import Sentence

NAME_IN_WORDS: Final = "small letters, digits, _ and -, beginning with a letter, at most 64 characters"

# Parts of sentences.
WITH_NEAR: Final = Sentence("{what}; did you mean {near}?", "{what} ; vouliez-vous dire {near} ?")
OF_FILE: Final = Sentence("{file}: {reason}", "{file} : {reason}")
FOUND: Final = Sentence("found {found}; accepted: {accepted}", "trouvé : {found} ; accepté : {accepted}")
EITHER: Final = Sentence("{one} or {other}", "{one} ou {other}")
THE_TEXT: Final = Sentence("the text '{text}'", "le texte « {text} »")
A_MAPPING: Final = Sentence("a mapping", "un groupe de clés")
A_LIST: Final = Sentence("a list", "une liste")
NOT_SHOWN: Final = Sentence("a value that is not shown", "une valeur qui n'est pas montrée")
EMPTY_VALUE: Final = Sentence("{text} (empty)", "{text} (vide)")
NOTHING: Final = Sentence("nothing", "rien")
READ_AS: Final = Sentence("{text}, which YAML reads as {kind}", "{text}, que YAML lit comme {kind}")
KINDS: Final = {
    "bool": Sentence("a boolean", "un booléen"),
    "int": Sentence("a number", "un nombre"),
    "float": Sentence("a number", "un nombre"),
    "null": NOTHING,
    "timestamp": Sentence("a date", "une date"),
    "merge": Sentence("a merge key", "une clé de fusion"),
    "value": Sentence("a sign of its own", "un signe à part"),
}
ACCEPTED: Final = {
    "bool_type": Sentence("true or false", "true ou false"),
    "string_type": Sentence(
        "text, in quotes if it could be read as anything else",
        "un texte, entre guillemets s'il pourrait être lu autrement",
    ),
    "int_type": Sentence("a whole number", "un nombre entier"),
    "float_type": Sentence("a number", "un nombre"),
    "tuple_type": A_LIST,
    "too_short": Sentence("at least one element", "au moins un élément"),
    "string_too_short": Sentence("a text that is not empty", "un texte qui n'est pas vide"),
    "dict_type": Sentence(
        "a mapping, lines of the form `name: value`", "un groupe de lignes de la forme `nom: valeur`"
    ),
    "greater_than": Sentence("greater than {gt}", "plus grand que {gt}"),
    "greater_than_equal": Sentence("greater than or equal to {ge}", "au moins {ge}"),
}
KEYS_OF: Final = Sentence(
    "a mapping, lines of the form `key: value`, with the keys {keys}",
    "un groupe de lignes de la forme `clé: valeur`, avec les clés {keys}",
)
OF_PAGE: Final = Sentence("of {page}", "de {page}")

# The file as a whole.
FOLDER: Final = Sentence("a folder, not a file", "un dossier, pas un fichier")
NO_FOLDER: Final = Sentence("not a folder", "pas un dossier")
NOT_REGULAR: Final = Sentence("not a regular file", "pas un fichier ordinaire")
NOT_FOUND: Final = Sentence("not found", "introuvable")
NO_FILE_NAME: Final = Sentence("no name of a file", "pas un nom de fichier")
CIRCLE: Final = Sentence("its links lead in a circle", "ses liens tournent en rond")
UNREADABLE: Final = Sentence("cannot be read: {reason}", "illisible : {reason}")
TOO_LARGE: Final = Sentence("larger than 1 MiB", "plus grand que 1 Mio")
NO_UTF8: Final = Sentence(
    "found the byte 0x{byte}, which is not UTF-8; save the file as UTF-8 text",
    "trouvé l'octet 0x{byte}, qui n'est pas de l'UTF-8 ; enregistrez le fichier en UTF-8",
)
NOTHING_IN_PLACE: Final = Sentence(
    "no configuration is written here", "aucune configuration n'est écrite ici"
)
NOT_EXECUTABLE: Final = Sentence(
    "not executable; `chmod +x` makes it a program", "pas exécutable ; `chmod +x` en fait un programme"
)
CHANGED: Final = Sentence(
    "the file changed since the asking agent read it",
    "le fichier a changé depuis que l'agent qui interroge l'a lu",
)

# YAML.
CONTROL: Final = Sentence(
    "found the control character {name}, which no text file holds",
    "trouvé le caractère de contrôle {name}, qu'aucun fichier texte ne contient",
)
HUGE_NUMBER: Final = Sentence(
    "a number here is too large for a character or a version",
    "un nombre ici est trop grand pour un caractère ou une version",
)
QUOTE_VARIABLE: Final = Sentence(
    "{words}; put a text that holds ${{NAME}} in quotes",
    "{words} ; mettez entre guillemets un texte qui contient ${{NAME}}",
)
SECOND_DOCUMENT: Final = Sentence(
    "found a second document; a file holds one document",
    "trouvé un deuxième document ; un fichier en contient un seul",
)
EMPTY: Final = Sentence(
    "the file is empty; write at least `yolo: false` or `yolo: true`",
    "le fichier est vide ; écrivez au moins `yolo: false` ou `yolo: true`",
)
NO_MAPPING: Final = Sentence(
    "found {found}; the file must be a mapping, lines of the form `key: value`",
    "trouvé : {found} ; le fichier doit être fait de lignes de la forme `clé: valeur`",
)
TOO_DEEP: Final = Sentence("nested deeper than {most} levels", "plus de {most} niveaux imbriqués")
TOO_MANY: Final = Sentence("more than {most} keys and values", "plus de {most} clés et valeurs")
ANCHOR: Final = Sentence(
    "found an anchor or alias (& or *); write the value out, in quotes if it is text",
    "trouvé une ancre ou un alias (& ou *) ; écrivez la valeur, entre guillemets si c'est un texte",
)
TAG: Final = Sentence(
    "found a tag (!); write the plain value, in quotes if it is text",
    "trouvé une étiquette (!) ; écrivez la valeur seule, entre guillemets si c'est un texte",
)
ODD_KEY: Final = Sentence(
    "found a list, a mapping or an alias as a key; a key is a text",
    "trouvé une liste, un groupe ou un alias comme clé ; une clé est un texte",
)
MERGE_KEY: Final = Sentence(
    "found a merge key (<<); write the keys out", "trouvé une clé de fusion (<<) ; écrivez les clés"
)
KEY_IS_TEXT: Final = Sentence(
    "unknown key '{key}': a key or name is a text; put it in quotes if you mean it",
    "clé inconnue « {key} » : une clé ou un nom est un texte ; mettez-le entre guillemets s'il est voulu",
)
TWICE: Final = Sentence(
    "this key stands here twice, first in line {line}", "cette clé est là deux fois, d'abord ligne {line}"
)
BAD_CHARACTER: Final = Sentence(
    "found the character {name}, which no text here may hold",
    "trouvé le caractère {name}, qu'aucun texte ne peut contenir ici",
)

# Keys and values.
UNKNOWN_KEY: Final = Sentence("unknown key '{key}'; {hint}", "clé inconnue « {key} » ; {hint}")
OF_WHOLE_FILE: Final = Sentence(
    "it is a key of a whole file: put it under `config:`, or into the file that `path` names",
    "c'est une clé d'un fichier entier : mettez-la sous `config:`, ou dans le fichier que `path` nomme",
)
DID_YOU_MEAN: Final = Sentence("did you mean {near}?", "vouliez-vous dire {near} ?")
ACCEPTED_HERE: Final = Sentence("accepted here: {keys}", "acceptées ici : {keys}")
NEAREST: Final = Sentence(
    "the nearest: {few}; all stand in {page}", "les plus proches : {few} ; toutes sont dans {page}"
)
ALL_KEYS: Final = Sentence("the accepted keys stand in {page}", "les clés acceptées sont dans {page}")
KEY_MISSING: Final = Sentence("the key {key} is missing here", "la clé {key} manque ici")
NO_NAME: Final = Sentence(
    f"no usable name; a name is made of {NAME_IN_WORDS}",
    "pas un nom utilisable ; un nom est fait de petites lettres, de chiffres, de _ et de -, et commence par "
    "une lettre, 64 caractères au plus",
)
RESERVED_NAME: Final = Sentence(
    "this name is reserved; a name is neither you nor mm", "ce nom est réservé ; un nom n'est ni you ni mm"
)
SERVER_NAME: Final = Sentence(
    "the name of a server holds no __, which separates server and tool",
    "le nom d'un serveur ne contient pas __, qui sépare serveur et outil",
)
ONE_LINE: Final = Sentence(
    "must be one line of text, not empty and without control characters",
    "doit être une ligne de texte, ni vide ni avec des caractères de contrôle",
)
ADDRESS: Final = Sentence(
    "must be an address that begins with http:// or https:// and names a host",
    "doit être une adresse qui commence par http:// ou https:// et nomme une machine",
)
HEADER_NAME: Final = Sentence("not the name of an HTTP header", "pas un nom d'en-tête HTTP")
SET_ALONE: Final = Sentence(
    "{name} is set by mm alone; an entry's own `yolo` decides for its calls",
    "{name} n'est fixé que par mm ; le `yolo` propre d'une entrée décide de ses appels",
)
VARIABLE_NAME: Final = Sentence("not the name of an environment variable", "pas un nom de variable")
TOOL_EXISTS: Final = Sentence(
    "found ask; accepted: true or false, whether the tool exists. To be asked before a call write "
    "`yolo: false`, or `tools.approval` with `prompt` for one tool",
    "trouvé : ask ; accepté : true ou false, si l'outil existe. Pour être consulté avant un appel, écrivez "
    "`yolo: false`, ou `tools.approval` avec `prompt` pour un seul outil",
)
ONE_PROGRAM: Final = Sentence(
    "found a text with a blank, but a text is one program without arguments; "
    "write the list {split}, or {whole} if that is the path of one program",
    "trouvé un texte avec une espace, mais un texte est un programme sans arguments ; "
    "écrivez la liste {split}, ou {whole} si c'est le chemin d'un programme",
)
DEPRECATED: Final = Sentence(
    "{where}: permissions: deprecated; write `yolo: {new}` instead",
    "{where}: permissions: dépassé ; écrivez plutôt `yolo: {new}`",
)

# Rules beyond the types.
CONTRADICTS: Final = Sentence(
    "says {mode}, while {first} ({where}) says {other}; keep one of them",
    "dit {mode}, alors que {first} ({where}) dit {other} ; gardez l'un des deux",
)
ENTRY_FORM: Final = Sentence(
    "an entry needs exactly one of path, config and command",
    "une entrée demande exactement un de path, config et command",
)
SERVER_FORM: Final = Sentence(
    "a server needs exactly one of command and url", "un serveur demande exactement un de command et url"
)
PROFILE: Final = Sentence(
    "a profile is for an agent that `command` starts; take it out",
    "un profil est pour un agent que `command` lance ; enlevez-le",
)
NOT_BUILT: Final = Sentence(
    "this is not built yet, and mm does not ignore it; take the key out",
    "ce n'est pas encore construit, et mm ne l'ignore pas ; enlevez la clé",
)
OF_ITSELF: Final = Sentence(
    "an entry names the file that it stands in; an agent cannot ask itself",
    "une entrée nomme le fichier où elle se trouve ; un agent ne peut s'interroger lui-même",
)
UNENFORCEABLE: Final = Sentence(
    "{agent} {reason}, so this rule would protect nothing; take it out",
    "{agent} {reason} : cette règle ne protégerait rien ; enlevez-la",
)
NEVER_ASKS: Final = Sentence(
    "has the profile {profile}, and mm cannot make such an agent ask",
    "a le profil {profile}, et mm ne peut faire demander un tel agent",
)
NO_READS: Final = Sentence(
    "is not an agent of mm and never submits its reads",
    "n'est pas un agent de mm et ne soumet jamais ses lectures",
)
SET_HERE: Final = Sentence(
    "{variable} is set by mm, so that {profile} asks before it acts; take it out",
    "{variable} est fixé par mm, pour que {profile} demande avant d'agir ; enlevez-le",
)
NO_MODEL: Final = Sentence(
    "no model is named; accepted: the name of a model at baseUrl, demo (no AI), or script:FILE",
    "aucun modèle n'est nommé ; accepté : le nom d'un modèle de baseUrl, demo (pas une IA), ou script:FILE",
)

# Pipelines.
NOTHING_TO_MERGE: Final = Sentence(
    "without a worktree there is nothing to merge", "sans worktree, il n'y a rien à fusionner"
)
STEP_FORM: Final = Sentence(
    "a step needs exactly one of ask, together and repeat",
    "une étape demande exactement un de ask, together et repeat",
)
ONLY_ASK: Final = Sentence(
    "only a step with ask has a prompt of its own", "seule une étape avec ask a un prompt à elle"
)
BLANKS: Final = Sentence(
    "blanks around the word; a last line has none",
    "des blancs autour du mot ; une dernière ligne n'en a pas",
)
TOO_MANY_LIVE: Final = Sentence(
    "{needed} of its agents live at the same time, and limits.agents of the file is {most}",
    "{needed} de ses agents vivent en même temps, et limits.agents du fichier vaut {most}",
)
SAME_WORD: Final = Sentence("the same word as accept", "le même mot que accept")
TWICE_ASKED: Final = Sentence(
    "{name} stands twice in one step; its calls could not be told apart",
    "{name} est là deux fois dans une étape ; ses appels ne pourraient être distingués",
)
ONLY_BACK: Final = Sentence(
    "a step with repeat only leads back, and has none",
    "une étape avec repeat ne fait que revenir en arrière, et n'en a pas",
)
NOT_IN_CONFIGS: Final = Sentence(
    "there is no agent {name} in mmConfigs; {hint}", "il n'y a pas d'agent {name} dans mmConfigs ; {hint}"
)
KNOWN: Final = Sentence("known: {names}", "connus : {names}")
NONE: Final = Sentence("none", "aucun")
TWO_FOLDERS: Final = Sentence(
    "{name} has a folder of its own (cwd), and a worktree is another; take one of them out",
    "{name} a un dossier à lui (cwd), et un worktree en est un autre ; enlevez l'un des deux",
)
WRITES: Final = Sentence(
    "{name} is not an agent of mm: only `worktree: true` keeps what it writes apart",
    "{name} n'est pas un agent de mm : seul `worktree: true` met à part ce qu'il écrit",
)
NO_FIELD: Final = Sentence(
    "found {shown}; {hint} A brace itself is written twice.",
    "trouvé {shown} ; {hint} Une accolade seule s'écrit deux fois.",
)
THE_FIELDS: Final = Sentence("the fields: {fields}", "les champs : {fields}")
NEEDS_TREE: Final = Sentence("{name} needs `worktree: true`", "{name} demande `worktree: true`")
NO_START: Final = Sentence(
    "found {start}; accepted: a step behind the last repeat and before this one",
    "trouvé : {start} ; accepté : une étape après le dernier repeat et avant celle-ci",
)
READS_ONLY: Final = Sentence(
    "step {start} does not write, and a repeat goes back to one that does",
    "l'étape {start} n'écrit pas, et un repeat revient à une étape qui écrit",
)
NO_VERDICT: Final = Sentence(
    "no step from {start} to {end} gives a verdict", "aucune étape de {start} à {end} ne donne de verdict"
)

# Patterns.
BARE: Final = Sentence(
    "a bare {pattern} is no pattern; name a tool, or write `yolo: false` to be asked for every call, "
    "and a hook without `match` for all own calls",
    "{pattern} seul n'est pas un motif ; nommez un outil, ou écrivez `yolo: false` pour être consulté à "
    "chaque appel, et un hook sans `match` pour tous les appels propres",
)
NO_PATTERN: Final = Sentence(
    "{pattern} is no pattern; accepted: tool, agent/tool, agent/*, agent/**",
    "{pattern} n'est pas un motif ; accepté : outil, agent/outil, agent/*, agent/**",
)
NO_AGENT: Final = Sentence("no agent {agent} in {file}", "pas d'agent {agent} dans {file}")
NO_TOOL: Final = Sentence("no tool {tool}", "pas d'outil {tool}")
OF_FOREIGN: Final = Sentence(
    "{agent} is started by command; what it asks in its turn belongs to {agent} itself",
    "{agent} est lancé par command ; ce qu'il demande à son tour appartient à {agent} lui-même",
)

# What the environment and the flags add.
MISPLACED: Final = Sentence(
    "found ${{, which is accepted only in apiKey, headers, pipelinesDatabase and env values",
    "trouvé ${{, accepté seulement dans apiKey, headers, pipelinesDatabase et les valeurs de env",
)
UNCLOSED: Final = Sentence(
    "found ${{ without a variable's name and a closing }}",
    "trouvé ${{ sans un nom de variable et un }} qui le ferme",
)
UNSET: Final = Sentence(
    "the environment variable {name} is unset or empty",
    "la variable d'environnement {name} est absente ou vide",
)
CONTRADICTION: Final = Sentence("contradiction: {said}", "contradiction : {said}")
SAYS: Final = Sentence("{origin} says {mode}", "{origin} dit {mode}")
LISTED: Final = Sentence("{list}, {last}", "{list}, {last}")

# What `mm check` lists.
STARTS: Final = Sentence("{where}: {key}: starts {what}", "{where}: {key}: lance {what}")
SPEAKS_TO: Final = Sentence("{where}: {key}: speaks to {what}", "{where}: {key}: parle à {what}")
NO_FAULTS: Final = Sentence("{file}: no faults", "{file}: aucune faute")
