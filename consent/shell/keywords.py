"""The reserved words of the shell: where one stands and which. Knows no command."""

from __future__ import annotations

import re

from consent.shell.cursor import Cursor
from consent.shell.words import ENDS

RESERVED = re.compile(
    r"(?:if|then|else|elif|fi|do|done|case|esac|while|until|for|select|function|coproc|in|\{|\}|\[\[)" + ENDS
)
"""The words that begin, part and end compound commands."""


def takes(cursor: Cursor, word: str) -> bool:
    """Pass over this one if it comes next."""
    found = RESERVED.match(cursor.text, cursor.at)
    return bool(found and found.group() == word and cursor.accept(word))
