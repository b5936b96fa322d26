"""Programs that run another program: where its words begin, or which text they hand to a shell.

Source: consent.md, "Marks", and the manual page of each. A wrapper that is missing here is no gap: a program
that is not known is looked at for a command among its arguments (`consent.danger.running`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from consent.danger.options import Options, Words, options
from consent.shell.syntax import UNKNOWN, Word


class Program(NamedTuple):
    """A program about to run, by the last part of its name."""

    name: str
    word: Word
    args: Words


class Wrapper(NamedTuple):
    """How a wrapper is called: options with a value, operands before the program, assignments before it."""

    valued: str = ""
    skipped: int = 0
    assigns: bool = False


WRAPPERS: Mapping[str, Wrapper] = {
    "sudo": Wrapper(
        "C D g h p R r T t U u --user --group --host --prompt --chdir --chroot --close-from --role --type"
        " --other-user --command-timeout",
        assigns=True,
    ),
    "doas": Wrapper("C u", assigns=True),
    "env": Wrapper("u C S --unset --chdir --split-string", assigns=True),
    "command": Wrapper(),
    "builtin": Wrapper(),
    "exec": Wrapper("a"),
    "nohup": Wrapper(),
    "nice": Wrapper("n --adjustment"),
    "ionice": Wrapper("c n p P u --class --classdata --pid --pgid --uid"),
    "time": Wrapper("f o --format --output"),
    "timeout": Wrapper("k s --kill-after --signal", 1),
    "gtimeout": Wrapper("k s --kill-after --signal", 1),
    "stdbuf": Wrapper("i o e --input --output --error"),
    "setsid": Wrapper(),
    "busybox": Wrapper(),
    "toybox": Wrapper(),
    "xargs": Wrapper("a d E I L n P s --arg-file --delimiter --max-args --max-procs --max-lines --max-chars"),
    "chroot": Wrapper("--userspec --groups", 1),
    "chrt": Wrapper("T P D --sched-runtime --sched-period --sched-deadline", 1),
    "taskset": Wrapper("", 1),
    "flock": Wrapper("w E --wait --timeout --conflict-exit-code", 1),
    "setarch": Wrapper("", 1),
    "unshare": Wrapper("S G R w --setuid --setgid --root --wd"),
    "nsenter": Wrapper("t S G --target --setuid --setgid"),
    "setpriv": Wrapper("--reuid --regid --groups --inh-caps --ambient-caps --bounding-set"),
    "strace": Wrapper("a b e E I o O p P s S u U X"),
    "ltrace": Wrapper("a A e F l n o p s u w x"),
    "pkexec": Wrapper("--user"),
    "systemd-run": Wrapper("p u E M H --unit --property --slice --uid --gid --setenv --working-directory"),
    "fakeroot": Wrapper("l s i b --lib --faked"),
    "script": Wrapper(
        "c E I O B T m o --command --echo --log-in --log-out --log-io --log-timing --output-limit", 1
    ),
    "dbus-run-session": Wrapper("--config-file --dbus-daemon"),
    "xvfb-run": Wrapper("e f n p s --error-file --auth-file --server-num --xauth-protocol --server-args"),
    "caffeinate": Wrapper("t w"),
    "sshpass": Wrapper("d f P p"),
    "proxychains": Wrapper("f"),
    "proxychains4": Wrapper("f"),
    **dict.fromkeys(
        ("chronic", "unbuffer", "torsocks", "eatmydata", "noglob", "nocorrect", "nocache"), Wrapper()
    ),
}

_SHELL_TEXT: Mapping[str, str] = {
    "env": "S --split-string",
    **dict.fromkeys(("su", "runuser"), "c --command --session-command"),
    "script": "c --command",
    "flock": "c --command",
    "sg": "c",
    "compgen": "C W",
    "nix-shell": "--run --command",
    **dict.fromkeys(("npm", "npx"), "c --call"),
    **dict.fromkeys(("mapfile", "readarray"), "C"),
    "hash": "p",
    "rsync": "e --rsh",
    "tar": "I --use-compress-program --to-command",
}
"""Options whose value is handed to a shell."""

_JOINED: Mapping[str, str] = {
    "eval": "",
    "watch": "n --interval",
    "parallel": "j S a --jobs --arg-file --joblog",
}
"""Programs that join their operands to a text for a shell, with their options that take a value."""

SHELL_TEXT = frozenset((*_SHELL_TEXT, *_JOINED, "trap", "alias"))
"""Programs that hand some of their arguments to a shell as a text."""

_AS_USER = (
    "c C g G s u w --command --session-command --group --supp-group --shell --user --whitelist-environment"
)
"""Options of `su` and `runuser` that take a value."""

MOST_WRAPPERS = 30


def layers(words: Words) -> Iterator[Program]:
    """Every program that these words run, from the outermost wrapper to the one that it is all about."""
    for _ in range(MOST_WRAPPERS):
        if not words:
            return
        layer = Program(base_name(words[0].text), words[0], words[1:])
        yield layer
        words = _inner(layer)
    if words:
        yield Program("", words[0], words[1:])


def innermost(words: Words) -> Program | None:
    """The program behind every wrapper; None where a wrapper runs nothing."""
    *_, last = (None, *layers(words))
    return None if last is None or last.name in WRAPPERS else last


def shell_texts(outer: Program) -> tuple[Word, ...]:
    """The texts among the arguments that a program hands to a shell, whole."""
    return tuple(_texts(outer))


def base_name(text: str) -> str:
    """The last part of a program's path."""
    return text.rsplit("/", 1)[-1]


def _inner(layer: Program) -> Words:
    if layer.name in ("su", "runuser"):
        return _as_user(layer)
    wrapper = WRAPPERS.get(layer.name)
    if wrapper is None:
        return ()
    given = options(layer.args, wrapper.valued, first=True)
    if layer.name == "command" and given.has("v", "V"):
        return ()
    if layer.name == "xargs":
        return _from_input(layer, given)
    at = wrapper.skipped
    while wrapper.assigns and at < len(given.operands) and _sets(given.operands[at].text):
        at += 1
    return given.operands[at:]


def _sets(text: str) -> bool:
    """Whether an operand in front sets a variable, or is the `-` with which `env` forgets all others."""
    return "=" in text or text == "-"


def _as_user(layer: Program) -> Words:
    """What `su` and `runuser` run beside a text: the words are those of a shell, behind `-u` of a program."""
    given = options(layer.args, _AS_USER)
    operands = given.operands[1:] if given.operands and given.operands[0].text == "-" else given.operands
    if layer.name == "runuser" and given.has("u", "--user"):
        return operands
    return (layer.word._replace(text="sh"), *operands[1:]) if operands[1:] else ()


def _from_input(xargs: Program, given: Options) -> Words:
    """What `xargs` runs: its operands, and what it reads behind them, or in place of a text in them."""
    if not given.operands:
        return ()
    if not given.has("I", "i", "--replace"):
        return (*given.operands, xargs.word._replace(text=UNKNOWN))
    place = given.value("I", "--replace")
    text = place.text if place and place.text else "{}"
    return [word._replace(text=word.text.replace(text, UNKNOWN)) for word in given.operands]


def takes_commands(program: Program) -> bool:
    """Whether a program that is no shell runs a shell here, or its like, over its standard input."""
    name, args = program.name, program.args
    match name:
        case "sudo" | "doas":
            return options(args, WRAPPERS[name].valued, first=True).has("s", "i", "--shell", "--login")
        case "su" | "runuser" | "sg" | "newgrp":
            return not tuple(_texts(program))
        case "at" | "batch":
            return not options(args, "f q t").has("f", "l", "r", "d", "c")
        case "parallel":
            given = options(args, _JOINED[name], first=True)
            return not given.operands and not given.has("a", "--arg-file")
        case _:
            return name in ("chroot", "unshare", "nsenter")


def _texts(outer: Program) -> Iterator[Word]:
    name, args = outer.name, outer.args
    if name in _SHELL_TEXT:
        given = options(args, _SHELL_TEXT[name])
        yield from given.values(*_SHELL_TEXT[name].split())
        if name == "sg":
            yield from [word for word in given.operands if word.text != "-"][1:2]
    elif name in _JOINED:
        operands = options(args, _JOINED[name], first=True).operands
        commands = operands[1:] if operands and operands[0].text.startswith(":::") else ()
        yield from commands or joined(operands)
    elif name == "trap":
        yield from options(args, first=True).operands[:1]
    elif name == "alias":
        values = (word._replace(text=word.text.partition("=")[2]) for word in args)
        yield from (word for word in values if word.text)


def joined(operands: Words) -> Iterator[Word]:
    """One text of many words, up to the operands that `parallel` fills in."""
    texts = [word.text for word in operands]
    upto = next((at for at, text in enumerate(texts) if text.startswith(":::")), len(texts))
    if upto:
        scripts = tuple(script for word in operands[:upto] for script in word.scripts)
        joined = " ".join(texts[:upto])
        yield Word(joined, operands[0].start, operands[upto - 1].end, False, scripts)
