"""The banner tells literally what asks, and the last line of a run what could not be asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from consent.key import Key, Sort
from consent.setting import Mode, Setting
from orchestrator.words.banner import Launched, banner, unasked_line
from tests.orchestrator.words.calls import ENGLISH, FRENCH

RIKER = Launched("riker", "a first officer", "qwen3:4b", Setting(), "agents.yaml:3:1")


@pytest.mark.parametrize(
    ("setting", "text"),
    [
        (Setting(Mode.YOLO), "yolo: on"),
        (Setting(Mode.ALWAYS_ASK), "yolo: off (tools ask)"),
        (Setting(Mode.WRITE), "yolo: write (commands, MCP and asked agents ask)"),
        (Setting(Mode.YOLO, floor=True), "yolo: off (tools ask)"),
        (Setting(Mode.WRITE, floor=True), "yolo: off (tools ask)"),
    ],
)
def test_the_yolo_is_said_literally_in_every_language(setting: Setting, text: str) -> None:
    for words in (ENGLISH, FRENCH):
        launched = replace(RIKER, setting=setting, origin="AGENT_YOLO")
        assert banner(launched, words)[2] == f"{text} (AGENT_YOLO)"


def test_a_banner_stands_in_its_order() -> None:
    launched = replace(RIKER, instructions=("AGENTS.md",), servers=("files", "docs"))
    assert banner(launched, ENGLISH) == (
        "riker — a first officer",
        "model: qwen3:4b",
        "yolo: off (tools ask) (agents.yaml:3:1)",
        "instructions read: AGENTS.md",
        "MCP servers, not started: files, docs",
    )
    assert banner(replace(RIKER, description=""), FRENCH)[:2] == ("riker", "modèle : qwen3:4b")


def test_an_entry_is_named_where_its_own_yolo_differs() -> None:
    entries = {"jan": False, "homer": True}
    assert banner(replace(RIKER, setting=Setting(entries=entries)), ENGLISH)[3:] == (
        "homer: yolo: on (its own)",
    )
    free = Setting(Mode.YOLO, entries)
    assert banner(replace(RIKER, setting=free), ENGLISH)[3:] == ("jan: yolo: off (tools ask) (its own)",)


def test_under_the_floor_an_entry_is_told_that_its_yolo_is_off() -> None:
    setting = Setting(Mode.YOLO, {"jan": False, "homer": True}, floor=True)
    assert banner(replace(RIKER, setting=setting), ENGLISH)[3:] == (
        "homer: its own yolo is off in this run; write yolo: false in the file to keep it off",
    )


def test_texts_of_the_file_cannot_draw() -> None:
    launched = replace(RIKER, name="r\x1b", description="\x07", model="\u202e", instructions=("\r",))
    assert "".join(banner(launched, ENGLISH)).isprintable()


def test_the_line_of_unasked_calls_is_the_one_that_scripts_read() -> None:
    calls = {Key(("jan",), "bash"): 2}
    assert unasked_line(calls) == "mm: 2 calls refused because nobody could be asked: jan/bash (2)"
    more = {**calls, Key((), "execute", Sort.KIND): 1}
    assert unasked_line(more).endswith(
        "mm: 3 calls refused because nobody could be asked: jan/bash (2), (execute) (1)"
    )
    assert unasked_line({Key((), "bash"): 1}) == "mm: 1 call refused because nobody could be asked: bash (1)"
