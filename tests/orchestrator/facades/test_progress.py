"""A sign of life on the last line, and nothing of it in what stays."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from consent.call import Command
from consent.key import Kind
from mmconfigs.language import Language, Words
from orchestrator.events import CallEnded, CallStarted, Phase, Row, RunState, Said
from orchestrator.facades.progress import Progress
from orchestrator.facades.screen import Screen
from orchestrator.facades.transcript import Transcript
from tests.orchestrator.facades.terminal import Terminal, terminal

XTERM = {"TERM": "xterm"}
BASH = CallStarted(("jan",), "1", "bash", Kind.EXECUTE, "", Command("sleep 60"), "{}")


class Stage:
    """What a person sees while nothing happens."""

    def __init__(self, at: Terminal, output: int, environ: Mapping[str, str], language: Language) -> None:
        self.now = 0.0
        self.occupied = False
        self._at = at
        stream = open(output, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the test
        self.screen = Screen(stream, environ, vanished=lambda: None, clock=lambda: self.now)
        self.transcript = Transcript(self.screen, Words(language))
        self._progress = Progress(self.screen, self.transcript, Words(language), lambda: self.occupied)

    def after(self, seconds: float) -> list[str]:
        """The lines on the screen when so much time has passed."""
        self.now += seconds
        self._progress.show()
        while self._at.read(0):
            pass
        return self._at.text.rstrip().split("\n")


@contextmanager
def stage(
    columns: int = 80, environ: Mapping[str, str] = XTERM, language: Language = "en"
) -> Iterator[Stage]:
    at = Terminal(columns, 5)
    yield Stage(at, at.slave, environ, language)
    at.close()


def test_silence_is_told_with_its_seconds() -> None:
    with stage() as here:
        here.transcript.note("mm: hello")
        assert here.after(1.9) == ["mm: hello"]
        assert here.after(0.1) == ["mm: hello", "working … 2 s"]
        assert here.after(10) == ["mm: hello", "working … 12 s"]


def test_it_speaks_french() -> None:
    with stage(language="fr") as here:
        assert here.after(3) == ["en cours … 3 s"]


def test_whatever_is_drawn_takes_its_place() -> None:
    with stage() as here:
        here.after(3)
        here.transcript.note("mm: hello")
        assert here.after(1) == ["mm: hello"]


def test_it_says_what_runs() -> None:
    with stage() as here:
        here.transcript.draw(BASH)
        assert here.after(3)[-1] == "jan › bash: sleep 60 … 3 s"
        here.transcript.draw(CallEnded(("jan",), "1", True, ""))
        here.transcript.draw(Said(("jan",), "I th"))
        assert here.after(3)[-1] == "jan … 3 s"


def test_it_says_who_works_for_a_run_and_for_how_long() -> None:
    rows = (Row("homer", 1, Phase.WORKING), Row("jan", 1, Phase.WORKING))
    with stage() as here:
        here.transcript.draw(RunState((), "review-1", rows[:1]))
        here.after(60)
        here.transcript.draw(RunState((), "review-1", rows))
        here.transcript.draw(BASH)
        assert here.after(5)[-1] == "homer 1 min 5 s, jan 5 s …"
        here.transcript.draw(RunState((), "review-1", (rows[0], replace(rows[1], phase=Phase.DONE))))
        assert here.after(2)[-1] == "homer 1 min 7 s …"


def test_it_keeps_to_one_row_and_the_seconds_stay() -> None:
    with stage(columns=20) as here:
        here.transcript.draw(BASH)
        assert here.after(12)[-1] == "jan › bash:  … 12 s"
        here.transcript.note("mm: hello")
        assert here.after(0)[-1] == "mm: hello"


def test_it_is_short_enough_to_be_taken_back_after_the_terminal_was_narrowed() -> None:
    with stage(columns=200) as here:
        here.transcript.draw(replace(BASH, detail=Command("sleep 60 " * 20)))
        assert len(here.after(12)[-1]) == 50
        assert here.after(0)[-1].endswith(" … 12 s")


def test_a_question_is_left_alone() -> None:
    with stage() as here:
        here.occupied = True
        assert here.after(100) == [""]


@pytest.mark.parametrize("environ", [{"TERM": "dumb"}, {"TERM": ""}, {}])
def test_a_terminal_that_cannot_take_it_back_gets_none(environ: dict[str, str]) -> None:
    with stage(environ=environ) as here:
        assert here.after(100) == [""]


def test_a_pipe_gets_none(tmp_path: Path) -> None:
    at = Terminal(80, 5)
    file = os.open(tmp_path / "output", os.O_WRONLY | os.O_CREAT)
    Stage(at, file, XTERM, "en").after(100)
    assert (tmp_path / "output").read_text() == ""
    os.close(file)
    at.close()


@pytest.mark.parametrize("scene", ["silent", "long_turn"])
def test_it_is_gone_when_the_turn_ends(scene: str) -> None:
    with terminal("tests.orchestrator.facades.scenes", scene) as at:
        at.wait_for_prompt()
        at.press("go\r")
        at.wait_for("working … 2 s")
        if scene == "long_turn":
            at.press("\x03")
            at.wait_for("mm: stopped")
        at.wait_for_prompt()
        assert "working …" not in at.text
