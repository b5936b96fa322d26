"""Where `mm` begins: streams that can be written to, and a plain end for Ctrl-C however early it comes."""

from __future__ import annotations

import importlib
import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Literal, NoReturn, TextIO

INTERRUPTED = 130


def entry() -> NoReturn:
    """The command `mm`."""
    code = INTERRUPTED
    try:
        _open_streams()
        # Only now: this takes a while, and may be interrupted.
        code = importlib.import_module("orchestrator.cli").main(sys.argv[1:], os.environ)
        _flush()
    except KeyboardInterrupt:
        pass
    sys.exit(code)


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


def _flush() -> None:
    """Write out what is left; where nobody reads it any more, it goes nowhere instead of into a traceback."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if not stream.closed:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
