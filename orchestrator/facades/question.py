"""One question on the screen: drawn once, answered by one line, its details on demand. Decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import anyio
from rich.cells import cell_len

from consent.answer import Response
from consent.call import ToolCall
from consent.docket import Waiting
from consent.rules import Why
from consent.show import LOCK, show
from mmconfigs.language import Words
from orchestrator.facades import guard
from orchestrator.facades import sentences as say
from orchestrator.facades.guard import Accepted, Confirming, Inviting, Settling, State
from orchestrator.facades.keyboard import Keyboard
from orchestrator.facades.keys import Key, Pasted, Press, TypeAhead, Typed
from orchestrator.facades.screen import Screen
from orchestrator.words.card import Card, card, more_waiting
from orchestrator.words.detail import whole_detail

STOP = "s"
DETAILS = "d"
MORE = ""
BACK = "b"


class _StoppedAll(Exception):
    """The person pressed Ctrl-C: the whole turn stops."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """What one line may answer: the lines that count, how they are invited, and what is said to others.

    `above` gives what is drawn above the invitation, as it is then; `early` is said once to what was typed
    before it; `pause` is the guard's.
    """

    accepted: Collection[str]
    text: str
    above: Callable[[], str]
    otherwise: str
    early: str = ""
    pause: float = guard.SETTLE


class Questioner:
    """Asks on `screen`, reads from `keyboard`, which its caller has borrowed. `stop` stops the whole turn."""

    def __init__(
        self,
        screen: Screen,
        keyboard: Keyboard,
        words: Words,
        clock: Callable[[], float],
        stop: Callable[[], None],
    ) -> None:
        self._screen = screen
        self._keyboard = keyboard
        self._words = words
        self._clock = clock
        self._stop = stop

    async def ask(self, waiting: Waiting, behind: Callable[[], int], typed: TypeAhead) -> Response | Why:
        """The person's answer; CANCELLED for Stop, Ctrl-C, and a terminal that is gone.

        `behind` gives how many questions wait behind this one. What is typed while no answer is invited
        goes to `typed`; an invited line answers, or goes nowhere.
        """
        shown = card(waiting, self._words, behind())
        self._draw(shown)
        answers = {str(choice.digit): choice.answer for choice in shown.choices}
        invitation = self._invitation(answers, behind)
        try:
            while (line := await self._line(invitation, typed)) == DETAILS:
                await self._details(waiting.question.call)
        except anyio.get_cancelled_exc_class():
            self._screen.draw("", self._words.say(say.WITHDRAWN, who=shown.who))
            raise
        except _StoppedAll:
            self._screen.draw("")
            self._stop()
            return Why.CANCELLED
        except anyio.EndOfStream:
            return Why.CANCELLED
        return answers.get(line, Why.CANCELLED)

    def _draw(self, shown: Card) -> None:
        self._screen.draw(f"{LOCK} {shown.who}", style="bold")
        for line in shown.body:
            self._screen.draw(line, style="bold red" if line == shown.mark else "")
        choices = (f"{choice.digit}  {choice.label} ({choice.covers})" for choice in shown.choices)
        self._screen.draw(*choices, f"{STOP}  {shown.stop}")

    def _invitation(self, digits: Collection[str], behind: Callable[[], int]) -> Invitation:
        answers = ", ".join(digits)
        return Invitation(
            accepted=(*digits, STOP, DETAILS),
            text=self._words.say(say.INVITATION, answers=answers),
            above=lambda: more_waiting(behind(), self._words),
            otherwise=self._words.say(say.NO_ANSWER, answers=answers),
            early=self._words.say(say.EARLY),
        )

    async def _details(self, call: ToolCall) -> None:
        rows = [row for line in whole_detail(call, self._words) for row in self._screen.rows(line)]
        height = max(self._screen.size[1] - 2, 1)
        pages = [rows[at : at + height] for at in range(0, len(rows), height)]
        for number, page in enumerate(pages, 1):
            self._screen.write("".join(f"{row}\n" for row in page))  # wrapped already
            if number < len(pages) and await self._line(self._more(number, len(pages)), TypeAhead()) == BACK:
                return

    def _more(self, page: int, pages: int) -> Invitation:
        text = self._words.say(say.MORE, page=self._words.number(page), pages=self._words.number(pages))
        return Invitation(
            (MORE, BACK), text, lambda: "", otherwise=self._words.say(say.NO_MORE), pause=guard.QUIET
        )

    async def _line(self, invitation: Invitation, typed: TypeAhead) -> str:
        """The next line that counts; what is typed while none is invited goes to `typed`."""
        state: State = guard.drawn(self._clock(), invitation.pause)
        early = invitation.early
        while not isinstance(state, Accepted):
            keys = await self._keyboard.read(guard.wait(state, self._clock()))
            if keys is None:
                keys, state = await self._rest(state, invitation)
            now = self._clock()
            for key in (Press.OTHER,) if keys == () else keys or ():  # half a sequence is input, too
                if key is Press.STOP:
                    raise _StoppedAll
                if not isinstance(state, Inviting):
                    early = self._keep(key, typed, state, early)
                state = self._follow(state, guard.press(state, key, now, invitation.accepted), invitation)
        return state.line

    async def _rest(self, state: State, invitation: Invitation) -> tuple[tuple[Key, ...] | None, State]:
        """Go on after a silence. What invites is ready before the last look for keys: none comes between."""
        lines = filter(None, (invitation.above(), invitation.text))
        inviting = self._screen.rendered(*lines, end=" ")
        keys = await self._keyboard.read(0)
        if keys is not None:
            return keys, state
        after = guard.rest(state, self._clock())
        if isinstance(after, Inviting) and not self._screen.behind:
            self._screen.write(inviting)
            if self._screen.behind:
                self._screen.write("\n")
        unread = isinstance(after, Inviting) and self._screen.behind
        return None, guard.drawn(self._clock(), invitation.pause) if unread else after

    def _keep(self, key: Key, typed: TypeAhead, state: State, early: str) -> str:
        """Keep a key that no invitation asked for, and say so; what is still to be said to a later one."""
        typed.add(key)
        if not isinstance(key, Typed | Pasted) or not isinstance(state, Settling):
            return early
        if early:
            self._screen.draw(early)
        return ""

    def _follow(self, before: State, after: State, invitation: Invitation) -> State:
        """Draw what changed, and go on with what is now."""
        match before, after:
            case Inviting(line=old), Inviting(line=new):
                self._echo(old, new)
            case Inviting(), Confirming():
                self._screen.write("\n")
            case Inviting(), Settling():
                self._screen.draw("", invitation.otherwise)
            case Confirming(), Settling():
                self._screen.draw(invitation.otherwise)
            case _:
                pass
        return after

    def _echo(self, old: str, new: str) -> None:
        if len(new) < len(old):
            self._screen.write("\b \b" * cell_len(show(old[len(new) :])))
        else:
            self._screen.write(show(new[len(old) :]))
