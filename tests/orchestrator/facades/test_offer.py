"""A model that was found is offered, and taken only by a yes."""

from __future__ import annotations

from io import StringIO

import pytest

from mmconfigs.language import Words
from orchestrator.facades.offer import offer
from orchestrator.llm.pick import Found

QWEN = Found("qwen3:4b", "127.0.0.1:11434", "http://127.0.0.1:11434/v1")
LLAMA = Found("llama3", "127.0.0.1:8080", "http://127.0.0.1:8080/v1")


def offered(*found: Found, answer: str, words: Words | None = None) -> tuple[Found | None, str]:
    output = StringIO()
    chosen = offer(found, words or Words(), StringIO(answer), output)
    return chosen, output.getvalue()


def test_one_model_is_asked_about_in_one_line() -> None:
    chosen, shown = offered(QWEN, answer="y\n")
    assert chosen is QWEN
    assert shown.startswith("use qwen3:4b at 127.0.0.1:11434? y, or Enter for the demo model")


@pytest.mark.parametrize("answer", ["y\n", "YES\n", " oui \n", "o\n", "1\n"])
def test_a_yes_takes_the_first(answer: str) -> None:
    assert offered(QWEN, LLAMA, answer=answer)[0] is QWEN


@pytest.mark.parametrize("answer", ["", "\n", "n\n", "no\n", "yes please\n", "0\n", "3\n", "-1\n", "hello\n"])
def test_anything_else_takes_none(answer: str) -> None:
    assert offered(QWEN, LLAMA, answer=answer)[0] is None


def test_several_are_numbered() -> None:
    chosen, shown = offered(QWEN, LLAMA, answer="2\n")
    assert chosen is LLAMA
    assert "1  qwen3:4b at 127.0.0.1:11434\n2  llama3 at 127.0.0.1:8080\n" in shown


def test_without_any_nothing_is_asked() -> None:
    assert offered(answer="y\n") == (None, "")


def test_the_person_is_asked_in_her_language_and_names_are_escaped() -> None:
    _, shown = offered(Found("a\x1b[2Jb", "127.0.0.1:1", ""), answer="", words=Words("fr"))
    assert shown.startswith("utiliser a")
    assert "\x1b" not in shown


def test_no_more_than_nine_are_offered() -> None:
    many = [Found(f"m{number}", "h:1", "") for number in range(1, 12)]
    chosen, shown = offered(*many, answer="10\n")
    assert chosen is None
    assert "m9 at" in shown
    assert "m10" not in shown
