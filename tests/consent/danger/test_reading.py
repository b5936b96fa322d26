"""The shell's grammar: what stands in command position is found, what is not sure is trouble."""

from __future__ import annotations

import pytest

from consent.danger.finding import Reason, Verdict
from consent.shell.cursor import MOST_STEPS
from tests.consent.danger.eyes import Files, look, reason

RUNS_RM = (
    '"r"m x',
    "r\\\nm x",
    "a=(1 2); rm x",
    "a=(\n1 $(rm x) # 3\n)",
    "declare -a b=(1); rm x",
    "a[$(rm x)]=1",
    "a[0]+=1 rm x",
    "case x in (x) rm y;; esac",
    "case x in\n a|b) ls;& c) rm x\nesac",
    "case $(rm x) in esac",
    "$(case x in x) rm y;; esac)",
    "> f rm x",
    "{fd}>/dev/null rm x",
    "coproc N { rm x; }",
    "coproc rm x",
    "function f { rm x; }",
    "function f() { rm x; }",
    "f ( ) ( rm x )",
    "for ((i=0; i<1; i++)) do rm x; done",
    "for ((;;)) { rm x; break; }",
    "for a; do rm x; done",
    "for a in b $(rm x); do ls; done",
    "select i in a\ndo rm x; done",
    "until rm x; do ls; done",
    "if a; then b; elif rm x; then d; else e; fi",
    "if a; then b; else rm x; fi > /dev/null",
    "echo $[ $(rm x) ]",
    "echo $((`rm x` + (1)))",
    "(( $(rm x) ))",
    ": ${x:-$(rm y)}",
    ': "${x:-`rm y`}"',
    ': ${x:-"a$(rm y)"}',
    ": ${x:-<(rm y)}",
    ": ${x<1} ${a\\}'b'}; rm x",
    "cat <<A <<B\nA\n$(rm x)\nB",
    "cat <<-E\n\t$(rm x)\n\tE",
    'cat <<"A B"\nx\nA B\nrm x',
    "cat <<E; rm x\nbody\nE",
    "cat <<E\nx\\\nE\n'\nE\nrm x #'",
    "cat <<E | sort # comment\nb\nE\nrm x",
    "cat <<E\n\\\\$(rm x) \\$(ls) \\a\nE",
    "cat <<E\n`rm x`\nE",
    "cat <<'E'\n$(\nE\nrm x",
    "cat <<E $(echo a\n)\nE\nrm x",
    "cat <<E $(echo a\nrm x\n)\nbody\nE",
    "echo $(cat <<E\n)\nE\nrm x)",
    "time -p rm x",
    "! ! rm x",
    "echo `echo \\`rm x\\``",
    'echo "`echo \\"a\\"; rm x`"',
    "[[ -n $(rm x) && ( a < b ) ]]",
    "[[ a =~ ^(a|b)$ ]] && rm x",
    "[[ <(rm x) -eq 1 ]]",
    "[[ a < <(rm x) ]]",
    'echo "a$(echo ")"; rm x)"',
    "(rm x)",
    "{ rm x; } 2>/dev/null | cat",
    "true;# c\nrm x",
    "ls &\nrm x",
    "ls |\n\nrm x",
    "$'r\\155' x",
    "$'\\u0072m' x",
    "$'r\\m' || rm x",
    'echo $ "$"; rm a\\',
    '$"rm" x',
)


@pytest.mark.parametrize("command", RUNS_RM)
def test_rm_is_found_wherever_bash_runs_it(command: str) -> None:
    assert look(command).verdict is Verdict.DESTRUCTIVE


TROUBLE = (
    "echo 'a",
    'echo "a',
    "echo `a",
    "echo $(a",
    "echo ${a",
    "echo ${a b",
    "echo ${ rm x; }",
    "echo ${| rm x; }",
    "echo $'a",
    'echo "${x:-\'}"; rm x; echo "\'}"',
    "((rm x); true)",
    "echo $((rm x); true)",
    "echo $((1)",
    "echo $[1",
    "(( ';' ))",
    "if a; then b",
    "if a; b",
    "fi",
    "ls; }",
    "ls )",
    "ls ;; ls",
    "ls &&",
    "ls | ",
    "; ls",
    "ls; ; ls",
    "echo a(b)",
    "case x in y z) ls;; esac",
    "case x in y) ls;; z",
    "case",
    "f( x",
    "[[ a ; b ]]",
    "[[ a",
    "for ((a; b",
    "< ",
    "cat <<E",
    "cat <<E\nls",
    "cat <<$X\n$X",
    "cat <<~\n~",
    "a=(1 ; 2)",
    "echo $(cat <<E)\nE",
    "cat <(ls",
)


@pytest.mark.parametrize("command", TROUBLE)
def test_what_does_not_parse_is_unclear(command: str) -> None:
    assert (look(command).verdict, reason(command)) == (Verdict.UNCLEAR, Reason.SYNTAX)


DEEP = {
    "substitutions": "$(" * 2000,
    "quotes": '"${x:-' * 2000,
    "groups": "{ " * 2000,
    "conditions": "if " * 2000,
    "shells": "sh -c " + "\"sh -c '" * 3 + "eval " * 2000,
    "texts": "eval " * 100 + "ls",
    "nested find": "find . " + "-exec find . " * 100,
    "unknown": "foo " + "bar " + " ".join(["find . -exec foo"] * 60) + " rm x",
}


@pytest.mark.parametrize("command", DEEP.values(), ids=DEEP)
def test_what_is_too_deep_is_not_quiet(command: str) -> None:
    assert look(command).verdict is not Verdict.QUIET


def test_too_many_wrappers_are_unclear() -> None:
    assert reason("sudo " * 29 + "rm x") is Reason.DELETES
    assert look("sudo " * 40 + "rm x").verdict is Verdict.UNCLEAR


@pytest.mark.parametrize(
    ("begin", "padding"),
    [('"', "$x"), ("((", "$x"), ("echo ${x:-", "\\a"), ("cp ", "a "), ("cat <<E\n", "$x\n"), ("'a' ", "b ")],
)
def test_what_is_too_long_is_unclear_wherever_that_is_seen(begin: str, padding: str) -> None:
    assert look(begin + padding * MOST_STEPS).reason is Reason.TOO_LONG


@pytest.mark.parametrize("padding", ["ls;", "echo 'a' \"b\" `c` $(d);", "cat <<E\nx\nE\n", "a=b "])
def test_padding_hides_nothing(padding: str) -> None:
    assert look(padding * MOST_STEPS + "\nrm x").reason is Reason.TOO_LONG
    assert look("rm x;" + padding * MOST_STEPS).reason is Reason.DELETES


def test_looks_at_files_cost_more_than_words() -> None:
    assert look("cp " + "a " * (MOST_STEPS // 8)).reason is Reason.TOO_LONG


def test_what_there_is_no_effort_left_to_look_for_counts_as_there() -> None:
    assert look("ls" + " >a" * (MOST_STEPS // 12), files=Files()).reason is Reason.OVERWRITES


def test_a_long_text_of_ordinary_length_is_read_whole() -> None:
    assert look("echo hello world\n" * 1500 + "rm -rf /").reason is Reason.DELETES_ROOT
