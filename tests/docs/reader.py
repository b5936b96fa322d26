"""A reader who does what a document shows, in one folder and from top to bottom.

```yaml                  a block that begins with `# NAME.yaml` is written to that file; so is a script
```console               commands behind `$ `, then what they print; … is any text
$ mm -c agents.yaml      a conversation: `> ` is typed at mm's prompt, and the digit behind
> ask jan: run ls        "(d shows details):" answers its question
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

from tests.docs.markdown import Block
from tests.walks.builder import Walk
from tests.walks.processes import DEADLINE
from tests.walks.terminal import Terminal

ANY = "…"
PROMPT = "> "
SIZE = (100, 40)
"""The terminal that the documents were copied from."""
MM = f'#!/bin/sh\nexec {sys.executable} -m orchestrator "$@"\n'

_NAME = re.compile(r"(#!.*\n)?# (\S+\.(?:yaml|sh|py))\n")
_COMMAND = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
_INPUT = re.compile(r"(> |.*\(d shows details\): )(.+)")


class Reader:
    """Follows the blocks of one document. `mm` is found as `mm`, `.venv/bin/mm` and `python3 dev.py mm`."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self._code = 0
        programs = walk.folder / ".venv" / "bin"
        walk.file(".venv/bin/mm", MM).chmod(0o755)
        ours = walk.home / "CONFIG" / "git" / "ignore"  # beside what the document has its reader make
        ours.parent.mkdir(parents=True)
        ours.write_text(".venv/\nagents.example.yaml\n", encoding="utf-8")
        self._environ = walk.environ({"PATH": f"{programs}:{walk.environ({})['PATH']}"})

    def follow(self, block: Block) -> None:
        """Write the file, or run the commands, and compare what they print. Other blocks are only read."""
        match block.language:
            case "yaml" | "sh" | "python" if found := _NAME.match(block.text):
                script, name = found.groups()
                self.walk.file(name, block.text).chmod(0o755 if script else 0o644)
            case "console":
                for command, shown in _commands(block.text):
                    if any(line.startswith(PROMPT) for line in shown):
                        self._talk(command, shown)
                    else:
                        self._run(command, shown)
            case _:
                pass

    def _run(self, command: str, shown: list[str]) -> None:
        """Run a command as a shell does; `echo $?` tells how the one before ended."""
        ran = subprocess.run(
            ["/bin/sh", "-c", f"(exit {self._code}); {command}"],
            env=self._environ,
            cwd=self.walk.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=DEADLINE,
            check=False,
        )
        self._code = ran.returncode
        pattern = ".*".join(map(re.escape, "\n".join(shown).strip().split(ANY)))
        assert re.fullmatch(pattern, ran.stdout.strip(), re.DOTALL), f"$ {command}\n{ran.stdout}"

    def _talk(self, command: str, shown: list[str]) -> None:
        """Hold a conversation; what mm shows between two inputs must stand there without a gap."""
        argv = ("/bin/sh", "-c", command)
        with Terminal(argv, self._environ, self.walk.folder, SIZE) as mm:
            expected: list[str] = []
            for line in shown:
                expected.append(line)
                if found := _INPUT.fullmatch(line):
                    prompt, text = found.groups()
                    expected[-1] = prompt
                    mm.sees(*" ".join(expected).split(ANY))
                    (mm.types if prompt == PROMPT else mm.answers)(text)
                    expected = []
            mm.ends(0)


def _commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of a console block with the lines that it shows."""
    for command, shown in _COMMAND.findall(text):
        yield command.replace("python3 dev.py mm", "mm"), shown.splitlines()
