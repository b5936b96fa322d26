"""The headless facade: one run of `mm -p` or `mm --ask`. stdout holds only the answer, all else is on stderr.

There is nobody to ask: calls that would ask are refused, and one line at the end says so.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TextIO

from consent.answer import Response
from consent.docket import Waiting
from consent.key import Key, Path
from consent.rules import Why
from consent.show import safe, show
from consent.tally import Tally
from mmconfigs.language import Words
from orchestrator.agent import Reason, Stop
from orchestrator.conversation import FAILED, exit_code
from orchestrator.events import CallEnded, CallStarted, Event, Level, Noted, Row, RunState
from orchestrator.facades import sentences as line
from orchestrator.session import Session
from orchestrator.words import catalogue as say
from orchestrator.words.banner import unasked_line
from orchestrator.words.notes import WITH_GIST
from orchestrator.words.summary import of_run
from orchestrator.words.table import change, news


class Headless:
    """Sink and Asker of a run that nobody watches."""

    def __init__(self, words: Words, out: TextIO, err: TextIO, *, verbose: bool = False) -> None:
        self._words = words
        self._out = out
        self._err = err
        self._verbose = verbose
        self._stop = Stop(Reason.CANCELLED)  # what it is if a signal comes before the turn has ended
        self._unasked: dict[Key, int] = {}
        self._tally = Tally()
        self._calls: dict[tuple[Path, str], str] = {}
        self._rows: tuple[Row, ...] = ()

    async def emit(self, event: Event) -> None:
        """Notes that matter go to stderr, with `--verbose` also every call, and every step of a run."""
        match event:
            case Noted(_, text, level) if self._verbose or level is not Level.INFO:
                self._write(safe(self._words.say(line.NOTES[level], text=self._words.told(text))))
            case CallStarted(path, call, name, _, _, _, arguments) if self._verbose:
                called = self._calls[path, call] = "/".join((*path, name or "(unclear)"))
                self.tell(show(f"{called} {arguments}"))
            case CallEnded(path, call, ok, text) if self._verbose:
                called = self._calls.pop((path, call), "/".join(path))
                ended = self._words.say(line.CALL_ENDED if ok else line.CALL_FAILED, call=called)
                told = self._words.say(WITH_GIST, told=ended, gist=text.strip()) if text.strip() else ended
                self.tell(show(told))
            case RunState(run=run, rows=rows) if self._verbose:
                for row in news(self._rows, rows):
                    self.tell(f"{run}: {change(row, self._words)}")
                self._rows = rows
            case _:
                pass

    async def ask(self, waiting: Waiting, behind: Callable[[], int]) -> Response | Why:  # noqa: ARG002
        """Nobody is there. stdin is never read for an answer."""
        return Why.NOBODY

    async def run(self, session: Session, turn: Awaitable[Stop]) -> int:
        """Wait for the turn, and give the exit code; what is to be printed is kept for `finish`."""
        stop = self._stop = await turn
        self._unasked = session.desk.unasked
        self._tally = session.desk.tally
        return exit_code(stop, unasked=bool(self._unasked))

    def finish(self, code: int) -> int:
        """Print the answer, how the run ended, what its calls came to, and what was refused; the exit code.

        Called when nothing runs any more, so that whoever does not read holds up nothing but this.
        """
        printed = self._print(self._stop.text) if self._stop.text else True
        self._tell_end(self._stop)
        if self._verbose or self._tally.whole.unasked:
            for counts in of_run(self._tally, self._words):
                self._write(counts)
        if self._unasked:
            self._write(unasked_line(self._unasked))
        return code if printed else code or FAILED

    def _tell_end(self, stop: Stop) -> None:
        if stop.done and not stop.text:
            self.tell(self._words.say(say.EMPTY_ANSWER))
        if not stop.done:
            ended = self._words.say(say.ENDED[stop.reason.value])
            self.tell(f"{ended}: {self._words.told(stop.detail)}" if stop.detail else ended)

    def _print(self, answer: str) -> bool:
        """Print the answer; whether it got out. It is another process's text: only files get it as it is."""
        text = safe(answer) if self._out.isatty() else answer
        try:
            print(text.rstrip("\n"), file=self._out, flush=True)
        except OSError as error:
            self.tell(self._words.say(line.NOT_WRITTEN, reason=str(error.strerror)))
            with suppress(OSError):
                self._out.close()  # else Python tries once more at its end
            return False
        return True

    def tell(self, text: str) -> None:
        """One line on stderr."""
        self._write(f"mm: {safe(text)}")

    def _write(self, line: str) -> None:
        with suppress(OSError):  # what cannot be told must not end the run, nor change its code
            print(line, file=self._err, flush=True)
