"""The session mode that an agent says it is in, wherever ACP has a place for it."""

from __future__ import annotations

from typing import Any

import pytest

from orchestrator.acp.announced import mode_in
from orchestrator.acp.profiles import PROFILES

OPTION = {"id": "m", "category": "mode", "currentValue": "yolo"}


@pytest.mark.parametrize(
    ("said", "mode"),
    [
        ({"sessionUpdate": "current_mode_update", "currentModeId": "yolo"}, "yolo"),
        ({"sessionUpdate": "config_option_update", "configOptions": [{"id": "model"}, OPTION]}, "yolo"),
        (
            {"sessionUpdate": "config_option_update", "configOptions": [{"id": "mode", "currentValue": "x"}]},
            "x",
        ),
        ({"sessionId": "1", "modes": {"currentModeId": "yolo", "availableModes": []}}, "yolo"),
        ({"sessionId": "1", "configOptions": [OPTION]}, "yolo"),
        ({"sessionId": "1", "configOptions": [{"id": "model", "currentValue": "yolo"}]}, ""),
        ({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "yolo"}}, ""),
        ({"modes": {"currentModeId": 7}, "configOptions": [OPTION]}, "yolo"),
        ({"modes": [7], "configOptions": {"id": "mode"}}, ""),
        ({"configOptions": [7, "mode", {"id": "mode", "currentValue": 7}]}, ""),
        (None, ""),
        ("yolo", ""),
    ],
)
def test_a_mode_is_found_where_it_is_told(said: Any, mode: str) -> None:
    assert mode_in(said) == mode


@pytest.mark.parametrize(
    "mode",
    ["yolo", "YOLO", "autoEdit", "auto_edit", "auto-edit", "acceptEdits", "bypassPermissions", "auto"],
)
def test_these_names_mean_acting_without_asking(mode: str) -> None:
    assert PROFILES["generic"].frees(mode)


@pytest.mark.parametrize("mode", ["", "default", "plan", "ask", "read-only", "always-ask", "build"])
def test_these_do_not(mode: str) -> None:
    assert not PROFILES["generic"].frees(mode)


def test_an_agent_that_is_put_into_a_mode_is_free_in_any_other() -> None:
    vibe = PROFILES["vibe"]
    assert [vibe.frees(mode) for mode in ("", "ask", "default", "yolo")] == [False, False, True, True]
