"""PyYAML's complaints in plain words. Knows its texts, but neither its classes nor any key of the file."""

from __future__ import annotations

import re
from typing import Final

_NAMES: Final = {
    "'<scalar>'": "the text here",
    "'<stream end>'": "the end of the file",
    "'<document start>'": "'---'",
    "'<document end>'": "'...'",
}
# What PyYAML says (context: problem), and what we say: {0} is its first group, {line} where it opened.
_WORDS: Final = (
    (r"'\\t'", "found a tab; indent and separate with spaces"),
    (
        "mapping values are not allowed",
        "found a second `key:` where a value stands; check the indentation, the line above and the quotes",
    ),
    ("scanning a quoted scalar", "the quote that opens in line {line} is never closed"),
    (
        r"parsing a flow .*expected ',' or '(.)', but got (.+)",
        "the bracket that opens in line {line} is not closed: a , or {0} is missing before {1}",
    ),
    (
        r"could not find expected ':'",
        "the text in line {line} has no `: ` and value behind it; a line is `key: value`",
    ),
    (
        "parsing a block mapping: expected <block end>, but found '(?:-|<block sequence start>)'",
        "found a list item (`- `) among lines of the form `key: value`, which begin in line {line}",
    ),
    (
        "parsing a block collection: expected <block end>, but found '(?:[?]|<block mapping start>)'",
        "found `key: value` among list items (`- `), which begin in line {line}",
    ),
    (
        "expected <block end>, but found '<block mapping start>'",
        "the indentation fits no line above; the keys that begin in line {line} stand in column {column}",
    ),
    (
        "expected <block end>, but found '<scalar>'",
        "found more text after a value; check the quotes (a ' between '…' is written '') and the indentation",
    ),
    ("expected <block end>, but found ('.+')", "found {0} after a value; put a text that holds it in quotes"),
    ("found character (.+) that cannot start", "a text cannot begin with {0}; put it in quotes"),
    ("sequence entries are not allowed", "a list item (`- `) begins on a line of its own"),
    (
        "scanning a double-quoted scalar",
        "in double quotes \\ begins a sign such as \\n; write \\\\ for \\ itself, or use single quotes",
    ),
    ("scanning a block scalar", "nothing but a comment follows | or >; the text begins on the next line"),
    ("scanning an (?:alias|anchor)", "a text cannot begin with & or *; put it in quotes"),
    ("(?:parsing|scanning) a (?:tag|node)", "a text cannot begin with !; put it in quotes"),
    ("directive|YAML document|tag handle", "a line cannot begin with %; put the text in quotes"),
    ("mapping keys are not allowed", "a text cannot begin with `? `; put it in quotes"),
    ("expected '<document start>'", "found more after the end of the document; a file holds one document"),
    ("expected the node content, but found (.+)", "a value is missing before {0}"),
)


def plain(said: str, line: int, column: int) -> str:
    """Return what PyYAML `said` (context: problem) in our words; what it stopped in opened at this place."""
    for pattern, words in _WORDS:
        found = re.search(pattern, said, re.DOTALL)
        if found:
            groups = (_NAMES.get(group, group) for group in found.groups())
            return words.format(*groups, line=line, column=column)
    return f"this is not YAML: {said}"
