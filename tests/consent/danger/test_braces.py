"""Braces and wildcards mean at least all that they mean to bash."""

from __future__ import annotations

import subprocess
from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consent.danger.finding import Reason
from consent.danger.wild import Pattern
from consent.shell.braces import spread
from consent.shell.commands import read
from consent.shell.cursor import MOST_STEPS, Cursor, Effort
from consent.shell.syntax import HOME, Simple
from tests.consent.danger.eyes import look, reason
from tests.consent.danger.test_bash import BASH

bash = pytest.mark.skipif(not BASH, reason="there is no bash")


def expanded(text: str, effort: Effort | None = None) -> list[str]:
    effort = effort or Effort()
    [pipeline] = read(Cursor(f"echo {text}", effort))
    command = pipeline.commands[0]
    assert isinstance(command, Simple)
    return [word.text for word in spread(command.words[1:], effort)]


ROWS = {
    "a{b,c}d": ["abd", "acd"],
    "{a,{b,c}d}": ["a", "bd", "cd"],
    "{{a,b}": ["{a", "{b"],
    "{a{b,c}}": ["{ab}", "{ac}"],
    "{a{}b,c}": ["a{}b", "c"],
    "{a..c}{1..2}": ["a1", "a2", "b1", "b2", "c1", "c2"],
    "{c..a..2}": ["a", "b", "c"],
    "{1..900}": ["1", "900"],
    "{a..}": ["{a..}"],
    "{a}": ["{a}"],
    "{}": ["{}"],
    "a,b}": ["a,b}"],
    "{a,b": ["{a,b"],
    '{a,"b c"}': ["a", "b c"],
    '{a,b"}"': ["{a,b}"],
    "'{a,b}'{c,d}": ["{a,b}c", "{a,b}d"],
    "{~,x}/y": [f"{HOME}/y", "x/y"],
    "{~ann,x}": [HOME, "x"],
    "~/{a,b}": [f"{HOME}/a", f"{HOME}/b"],
    "{a,b\\}": ["{a,b}"],
    "{a,}{,b}": ["a", "ab", "", "b"],
}


@pytest.mark.parametrize(("text", "wanted"), ROWS.items())
def test_a_word_with_braces_stands_for_several(text: str, wanted: list[str]) -> None:
    assert expanded(text) == wanted


@bash
@given(st.lists(st.sampled_from([*"{},ab", "{a,", "'{'", "\\,", '","']), max_size=12).map("".join))
def test_bash_makes_no_word_of_braces_that_is_overlooked(text: str) -> None:
    done = subprocess.run([BASH, "-c", f"printf '%s\\n' {text}"], capture_output=True, text=True, check=True)
    assert set(filter(None, done.stdout.splitlines())) <= set(expanded(text))


def test_no_more_words_are_made_than_there_are_steps() -> None:
    effort = Effort()
    assert len(expanded("{a,b}" * 40, effort)) < MOST_STEPS
    assert effort.spent
    assert reason("ls " + "{a,b}" * 40) is Reason.TOO_LONG


def test_braces_that_are_too_deep_are_unclear() -> None:
    assert reason("ls " + "{a," * 100 + "}" * 100) is Reason.TOO_DEEP


NAMES = st.text("ab.*?", min_size=1, max_size=6)


@given(st.text("ab.*?[]!", min_size=1, max_size=8), NAMES)
def test_a_pattern_fits_at_least_what_the_shell_fits(text: str, name: str) -> None:
    hidden = name.startswith(".") and not text.startswith(".")
    if fnmatchcase(name, text) and not hidden:
        assert Pattern(text).fits(name)


@given(st.text("ab.*?", min_size=1, max_size=8), NAMES)
def test_a_pattern_without_brackets_fits_no_more(text: str, name: str) -> None:
    pattern = Pattern(text)
    assert not pattern.fits(name) or (fnmatchcase(name, text) if pattern.wild else name == text)


def test_a_pattern_that_is_longer_than_any_name_fits_nothing() -> None:
    assert not Pattern("*" + "a" * 300).fits("a" * 300)


WILD = {
    "rm -rf /us?": Reason.DELETES_ROOT,
    "rm -rf /h*/a*": Reason.DELETES_HOME,
    "rm -rf /home/ann/project/*x": Reason.DELETES,
    "echo x >> ~/.bash{rc,_profile}": Reason.STARTUP,
    "echo x >> ~/.bash*": Reason.STARTUP,
    "echo x > ~/.ssh/auth*": Reason.SSH,
    "cp x ~/.ss?/config": Reason.SSH,
    "cp x /etc/pass[w]d": Reason.ACCOUNTS,
    "shred /dev/sd*": Reason.DISK,
    "shred /dev/nvme{0..3}n1": Reason.DISK,
    "shred /dev/sd{x..z}": Reason.DISK,
    "chmod +x .gi?/hooks/pre-push": Reason.GIT_INNER,
    "cp x .git/conf*": Reason.GIT_INNER,
    "chmod +x *": None,
    "cp a ~/*": None,
    "touch ~/.y*": None,
    "echo a{b,c}": None,
    "git {reset,--hard}": Reason.GIT,
    "dd {if=x,of=/dev/sda}": Reason.DISK,
    "sudo {rm,-rf,/}": Reason.DELETES_ROOT,
    'rm -rf "$X"{a,b}': Reason.DELETES,
    "rm -rf {a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,/}": Reason.DELETES_ROOT,
    "l[s] x": Reason.COMPUTED,
    "a[1;ls ]=3 rm x": Reason.COMPUTED,
    "[ -f x ]": None,
}


@pytest.mark.parametrize(("command", "wanted"), WILD.items())
def test_what_braces_and_wildcards_may_mean_is_looked_at(command: str, wanted: Reason | None) -> None:
    assert reason(command) is wanted


@pytest.mark.parametrize("command", ["cp a agents.y*", "rm -rf ../proj*", "cp a ../*/agents.yaml"])
def test_a_wildcard_may_mean_a_file_that_decides(command: str) -> None:
    assert look(command, deciding=("/home/ann/project/agents.yaml",)).reason is Reason.DECIDES
