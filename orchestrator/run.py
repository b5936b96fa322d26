"""Runs what the command line asked for: wires the file, opens the facade, and ends in order at any signal."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import anyio

from consent.show import safe, show
from mmconfigs.language import Sentence, Words, saying
from orchestrator.acp.streams import take_stdio
from orchestrator.agent import Stop
from orchestrator.arguments import Arguments, Usage, no_file, user_file
from orchestrator.commands import Talk
from orchestrator.conversation import REFUSED
from orchestrator.echo import echo
from orchestrator.ending import ending_at_signals
from orchestrator.facades import FACADES
from orchestrator.facades.headless import Headless
from orchestrator.pipelines.command import database_of, order_of
from orchestrator.pipelines.engines import Engines, check
from orchestrator.pipelines.places import HELD, trees_folder
from orchestrator.pipelines.runs import Places, Runs
from orchestrator.session import Plan, Session, open_session
from orchestrator.state import state_file
from orchestrator.wiring import BUILT_IN, Wanted, Wiring, wire
from orchestrator.words import command_line as usage
from orchestrator.words.banner import banner, unasked_line
from orchestrator.words.catalogue import HINT, KEEP_MODEL, NO_FILE, NO_MODEL, TYPE_HERE, WAITS_FOR_EDITOR

_FACADE_OF = {"line": "line", "editor": "editor", "prompt": "headless", "ask": "headless"}
Work = Callable[[Session, Runs], Awaitable[Stop]]
"""One turn, in a conversation and with its runs."""
RUNNING = ("run", "pipeline")
"""Commands that run a pipeline: where a person can be asked they use the terminal."""


def run(arguments: Arguments, environ: Mapping[str, str]) -> int:
    """Run a conversation; gives the exit code. Raises ConfigError, Usage or ValueError."""
    facade = _FACADE_OF.get(arguments.command) or ("line" if _interactive() else "headless")
    wiring = wire(_wanted(arguments, facade), environ)
    for notice in wiring.loaded.notices:
        _tell(wiring.words.told(notice))
    if facade == "editor":
        return anyio.run(ending_at_signals, lambda: _editor(wiring))
    if facade == "line" and not wiring.named and _interactive() and environ.get("MM_PROBE") != "off":
        wiring = _offered(wiring)
    plan = wiring.plan(arguments.folder)
    work = _work(arguments, wiring)
    if facade == "line":
        return anyio.run(ending_at_signals, lambda: _line(arguments, wiring, plan, work))
    if work is None:  # pragma: no cover - only a conversation has none
        raise Usage("nothing to do")
    headless = _facade("headless")(wiring.words, sys.stdout, sys.stderr, verbose=arguments.verbose)
    code = anyio.run(ending_at_signals, lambda: _headless(wiring, plan, work, headless))
    ended: int = headless.finish(code)
    return ended


def _wanted(arguments: Arguments, facade: str) -> Wanted:
    if arguments.file is None and (facade != "line" or arguments.command in RUNNING):
        raise Usage(no_file())
    interactive = facade == "line" and _interactive()
    return Wanted(
        facade=facade,
        file=arguments.file or BUILT_IN,
        entry=arguments.entry,
        digest=arguments.digest,
        model=arguments.model,
        flags=arguments.flags,
        somebody=interactive or facade == "editor",
    )


def _offered(wiring: Wiring) -> Wiring:
    """With a model that was found on this computer, if the person says yes to one."""
    probe = importlib.import_module("orchestrator.llm.probe")  # only here, since it brings httpx along
    offer = importlib.import_module("orchestrator.facades.offer").offer
    at_hand = anyio.run(probe.at_hand)
    with echo(0, on=True):
        found = offer(at_hand, wiring.words, sys.stdin, sys.stdout)
    return replace(wiring, model=found.model, found=found) if found else wiring


def _interactive() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


async def _line(arguments: Arguments, wiring: Wiring, plan: Plan, work: Work | None) -> int:
    facade = _facade("line")(wiring.words, 0, sys.stdout, environ=wiring.environ, folder=arguments.folder)
    async with open_session(plan, facade, facade) as session:
        hint = wiring.words.say(HINT)
        lines = banner(plan.launched, wiring.words)
        first = (*_no_model(arguments, wiring), *lines, *wiring.notes(), hint)
        runs = _runs(session, Engines(_database(wiring)), wiring.words)
        only = partial(work, session, runs) if work else None
        code: int = await facade.run(Talk(session, wiring.words, runs), first, only)
        if unasked := session.desk.unasked:
            with suppress(OSError):  # the terminal may be gone
                print(unasked_line(unasked), file=sys.stderr, flush=True)
            code = code or REFUSED
    return code


async def _headless(wiring: Wiring, plan: Plan, work: Work, facade: Headless) -> int:
    for note in wiring.notes():
        facade.tell(note)
    async with open_session(plan, facade, facade) as session:
        runs = _runs(session, Engines(_database(wiring)), wiring.words)
        return await facade.run(session, work(session, runs))


async def _editor(wiring: Wiring) -> int:
    if sys.stdin.isatty():
        _tell(wiring.words.say(WAITS_FOR_EDITOR))
    port = importlib.import_module("orchestrator.facades.editor_port")
    other = port.Other(wiring.words, wiring.notes(), asks=wiring.chain.asked)
    engines = Engines(_database(wiring))
    editor = _facade("editor")(wiring.plan, other, lambda session: _runs(session, engines, wiring.words))
    code: int = await editor.run(take_stdio(), _tell)
    return code


def _runs(session: Session, engines: Engines, words: Words) -> Runs:
    """The runs of a conversation."""
    return Runs(session, engines, Places(trees_folder(), state_file(HELD)), words)


def _work(arguments: Arguments, wiring: Wiring) -> Work | None:
    """What is done once, and nothing else; None for a conversation. Raises Usage."""
    match arguments.command:
        case "prompt":
            text = _text(arguments, wiring)
            return lambda session, _: session.prompt(text)
        case "ask":
            name = _known(arguments.agent, wiring.loaded.config.mm_configs, usage.NO_AGENT)
            text = _text(arguments, wiring)
            return lambda session, _: session.ask(name, text)
        case "run":
            name = _known(arguments.pipeline, wiring.loaded.config.pipelines, usage.NO_PIPELINE)
            text = _text(arguments, wiring)
            check(_database(wiring))
            return lambda _, runs: runs.begin(name, text)
        case "pipeline":
            kept = order_of(arguments.rest[1], _database(wiring), wiring.words)
            return lambda _, runs: runs.resume(kept)
        case _:
            return None


def _database(wiring: Wiring) -> str:
    return database_of(wiring.loaded.config.pipelines_database)


def _known(name: str, known: Collection[str], unknown: Sentence) -> str:
    if name not in known:
        raise Usage(saying(unknown, name=show(name), known=", ".join(known) or saying(usage.NONE)))
    return name


def _facade(name: str) -> Any:
    module, _, what = FACADES[name].partition(":")
    return getattr(importlib.import_module(module), what)


def _text(arguments: Arguments, wiring: Wiring) -> str:
    """The prompt, question or task. stdin is read for it only where there is none, and never later."""
    text = arguments.text
    if text is None:
        if sys.stdin.isatty():
            _tell(wiring.words.say(TYPE_HERE))
        text = sys.stdin.read()
    if not text.strip():
        raise Usage(saying(usage.EMPTY_PROMPT))
    return text


def _no_model(arguments: Arguments, wiring: Wiring) -> tuple[str, ...]:
    """What to do where the file, or its model, is missing."""
    file = str(arguments.file or user_file())
    if found := wiring.found:
        yolo = "" if arguments.file else ", `yolo: false`"
        keys = f"`model: {show(found.model)}`, `baseUrl: {found.base_url}`{yolo}"
        return (wiring.words.say(KEEP_MODEL, keys=keys, file=file),)
    if wiring.named:
        return ()
    return (wiring.words.say(NO_MODEL if arguments.file else NO_FILE, file=file),)


def _tell(text: str) -> None:
    with suppress(OSError):  # what cannot be told must not end what runs
        print(f"mm: {safe(text)}", file=sys.stderr, flush=True)
