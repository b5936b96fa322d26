"""A conversation without agents: `python -m tests.orchestrator.facades.scenes SCENE [FOLDER]` plays one.

Each typed line is submitted to the scene, which emits events and asks questions; what came of them is drawn
as a note, so that a test reads it from the screen.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path as Folder

import anyio
from anyio.abc import TaskGroup

from consent.answer import Response
from consent.call import Command, Detail, Origin, Tier, ToolCall
from consent.docket import Waiting
from consent.gate import Question
from consent.key import Kind, Path
from consent.rules import Why
from consent.setting import Setting
from consent.tally import Tally
from mmconfigs.language import Words
from orchestrator.agent import Reason, Stop
from orchestrator.conversation import CommandHelp, Quit, Shown, Submitted
from orchestrator.desk import Desk
from orchestrator.events import AgentState, CallEnded, CallStarted, Level, Noted, Said, State
from orchestrator.facades import kept as waiting
from orchestrator.facades.line import LineFacade


def question(
    command: str = "ls", path: Path = ("jan",), *, ticket: int = 0, once_only: bool = False
) -> Waiting:
    """A waiting bash call."""
    detail: Detail = Command(command)
    call = ToolCall(
        path=path,
        origin=Origin.OURS if path else Origin.OWN,
        name="bash",
        kind=Kind.EXECUTE,
        tier=Tier.EXEC,
        arguments=f'{{"command": "{command[:50]}", "raw": true}}',
        detail=detail,
        folder="/work",
        title=f"bash: {command}"[:100],
    )
    return Waiting(ticket, Question(call, 11, once_only))


class Scene:
    """A Conversation whose turns are one of the methods below."""

    def __init__(self, play: str) -> None:
        self.facade: LineFacade
        self.later: TaskGroup
        self._play: Callable[[str], Awaitable[None]] = getattr(self, play)
        self._turn: anyio.CancelScope | None = None
        self._end = Stop(Reason.END_TURN, "done")

    @property
    def commands(self) -> tuple[CommandHelp, ...]:
        return (
            CommandHelp("help", "says more"),
            CommandHelp("ask-jan", "asks jan", "QUESTION"),
            CommandHelp("quit", "leaves"),
        )

    @property
    def tally(self) -> Tally:
        return Tally()

    async def submit(self, text: str) -> Submitted:
        if text == "/quit":
            return Quit()
        if text == "/help":
            return Shown("first line\nsecond line")
        await self._note(f"submitted {text!r}")
        with anyio.CancelScope() as self._turn:
            await self._play(text)
            return self._end
        return Stop(Reason.CANCELLED)

    def stop(self) -> None:
        if self._turn:
            self._turn.cancel()

    async def _note(self, text: str) -> None:
        await self.facade.emit(Noted((), text))

    async def _ask(self, waiting: Waiting, behind: int = 0) -> Response | Why:
        answer = await self.facade.ask(waiting, lambda: behind)
        await self._note(f"question {waiting.ticket} got {getattr(answer, 'value', answer)}")
        return answer

    async def echo(self, text: str) -> None:
        await self.facade.emit(Said((), f"You said *{text}*."))

    async def speak(self, text: str) -> None:
        emit = self.facade.emit
        await emit(Said((), "I ask **jan**.\n\n"))
        await emit(AgentState(("jan",), State.STARTING))
        await emit(CallStarted(("jan",), "1", "bash", Kind.EXECUTE, "", Command("ls"), "{}"))
        await emit(CallEnded(("jan",), "1", True, "\n".join(f"file {n}" for n in range(20))))
        await emit(Said(("jan",), "mm: I am not jan \x1b[2J\U0001f510 you\n"))
        await emit(Said(("jan", "homer"), "- one\n- two [here](http://example.org)\n"))
        await emit(Noted((), "careful", Level.WARNING))
        await emit(Said((), "```python\nprint(r'\\d')\n```\nend"))

    async def one(self, text: str) -> None:
        await self._ask(question())

    async def once_only(self, text: str) -> None:
        await self._ask(question(once_only=True))

    async def long(self, text: str) -> None:
        await self._ask(question("echo " + "\n".join(f"line {n}" for n in range(200))))

    async def two(self, text: str) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._ask, question("touch A", ticket=1), 1)
            tasks.start_soon(self._ask, question("rm B", (), ticket=2))

    async def seven(self, text: str) -> None:
        """Seven agents ask at once; while the first question stands there, b dies and c is stopped."""
        desk = Desk(Setting(somebody=True), self.facade, on_stop=lambda _: None)
        dies = anyio.CancelScope()

        async def decide(name: str) -> None:
            with dies if name == "b" else nullcontext():
                decision = await desk.decide(question(f"touch {name}", (name,)).question.call)
                await self._note(f"{name} got {decision.why.value} {decision.allowed}")

        async with anyio.create_task_group() as tasks:
            for name in "abcdefg":
                tasks.start_soon(decide, name)
                await anyio.wait_all_tasks_blocked()
            dies.cancel()
            desk.stop(("c",))

    async def flood(self, text: str) -> None:
        async with anyio.create_task_group() as tasks:
            for ticket in range(200):
                tasks.start_soon(self._ask, question(f"echo {ticket}", ticket=ticket), 199 - ticket)

    async def busy(self, text: str) -> None:
        """A question while its agent goes on talking."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._ask, question())
            await anyio.wait_all_tasks_blocked()
            for number in range(50):
                await self.facade.emit(Noted(("jan",), f"event {number}"))

    async def crowded(self, text: str) -> None:
        """More events during a question than are kept."""
        waiting.MOST = 10 * (64 + len("event 0"))
        emitted = 0

        async def talk() -> None:
            nonlocal emitted
            for emitted in range(25):
                await self.facade.emit(Noted(("jan",), f"event {emitted}"))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._ask, question())
            await anyio.wait_all_tasks_blocked()
            tasks.start_soon(talk)
            await anyio.wait_all_tasks_blocked()
            kept = emitted
        await self._note(f"{kept} were kept")

    async def withdrawn(self, text: str) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._ask, question())
            await anyio.sleep(1)
            tasks.cancel_scope.cancel()
        await self._note("withdrawn")

    async def long_turn(self, text: str) -> None:
        await self.facade.emit(Said((), "working\n\n"))
        await anyio.sleep_forever()

    async def stream(self, text: str) -> None:
        """Words, each ten of them a block."""
        for number in range(60):
            await self.facade.emit(Said((), f"word{number}" + ("\n\n" if number % 10 == 0 else " ")))
            await anyio.sleep(0.02)

    async def flow(self, text: str) -> None:
        for number in range(10):
            await self.facade.emit(Said((), f"block {number}\n\n"))

    async def signs(self, text: str) -> None:
        await self._ask(question("echo " + "\u00e9" * 60))

    async def silent(self, text: str) -> None:
        await anyio.sleep(3)

    async def fail(self, text: str) -> None:
        self._end = Stop(Reason.FAILED, detail="no server at 127.0.0.1:1")

    async def idle_event(self, text: str) -> None:
        """Something happens and asks while the prompt stands there, unless that is what was entered."""
        if text == "go":
            self.later.start_soon(self._happen)

    async def _happen(self) -> None:
        await anyio.sleep(0.5)
        await self.facade.emit(AgentState(("jan",), State.ENDED))
        await anyio.sleep(0.5)
        await self._note("it happened")
        await anyio.sleep(0.5)
        await self._ask(question())

    async def say_nothing(self, text: str) -> None:
        self._end = Stop(Reason.END_TURN)

    async def broken(self, text: str) -> None:
        await self._ask(question())
        raise RuntimeError("the session broke")


async def main(play: str, folder: str = ".") -> int:
    scene = Scene(play)
    scene.facade = LineFacade(Words(), 0, sys.stdout, folder=Folder(folder))
    codes = []
    async with anyio.create_task_group() as scene.later:
        codes.append(await scene.facade.run(scene, ["yolo: off (tools ask)"]))
    return codes[0]


if __name__ == "__main__":
    if sys.stdin is None:  # closed: the event loop must not get the number of stdin
        os.open(os.devnull, os.O_RDONLY)
    sys.exit(anyio.run(partial(main, *sys.argv[1:])))
