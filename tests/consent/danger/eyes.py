"""Looking at a command, as the tests say it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from consent.danger.assess import assess
from consent.danger.finding import Finding, Reason
from consent.danger.paths import Surroundings

FOLDER = "/home/ann/project"
HOME = "/home/ann"


@dataclass(frozen=True, slots=True)
class Files:
    """A file system of these files; `links` lead elsewhere."""

    there: Collection[str] = ()
    links: tuple[tuple[str, str], ...] = ()

    def exists(self, path: str) -> bool:
        return path in self.there

    def real(self, path: str) -> str:
        return dict(self.links).get(path, path)


def look(
    command: str, *, folder: str = FOLDER, deciding: Collection[str] = (), files: Files | None = None
) -> Finding:
    around = Surroundings(folder, HOME, deciding, files) if files else Surroundings(folder, HOME, deciding)
    return assess(command, around)


def reason(command: str, *, folder: str = FOLDER, deciding: Collection[str] = ()) -> Reason | None:
    return look(command, folder=folder, deciding=deciding).reason
