"""Every command of the corpus has its verdict, and so have those of the cases O-g1 to O-g3."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from consent.danger.finding import Verdict
from tests.consent.danger.eyes import look

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "corpus" / "shell_cases.jsonl").read_text("utf-8").splitlines()
]
WORDS = {"quiet": "quiet", "unclear": "unclear", "destructive": "warn", "critical": "warn"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_command_of_the_corpus_has_its_verdict(row: dict[str, Any]) -> None:
    found = look(row["cmd"])
    accepted = row["verdict"] if isinstance(row["verdict"], list) else [row["verdict"]]
    assert WORDS[found.verdict] in accepted
    assert (found.verdict is Verdict.CRITICAL) == row["critical"]


CHAINED = (
    "cd x && rm -rf y",
    "true; mv a b",
    "ls | xargs rm",
    "ls & rm a",
    "ls\nrm a",
    "(cd x; git reset --hard)",
)
WRAPPED = (
    "FOO=1 rm a",
    "env -i rm a",
    "sudo -u bob rm a",
    "timeout 5 nice rm a",
    "bash -c 'rm a'",
    "xargs rm",
    "find . -exec rm {} +",
    r"\rm a",
    "command rm a",
    "/bin/rm a",
)
HIDDEN = (
    "echo hi > $(rm x)",
    "cat < <(rm c)",
    "echo `rm d`",
    "cat <<EOF\n$(rm e)\nEOF",
    "> important.txt",
)


@pytest.mark.parametrize("command", CHAINED)
def test_O_g1_each_program_in_command_position_is_looked_at(command: str) -> None:
    assert look(command).verdict is Verdict.DESTRUCTIVE


@pytest.mark.parametrize("command", ["grep rm notes.txt", "echo 'a && rm b'"])
def test_O_g1_what_is_only_mentioned_is_quiet(command: str) -> None:
    assert look(command).verdict is Verdict.QUIET


@pytest.mark.parametrize("command", WRAPPED)
def test_O_g2_wrappers_move_no_program_out_of_sight(command: str) -> None:
    assert look(command).verdict is Verdict.DESTRUCTIVE


@pytest.mark.parametrize(
    "command", ["mywrap rm a", "mywrap -v --level 3 sudo /bin/rm a", "mywrap sh -c 'rm a'"]
)
def test_O_g2_an_unknown_wrapper_is_not_understood(command: str) -> None:
    assert look(command).verdict is Verdict.UNCLEAR


@pytest.mark.parametrize("command", HIDDEN)
def test_O_g3_commands_inside_other_things_are_looked_at(command: str) -> None:
    assert look(command).verdict is Verdict.DESTRUCTIVE


def test_O_g3_what_does_not_parse_is_not_quiet() -> None:
    assert look("cat <<EOF\nls").verdict is Verdict.UNCLEAR
