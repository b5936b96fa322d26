"""The language of the walks with pipelines: a repository in the walk's folder, and agents that play.

team = Team(walk)
team.plays("homer", "{call: {tool: bash, args: {command: echo two > code}}}", "{say: Done.}")
team.plays("jan", "{say: ACCEPT}")
team.pipeline("steps: [...]")
assert team.runs("Make it two.").code == 0
"""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

from tests.orchestrator.pipelines.parts import Checkout
from tests.walks.builder import Ran, Walk

WRITES = "{ask: homer, prompt: '{task}'}"
REVIEWS = r'{together: [{ask: jan, prompt: "Review:\n{diff}"}], verdict: {}}'
AGAIN = r'{repeat: {from: 0, prompt: "Findings:\n{findings}"}}'
HIDDEN = "*.yaml\n*.log\n*.flag\n"
"""What git does not see of a walk's folder: its agents."""


class Team:
    """The agents of riker's pipeline `p`, in a repository with one commit."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.person = Checkout(walk.folder)
        self.entries: dict[str, str] = {}
        self.lines: tuple[str, ...] = ()
        (walk.home / ".gitconfig").write_text("[user]\nname = Pat\nemail = pat@example.org\n")
        self.person.git("init", "--quiet", "--initial-branch=main")
        self.person.git("config", "user.name", "Pat")
        self.person.git("config", "user.email", "pat@example.org")
        (walk.folder / ".gitignore").write_text(HIDDEN)
        self.person.commit(code="one\n")

    def plays(self, name: str, *turns: str, lines: tuple[str, ...] = (), entry: str = "") -> None:
        """An agent of ours whose model gives these turns."""
        self.walk.file(f"{name}.turns.yaml", "".join(f"- {turn}\n" for turn in turns))
        self.walk.agent(name, f"model: script:{name}.turns.yaml", *lines)
        self.entries[name] = f"{{path: ./{name}.yaml{entry}}}"

    def joins(self, name: str, script: str) -> None:
        """A foreign agent with this script."""
        self.entries[name] = self.walk.child(name, script)

    def codes(self, *commands: str, name: str = "homer", entry: str = "") -> None:
        """A coder who runs one command in each turn, and says so."""
        turns = [
            turn
            for number, command in enumerate(commands, 1)
            for turn in (f"{{call: {bash(command)}}}", f"{{say: Done {number}.}}")
        ]
        self.plays(name, *turns, entry=entry)

    def reviews(self, *answers: str, name: str = "jan") -> None:
        """A reviewer of whom each run gets the next answer: each review is a conversation of its own."""
        turns = [f"{{when: 'Review', say: {json.dumps(answer)}}}" for answer in answers]
        self.plays(name, *turns)

    def pipeline(self, *steps: str, more: str = "") -> None:
        """Write riker's file with the pipeline and `lines`; `more` are keys beside the steps."""
        entries = ", ".join(f"{name}: {entry}" for name, entry in self.entries.items())
        text = ["pipelines:", "  p:", *textwrap.indent(textwrap.dedent(more), "    ").splitlines()]
        text += ["    steps:", *(f"    - {step}" for step in steps)]
        self.walk.agent("riker", f"mmConfigs: {{{entries}}}", *self.lines, *text)

    def runs(self, task: str = "Make it two.") -> Ran:
        """A run without anybody."""
        return self.walk.runs("--pipeline", "p", task)

    @property
    def branches(self) -> list[str]:
        """The branches of runs."""
        return self.person.git("for-each-ref", "--format=%(refname:short)", "refs/heads/mm/").splitlines()

    @property
    def branch(self) -> str:
        """The branch of the only run."""
        (branch,) = self.branches
        return branch

    @property
    def worktrees(self) -> list[Path]:
        """The worktrees that git knows beside the person's."""
        listed = self.person.git("worktree", "list", "--porcelain").splitlines()
        paths = [Path(line.removeprefix("worktree ")) for line in listed if line.startswith("worktree ")]
        return [path for path in paths if path != self.walk.folder]

    def states(self) -> list[str]:
        """How the runs stand, as `mm pipeline list` says it."""
        listed = self.walk.runs("pipeline", "list")
        assert not listed.code, listed
        return listed.stdout.splitlines()

    @property
    def run(self) -> str:
        """The only run."""
        (line,) = self.states()
        return line.split()[0]

    def resumes(self) -> Ran:
        """The only run, taken up again."""
        return self.walk.runs("pipeline", "resume", self.run)


def bash(command: str) -> str:
    """A call of bash, as a turn of a model names it."""
    quoted = command.replace("'", "''")
    return f"{{tool: bash, args: {{command: '{quoted}'}}}}"
