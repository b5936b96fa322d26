"""A terminal that goes away ends line mode soon, and in order."""

from __future__ import annotations

import os
import signal

import pytest

from tests.orchestrator.facades.terminal import terminal

SCENES = "tests.orchestrator.facades.scenes"


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("environ", [{}, {"TERM": "dumb"}])
@pytest.mark.parametrize(
    ("scene", "drawn"), [("long_turn", "working"), ("one", "then Enter"), ("echo", "You said go.\n>")]
)
def test_a_terminal_that_hangs_up_ends_it_soon(
    scene: str, drawn: str, environ: dict[str, str], own: bool
) -> None:
    """With a signal, and without one: a terminal that is gone is always ready to be read."""
    with terminal(SCENES, scene, environ=environ, own=own) as at:
        at.wait_for_prompt()
        at.press("go\r")
        at.wait_for(drawn)
        at.hang_up()
        assert at.process
        assert at.process.wait(10) in (130, 0, 120)  # 120: Python could not flush what nobody reads


def test_sighup_ends_in_order_though_the_terminal_is_there() -> None:
    with terminal(SCENES, "long_turn") as at:
        at.wait_for_prompt()
        at.press("go\r")
        at.wait_for("working")
        assert at.process
        os.kill(at.process.pid, signal.SIGHUP)
        assert at.wait_for_end() == 130
        assert "mm: stopped" in at.text
