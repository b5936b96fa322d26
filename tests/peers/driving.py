"""The clients at work: each starts the same mm, whose frames are kept beside what the client made of them."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.peers.install import HERE, NODE, NODE_MODULES, PYTHON
from tests.walks.builder import CHECKOUT, MM, Walk
from tests.walks.terminal import Terminal

Json = dict[str, Any]

CLIENTS: Mapping[str, tuple[str | Path, ...]] = {
    "typescript": (NODE, HERE / "clients" / "typescript.mjs"),
    "official": (sys.executable, HERE / "clients" / "official.py"),
    "plain": (sys.executable, HERE / "clients" / "plain.py"),
}
"""How each client program is started. They all take PROMPT CHOICE AGENT, and print one `Seen`."""
PATIENCE = 60.0
"""Seconds for one turn: a client, mm and an asked agent start in it."""
ACPX = (NODE, NODE_MODULES / "acpx" / "dist" / "cli.js")


@dataclass(frozen=True, slots=True)
class Seen:
    """What a client made of one turn: objects as its own types hold them, in ACP's spelling."""

    hello: Json
    updates: list[Json]
    questions: list[Json]
    stop_reason: str


@dataclass(frozen=True, slots=True)
class Peer:
    """One of the client programs, in the folder of a walk."""

    walk: Walk
    name: str

    def takes_a_turn(self, prompt: str, choice: str) -> Seen:
        """Prompt mm, and answer its questions with the option of kind `choice`, or `cancel` the turn."""
        ran = subprocess.run(
            (*CLIENTS[self.name], prompt, choice, agent(self.walk)),
            env=environ(self.walk),
            cwd=self.walk.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        return Seen(**json.loads(ran.stdout))


def acpx(walk: Walk, prompt: str) -> Terminal:
    """Start acpx at a terminal, as a person does who lets it prompt mm once."""
    command = (*ACPX, "--agent", shlex.quote(str(agent(walk))), "exec", prompt)
    return Terminal([*map(str, command)], environ(walk), walk.folder, (200, 50))


def agent(walk: Walk) -> Path:
    """Write the program that the clients start: mm with the walk's file, its frames also kept in `sent`."""
    mm = shlex.join((*MM, "--acp", "-c", str(walk.folder / "riker.yaml")))
    script = f"""\
        #!/bin/sh
        cd {shlex.quote(str(walk.folder))}
        mkfifo frames
        tee sent <frames &
        PYTHONPATH={shlex.quote(str(CHECKOUT))} exec {mm} >frames
        """
    path = walk.file("agent", script)
    path.chmod(0o755)
    return path


def environ(walk: Walk) -> dict[str, str]:
    """The environment of a client: it finds its own packages, and nothing of mm."""
    path = os.pathsep.join((str(NODE.parent), os.environ["PATH"]))
    return walk.environ({"PYTHONPATH": str(PYTHON), "NODE_PATH": str(NODE_MODULES), "PATH": path})
