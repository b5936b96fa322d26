"""English or French: sentences with fields, and the language in which a person is spoken to.

Knows no sentence; they stand beside what they are about: in `sentences` here, in the `words` and
`facades.sentences` of the orchestrator. Fields are data, never templates.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Language = Literal["en", "fr"]


class Sentence(NamedTuple):
    """One sentence in every language; the fields in braces are the same in each."""

    en: str
    fr: str


@dataclass(frozen=True, slots=True)
class Saying:
    """A sentence with its fields, to be said later, in the language of whoever reads it."""

    sentence: Sentence
    fields: Mapping[str, Text] = field(hash=False)

    def __str__(self) -> str:
        """In English, which is what models are told."""
        return Words().told(self)


Text = str | Saying
"""What somebody is told: as it is, or to be said in a language."""


def saying(sentence: Sentence, /, **fields: Text) -> Saying:
    """The sentence with its fields, to be said later."""
    return Saying(sentence, fields)


class SaidError(Exception):
    """What went wrong, in words for a person: `text`. As a text it is English."""

    def __init__(self, text: Text) -> None:
        super().__init__(str(text))
        self.text = text


@dataclass(frozen=True, slots=True)
class Words:
    """The language in which a person is spoken to."""

    language: Language = "en"

    def say(self, sentence: Sentence, /, **fields: str) -> str:
        """The sentence with its fields filled in, each as it is."""
        template = sentence.fr if self.language == "fr" else sentence.en
        return template.format(**fields)

    def told(self, text: Text) -> str:
        """The text in this language; a plain text as it is."""
        if isinstance(text, str):
            return text
        return self.say(text.sentence, **{name: self.told(field) for name, field in text.fields.items()})

    def number(self, number: int) -> str:
        """A number with its thousands apart: 4,812."""
        grouped = f"{number:,}"
        return grouped if self.language == "en" else grouped.replace(",", "\u202f")


def language_of(configured: Language | None, environ: Mapping[str, str]) -> Language:
    """The language of the file, else the one of the locale (the first variable that POSIX looks at)."""
    if configured:
        return configured
    variables = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((value for name in variables if (value := environ.get(name))), "")
    return "fr" if re.match(r"fr(?![a-z])", locale, re.IGNORECASE) else "en"
