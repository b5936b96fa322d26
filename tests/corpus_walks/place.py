"""jan's place: a walk whose jan is the impostor, by `path` as ours, or by `command` as foreign."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.corpus.expectations import answers_owed
from tests.corpus.permission_frames import Case, permission_frames
from tests.walks.builder import Walk

IMPOSTOR = Path(__file__).with_name("impostor.py")


class Place:
    """A folder with every row of the corpus, and files that ask: riker's, and free.yaml with yolo on."""

    def __init__(self, folder: Path) -> None:
        self.walk = Walk(folder)
        program = self.walk.file("place/orchestrator/__main__.py", IMPOSTOR.read_text(encoding="utf-8"))
        self.walk.file("place/orchestrator/__init__.py", "")
        self._rows = program.parents[1] / "rows"
        self._rows.mkdir()
        for case, frame in permission_frames():
            (self._rows / case["id"]).write_bytes(frame)
        self.walk.agent("jan")
        ours = {"path": "./jan.yaml", "env": {"PYTHONPATH": str(program.parents[1])}}
        foreign = {"command": [sys.executable, str(program)]}
        for name, yolo, jan in (("riker", False, ours), ("free", True, ours), ("foreign", False, foreign)):
            self.walk.agent(name, f"yolo: {str(yolo).lower()}", f"mmConfigs: {json.dumps({'jan': jan})}")

    def heard(self) -> list[dict[str, Any]]:
        """The answers that the last row got."""
        answers: list[dict[str, Any]] = json.loads((self._rows / "heard").read_text())
        return answers

    def outcomes(self) -> list[dict[str, Any]]:
        """The outcomes that the last row got, without what mm says beside them."""
        return [{"outcome": answer["result"]["outcome"]} for answer in self.heard()]

    def errors(self) -> list[dict[str, Any]]:
        """The ids and codes of the errors that the last row got."""
        return [{"id": answer["id"], "code": answer["error"]["code"]} for answer in self.heard()]


def asking(case: Case) -> str:
    """What a person types to make jan send a row."""
    return f"/ask-jan {case['id']} {answers_owed(case)}"
