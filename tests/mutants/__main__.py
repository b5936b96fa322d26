"""Try every fault: does a test notice it?

    python -m tests.mutants [WORD...]     only the faults that have one of these words in them

Works in a copy of the checkout. The exit code is 1 if a fault was noticed by no test, or does not fit
any more, and 2 if the tests fail without any fault, or for an option: there are none.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.fault import Fault
from tests.mutants.faults import FAULTS

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "node_modules")
LONGEST = 600
"""Seconds that the tests of one fault may take."""
USAGE = "usage: python -m tests.mutants [WORD...]"
NOTICED = 1
"""How pytest ends when a test failed; any other end means that the tests did not run as they should."""


def main(words: Sequence[str]) -> int:
    """Try the faults that hold one of the words, or all; gives the exit code."""
    if any(word.startswith("-") for word in words):
        print(USAGE, file=sys.stderr)
        return 2
    chosen = [fault for fault in FAULTS if not words or any(word in str(fault) for word in words)]
    if not chosen:
        print(f"no fault holds {' or '.join(words)}")
        return 1
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mm-mutants-") as folder:
        copy = Path(folder) / "checkout"
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
        if run(copy, sorted({test for fault in chosen for test in fault.tests})):
            print("the tests fail without any fault")
            return 2
        missed = [
            fault for number, fault in enumerate(chosen, 1) if not noticed(copy, fault, number, len(chosen))
        ]
    took = time.monotonic() - began
    print(f"{len(chosen) - len(missed)} of {len(chosen)} faults were noticed, in {took:.0f} s")
    return 1 if missed else 0


def noticed(copy: Path, fault: Fault, number: int, count: int) -> bool:
    """Try one fault in the copy, which is whole again afterwards, and say what came of it."""
    file = copy / fault.file
    text = file.read_text(encoding="utf-8")
    file.write_text(broken(text, fault), encoding="utf-8")
    began = time.monotonic()
    try:
        code = run(copy, fault.tests)
    finally:
        file.write_text(text, encoding="utf-8")
    word = {0: "MISSED", NOTICED: "noticed"}.get(code, f"UNCLEAR (pytest {code})")
    print(f"{number:3}/{count} {word} in {time.monotonic() - began:3.0f} s: {fault.says}", flush=True)
    return code == NOTICED


def broken(text: str, fault: Fault) -> str:
    """The text with the fault; raises ValueError where the fault does not fit."""
    if text.count(fault.old) != 1:
        raise ValueError(f"{fault.says}: {fault.file} holds its text {text.count(fault.old)} times")
    return text.replace(fault.old, fault.new)


def run(copy: Path, tests: Sequence[str]) -> int:
    """Run these tests in the copy until one fails; gives pytest's exit code."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environ = {**os.environ, "PYTHONPATH": str(copy), "MM_TEST_PROFILE": "mutants"}
    environ["PYTHONDONTWRITEBYTECODE"] = "1"  # a fault as long as the text before it would not be compiled
    try:
        ended = subprocess.run(
            command, cwd=copy, env=environ, check=False, stdout=subprocess.DEVNULL, timeout=LONGEST
        )
    except subprocess.TimeoutExpired:
        return -1
    return ended.returncode


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except ValueError as unfit:
        sys.exit(f"a fault does not fit: {unfit}")
