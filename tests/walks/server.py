"""A PostgreSQL server of the tests' own: started, stopped and ended by them, reached on loopback alone."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.walks.processes import until

PASSWORD = "s3cr/t@word"
"""Has the signs that are awkward in an address."""
ADDRESS = "postgresql://mm:s3cr%2Ft%40word@127.0.0.1:{port}/runs"
STARTING = 60.0


class Server:
    """A server, with its data in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port()
        self.address = ADDRESS.format(port=self.port)

    def starts(self) -> None:
        """Start it, and wait until it answers."""
        options = ("-p", str(self.port), "-h", "127.0.0.1", "-k", str(self._folder), "-c", "fsync=off")
        log = (self._folder / "log").open("ab")
        with log:
            self._process = _as_nobody(
                program("postgres"), "-D", str(self._folder / "data"), *options, stdout=log, stderr=log
            )
        assert until(self._answers, STARTING), (self._folder / "log").read_text()

    def stops(self) -> None:
        """End it at once, without waiting for those who are connected."""
        if self._process:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(STARTING)
            self._process = None

    def makes_the_database(self) -> None:
        """Make the database of the address, for whom it names."""
        assert _as_nobody(program("createdb"), *self._to, "runs").wait(STARTING) == 0

    def starts_afresh(self) -> None:
        """Run, with an empty database, whatever was done to it."""
        if self._process is None:
            self.starts()
        assert _as_nobody(program("dropdb"), *self._to, "--force", "runs").wait(STARTING) == 0
        self.makes_the_database()

    @property
    def _to(self) -> tuple[str, ...]:
        return ("-h", str(self._folder), "-p", str(self.port), "-U", "mm")

    def _answers(self) -> bool:
        return not _as_nobody(program("pg_isready"), *self._to, stdout=subprocess.DEVNULL).wait()


@contextmanager
def server() -> Iterator[Server]:
    """A running server with an empty database; skips where none is installed, which `.ci/run` does."""
    if not program("postgres"):
        pytest.skip("no PostgreSQL server here, so runs on one are not tested: apt install postgresql")
    with tempfile.TemporaryDirectory(prefix="mm-pg-", dir="/tmp") as name:
        folder = Path(name)
        password = folder / "password"
        password.write_text(PASSWORD)
        _give_away(folder)
        data = ("-D", str(folder / "data"), "-U", "mm", "--pwfile", str(password))
        trusting = ("--auth-local=trust", "--auth-host=scram-sha-256", "--no-sync", "--encoding=UTF8")
        made = _as_nobody(program("initdb"), *data, *trusting, stdout=subprocess.DEVNULL)
        assert made.wait(STARTING) == 0
        found = Server(folder)
        found.starts()
        try:
            found.makes_the_database()
            yield found
        finally:
            found.stops()


def program(name: str) -> str:
    """Where a program of PostgreSQL lies; empty where it is not installed."""
    beside = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(beside[-1]) if beside else "")


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _give_away(folder: Path) -> None:
    if os.geteuid() == 0:
        for path in (folder, *folder.iterdir()):
            shutil.chown(path, _nobody().pw_uid, _nobody().pw_gid)


def _as_nobody(*argv: str, **more: object) -> subprocess.Popen[bytes]:
    """Start a program; it refuses to run as root, so it is not."""
    if os.geteuid() == 0:
        user = _nobody()
        more |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    environ = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    return subprocess.Popen(argv, env=environ, cwd="/", start_new_session=True, **more)  # type: ignore[call-overload, no-any-return]


def _nobody() -> pwd.struct_passwd:
    return pwd.getpwnam("nobody")
