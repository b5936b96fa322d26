"""A run that nobody watches: its exit code, and what goes to which stream."""

from __future__ import annotations

import io
from typing import Any

import pytest

from consent.docket import Waiting
from consent.key import Key
from consent.rules import Why
from consent.setting import Setting
from mmconfigs.language import Language, Words
from orchestrator.agent import Reason, Stop
from orchestrator.conversation import DONE, FAILED, INTERRUPTED, REFUSED
from orchestrator.desk import Desk
from orchestrator.events import CallEnded, CallStarted, Level, Noted, Phase, Row, RunState, Said, Thought
from orchestrator.facades.headless import Headless
from tests.orchestrator.parts import bash_call


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Full(io.StringIO):
    """A stream that takes nothing, like a disk that is full or a pipe that nobody reads."""

    def flush(self) -> None:
        if not self.closed:
            raise OSError(28, "No space left on device")


class Run:
    """A headless facade with its streams, and a session whose desk has nobody to ask."""

    def __init__(
        self, out: io.StringIO | None = None, *, verbose: bool = False, language: Language = "en"
    ) -> None:
        self.out = out or io.StringIO()
        self.err = io.StringIO()
        self.facade = Headless(Words(language), self.out, self.err, verbose=verbose)
        self.desk = Desk(Setting(somebody=True), self.facade, lambda _: None)

    async def ends(self, stop: Stop) -> int:
        async def turn() -> Stop:
            return stop

        session: Any = self  # of a session it reads the desk only
        return self.facade.finish(await self.facade.run(session, turn()))

    @property
    def said(self) -> list[str]:
        return self.err.getvalue().splitlines()


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        (Reason.END_TURN, DONE),
        (Reason.CANCELLED, INTERRUPTED),
        *((r, FAILED) for r in Reason if r not in (Reason.END_TURN, Reason.CANCELLED)),
    ],
)
async def test_the_end_of_the_turn_is_the_exit_code(reason: Reason, code: int) -> None:
    run = Run()
    assert await run.ends(Stop(reason, "half", "the lamp went out")) == code
    assert run.out.getvalue() == "half\n"
    if code != DONE:
        (line,) = run.said
        assert "the lamp went out" in line


@pytest.mark.parametrize("verbose", [False, True])
async def test_with_verbose_each_change_of_a_run_is_one_line(verbose: bool) -> None:
    run, waits = Run(verbose=verbose), Row("lisa", 1, Phase.WAITING)
    for row in (Row("jan", 1, Phase.WORKING), Row("jan", 1, Phase.DONE, "ACCEPT", 2.0)):
        await run.facade.emit(RunState((), "review-1", (row, waits)))
    told = ["mm: review-1: ▸ jan: working, round 1", "mm: review-1: ✓ jan: done, ACCEPT, round 1, 2 s"]
    assert run.said == (told if verbose else [])


async def test_stdout_holds_only_the_answer() -> None:
    run = Run()
    for event in (
        Said((), "piece"),
        Thought((), "hm"),
        Noted((), "info"),
        Noted((), "careful", Level.WARNING),
    ):
        await run.facade.emit(event)
    assert await run.ends(Stop(Reason.END_TURN, "answer\n\n")) == DONE
    assert run.out.getvalue() == "answer\n"
    assert run.said == ["mm: warning: careful"]


async def test_an_empty_answer_is_said() -> None:
    run = Run()
    assert await run.ends(Stop(Reason.END_TURN)) == DONE
    assert run.out.getvalue() == ""
    assert run.said == ["mm: the answer is empty"]


async def test_refused_calls_make_one_line_and_a_code_of_their_own() -> None:
    """O-d4"""
    run = Run()
    for path in ((), ("jan",), ("jan",)):
        assert (await run.desk.decide(bash_call(path=path))).why is Why.NOBODY
    assert run.desk.unasked == {Key((), "bash"): 1, Key(("jan",), "bash"): 2}
    assert await run.ends(Stop(Reason.END_TURN, "I could not.")) == REFUSED
    assert run.said == ["mm: 3 calls refused because nobody could be asked: bash (1), jan/bash (2)"]


@pytest.mark.parametrize(("reason", "code"), [(Reason.FAILED, FAILED), (Reason.CANCELLED, INTERRUPTED)])
async def test_a_run_that_failed_is_no_refused_one_and_still_says_the_line(reason: Reason, code: int) -> None:
    run = Run()
    await run.desk.decide(bash_call())
    assert await run.ends(Stop(reason)) == code
    assert run.said[-1] == "mm: 1 call refused because nobody could be asked: bash (1)"


async def test_an_answer_is_escaped_for_a_terminal_and_whole_for_a_file() -> None:
    terminal, file = Run(Terminal()), Run()
    for run in (terminal, file):
        await run.ends(Stop(Reason.END_TURN, "one\n\x1b[2Jtwo"))
    assert "\x1b" not in terminal.out.getvalue()
    assert "one\n" in terminal.out.getvalue()
    assert file.out.getvalue() == "one\n\x1b[2Jtwo\n"


async def test_an_answer_that_cannot_be_written_is_a_failed_run() -> None:
    run = Run(Full())
    assert await run.ends(Stop(Reason.END_TURN, "answer")) == FAILED
    assert run.said == ["mm: the answer could not be written: No space left on device"]
    assert run.out.closed


async def test_calls_are_told_only_when_wanted() -> None:
    started = CallStarted(("jan",), "1", "bash", None, "", bash_call().detail, '{"command": "\x1b[2J"}')
    ended = CallEnded(("jan",), "1", False, "no\x1b")
    for verbose in (True, False):
        run = Run(verbose=verbose)
        await run.facade.emit(started)
        await run.facade.emit(ended)
        assert len(run.said) == (2 if verbose else 0)
        assert "\x1b" not in run.err.getvalue()


async def test_a_call_that_ended_is_told_by_its_name_on_one_line() -> None:
    for path, key in (((), "bash"), (("jan",), "jan/bash")):
        run = Run(verbose=True)
        for text in ("", "ok\n"):
            await run.facade.emit(CallStarted(path, "1", "bash", None, "", bash_call().detail, "{}"))
            await run.facade.emit(CallEnded(path, "1", True, text))
        assert run.said == [f"mm: {key} {{}}", f"mm: {key} ended", f"mm: {key} {{}}", f"mm: {key} ended: ok"]


async def test_what_a_run_tells_of_itself_is_told_in_french() -> None:
    run = Run(verbose=True, language="fr")
    await run.facade.emit(Noted((), "prudence", Level.WARNING))
    await run.facade.emit(CallEnded(("jan",), "1", False, "non"))
    assert run.said == ["mm: attention : prudence", "mm: jan a échoué : non"]


async def test_nobody_is_ever_asked() -> None:
    """O-d3"""
    waiting: Any = Waiting
    assert await Run().facade.ask(waiting, lambda: 0) is Why.NOBODY
