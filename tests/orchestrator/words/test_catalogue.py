"""Every sentence exists in every language, and fields are data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from string import Formatter
from types import ModuleType

import pytest

import mmconfigs
import orchestrator
from consent.answer import Answer
from consent.call import Doubt, Unrunnable
from consent.circles import Circle, TooMany
from consent.danger.finding import Reason, Verdict
from consent.key import Kind, Sort
from consent.rules import Why
from consent.unasked import Finding
from mmconfigs.language import Sentence, language_of, saying
from orchestrator.words import catalogue, marks, notes, summary
from tests.orchestrator.words.calls import ENGLISH, FRENCH


def modules() -> Iterator[ModuleType]:
    """Every module in which a sentence is written."""
    for package in (mmconfigs, orchestrator):
        root = Path(package.__file__ or "").parent
        for file in sorted(root.rglob("*.py")):
            if re.search(r"\bSentence\(", file.read_text(encoding="utf-8")):
                yield import_module(".".join(file.relative_to(root.parent).with_suffix("").parts))


def sentences() -> Iterator[Sentence]:
    for value in (value for module in modules() for value in vars(module).values()):
        if isinstance(value, Sentence):
            yield value
        elif isinstance(value, Mapping | tuple):
            parts = value.values() if isinstance(value, Mapping) else value
            yield from (sentence for sentence in parts if isinstance(sentence, Sentence))


def fields(template: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(template) if field is not None}


@pytest.mark.parametrize("sentence", list(sentences()), ids=lambda sentence: sentence.en[:40])
def test_each_language_has_the_same_fields(sentence: Sentence) -> None:
    assert sentence.en
    assert sentence.fr
    assert fields(sentence.en) == fields(sentence.fr)
    assert all(name.isidentifier() for name in fields(sentence.en))


def test_no_doubt_kind_answer_or_sort_is_without_words() -> None:
    assert set(catalogue.DOUBTS) == set(Doubt)
    assert set(catalogue.BY_KIND) == set(Kind)
    assert set(catalogue.ANSWERS) == set(Answer)
    assert set(catalogue.EVERY) == set(Sort)
    assert set(notes.CIRCLES) == set(Circle)
    assert set(notes.ACTED) == set(summary.HOW) == set(Finding)
    assert set(notes.A_CALL_OF) == set(Kind)
    assert set(summary.BY) == set(Why)
    assert set(notes.TOO_MANY) == set(TooMany)
    assert set(notes.UNRUNNABLE) == set(Unrunnable)
    assert set(marks.REASONS) == set(Reason)
    assert set(marks.VERDICTS) == set(Verdict) - {Verdict.QUIET}


def test_a_field_is_never_a_template() -> None:
    hostile = "{who} {0} {title.__class__} {{"
    assert ENGLISH.say(catalogue.CLAIM, agent="jan", title=hostile) == f"jan calls it: {hostile}"


def test_a_saying_is_said_in_the_language_of_its_reader_and_so_are_its_parts() -> None:
    ended = saying(notes.EXIT_CODE, what=saying(notes.WENT_AWAY), code="{what}")
    assert FRENCH.told(ended) == "il est parti, code de sortie {what}"
    assert ENGLISH.told(ended) == str(ended) == "it went away, exit code {what}"
    assert FRENCH.told("it went away") == "it went away"


def test_numbers_have_their_thousands_apart() -> None:
    assert ENGLISH.number(4812) == "4,812"
    assert FRENCH.number(4812) == "4\u202f812"


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr"}, "fr"),
        ({"LANG": "FR_ca"}, "fr"),
        ({"LANG": "frp_IT"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LC_MESSAGES": "fr_BE", "LANG": "en_GB"}, "fr"),
        ({"LC_ALL": "en_GB", "LC_MESSAGES": "fr_BE", "LANG": "fr_FR"}, "en"),
        ({"LC_ALL": "", "LANG": "fr_FR"}, "fr"),
    ],
)
def test_the_locale_decides_where_the_file_does_not(environ: dict[str, str], language: str) -> None:
    assert language_of(None, environ) == language
    assert language_of("en", environ) == "en"
    assert language_of("fr", environ) == "fr"
