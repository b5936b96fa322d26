"""Where runs are kept: a server that several share, that fails and comes back; a file that is none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from signal import SIGKILL
from typing import Any

import pytest

from tests.walks.builder import Walk
from tests.walks.reviewing import LONGEST, POINTS, Reviewing
from tests.walks.server import ADDRESS, PASSWORD, Server, server


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    with server() as found:
        yield found


@pytest.fixture
def postgres(running: Server) -> Iterator[Server]:
    """A server that runs, with an empty database."""
    yield running
    running.starts_afresh()


def test_a_run_that_is_killed_at_every_point_in_turn_comes_to_its_end(walk: Walk, postgres: Server) -> None:
    review = Reviewing(walk, postgres.address)
    assert review.begins(kill_at=POINTS[0]).code == -SIGKILL
    for point in POINTS[1:]:
        assert review.resumes(kill_at=point).code == -SIGKILL
        review.lost_everybody()
    ran = review.resumes()
    assert ran.code == 0, ran.stderr
    review.came_to_its_end()
    assert set(review.turns.values()) == {2}


def test_a_run_is_seen_from_every_home_and_resumed_where_its_worktree_is(
    walk: Walk, postgres: Server
) -> None:
    review = Reviewing(walk, postgres.address)
    assert review.begins(kill_at="1.0 homer begins").code == -SIGKILL
    elsewhere: dict[str, Any] = {
        name: str(walk.home / "other") for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
    }
    listed = walk.runs("pipeline", "list", **elsewhere)
    assert listed.stdout.startswith(f"{review.run}  under way elsewhere, or interrupted there"), listed
    refused = walk.runs("pipeline", "resume", review.run, **elsewhere)
    assert (refused.code, refused.stdout) == (2, "")
    assert f"its worktree is ({walk.home}/DATA/mm/worktrees): resume it there" in refused.stderr
    assert "is forgotten" not in walk.runs("pipeline", "clean", **elsewhere).stdout
    assert review.resumes().code == 0
    review.came_to_its_end()


def test_a_run_that_is_driven_is_not_taken_over(walk: Walk, postgres: Server) -> None:
    review = Reviewing(walk, postgres.address)
    review.keeps_waiting("homer")
    with review.begun() as mm:
        review.stands_in_the_middle_of("homer")
        refused = walk.runs("pipeline", "resume", review.run)
        assert (refused.code, refused.stderr) == (2, f"mm: {review.run} cannot be resumed: running\n")
        review.goes_on()
        assert mm.wait(LONGEST) == 0
    review.came_to_its_end()


def test_a_server_that_restarts_is_waited_for(walk: Walk, postgres: Server) -> None:
    review = Reviewing(walk, postgres.address)
    review.keeps_waiting("homer")
    with review.begun() as mm:
        review.stands_in_the_middle_of("homer")
        postgres.stops()
        review.goes_on()
        postgres.starts()
        out, err = mm.communicate(timeout=LONGEST)
    assert (mm.returncode, err) == (0, ""), out
    assert set(review.turns.values()) == {1}
    review.came_to_its_end()


def test_a_server_that_stays_away_ends_the_run_which_is_resumed_later(walk: Walk, postgres: Server) -> None:
    review = Reviewing(walk, postgres.address)
    review.keeps_waiting("homer")
    with review.begun() as mm:
        review.stands_in_the_middle_of("homer")
        run = review.run
        postgres.stops()
        review.goes_on()
        out, err = mm.communicate(timeout=LONGEST)
    assert mm.returncode == 1, out + err
    assert f"Nothing is lost: mm pipeline resume {run}" in err
    assert "cannot be used" in err
    no_password_in(out, err)
    review.lost_everybody()
    postgres.starts()
    ran = review.resumes()
    assert ran.code == 0, ran.stderr
    review.came_to_its_end()
    assert review.turns == {"homer": 2, "jan": 1, "lisa": 1}


def test_a_run_that_is_cancelled_from_elsewhere_ends_at_its_next_step(walk: Walk, postgres: Server) -> None:
    review = Reviewing(walk, postgres.address)
    review.keeps_waiting("homer")
    with review.begun() as mm:
        review.stands_in_the_middle_of("homer")
        cancelled = walk.runs("pipeline", "cancel", review.run, XDG_DATA_HOME=str(walk.home / "other"))
        assert cancelled.code == 0, cancelled.stderr
        review.goes_on()
        _, err = mm.communicate(timeout=LONGEST)
    assert mm.returncode == 1
    assert f"the run {review.run} was cancelled" in err
    assert review.listed()[0]["state"] == "cancelled"


@pytest.mark.parametrize(
    ("address", "why"),
    [
        (ADDRESS.format(port=1), "Connection refused"),
        ("postgresql://mm:s3cr/t@word@nowhere.invalid/runs", "cannot be used"),
        ("postgresql://mm:s3cr/t@word@127.0.0.1", "write postgresql://USER@HOST/NAME"),
        ("postgresql://mm:s3cr%2Ft%40word@127.0.0.1:x/runs", "write postgresql://USER@HOST/NAME"),
    ],
)
@pytest.mark.parametrize("command", [("--pipeline", "review", "task"), ("pipeline", "list")], ids=str)
def test_a_server_that_cannot_be_reached_is_said_and_nothing_starts(
    walk: Walk, address: str, why: str, command: tuple[str, ...]
) -> None:
    review = Reviewing(walk, address)
    ran = walk.runs(*command, deadline=LONGEST)
    assert (ran.code, ran.stdout) == (2, ""), ran
    assert why in ran.stderr
    assert len(ran.stderr.splitlines()) == 1
    no_password_in(ran.stderr)
    assert not review.turns
    assert not (walk.home / "DATA").exists()


def test_a_wrong_password_is_said_and_not_shown(walk: Walk, postgres: Server) -> None:
    Reviewing(walk, postgres.address.replace("s3cr", "S3CR"))
    ran = walk.runs("--pipeline", "review", "task", deadline=LONGEST)
    assert ran.code == 2
    assert "password authentication failed" in ran.stderr
    assert "S3CR" not in ran.stderr


@pytest.mark.parametrize(
    "make",
    [lambda file: file.write_text("no database" * 1000), lambda file: file.mkdir()],
    ids=["text", "folder"],
)
def test_a_file_that_is_no_database_is_said_and_nothing_starts(walk: Walk, make: Any) -> None:
    review = Reviewing(walk)
    file = walk.home / "STATE" / "mm" / "runs" / "runs.sqlite"
    file.parent.mkdir(parents=True)
    make(file)
    for command in (("--pipeline", "review", "task"), ("pipeline", "list")):
        ran = walk.runs(*command, deadline=LONGEST)
        assert (ran.code, ran.stdout) == (2, ""), ran
        assert f"mm: {file} cannot be used: " in ran.stderr
    assert not review.turns


def test_the_engine_says_nothing_and_hears_no_other_program(walk: Walk) -> None:
    review = Reviewing(walk)
    other = Path(walk.home / "other.sqlite")
    meant_for_another = {
        "DBOS__CLOUD": "true",
        "DBOS_APP_NAME": "another",
        "DBOS_SYSTEM_DATABASE_URL": f"sqlite:///{other}",
        "DBOS__APPVERSION": "7",
        "DBOS__VMID": "another",
    }
    assert review.begins(kill_at="1.1 prompts kept", **meant_for_another).code == -SIGKILL
    ran = review.resumes()
    assert (ran.code, ran.stderr) == (0, "")
    assert not other.exists()
    review.came_to_its_end()


def no_password_in(*texts: str) -> None:
    for part in (PASSWORD, "s3cr", "t@word", "t%40word"):
        assert part not in "".join(texts)
