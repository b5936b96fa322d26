"""Known agents of another make, over real processes: what their profile in the file changes."""

from __future__ import annotations

import json

from tests.walks.builder import Walk

ASKS = """
    prompts:
      - - update: {sessionUpdate: tool_call, toolCallId: "1", title: bash, kind: execute}
        - ask:
            toolCall: {toolCallId: "1", title: date, kind: execute, rawInput: {command: date}}
            refused: [{say: refused}]
"""
FREE = """
    prompts:
      - - ask_no_wait: {toolCall: {name: shell, kind: execute, rawInput: {command: date}}}
        - wait_for: go
        - update: {sessionUpdate: current_mode_update, currentModeId: acceptEdits}
        - hang
"""


def test_its_tools_have_their_names(walk: Walk) -> None:
    for profile, key in (("opencode", "jan/bash"), ("generic", "jan/(execute)")):
        walk.foreign(ASKS, profile=profile)
        ran = walk.runs("--ask", "jan", "go")
        assert ran.stdout == "refused\n"
        assert f"1 call refused because nobody could be asked: {key} (1)" in ran.stderr


def test_what_makes_it_ask_is_in_its_environment_also_where_yolo_counts(walk: Walk) -> None:
    walk.foreign(
        "prompts: [[{run: 'echo \"$OPENCODE_CONFIG_CONTENT\" > env'}]]", "yolo: true", profile="opencode"
    )
    walk.runs("--ask", "jan", "go")
    assert json.loads(walk.read("env"))["permission"]["bash"] == "ask"


def test_one_that_cannot_be_made_to_ask_is_told_at_the_start_and_not_asked(walk: Walk) -> None:
    walk.foreign("start: [{touch: started}]", profile="codex")
    with walk.line() as mm:
        mm.sees("jan is not asked: mm cannot make it ask before it acts")
        mm.types("/ask-jan go").sees("the turn failed: jan: mm cannot make it ask").types("/quit").ends(0)
    assert not walk.made("started")


def test_one_that_goes_free_takes_its_question_along(walk: Walk) -> None:
    walk.foreign(FREE, profile="claude")
    with walk.line() as mm:
        mm.sees("commands that it judges harmless").types("/ask-jan go").sees("🔐")
        walk.file("go", "")
        mm.sees("its mode acceptEdits").types("/quit").ends(0)
