"""Whatever a text is, it has a verdict, always the same; and no dressing makes a dangerous command quiet."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consent.danger.finding import QUIET, Verdict
from tests.consent.danger.eyes import look

PIECES = (
    "rm x",
    "rm",
    "ls",
    "git reset --hard",
    "curl x",
    "sh",
    "sh -c ",
    "sudo ",
    "find . -exec ",
    "xargs ",
    "cd /",
    "eval ",
    " ",
    "\n",
    ";",
    ";;",
    "&",
    "&&",
    "|",
    "||",
    "(",
    ")",
    "((",
    "))",
    "{ ",
    "; }",
    "[[ ",
    " ]]",
    "$(",
    "$((",
    "${x:-",
    "}",
    "`",
    "'",
    '"',
    "$'",
    "\\",
    "#",
    "<<E\n",
    "\nE\n",
    "<<<",
    ">",
    ">>",
    "<(",
    "> /etc/passwd",
    "~",
    "*",
    "if ",
    "; then ",
    "; fi",
    "for i in ",
    "; do ",
    "; done",
    "case x in ",
    " esac",
    "f() ",
    "x=",
    "a=(",
    "coproc ",
    "time ",
    "! ",
    "{a,b}",
    "\0",
    "\1",
    "\ud800",
    "é",
    "\u00a0",
    "\r",
)
shell_shaped = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
raw = st.text(st.characters(), max_size=200)


@given(st.one_of(shell_shaped, raw))
def test_every_text_has_one_verdict_inside_its_bounds(command: str) -> None:
    found = look(command)
    assert found == look(command)
    assert (found == QUIET) == (found.verdict is Verdict.QUIET)
    assert 0 <= found.start <= found.end <= len(command)


DESTRUCTIVE = (
    "rm x",
    "mv a b",
    "git reset --hard",
    "find . -delete",
    "tee x",
    "sed -i s/a/b/ x",
    "kill -9 1",
)
COMPLETE = (*DESTRUCTIVE, "> x", "(rm x)", "if a; then rm b; fi", "cat <(rm x)", "a | tee b", ":(){ :|:& };:")
AROUND = {
    "true first": lambda command: f"true; {command}",
    "on a line of its own": lambda command: f"true\n{command}",
    "in a shell": lambda command: f"sh -c {shlex.quote(command)}",
    "in a text": lambda command: f"eval {shlex.quote(command)}",
    "in a substitution": lambda command: f'echo "$( {command} )"',
    "in a group": lambda command: f"{{ {command}\n}}",
    "in a function": lambda command: f"f() {{ {command}\n}}; f",
    "in a condition": lambda command: f"if a; then b; else {command}\nfi",
    "in a document": lambda command: f"bash <<'E'\n{command}\nE",
    "before a trouble": lambda command: f"{command}\necho 'a",
}
BEFORE = {
    "sudo": "sudo -u bob ",
    "env": "env X=1 ",
    "timeout": "timeout 5 ",
    "assignment": "X=1 Y='a b' ",
    "xargs": "xargs -n 1 ",
    "unknown": "mywrap --flag ",
    "find": "find . -exec ",
}


@pytest.mark.parametrize("name", AROUND)
@pytest.mark.parametrize("command", COMPLETE)
def test_nothing_around_a_destructive_command_makes_it_quiet(command: str, name: str) -> None:
    assert look(AROUND[name](command)).verdict is not Verdict.QUIET


@given(st.sampled_from(COMPLETE), st.lists(st.sampled_from(tuple(AROUND)), max_size=4))
def test_nothing_around_it_does_however_it_is_nested(command: str, names: list[str]) -> None:
    for name in names:
        command = AROUND[name](command)
    assert look(command).verdict is not Verdict.QUIET


@given(
    st.sampled_from(DESTRUCTIVE), st.lists(st.sampled_from(tuple(BEFORE.values())), max_size=5).map("".join)
)
def test_no_wrappers_before_a_destructive_command_make_it_quiet(command: str, words: str) -> None:
    assert look(words + command).verdict is not Verdict.QUIET


@pytest.mark.parametrize("spell", ['"{}"', "'{}'", "$'{}'", "\\{}", "/usr/bin/{}", "''{}", "\\\n{}", '{}""'])
@pytest.mark.parametrize("command", DESTRUCTIVE)
def test_no_spelling_of_the_program_makes_it_quiet(command: str, spell: str) -> None:
    program, _, rest = command.partition(" ")
    assert look(f"{spell.format(program)} {rest}").verdict is not Verdict.QUIET


@pytest.mark.parametrize("command", COMPLETE)
def test_a_newline_counts_like_a_semicolon(command: str) -> None:
    assert look(command.replace("; ", "\n")).verdict == look(command).verdict
