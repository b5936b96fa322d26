"""The second opinion of bash itself: what it runs is never quiet.

Commands of random pieces are run by the real bash where `rm` is a script that leaves a trace.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from consent.danger.finding import Verdict
from tests.consent.danger.eyes import look
from tests.consent.danger.test_reading import RUNS_RM

BASH = shutil.which("bash") or ""
pytestmark = pytest.mark.skipif(not BASH, reason="there is no bash")

PIECES = (
    *("rm x", "rm x", "rm x", "true", "echo ", "x=", "a[", "]", "f()", "coproc ", "! ", "#", "=", "~", "*"),
    *(" ", "\n", ";", "&&", "||", "|", "&", "\t", "\\\n", "\\", "`", "'", '"', "$'", '$"', "${x:-", "}"),
    *("$(", ")", "(", "((", "))", "$((", "$[", "{ ", "; }", "[[ ", " ]]", "<(", ">(", "> f ", "<<<"),
    *("<<E", "\nE\n", "<<'E'", "<<-E", "case a in ", "a) ", ";;", " esac", "if ", "; then ", "; fi"),
    *("for i in a; do ", "; done"),
)


class Bash:
    """Bash in a folder of its own; it finds no program but an `rm` that only leaves a trace."""

    def __init__(self, folder: Path) -> None:
        self._trace, self._work, self._programs = folder / "trace", folder / "work", folder / "bin"
        self._programs.mkdir()
        rm = self._programs / "rm"
        rm.write_text(f"#!{BASH}\n: > {self._trace}\n", "utf-8")
        rm.chmod(0o755)
        for name in ("cat", "sort"):
            (self._programs / name).symlink_to(shutil.which(name) or "")

    def runs_rm(self, command: str) -> bool:
        self._trace.unlink(missing_ok=True)
        shutil.rmtree(self._work, ignore_errors=True)
        self._work.mkdir()
        subprocess.run(
            [BASH, "--norc", "-c", command],
            env={"PATH": str(self._programs)},
            cwd=self._work,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
        return self._trace.exists()


@pytest.fixture(scope="module")
def bash(tmp_path_factory: pytest.TempPathFactory) -> Bash:
    return Bash(tmp_path_factory.mktemp("bash"))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(command=st.lists(st.sampled_from(PIECES), min_size=2, max_size=14).map("".join))
def test_what_bash_runs_is_never_quiet(bash: Bash, command: str) -> None:
    if look(command).verdict is Verdict.QUIET:
        assert not bash.runs_rm(command)


@pytest.mark.parametrize("command", [each for each in RUNS_RM if "(ls)" not in each])
def test_bash_does_run_what_the_grammar_test_says(bash: Bash, command: str) -> None:
    assert bash.runs_rm(command) or look(command).verdict is Verdict.DESTRUCTIVE
