"""Asked agents as real processes: scripted children, each with a file that says what it does."""

from __future__ import annotations

import json
import os
import sys
import textwrap
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import anyio

from consent.call import Origin
from consent.setting import Setting
from orchestrator.acp.permission import Asking
from orchestrator.changed import Seal
from orchestrator.child import Launch
from orchestrator.desk import Desk
from orchestrator.llm.messages import Model
from orchestrator.llm.scripted import Turn
from orchestrator.roster import CannotAsk
from orchestrator.session import Plan, Session, open_session
from orchestrator.tools import BUILTIN
from orchestrator.tools.base import Workplace
from orchestrator.words.banner import Launched
from tests.orchestrator.parts import DEADLINE, Events, HeardModel, Person, refused
from tests.walks.processes import kill, marked

REST = 0.02
NO_SEAL: Seal = {}
ASKS = """
    log: {name}.log
    prompts:
      - - ask:
            toolCall: {{name: shell, kind: execute, rawInput: {{command: "{command}"}}}}
            allowed: [{{say: allowed}}]
            refused: [{{say: refused}}]
            cancelled: [{{touch: {name}.cancelled}}]
"""


class Team:
    """A folder with the scripts of agents, their launches, and their processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._mark = f"MM_TEAM={uuid4().hex}"
        self._launches: dict[str, Launch] = {}
        self.launched: list[str] = []

    def has(self, name: str, script: str = "{}", **more: Any) -> None:
        """An agent with a script; `more` are fields of its Launch."""
        path = self.folder / f"{name}.yaml"
        path.write_text(textwrap.dedent(script), encoding="utf-8")
        self._launches[name] = Launch(
            **{
                "asking": Asking((name,), Origin.FOREIGN, str(self.folder)),
                "argv": (sys.executable, "-m", "orchestrator.acp.scripted", str(path)),
                "environ": {**os.environ, "MM_TEAM": self._mark.partition("=")[2]},
                **more,
            }
        )

    def asks(self, name: str, command: str = "ls") -> None:
        """An agent that asks for one call in each turn."""
        self.has(name, ASKS.format(name=name, command=command))

    def launch(self, name: str, seal: Seal = NO_SEAL) -> Launch:
        if name not in self._launches:
            raise CannotAsk(f"there is no {name}")
        self.launched.append(name)
        return self._launches[name]

    def frames(self, name: str) -> list[dict[str, Any]]:
        """What the agent was sent."""
        return [json.loads(line) for line in (self.folder / f"{name}.log").read_text().splitlines()]

    def methods(self, name: str) -> list[str]:
        return [frame["method"] for frame in self.frames(name) if "method" in frame]

    def outcomes(self, name: str) -> list[str]:
        """What its permission requests were answered, in order."""
        found = [frame["result"]["outcome"] for frame in self.frames(name) if "result" in frame]
        return [outcome.get("optionId", outcome["outcome"]) for outcome in found]

    async def made(self, file: str) -> None:
        """Wait until an agent has made the file."""
        with anyio.fail_after(DEADLINE):
            while not (self.folder / file).exists():  # noqa: ASYNC110 - another process makes it
                await anyio.sleep(REST)

    def processes(self) -> dict[int, str]:
        return marked(self._mark)

    async def leaves_nothing(self) -> None:
        """Wait until no process of the team is alive."""
        with anyio.move_on_after(DEADLINE):
            while self.processes():  # noqa: ASYNC110 - nobody tells when strangers end
                await anyio.sleep(REST)
        left = self.processes()
        kill(left)
        assert not left, f"still running: {left}"


class Conversation:
    """A session with everything that a test looks at."""

    def __init__(self, session: Session, model: HeardModel, events: Events, person: Person) -> None:
        self.session = session
        self.model = model
        self.events = events
        self.person = person

    @property
    def desk(self) -> Desk:
        return self.session.desk

    async def heard(self) -> str:
        """What the model knows, by asking it once more."""
        await self.session.prompt("what now?")
        return "\n".join(message.text for message in self.model.heard[-1])


@asynccontextmanager
async def conversation(
    team: Team, *turns: Turn, setting: Setting | None = None, person: Person | None = None
) -> AsyncIterator[Conversation]:
    """A conversation whose agents are the team; at its end no process may be left."""
    model = HeardModel(*turns, Turn("done", repeat=True))
    events, person = Events(), person or Person()
    with anyio.fail_after(DEADLINE):
        async with open_session(
            plan_of(team, model, setting or Setting(somebody=True)), events, person
        ) as session:
            yield Conversation(session, model, events, person)
    await team.leaves_nothing()


def plan_of(team: Team, model: Model, setting: Setting) -> Plan:
    return Plan(
        launched=Launched("riker", "", "scripted", setting, "riker.yaml:1:1"),
        setting=setting,
        model=model,
        tools=tuple(builtin.tool for builtin in BUILTIN),
        place=Workplace(team.folder, os.environ),
        floor={"AGENT_YOLO": "false"},
        instructions="",
        steps=20,
        agents=8,
        entries=dict.fromkeys(("jan", "homer", "marge"), ""),
        launch=team.launch,
        seal=NO_SEAL,
        refusal=refused,
    )
