"""Where `mm` begins: streams that can be written to, and a plain end for Ctrl-C however early it comes."""

from __future__ import annotations

import importlib
import os
import sys
from contextlib import AbstractContextManager, nullcontext, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Literal, NoReturn, TextIO

from orchestrator.echo import quiet, typed_into

FAILED, INTERRUPTED = 1, 130


def entry() -> NoReturn:
    """The command `mm`."""
    code = INTERRUPTED
    try:
        _open_streams()
        with _quiet(sys.argv[1:]):
            # Only now: this takes a while, and may be interrupted.
            code = importlib.import_module("orchestrator.cli").main(sys.argv[1:], os.environ)
            code = _flush(code)
    except KeyboardInterrupt:
        pass
    sys.exit(code)


def _quiet(argv: list[str]) -> AbstractContextManager[None]:
    """Without echo where line mode may begin."""
    both = sys.stdin.isatty() and sys.stdout.isatty()
    return quiet(0) if both and not typed_into(argv) else nullcontext()


def _open_streams() -> None:
    """Open what was closed on nothing: no pipe may take its number, and no error go to the other stream.

    A terminal that lacks a letter is shown its escape.
    """
    sys.stdin = sys.stdin or _nowhere("r")
    sys.stdout = sys.stdout or _nowhere("w")
    sys.stderr = sys.stderr or _nowhere("w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _nowhere(mode: Literal["r", "w"]) -> TextIO:
    return Path(os.devnull).open(mode, encoding="utf-8")


def _flush(code: int) -> int:
    """Write out what is left, and give the exit code: an answer that could not be written is a failure.

    Where somebody reads no more, as `head` does, it goes nowhere: they have seen enough.
    """
    for stream in (sys.stderr, sys.stdout):
        try:
            if not stream.closed:
                stream.flush()
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            if stream is sys.stdout and not isinstance(error, BrokenPipeError):
                code = code or FAILED
                _tell(f"mm: the output could not be written: {error.strerror}")
    return code


def _tell(text: str) -> None:
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)
