"""How long the eyes look at 64 KiB of one shape, as a ratio to a plain scan of the same text in Python."""

from __future__ import annotations

from collections.abc import Callable
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
}


def rows(scale: Scale) -> list[str]:
    """One line for each shape: milliseconds of processor time, the ratio, the verdict. Aim: 50 ms."""
    return [
        _row(name, (piece * (SIZE // len(piece) + 1))[:SIZE], scale.rounds) for name, piece in SHAPES.items()
    ]


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
