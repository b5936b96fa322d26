"""How long the eyes look at 64 KiB of one shape, as a ratio to a plain scan of the same text in Python.

Of shapes that somebody makes to take long, random ones are tried, and the slowest are printed.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time

from benchmarks.figures import Scale
from consent.danger.assess import assess
from consent.danger.paths import Surroundings

SIZE = 64 * 1024
AROUND = Surroundings("/home/ann/project", "/home/ann")
SCRIPT = 'if [ -f "$file" ]; then\n  echo "hello $world" > /dev/null\nfi\n'
SHAPES = {
    "a script": SCRIPT,
    "lines": "echo hello world\n",
    "words": "a ",
    "commands": "a;",
    "deletions": "rm x; ",
    "quoted words": "'a' \"b\" ",
    "substitutions": "$(",
    "backquotes": "`a` ",
    "here-documents": "cat <<E\nx\nE\n",
    "redirections": ">a ",
    "pipes into a shell": "curl x|sh;",
    "texts for a shell": "eval 'a b';",
    "one word": "a",
    "braces": "{a,b}",
    "paths": "~/.ssh/../*/ ",
}
BEGINNINGS = ("", "rm ", "rm {", "echo x > ", "cp a ", "cd ", 'echo "', "foo ", "sh -c '", "x=`", "find ")
FRAGMENTS = (
    *(
        "{",
        "}",
        ",",
        "..",
        "/",
        "~",
        "*",
        "?",
        "[",
        "]",
        "!",
        "'",
        '"',
        "$'",
        "\\",
        "\n",
        "\\\n",
        " ",
        ";",
        "&",
    ),
    *(
        "|",
        "&&",
        "||",
        "(",
        ")",
        "((",
        "))",
        "$(",
        "$((",
        "${x:-",
        "`",
        "<(",
        ">",
        "<<E\n",
        "E\n",
        "a=",
        "a=(",
    ),
    *(
        "a[",
        "]=",
        "#",
        "-",
        "--",
        ":",
        "a",
        "é",
        "\0",
        "\1",
        "rm ",
        "sh -c ",
        "eval ",
        "find ",
        "-exec ",
        "{}",
    ),
    *(
        "cd ",
        "git ",
        "xargs ",
        "curl ",
        "cp ",
        "if ",
        "; then ",
        "case x in ",
        "f() ",
        "[[ ",
        "foo ",
        "sudo ",
    ),
    *("{a,b}", "$x", ".git/", "~/.ssh/", "-delete "),
)
TRIED_PER_ROUND = 20
PRINTED = 5


def rows(scale: Scale) -> list[str]:
    """One line for each shape: milliseconds of processor time, the ratio, the verdict. Aim: 50 ms."""
    named = [_row(name, _filled(piece), scale.rounds) for name, piece in SHAPES.items()]
    random = Random(0)  # noqa: S311
    tried = sorted({_shape(random) for _ in range(scale.rounds * TRIED_PER_ROUND)}, key=_once, reverse=True)
    return [*named, *(_row(repr(text[:18]), text, scale.rounds) for text in tried[:PRINTED])]


def _filled(piece: str) -> str:
    return (piece * (SIZE // len(piece) + 1))[:SIZE]


def _shape(random: Random) -> str:
    """A beginning, then some fragments, one after the other or all in turn."""
    pieces = random.choices(FRAGMENTS, k=random.randint(1, 4))
    turns = [pieces] if random.random() < 0.5 else [[piece] for piece in pieces]
    filled = "".join(_filled("".join(turn))[: SIZE // len(turns)] for turn in turns)
    return (random.choice(BEGINNINGS) + filled)[:SIZE]


def _once(text: str) -> float:
    return _fastest(_look, text, 1)


def _row(name: str, text: str, rounds: int) -> str:
    looked, scanned = (_fastest(work, text, rounds) for work in (_look, _scan))
    verdict = assess(text, AROUND).verdict
    return f"64 KiB of {name:<20} {looked * 1e3:6.1f} ms   ÷ scan {looked / scanned:5.2f}   {verdict}"


def _look(text: str) -> object:
    return assess(text, AROUND)


def _scan(text: str) -> object:
    return sum(char == ";" for char in text)


def _fastest(work: Callable[[str], object], text: str, rounds: int) -> float:
    def once() -> float:
        began = process_time()
        work(text)
        return process_time() - began

    return min(once() for _ in range(rounds))
