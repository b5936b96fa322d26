"""Terminals that change their width or lack signs: nothing is lost, and nothing is an error."""

from __future__ import annotations

import pytest

from tests.orchestrator.facades.terminal import terminal

SCENES = "tests.orchestrator.facades.scenes"
ASCII = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize("columns", [20, 40, 200])
def test_at_the_prompt_what_is_typed_stays(columns: int) -> None:
    with terminal(SCENES, "echo", columns=60) as at:
        at.wait_for("yolo: off (tools ask)")
        at.wait_for_prompt()
        at.press("one two three four")
        at.wait_for("> one two three four")
        at.resize(columns, 24)
        at.press(" five")
        at.wait_for("five")
        at.press("\r")
        at.wait_for("You said")
        at.wait_for_prompt()
        flat = " ".join(at.text.split())
        assert flat.startswith("yolo: off")
        assert flat.count("> one two three four five") == 1
        assert flat.count("submitted 'one two three four five'") == 1


@pytest.mark.parametrize("columns", [30, 200])
def test_at_a_question_it_is_still_answered(columns: int) -> None:
    with terminal(SCENES, "one", columns=60) as at:
        at.wait_for_prompt()
        at.press("go\r")
        at.wait_for("details):")
        asked = at.raw.count("\U0001f510")
        at.resize(columns, 10)
        at.press("1\r")
        at.wait_for("allow_once")
        assert at.raw.count("\U0001f510") == asked == 1


def test_while_an_answer_streams_no_word_is_lost() -> None:
    with terminal(SCENES, "stream", columns=100) as at:
        at.wait_for_prompt()
        at.press("go\r")
        for number, columns in enumerate((100, 30, 200, 20, 60)):
            at.wait_for(f"word{number * 10}")
            at.resize(columns, 24)
        at.wait_for("word59")
        at.wait_for_prompt()
        words = [word for word in at.raw.split() if word.startswith("word")]
        assert words == [f"word{number}" for number in range(60)]


@pytest.mark.parametrize("scene", ["speak", "one", "long", "withdrawn"])
@pytest.mark.parametrize("environ", [{}, {"TERM": "dumb"}])
def test_signs_that_a_terminal_lacks_are_escaped(scene: str, environ: dict[str, str]) -> None:
    with terminal(SCENES, scene, environ={**ASCII, **environ}, columns=60) as at:
        at.wait_for_prompt()
        at.press("caf\u00e9\r")
        at.wait_for(r"submitted 'caf\xe9'")
        if scene in ("one", "long"):
            at.wait_for("shows details):")
            at.press("1\r")
            at.wait_for("got allow_once")
        at.wait_for_prompt()
        at.press("/quit\r")
        assert at.wait_for_end() == 0
        assert at.raw.isascii()
        assert "Error" not in at.text


def test_a_block_keeps_behind_its_bar_where_signs_are_escaped() -> None:
    with terminal(SCENES, "signs", environ=ASCII, columns=40, rows=60) as at:
        at.wait_for_prompt()
        at.press("go\r")
        at.wait_for("all arguments:")
        lines = at.lines()
        first = next(number for number, line in enumerate(lines) if line.startswith(r"\u2502"))
        block = lines[first : lines.index("all arguments:")]
        assert len(block) > 3
        assert all(line.startswith(r"\u2502 ") for line in block)
