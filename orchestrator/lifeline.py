"""Becomes a program whose process group dies with whoever started it.

`orchestrator.processes` runs this file by its path, in a session of its own, as

    lifeline.py LIFELINE REPORT LC_CTYPE PROGRAM [ARGUMENT...]

LIFELINE reads from a pipe that only the starter writes to: it ends when the starter ends, whatever the
cause. A watcher in the same group waits for that. REPORT gets the reason when PROGRAM or the watcher cannot
be executed, and closes without a word once both run. Knows nothing else; only the standard library.

It is no shell script because a shell loses environment variables whose names it does not like, and some
cannot name a descriptor above 9.
"""

import os
import signal
import sys

WATCH = "read _; kill -TERM 0; sleep 2; kill -KILL 0"
"""0 is the watcher's own group, so there is no number here that could have been given to somebody else."""

IGNORED = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2)
"""What the watcher must survive: signals that the program or its end sends to the whole group."""


def watch(lifeline: int) -> None:
    """Leave a watcher in this group.

    It is a grandchild, because a program may wait for all its children. When this returns, the watcher
    is there and ignores what it must: its parent prepared it, and has been waited for.
    """
    if os.fork():
        os.wait()
        return
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    if os.fork():
        os._exit(0)
    null = os.open(os.devnull, os.O_WRONLY)
    for source, target in ((lifeline, 0), (null, 1), (null, 2)):
        os.dup2(source, target)
    os.execve("/bin/sh", ["sh", "-c", WATCH], {"PATH": os.defpath})


def restore(ctype: str) -> None:
    """Undo what Python did to this process: ignored signals, and LC_CTYPE in a bare environment (PEP 538)."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    os.environ.pop("LC_CTYPE", None)
    if ctype:
        os.environ["LC_CTYPE"] = ctype


def main(lifeline: int, report: int, ctype: str, argv: list[str]) -> None:
    """Start the watcher, then become the program; it inherits neither pipe."""
    try:
        for descriptor in (lifeline, report):
            os.set_inheritable(descriptor, False)
        watch(lifeline)
        restore(ctype)
        os.execvp(argv[0], argv)
    except FileNotFoundError:
        why = "it is not found; install it, or write its whole path"
    except OSError as error:
        why = error.strerror or str(error)
    except ValueError as error:  # an empty name
        why = str(error)
    os.write(report, why.encode())
    sys.exit(127)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:])
