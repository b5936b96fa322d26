"""The input line, at real pseudo-terminals: its history, its keys, its line breaks, its completion."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.orchestrator.facades.terminal import Terminal, terminal

SCENES = "tests.orchestrator.facades.scenes"
UP, DOWN, LEFT, ALT_ENTER = "\x1b[A", "\x1b[B", "\x1b[D", "\x1b\r"
LEAVES = "mm: Ctrl-D or /quit leaves"


def paste(text: str) -> str:
    return f"\x1b[200~{text}\x1b[201~"


def enter(at: Terminal, *keys: str) -> None:
    at.wait_for_prompt()
    for key in keys:
        at.press(key)
    at.press("\r")


def test_up_finds_what_an_earlier_run_entered(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    with terminal(SCENES, "echo", environ=home) as at:
        enter(at, "first", ALT_ENTER, "line")
        at.wait_for(r"submitted 'first\nline'")
        enter(at, " secret")
        at.wait_for("submitted ' secret'")
        enter(at, "/quit")
        assert at.wait_for_end() == 0
    with terminal(SCENES, "echo", environ=home) as at:
        at.wait_for_prompt()
        at.press(UP + UP)
        at.wait_for("\n> first\n  line")
        assert "submitted" not in at.text
        at.press("\r")
        at.wait_for(r"submitted 'first\nline'")
    kept = "".join(file.read_text() for file in tmp_path.rglob("history"))
    assert "+first\n+line\n" in kept
    assert "secret" not in kept


def test_what_is_typed_at_a_question_is_not_kept(tmp_path: Path) -> None:
    with terminal(SCENES, "one", environ={"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}) as at:
        enter(at, "go")
        at.wait_for("details):")
        at.press("secret\r")
        at.wait_for("details):", 2)
        at.press("1\r")
        at.wait_for("got allow_once")
        enter(at, "/quit")
        at.wait_for_end()
    kept = "".join(file.read_text() for file in tmp_path.rglob("history"))
    assert [line for line in kept.splitlines() if line.startswith("+")] == ["+go", "+/quit"]


def test_a_history_that_cannot_be_kept_is_said_and_no_error(tmp_path: Path) -> None:
    (tmp_path / "state").touch()
    home = {"HOME": str(tmp_path / "state"), "XDG_STATE_HOME": str(tmp_path / "state")}
    with terminal(SCENES, "echo", environ=home) as at:
        at.wait_for("is not kept for the next run")
        enter(at, "hello")
        at.wait_for("You said hello.")
        enter(at, "bye")
        at.wait_for("You said bye.")
        at.wait_for_prompt()
        at.press(UP + UP)
        at.wait_for("\n> hello", 2)
        assert at.text.count("is not kept") == 1


@pytest.mark.parametrize("size", [(80, 24), (20, 5), (200, 60)])
@pytest.mark.parametrize("line_break", [ALT_ENTER, "\\\r"])
def test_a_line_break_can_be_typed(line_break: str, size: tuple[int, int]) -> None:
    with terminal(SCENES, "echo", columns=size[0], rows=size[1]) as at:
        at.wait_for_prompt()
        at.press(f"one{line_break}two")
        at.wait_for("\n> one\n  two")
        assert "submitted" not in at.text
        at.press("\r")
        at.wait_for("submitted")
        assert r"'one\ntwo'" in at.text
        assert at.text.count("> one\n  two\n") == 1


def test_a_backslash_within_a_line_breaks_nothing() -> None:
    with terminal(SCENES, "echo") as at:
        enter(at, "a\\b", LEFT)
        at.wait_for(r"submitted 'a\\b'")


@pytest.mark.parametrize("size", [(80, 24), (20, 5)])
def test_a_pasted_text_stays_one_unsent_input(size: tuple[int, int]) -> None:
    lines = [f"line {number}" for number in range(30)]
    with terminal(SCENES, "echo", columns=size[0], rows=size[1]) as at:
        at.wait_for_prompt()
        at.press(paste("\r".join(lines) + "\r"))
        at.wait_for("\n  line 29\n")
        at.press("end")
        at.wait_for("\n  end")
        assert "submitted" not in at.text
        at.press("\r")
        at.wait_for("submitted")
        at.wait_for_prompt()
        assert "> " + "\n  ".join((*lines, "end\n")) in at.text


def test_ctrl_c_clears_the_line_and_says_once_how_to_leave() -> None:
    with terminal(SCENES, "echo") as at:
        at.wait_for_prompt()
        at.press("half a line\x03")
        at.wait_for(f"{LEAVES}\n>")
        at.press("another")
        at.wait_for("> another")
        at.press("\x03")
        enter(at, "hello")
        at.wait_for("submitted 'hello'")
        assert at.text.count(LEAVES) == 1
        assert "half" not in at.text


@pytest.mark.parametrize("key", [*map(chr, range(1, 32)), "\x7f", "!", UP, DOWN])
def test_no_single_key_but_enter_sends_or_ends(key: str) -> None:
    if key in "\r\n\x0f":  # Enter, and Ctrl-O, which is an Enter for those who know it
        return
    with terminal(SCENES, "echo") as at:
        at.wait_for_prompt()
        at.press(f"x{key}")
        at.press("\x07\x03")
        at.wait_for(f"{LEAVES}\n>")
        enter(at, "hello")
        at.wait_for("submitted")
        assert "mm: submitted 'hello'" in at.lines()


def test_tab_completes_a_command_and_shows_its_hint() -> None:
    with terminal(SCENES, "echo") as at:
        at.wait_for_prompt()
        at.press("/he\t")
        at.wait_for("> /help")
        at.press("\x03")
        at.wait_for_prompt()
        at.press("/\t")
        at.wait_for("/help\n/ask-jan QUESTION\n/quit\n> /")
        assert "submitted" not in at.text
        assert "first line" not in at.text


def test_tab_completes_a_file_of_the_conversations_folder(tmp_path: Path) -> None:
    for name in ("report one.txt", "report two.txt", "evil\x1b[2J\u202e"):
        (tmp_path / name).touch()
    with terminal(SCENES, "echo", str(tmp_path), columns=40, rows=10) as at:
        at.wait_for_prompt()
        at.press("read re\t")
        at.wait_for("> read report")
        at.press("\x03")
        at.wait_for_prompt()
        at.press("./\t")
        at.wait_for("evil\\u{1b}[2J\\u{202e}\nreport one.txt\nreport two.txt\n> ./")
        at.press("ev\t")
        at.wait_for("evil", 2)
        assert "\u202e" not in at.raw


def test_many_choices_are_shown_only_in_part(tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"{number}").touch()
    with terminal(SCENES, "echo", str(tmp_path), columns=20, rows=5) as at:
        at.wait_for_prompt()
        at.press("./\t")
        at.wait_for("… 10 more\n> ./")


@pytest.mark.parametrize("environ", [{"TERM": "dumb"}, {"TERM": ""}])
class TestATerminalThatOnlyAppends:
    """No cursor is moved, no history brought back, and what is sent is what is seen."""

    def test_what_is_typed_can_be_rubbed_out(self, environ: dict[str, str]) -> None:
        with terminal(SCENES, "echo", environ=environ) as at:
            enter(at, "helpx", "\x7f", "lo\x7f\x7flo")
            at.wait_for("submitted 'helplo'")
            assert "> helplo" in at.lines()
            assert "\x1b" not in at.raw

    def test_a_line_break_can_be_typed_and_rubbed_out(self, environ: dict[str, str]) -> None:
        with terminal(SCENES, "echo", environ=environ) as at:
            at.wait_for_prompt()
            at.press("one\\\r\x7f")
            at.wait_for("> one\\\n\n> one")
            at.press("!\\\rtwo\r")
            at.wait_for(r"submitted 'one!\ntwo'")

    def test_what_follows_an_enter_stays_unsent(self, environ: dict[str, str]) -> None:
        with terminal(SCENES, "echo", environ=environ) as at:
            at.wait_for_prompt()
            at.press("first\rsecond\rthird\r")
            at.wait_for("\n> second\n  third")
            assert "submitted 'second" not in at.text

    def test_arrows_and_tab_do_nothing(self, environ: dict[str, str]) -> None:
        with terminal(SCENES, "echo", environ=environ) as at:
            enter(at, "first")
            at.wait_for("You said first.")
            enter(at, UP, "/he\t")
            at.wait_for("submitted '/he'")

    def test_ctrl_c_clears_and_ctrl_d_leaves(self, environ: dict[str, str]) -> None:
        with terminal(SCENES, "echo", environ=environ) as at:
            at.wait_for_prompt()
            at.press("half\x04\x03")
            at.wait_for(f"{LEAVES}\n>")
            at.press("\x04")
            assert at.wait_for_end() == 0

    def test_what_is_typed_survives_an_event(self, environ: dict[str, str]) -> None:
        with terminal(SCENES, "idle_event", environ=environ) as at:
            enter(at, "go")
            at.wait_for_prompt()
            at.press("half a thought")
            at.wait_for("mm: it happened")
            at.wait_for("details):")
            at.press("1\r")
            at.wait_for("got allow_once")
            at.wait_for("\n> half a thought", 2)
