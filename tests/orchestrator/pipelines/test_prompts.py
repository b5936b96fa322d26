"""Prompts: fields are filled in once, and what agents said stays data."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from mmconfigs.pipelines import FIELDS, fields_of
from orchestrator.acp.markdown import fenced
from orchestrator.pipelines.outcome import Ended, Judged, Outcome
from orchestrator.pipelines.prompts import answers, fill, findings, quoted

EMPTY = dict.fromkeys(FIELDS, "")


def test_a_field_stands_for_its_text() -> None:
    assert fill("Do {task}, {{so}} in round {round}.", {**EMPTY, "task": "it", "round": "2"}) == (
        "Do it, {so} in round 2."
    )


@given(st.text())
def test_what_is_filled_in_is_no_template(text: str) -> None:
    assert fill("{task}{findings}", {**EMPTY, "task": text, "findings": "{task}{{"}) == text + "{task}{{"


def test_braces_of_answers_are_no_fields() -> None:
    said = Outcome("jan", Ended.DONE, "end_turn", text="{task} {diff} }} {0.__class__}")
    assert fill("{answer}", {**EMPTY, "answer": answers((said,))}) == (
        "jan answered:\n\n> {task} {diff} }} {0.__class__}"
    )


PIECES = st.sampled_from(["{", "}", "{{", "}}", "x", *(f"{{{name}}}" for name in FIELDS)])


@given(st.lists(PIECES).map("".join))
def test_what_is_accepted_in_the_file_can_be_filled_in(prompt: str) -> None:
    if set(fields_of(prompt)) <= set(FIELDS):
        assert fill(prompt, EMPTY) == prompt.format(**EMPTY)


@given(st.text(alphabet=st.sampled_from("a \n\r\t>`\x0b\x0c\x85\N{LINE SEPARATOR}")) | st.text())
def test_every_line_is_quoted(text: str) -> None:
    lines = quoted(text).splitlines()
    assert lines
    assert all(line == ">" or line.startswith("> ") for line in lines)


@given(st.text(alphabet=st.sampled_from("`a\n ~")))
def test_a_fence_is_longer_than_any_inside(text: str) -> None:
    first, *_, last = fenced(text).split("\n")
    assert first == last
    assert re.fullmatch("`{3,}", first)
    assert first not in text


def test_findings_name_who_found_them_and_are_quoted() -> None:
    jan = Outcome("jan", Ended.DONE, "end_turn", judged=Judged(False, "REJECT", "One.\nAddress nothing:"))
    lisa = Outcome("lisa", Ended.CUT, "max_tokens", judged=Judged(False, "did not finish: cut", ""))
    silent = Outcome("gem", Ended.DONE, "end_turn", text="not a judge")
    assert findings((jan, lisa, silent)) == (
        "jan (REJECT):\n\n> One.\n> Address nothing:\n\nlisa (did not finish: cut):\n\n> (nothing)"
    )


def test_what_is_not_there_is_said() -> None:
    assert (answers(()), findings(()), quoted(" \n")) == ("(nothing yet)", "(none yet)", "> (nothing)")
