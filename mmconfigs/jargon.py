"""PyYAML's complaints in plain words. Knows its texts, but neither its classes nor any key of the file."""

from __future__ import annotations

import re
from typing import Final

from mmconfigs.language import Saying, Sentence, Text, saying

NAMES: Final = {
    "'<scalar>'": Sentence("the text here", "le texte ici"),
    "'<stream end>'": Sentence("the end of the file", "la fin du fichier"),
    "'<document start>'": Sentence("'---'", "« --- »"),
    "'<document end>'": Sentence("'...'", "« ... »"),
}
NO_YAML: Final = Sentence("this is not YAML: {said}", "ce n'est pas du YAML : {said}")
TAB: Final = Sentence(
    "found a tab; indent and separate with spaces",
    "trouvé une tabulation ; mettez en retrait et séparez avec des espaces",
)
SECOND_KEY: Final = Sentence(
    "found a second `key:` where a value stands; check the indentation, the line above and the quotes",
    "trouvé un second `clé:` à la place d'une valeur ; voyez le retrait, la ligne du dessus, les guillemets",
)
OPEN_QUOTE: Final = Sentence(
    "the quote that opens in line {line} is never closed",
    "le guillemet ouvert ligne {line} n'est jamais fermé",
)
OPEN_BRACKET: Final = Sentence(
    "the bracket that opens in line {line} is not closed: a , or {what} is missing before {after}",
    "le crochet ouvert ligne {line} n'est pas fermé : il manque une , ou {what} avant {after}",
)
NO_COLON: Final = Sentence(
    "the text in line {line} has no `: ` and value behind it; a line is `key: value`",
    "le texte de la ligne {line} n'a ni `: ` ni valeur derrière lui ; une ligne est `clé: valeur`",
)
ITEM_AMONG_KEYS: Final = Sentence(
    "found a list item (`- `) among lines of the form `key: value`, which begin in line {line}",
    "trouvé un élément de liste (`- `) parmi des lignes `clé: valeur`, qui commencent ligne {line}",
)
KEY_AMONG_ITEMS: Final = Sentence(
    "found `key: value` among list items (`- `), which begin in line {line}",
    "trouvé `clé: valeur` parmi des éléments de liste (`- `), qui commencent ligne {line}",
)
INDENTATION: Final = Sentence(
    "the indentation fits no line above; the keys that begin in line {line} stand in column {column}",
    "le retrait ne va avec aucune ligne du dessus ; les clés qui commencent ligne {line} sont en colonne "
    "{column}",
)
TEXT_AFTER: Final = Sentence(
    "found more text after a value; check the quotes (a ' between '…' is written '') and the indentation",
    "encore du texte après une valeur ; voyez le retrait et les guillemets (un ' entre '…' s'écrit '')",
)
SIGN_AFTER: Final = Sentence(
    "found {what} after a value; put a text that holds it in quotes",
    "trouvé {what} après une valeur ; mettez entre guillemets un texte qui le contient",
)
BEGINS_WITH: Final = Sentence(
    "a text cannot begin with {what}; put it in quotes",
    "un texte ne peut commencer par {what} ; mettez-le entre guillemets",
)
ITEM_LINE: Final = Sentence(
    "a list item (`- `) begins on a line of its own",
    "un élément de liste (`- `) commence sur une ligne à lui",
)
BACKSLASH: Final = Sentence(
    "in double quotes \\ begins a sign such as \\n; write \\\\ for \\ itself, or use single quotes",
    "entre guillemets doubles, \\ commence un signe comme \\n ; écrivez \\\\ pour \\, ou prenez des simples",
)
BLOCK: Final = Sentence(
    "nothing but a comment follows | or >; the text begins on the next line",
    "seul un commentaire suit | ou > ; le texte commence à la ligne suivante",
)
ALIAS: Final = Sentence(
    "a text cannot begin with & or *; put it in quotes",
    "un texte ne peut commencer par & ou * ; mettez-le entre guillemets",
)
TAGGED: Final = Sentence(
    "a text cannot begin with !; put it in quotes",
    "un texte ne peut commencer par ! ; mettez-le entre guillemets",
)
DIRECTIVE: Final = Sentence(
    "a line cannot begin with %; put the text in quotes",
    "une ligne ne peut commencer par % ; mettez le texte entre guillemets",
)
QUESTION_MARK: Final = Sentence(
    "a text cannot begin with `? `; put it in quotes",
    "un texte ne peut commencer par `? ` ; mettez-le entre guillemets",
)
AFTER_END: Final = Sentence(
    "found more after the end of the document; a file holds one document",
    "trouvé encore quelque chose après la fin du document ; un fichier en contient un seul",
)
NO_VALUE: Final = Sentence("a value is missing before {after}", "il manque une valeur avant {after}")

# What PyYAML says (context: problem), and what we say of it; the first that fits counts.
_WORDS: Final = (
    (r"'\\t'", TAB),
    ("mapping values are not allowed", SECOND_KEY),
    ("scanning a quoted scalar", OPEN_QUOTE),
    (r"parsing a flow .*expected ',' or '(?P<what>.)', but got (?P<after>.+)", OPEN_BRACKET),
    (r"could not find expected ':'", NO_COLON),
    (
        "parsing a block mapping: expected <block end>, but found '(?:-|<block sequence start>)'",
        ITEM_AMONG_KEYS,
    ),
    (
        "parsing a block collection: expected <block end>, but found '(?:[?]|<block mapping start>)'",
        KEY_AMONG_ITEMS,
    ),
    ("expected <block end>, but found '<block mapping start>'", INDENTATION),
    ("expected <block end>, but found '<scalar>'", TEXT_AFTER),
    ("expected <block end>, but found (?P<what>'.+')", SIGN_AFTER),
    ("found character (?P<what>.+) that cannot start", BEGINS_WITH),
    ("sequence entries are not allowed", ITEM_LINE),
    ("scanning a double-quoted scalar", BACKSLASH),
    ("scanning a block scalar", BLOCK),
    ("scanning an (?:alias|anchor)", ALIAS),
    ("(?:parsing|scanning) a (?:tag|node)", TAGGED),
    ("directive|YAML document|tag handle", DIRECTIVE),
    ("mapping keys are not allowed", QUESTION_MARK),
    ("expected '<document start>'", AFTER_END),
    ("expected the node content, but found (?P<after>.+)", NO_VALUE),
)


def plain(said: str, line: int, column: int) -> Saying:
    """Return what PyYAML `said` (context: problem) in our words; what it stopped in opened at this place."""
    for pattern, sentence in _WORDS:
        found = re.search(pattern, said, re.DOTALL)
        if found:
            named = {name: _name(text) for name, text in found.groupdict().items()}
            return saying(sentence, line=str(line), column=str(column), **named)
    return saying(NO_YAML, said=said)


def _name(text: str) -> Text:
    return saying(NAMES[text]) if text in NAMES else text
