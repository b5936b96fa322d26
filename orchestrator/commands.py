"""The slash commands: one table, the same in every facade that a person types into.

Knows no facade: what a command shows is plain text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from consent.key import Key
from consent.setting import Mode
from consent.show import show
from consent.tally import Tally
from mmconfigs.language import Sentence, Words
from orchestrator.agent import Stop
from orchestrator.conversation import CommandHelp, Quit, Shown, Submitted
from orchestrator.pipelines import sentences as of_runs
from orchestrator.pipelines.runs import Runs
from orchestrator.session import Session
from orchestrator.words import catalogue as say
from orchestrator.words.banner import banner, cautions, standing, yolo_line

ASK, RUN = "ask-", "run-"
_COMMAND = re.compile(r"/([a-z][a-z0-9_-]*)(?:\s+(.*))?", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the table: what it does, what its argument is called, which there are, and its run."""

    about: Sentence
    run: Callable[[Talk, str], Submitted]
    hint: str = ""
    words: Callable[[Talk], tuple[str, ...]] = lambda _: ()


class Talk:
    """A session together with its slash commands."""

    def __init__(self, session: Session, words: Words, runs: Runs | None = None) -> None:
        """`runs` are the runs of its pipelines, where there can be any."""
        self.session = session
        self.words = words
        self._runs = runs

    @property
    def commands(self) -> tuple[CommandHelp, ...]:
        """All commands, those that ask an agent first."""
        ask = (self.words.say(say.HELP_ASK, agent=name) for name in self.session.entries)
        asks = [
            CommandHelp(ASK + name, text, "QUESTION")
            for name, text in zip(self.session.entries, ask, strict=True)
        ]
        rest = [
            CommandHelp(name, self.words.say(c.about), c.hint, c.words(self)) for name, c in COMMANDS.items()
        ]
        return (*asks, *self._runs_help(), *rest)

    @property
    def tally(self) -> Tally:
        """What was decided in the session so far, counted."""
        return self.session.desk.tally

    async def submit(self, text: str) -> Submitted:
        """Work on one typed line. A line that begins like a command is never sent to a model."""
        found = _COMMAND.fullmatch(text.strip())
        if found is None:
            return await self.session.prompt(text)
        name, argument = found[1].lower(), (found[2] or "").strip()
        if name.startswith(ASK):
            return await self._ask(name.removeprefix(ASK), argument)
        if name.startswith(RUN):
            return await self._run(name.removeprefix(RUN), argument)
        command = COMMANDS.get(name)
        if command is None:
            return Shown(self.words.say(say.UNKNOWN_COMMAND, name=name))
        return command.run(self, argument)

    def stop(self) -> None:
        """Stop everything that runs."""
        self.session.stop()

    async def _ask(self, name: str, question: str) -> Stop | Shown:
        if name not in self.session.entries:
            known = ", ".join(self.session.entries) or self.words.say(say.NO_AGENTS)
            return Shown(self.words.say(say.UNKNOWN_AGENT, name=name, known=known))
        if not question:
            return Shown(self.words.say(say.EMPTY_QUESTION, agent=name))
        return await self.session.ask(name, question)

    def _runs_help(self) -> Iterator[CommandHelp]:
        if self._runs is not None:
            for name, pipeline in self.session.pipelines.items():
                about = pipeline.description or self.words.say(of_runs.HELP_RUN, name=name)
                yield CommandHelp(RUN + name, show(about), "TASK")

    async def _run(self, name: str, task: str) -> Stop | Shown:
        if self._runs is None or name not in self.session.pipelines:
            known = ", ".join(self.session.pipelines) or self.words.say(of_runs.NO_PIPELINES)
            return Shown(self.words.say(of_runs.UNKNOWN_PIPELINE, name=name, known=known))
        if not task:
            return Shown(self.words.say(of_runs.EMPTY_TASK, name=name))
        return await self._runs.begin(name, task)


def _agents(talk: Talk, _: str) -> Shown:
    entries, running = talk.session.entries, talk.session.running
    lines = [
        f"{name}{' *' if name in running else ''}{': ' + show(about) if about else ''}"
        for name, about in entries.items()
    ]
    return Shown("\n".join(lines) or talk.words.say(say.NO_AGENTS))


def _grants(talk: Talk, _: str) -> Shown:
    lines = [
        f"{show(str(key))}: {talk.words.say(say.ANSWERS[answer])}" for key, answer in talk.session.desk.grants
    ]
    return Shown("\n".join(lines) or talk.words.say(say.NO_GRANTS))


def _revoke(talk: Talk, text: str) -> Shown:
    """Take back what `text` names: a key as `/grants` shows it, `jan/*`, or `*` for all."""
    if not text:
        return Shown(f"/revoke KEY  {talk.words.say(say.HELP_REVOKE)}")
    keys = [key for key, _ in talk.session.desk.grants if _names(text, key)]
    talk.session.desk.revoke(keys)
    if not keys:
        return Shown(talk.words.say(say.NOT_GRANTED, key=show(text)))
    return Shown(talk.words.say(say.REVOKED, keys=", ".join(show(str(key)) for key in keys)))


def _names(text: str, key: Key) -> bool:
    """Whether the text means the key: as it is shown, or with all of its agent, or `*` for all."""
    agent = tuple(text.removesuffix("/*").split("/"))
    return text in ("*", str(key)) or (text.endswith("/*") and agent == key.path)


def _revocable(talk: Talk) -> tuple[str, ...]:
    """What `/revoke` can name now."""
    keys = [key for key, _ in talk.session.desk.grants]
    agents = ("/".join((*key.path, "*")) for key in keys if key.path)
    return (*map(str, keys), *dict.fromkeys(agents))


def _yolo(talk: Talk, text: str) -> Shown:
    """Show what asks, or change it for this conversation."""
    mode = YOLO.get(text.lower())
    if text and mode is None:
        return Shown(talk.words.say(say.YOLO_WORDS, found=show(text), accepted=", ".join(YOLO)))
    if mode and not talk.session.set_mode(mode, f"/yolo {text.lower()}"):
        return Shown(talk.words.say(say.YOLO_FLOOR))
    launched = talk.session.launched
    return Shown("\n".join((*standing(launched, talk.words), *cautions(launched, talk.words))))


def _new(talk: Talk, _: str) -> Shown:
    talk.session.new()
    return Shown(talk.words.say(say.AFRESH))


def _stop(talk: Talk, _: str) -> Shown:
    talk.session.stop()
    return Shown(talk.words.say(say.STOPPED))


def _help(talk: Talk, _: str) -> Shown:
    """The yolo that counts stands first, since editors have no banner."""
    yolo = yolo_line(talk.session.launched)
    rest = (line for line in banner(talk.session.launched, talk.words) if line != yolo)
    commands = (f"/{c.name} {c.hint}".rstrip() + f"  {c.description}" for c in talk.commands)
    return Shown("\n".join((yolo, *rest, "", *commands)))


def _quit(_: Talk, __: str) -> Quit:
    return Quit()


YOLO = {"on": Mode.YOLO, "off": Mode.ALWAYS_ASK, "write": Mode.WRITE}
"""The words of `/yolo`."""

COMMANDS: dict[str, Command] = {
    "agents": Command(say.HELP_AGENTS, _agents),
    "grants": Command(say.HELP_GRANTS, _grants),
    "revoke": Command(say.HELP_REVOKE, _revoke, "KEY", _revocable),
    "yolo": Command(say.HELP_YOLO, _yolo, "[on|off|write]", lambda _: tuple(YOLO)),
    "new": Command(say.HELP_NEW, _new),
    "stop": Command(say.HELP_STOP, _stop),
    "help": Command(say.HELP_HELP, _help),
    "quit": Command(say.HELP_QUIT, _quit),
}
"""Every command but `/ask-NAME`, which there is one of for each entry."""
