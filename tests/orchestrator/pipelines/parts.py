"""A person's repository, and a run in it."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from orchestrator.pipelines.repository import Base, base_of
from orchestrator.pipelines.trees import Tree, open_tree


@dataclass(frozen=True)
class Checkout:
    """A folder that somebody works in with git, by hand."""

    folder: Path

    def git(self, *arguments: str) -> str:
        ran = subprocess.run(["git", *arguments], cwd=self.folder, capture_output=True, check=False)
        assert not ran.returncode, (arguments, ran.stderr)
        return os.fsdecode(ran.stdout).rstrip("\n")

    def refuses(self, *arguments: str) -> str:
        ran = subprocess.run(
            ["git", *arguments], cwd=self.folder, capture_output=True, check=False, text=True
        )
        assert ran.returncode
        return ran.stderr

    def write(self, **files: str) -> None:
        """Files by name, two underscores for a slash."""
        for name, text in files.items():
            path = self.folder / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def commit(self, **files: str) -> str:
        self.write(**files)
        self.git("add", "--all")
        self.git(*self._identity(), "commit", "--quiet", "--allow-empty", "--message", "by hand")
        return self.head

    def _identity(self) -> tuple[str, ...]:
        """Somebody, where the home says nobody."""
        known = subprocess.run(
            ["git", "config", "user.email"], cwd=self.folder, capture_output=True, check=False
        )
        return () if known.stdout else ("-c", "user.name=Pat", "-c", "user.email=pat@example.org")

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    def state(self) -> tuple[str, ...]:
        """What a run must not touch."""
        index = (self.folder / self.git("rev-parse", "--git-path", "index")).read_bytes().hex()
        return self.head, self.git("status", "--porcelain=v1", "--branch"), index

    def files(self, commit: str = "HEAD") -> list[str]:
        return self.git("ls-tree", "-r", "--name-only", commit).splitlines()

    def text(self, path: str, commit: str = "HEAD") -> str:
        return self.git("show", f"{commit}:{path}")


def new(folder: Path, **files: str) -> Checkout:
    """A repository with one commit."""
    folder.mkdir(parents=True)
    checkout = Checkout(folder)
    checkout.git("init", "--quiet", "--initial-branch=main")
    checkout.commit(**(files or {"code": "one\ntwo\nthree\n"}))
    return checkout


@dataclass(frozen=True)
class Run:
    """A run: the person's checkout, its base and worktree, and an agent's hands in that."""

    person: Checkout
    base: Base
    tree: Tree
    home: Path

    @property
    def agent(self) -> Checkout:
        return Checkout(self.tree.folder)

    async def again(self) -> Tree:
        return await open_tree(self.base, self.tree.run, self.home)


async def begin(person: Checkout, home: Path, name: str = "r1", inside: str = ".") -> Run:
    base = await base_of(person.folder / inside)
    return Run(person, base, await open_tree(base, name, home), home)


def script(file: Path, text: str) -> Path:
    """A program that the shell runs."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file
