"""Runs what the command line asked for: wires the file, opens the facade, and ends in order at any signal."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import anyio

from consent.show import safe, show
from orchestrator.acp.streams import take_stdio
from orchestrator.arguments import Arguments, Usage, no_file, user_file
from orchestrator.commands import Talk
from orchestrator.echo import echo
from orchestrator.ending import ending_at_signals
from orchestrator.facades import FACADES
from orchestrator.facades.headless import REFUSED, Headless
from orchestrator.session import Plan, open_session
from orchestrator.wiring import BUILT_IN, Wanted, Wiring, wire
from orchestrator.words.banner import banner, unasked_line
from orchestrator.words.catalogue import HINT, KEEP_MODEL, NO_FILE, NO_MODEL, TYPE_HERE, WAITS_FOR_EDITOR

_FACADE_OF = {"line": "line", "editor": "editor", "prompt": "headless", "ask": "headless"}


def run(arguments: Arguments, environ: Mapping[str, str]) -> int:
    """Run a conversation; gives the exit code. Raises ConfigError, Usage or ValueError."""
    facade = _FACADE_OF[arguments.command]
    wiring = wire(_wanted(arguments, facade), environ)
    for notice in wiring.loaded.notices:
        _tell(notice)
    if facade == "editor":
        return anyio.run(ending_at_signals, lambda: _editor(wiring))
    if facade == "line" and not wiring.named and _interactive() and environ.get("MM_PROBE") != "off":
        wiring = _offered(wiring)
    plan = wiring.plan(arguments.folder)
    if facade == "line":
        return anyio.run(ending_at_signals, lambda: _line(arguments, wiring, plan))
    text = _text(arguments, wiring)
    headless = _facade("headless")(wiring.words, sys.stdout, sys.stderr, verbose=arguments.verbose)
    code = anyio.run(ending_at_signals, lambda: _headless(arguments, wiring, plan, text, headless))
    ended: int = headless.finish(code)
    return ended


def _wanted(arguments: Arguments, facade: str) -> Wanted:
    if arguments.file is None and facade != "line":
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


async def _line(arguments: Arguments, wiring: Wiring, plan: Plan) -> int:
    facade = _facade("line")(wiring.words, 0, sys.stdout, environ=wiring.environ, folder=arguments.folder)
    async with open_session(plan, facade, facade) as session:
        hint = wiring.words.say(HINT)
        lines = banner(plan.launched, wiring.words)
        first = (*_no_model(arguments, wiring), *lines, *wiring.notes(), hint)
        code: int = await facade.run(Talk(session, wiring.words), first)
        if unasked := session.desk.unasked:
            with suppress(OSError):  # the terminal may be gone
                print(unasked_line(unasked), file=sys.stderr, flush=True)
            code = code or REFUSED
    return code


async def _headless(arguments: Arguments, wiring: Wiring, plan: Plan, text: str, facade: Headless) -> int:
    for note in wiring.notes():
        facade.tell(note)
    async with open_session(plan, facade, facade) as session:
        turn = session.ask(arguments.agent, text) if arguments.command == "ask" else session.prompt(text)
        return await facade.run(session, turn)


async def _editor(wiring: Wiring) -> int:
    if sys.stdin.isatty():
        _tell(wiring.words.say(WAITS_FOR_EDITOR))
    port = importlib.import_module("orchestrator.facades.editor_port")
    other = port.Other(wiring.words, wiring.notes(), asks=wiring.chain.asked)
    editor = _facade("editor")(wiring.plan, other)
    code: int = await editor.run(take_stdio(), _tell)
    return code


def _facade(name: str) -> Any:
    module, _, what = FACADES[name].partition(":")
    return getattr(importlib.import_module(module), what)


def _text(arguments: Arguments, wiring: Wiring) -> str:
    """The prompt or question. stdin is read for it only where there is none, and never later."""
    entries = wiring.loaded.config.mm_configs
    if arguments.command == "ask" and arguments.agent not in entries:
        raise Usage(f"there is no agent {show(arguments.agent)}; known: {', '.join(entries) or 'none'}")
    text = arguments.text
    if text is None:
        if sys.stdin.isatty():
            _tell(wiring.words.say(TYPE_HERE))
        text = sys.stdin.read()
    if not text.strip():
        raise Usage("the prompt is empty: write it behind -p or --ask NAME, or on stdin")
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
