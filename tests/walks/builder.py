"""The language of the walks: a folder with files, and `mm` started in it by a person, an editor or a script.

    walk.agent("riker", "yolo: false", "mmConfigs: {jan: ./jan.yaml}")
    walk.agent("jan")
    with walk.line() as mm:
        mm.types("/ask-jan run touch made").answers("2").types("/quit").ends(0)
    assert walk.made("made")

The launched file is riker.yaml, unless a story names another. Every walk ends with a look at the process
table: nothing that it started may remain.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.walks.editor import Editor
from tests.walks.processes import DEADLINE, kill, marked, until
from tests.walks.terminal import Terminal

CHECKOUT = Path(__file__).parents[2]
MM = (sys.executable, "-m", "orchestrator")
CLOSED = ("/bin/sh", "-c", 'exec "$@" <&-', "sh")
"""Starts a program with a closed stdin."""


@dataclass(frozen=True, slots=True)
class Ran:
    """How one run of mm ended."""

    code: int
    stdout: str
    stderr: str


class Walk:
    """A folder of one's own, an empty home, and ways to start mm there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        self.home = folder / "home"
        for part in (self.folder, self.home):
            part.mkdir()
        self._mark = f"MM_WALK={uuid4().hex}"
        name, _, value = self._mark.partition("=")
        xdg = {f"XDG_{kind}_HOME": str(self.home / kind) for kind in ("CONFIG", "STATE", "DATA", "CACHE")}
        self._environ = {
            name: value,
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(CHECKOUT),
            "HOME": str(self.home),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "MM_PROBE": "off",
            **xdg,
        }

    def file(self, name: str, text: str) -> Path:
        """Write a file; its text may be indented as a whole."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def agent(self, name: str, *lines: str) -> Path:
        """Write the file of an agent of ours; it has the demo model unless a line says otherwise."""
        model = [] if any(line.startswith("model:") for line in lines) else ["model: demo"]
        return self.file(f"{name}.yaml", "\n".join((*model, *lines, "")))

    def child(self, name: str, script: str) -> str:
        """Write the script of a foreign agent; returns the entry that starts it."""
        path = self.file(f"{name}.child.yaml", script)
        return json.dumps({"command": [sys.executable, "-m", "orchestrator.acp.scripted", str(path)]})

    def foreign(self, script: str, *lines: str, **entry: str) -> None:
        """Write riker, which asks unless a line says otherwise, with jan as a foreign agent.

        `entry` are further keys of jan's entry.
        """
        asks = [] if any(line.startswith("yolo:") for line in lines) else ["yolo: false"]
        jan = json.dumps({**json.loads(self.child("jan", script)), **entry})
        self.agent("riker", *asks, *lines, f"mmConfigs: {{jan: {jan}}}")

    def made(self, name: str) -> bool:
        """Whether the file exists in the walk's folder."""
        return (self.folder / name).exists()

    def waits_for(self, name: str) -> None:
        """Wait until the file exists in the walk's folder."""
        assert until(lambda: self.made(name)), f"{name} was never made"

    def read(self, name: str) -> str:
        """The text of a file in the walk's folder."""
        return (self.folder / name).read_text(encoding="utf-8")

    def frames(self, name: str) -> list[dict[str, Any]]:
        """What a scripted child's log holds: the frames that it was sent, in order."""
        return [json.loads(line) for line in self.read(name).splitlines()]

    def chosen(self, log: str = "jan.log") -> list[str]:
        """What the requests of a scripted child were answered: the options, or "cancelled", in order."""
        answers = [frame["result"]["outcome"] for frame in self.frames(log) if "result" in frame]
        return [answer.get("optionId", answer["outcome"]) for answer in answers]

    def waits_for_answers(self, log: str, number: int) -> None:
        """Wait until a scripted child's log holds so many answers to its own requests."""
        assert until(lambda: sum("result" in frame for frame in self.frames(log)) >= number), self.read(log)

    def decisions(self, *args: str) -> list[dict[str, Any]]:
        """The lines of the audit, as `mm log` gives them."""
        return [json.loads(line) for line in self.runs("log", "--json", *args).stdout.splitlines()]

    def environ(self, extra: Mapping[str, str]) -> dict[str, str]:
        """The environment of the walk with some more variables."""
        return {**self._environ, **extra}

    def line(
        self, *args: str, size: tuple[int, int] = (120, 40), folder: Path | None = None, **environ: str
    ) -> Terminal:
        """Start mm at a terminal, in a folder of the walk."""
        argv = (*MM, *self._with_file(args))
        return Terminal(argv, self.environ(environ), folder or self.folder, size)

    def editor(self, *args: str, errors: str = "stderr", **environ: str) -> Editor:
        """Start mm under an editor; the file `errors` gets what it writes to stderr."""
        argv = (*MM, "--acp", *self._with_file(args))
        return Editor(argv, self.environ(environ), self.folder, self.home / errors)

    @contextmanager
    def starts(self, *args: str) -> Iterator[subprocess.Popen[bytes]]:
        """Start mm without a terminal, and do not wait for its end."""
        argv = (*MM, *self._with_file(args))
        with subprocess.Popen(
            argv, env=self._environ, cwd=self.folder, stdin=subprocess.DEVNULL, start_new_session=True
        ) as mm:
            try:
                yield mm
            finally:
                mm.kill()

    def runs(
        self,
        *args: str,
        stdin: str | int = subprocess.DEVNULL,
        through: tuple[str, ...] = (),
        deadline: float = DEADLINE,
        **environ: str,
    ) -> Ran:
        """Run mm without a terminal to its end; `stdin` is a text, or a file descriptor."""
        given: dict[str, Any] = {"input": stdin} if isinstance(stdin, str) else {"stdin": stdin}
        ran = subprocess.run(
            (*through, *MM, *self._with_file(args)),
            env=self.environ(environ),
            cwd=self.folder,
            capture_output=True,
            encoding="utf-8",
            timeout=deadline,
            check=False,
            **given,
        )
        return Ran(ran.returncode, ran.stdout, ran.stderr)

    def _with_file(self, args: tuple[str, ...]) -> tuple[str, ...]:
        return args if "-c" in args or not self.made("riker.yaml") else ("-c", "riker.yaml", *args)

    def processes(self) -> dict[int, str]:
        """What this walk has started and is still alive."""
        return marked(self._mark)

    def process_of(self, file: str) -> int:
        """The process id of the agent that was started with this file."""
        (pid,) = [
            p for p, command in self.processes().items() if command.startswith(MM[0]) and file in command
        ]
        return pid

    def loses(self, command: str) -> bool:
        """Wait until no process of this walk runs `command`."""
        return until(lambda: not any(command in running for running in self.processes().values()))

    def appears(self, command: str) -> bool:
        """Wait until a process of this walk runs `command`."""
        return until(lambda: any(command in running for running in self.processes().values()))

    def leaves_nothing(self) -> None:
        """Wait until no process of this walk is alive."""
        clean = until(lambda: not self.processes())
        left = self.processes()
        kill(left)
        assert clean, f"still running: {left}"

    def forgets(self, name: str) -> None:
        """Delete a file, or a folder and what is in it."""
        path = self.folder / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
