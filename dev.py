#!/usr/bin/env python3
"""Work on this checkout with nothing but Python 3.11 or newer, and git.

    python3 dev.py mm ARGUMENTS...     install what is missing, then run this checkout's mm
    python3 dev.py test [PYTEST...]    everything that must hold: tests, coverage, style, types, layers
    python3 dev.py lock                write the lock files anew from pyproject.toml

Everything is installed into .venv in this folder, in the versions of the lock files.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
OLDEST = (3, 11)
LOCKS = {"mm": ["requirements.lock"], "test": ["requirements.lock", "requirements-dev.lock"]}

CHECKS: dict[str, list[str]] = {
    "style": ["-m", "ruff", "check", "."],
    "format": ["-m", "ruff", "format", "--check", "."],
    "types": ["-m", "mypy"],
    "layers": ["-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
    "tests": ["-m", "pytest", "-n", "3", "--cov", "--cov-fail-under=100", "--cov-report=term:skip-covered"],
}
"""The checks of `test`, in order: the quick ones first."""


def main(arguments: list[str]) -> int:
    """Run the command; gives its exit code."""
    match arguments:
        case ["mm", *rest]:
            install("mm")
            os.execv(VENV / "bin" / "mm", ["mm", *rest])
        case ["test", *rest]:
            install("test")
            return check(rest)
        case ["lock"]:
            install("test")
            return lock()
    print(__doc__)
    return 2


def install(what: str) -> None:
    """Bring .venv to what the lock files say; nothing is done where it is there already."""
    if sys.version_info < OLDEST:
        raise SystemExit(f"dev.py needs Python 3.11 or newer, this is {sys.version.split()[0]}")
    stamp = VENV / f"installed-{what}"
    wanted = digest(["pyproject.toml", *LOCKS[what]])
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    print(f"installing into {VENV.name}, which takes up to a minute …", file=sys.stderr)
    make_venv()
    locks = [part for name in LOCKS[what] for part in ("-r", str(ROOT / name))]
    pip("install", "--require-hashes", *locks)
    pip("install", "--no-deps", "-e", str(ROOT))
    stamp.write_text(wanted, encoding="utf-8")


def make_venv() -> None:
    """Make .venv, also anew where an interrupted run left half of one; or say what this Python lacks."""
    if (VENV / "pyvenv.cfg").exists() and quiet(str(PYTHON), "-m", "pip", "--version"):
        return
    command = [sys.executable, "-m", "venv", "--clear", str(VENV)]
    made = subprocess.run(command, check=False, start_new_session=True)  # Ctrl-C is ours
    if made.returncode:
        raise SystemExit("this Python cannot make a virtual environment; on Debian: apt install python3-venv")


def quiet(*command: str) -> bool:
    """Whether a command works at all."""
    try:
        return not subprocess.run(command, check=False, capture_output=True).returncode
    except OSError:
        return False


def pip(*arguments: str) -> None:
    """Run pip of .venv, quietly; its own words are enough where it fails."""
    command = [str(PYTHON), "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    # Whatever is wrong with .venv, nothing is ever installed anywhere else.
    inside = {**os.environ, "PIP_REQUIRE_VIRTUALENV": "1"}
    if subprocess.run(command, check=False, env=inside, start_new_session=True).returncode:
        raise SystemExit(
            "the installation failed; see above. Try again; if it fails again, delete .venv first"
        )


def digest(names: list[str]) -> str:
    """What the named files hold, and which Python it was installed for."""
    found = hashlib.sha256(sys.version.encode())
    for name in names:
        found.update((ROOT / name).read_bytes())
    return found.hexdigest()


def check(pytest: list[str]) -> int:
    """Run every check, say how long each took, and fail if one fails."""
    failed = []
    for name, command in CHECKS.items():
        more = pytest if name == "tests" else []
        began = time.monotonic()
        code = subprocess.run([str(PYTHON), *command, *more], cwd=ROOT, check=False).returncode
        print(f"{name}: {'failed' if code else 'ok'} ({time.monotonic() - began:.0f} s)", flush=True)
        failed += [name] if code else []
    return 1 if failed else 0


def lock() -> int:
    """Write both lock files, with hashes and for every platform."""
    base = [
        str(PYTHON),
        "-m",
        "uv",
        "pip",
        "compile",
        "--universal",
        "--generate-hashes",
        "--no-header",
        "-q",
    ]
    base += ["--python-version", "3.11", "pyproject.toml"]
    run, dev = ["-o", "requirements.lock"], ["--group", "dev", "-o", "requirements-dev.lock"]
    for output in (run, dev):
        subprocess.run([*base, *output], cwd=ROOT, check=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("interrupted; the next run goes on from here", file=sys.stderr)
        sys.exit(130)
