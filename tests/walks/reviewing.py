"""A person's repository with a pipeline: homer codes, jan and lisa review.

What the agents do is counted outside the repository: each turn writes a line into a log.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.walks.builder import MM, Ran, Walk
from tests.walks.processes import DEADLINE, until
from tests.walks.terminal import Terminal

PIPELINE = """\
model: demo
yolo: true
mmConfigs:
  homer: {config: {model: "script:./homer.yaml"}, yolo: true}
  jan: {config: {model: "script:./jan.yaml"}, yolo: true}
  lisa: {config: {model: "script:./lisa.yaml"}, yolo: true}
pipelines:
  review:
    worktree: true
    limits: {rounds: 2, minutes: 30, agents: AGENTS}
    steps:
      - {ask: homer, prompt: "{task}", handover: HANDOVER}
      - together:
          - {ask: jan, prompt: "Look.\\n{diff}"}
          - {ask: lisa, prompt: "Look.\\n{diff}"}
        verdict: {accept: ACCEPT, reject: REJECT, all: true}
    finish: {merge: MERGE}
"""
SCRIPT = """\
- {call: {tool: bash, args: {command: "echo NAME >> $WALK_LOG; WORK"}}}
- {say: "SAID"}
"""
POINTS = (
    "run begins",
    *(
        f"{step} {what}"
        for step in ("1.0 prompts", "1.0 homer", "1.1 prompts", "1.1 jan", "1.1 lisa")
        for what in ("begins", "ends", "kept")
        if (step, what) != ("1.1 jan", "kept")  # lisa begins then
    ),
    "run ends",
)
"""Where a run of the pipeline can be ended, in order; its readers read one after the other."""


COMMIT = "review: homer, step 0, round 1"
PAT = ("-c", "user.name=Pat", "-c", "user.email=pat@example.org")
WORK = {"homer": "echo one >> code", "jan": "cat code", "lisa": "cat code"}
HELD = "while ! test -e $WALK_GO; do sleep 0.02; done"
LONGEST = 120.0
"""Seconds for a whole run, which starts six programs."""


class Reviewing:
    """The pipeline, and what is left of its runs."""

    def __init__(self, walk: Walk, database: str = "", **more: str) -> None:
        self.walk = walk
        self.log = walk.home / "log"
        self._points = walk.home / "points"
        self._files(database, {"AGENTS": "1", "HANDOVER": "auto", "MERGE": "branch", **more})
        self.git("init", "--quiet", "--initial-branch=main")
        walk.file(".git/info/exclude", "*.yaml\n/go\n")
        walk.file("code", "zero\n")
        self.git("add", "code")
        self.git(
            "-c", "user.name=Pat", "-c", "user.email=pat@example.org", "commit", "--quiet", "-m", "first"
        )
        self.environ = {
            "PYTHONPATH": os.pathsep.join(
                (str(Path(__file__).parent / "killing"), walk.environ({})["PYTHONPATH"])
            ),
            "WALK_LOG": str(self.log),
            "WALK_GO": str(walk.folder / "go"),
            "WALK_POINTS": str(self._points),
        }

    def _files(self, database: str, words: dict[str, str]) -> None:
        text = PIPELINE + (f"pipelinesDatabase: {json.dumps(database)}\n" if database else "")
        for word in ("AGENTS", "HANDOVER", "MERGE"):
            text = text.replace(word, words[word])
        self.walk.file("riker.yaml", text)
        for name, work in WORK.items():
            self.script(name, work, "fine\\nACCEPT")

    @contextmanager
    def begun(self, *args: str) -> Iterator[subprocess.Popen[str]]:
        """Begin a run without a terminal, and do not wait for its end; or any other command."""
        command = args or ("--pipeline", "review", "write one")
        argv = (*MM, "-c", "riker.yaml", *command)
        with subprocess.Popen(
            argv,
            env=self.walk.environ(self.environ),
            cwd=self.walk.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as mm:
            try:
                yield mm
            finally:
                mm.kill()

    def at_a_terminal(self, *args: str) -> Terminal:
        """Start mm at a terminal."""
        more: dict[str, Any] = self.environ
        return self.walk.line(*args, **more)

    def keeps_waiting(self, name: str) -> None:
        """Let an agent stop in the middle of its turn."""
        self.script(name, f"{WORK[name]}; {HELD}", "fine\\nACCEPT")

    def script(self, name: str, work: str, said: str) -> None:
        """What an agent does in its turn, and what it says then."""
        text = SCRIPT.replace("NAME", name).replace("WORK", work).replace("SAID", said)
        self.walk.file(f"{name}.yaml", text)

    def begins(self, kill_at: str = "", **environ: str) -> Ran:
        """Begin a run without a terminal, and wait for its end."""
        return self._runs("--pipeline", "review", "write one", kill_at=kill_at, **environ)

    def resumes(self, kill_at: str = "", **environ: str) -> Ran:
        """Resume the run, and wait for its end."""
        return self._runs("pipeline", "resume", self.run, kill_at=kill_at, **environ)

    def _runs(self, *args: str, kill_at: str, **environ: str) -> Ran:
        more: dict[str, Any] = {**self.environ, "WALK_KILL_AT": kill_at, **environ}
        return self.walk.runs(*args, deadline=LONGEST, **more)

    @property
    def run(self) -> str:
        """The id of the only run."""
        (found,) = self.listed()
        return str(found["run"])

    def listed(self) -> list[dict[str, Any]]:
        """What `mm pipeline list` knows."""
        ran = self.walk.runs("pipeline", "list", "--json", deadline=LONGEST)
        assert ran.code == 0, ran.stderr
        return [json.loads(line) for line in ran.stdout.splitlines()]

    @property
    def points(self) -> list[str]:
        """The points that were passed, by all programs together."""
        return self._points.read_text().splitlines() if self._points.exists() else []

    @property
    def turns(self) -> Counter[str]:
        """How often each agent worked."""
        return Counter(self.log.read_text().split() if self.log.exists() else ())

    @property
    def audited(self) -> Counter[str]:
        """How many calls of each agent were decided."""
        ran = self.walk.runs("log", "--json")
        lines = [json.loads(line) for line in ran.stdout.splitlines()]
        return Counter(line["agent"] for line in lines if line["agent"])

    def stands_in_the_middle_of(self, name: str) -> None:
        """Wait until this agent works; it goes on once the file `go` is there."""
        assert until(lambda: self.turns[name] > 0, LONGEST), self.points

    def goes_on(self) -> None:
        """Let agents go on that wait."""
        self.walk.file("go", "")

    def git(self, *arguments: str) -> str:
        """Git by hand."""
        ran = subprocess.run(
            ("git", *arguments),
            cwd=self.walk.folder,
            env=self.walk.environ({}),
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout.rstrip("\n")

    def came_to_its_end(self) -> None:
        """The run is accepted, and what is left of it is just what an undisturbed run leaves."""
        (found,) = self.listed()
        assert found["state"] == "accepted"
        branch = f"mm/{found['run']}"
        assert self.git("log", "--format=%s", branch).splitlines() == [
            "review: homer, step 0, round 1",
            "first",
        ]
        assert self.git("show", f"{branch}:code") == "zero\none"
        assert self.git("show", "main:code") == "zero"
        assert self.git("status", "--porcelain", "--untracked-files=no") == ""
        assert len(self.git("worktree", "list").splitlines()) == 1
        assert not [path for path in (self.walk.home / "DATA").rglob("*") if path.is_file()]
        self.nothing_that_was_kept_ran_again()

    def nothing_that_was_kept_ran_again(self) -> None:
        """No step began after its value was kept, and every call was decided once."""
        kept: set[str] = set()
        for step, _, what in (point.rpartition(" ") for point in self.points):
            assert (step, what) not in {(done, "begins") for done in kept}
            kept |= {step} if what == "kept" else set()
        assert self.audited == self.turns

    def lost_everybody(self) -> None:
        """The agents have ended, since mm has."""
        assert until(lambda: not self.walk.processes(), DEADLINE), self.walk.processes()
