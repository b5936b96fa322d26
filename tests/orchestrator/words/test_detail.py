"""The detail of a question: whole or cut, its end always visible, ours and theirs told apart."""

from __future__ import annotations

from dataclasses import replace

import pyte

from consent.call import Arguments, Change, Command, Doubt, Task
from orchestrator.words.detail import MOST_CHARACTERS, short_detail, whole_detail
from orchestrator.words.party import LONGEST_LINE, one_line
from tests.orchestrator.words.calls import ENGLISH, GEM, JAN, OWN, command, drawn, lines


def on_screen(drawn_lines: list[str]) -> str:
    """What stands on a terminal of 80 columns and 24 lines after these lines were drawn."""
    screen = pyte.Screen(80, 24)
    pyte.Stream(screen).feed("\r\n".join(drawn_lines))
    return "".join(screen.display)


def test_O_f1_the_end_of_many_lines_is_on_the_screen() -> None:
    shown = lines(drawn(command("ls" + "\n" * 60 + "rm -rf ~/x")))
    assert "│ rm -rf ~/x" in shown
    assert "… 52 characters and 51 lines hidden …" in shown
    assert "rm -rf ~/x" in on_screen(shown)


def test_O_f1_the_end_of_a_long_line_is_on_the_screen() -> None:
    text = "x" * 4990 + "; rm -rf ~/x"
    assert "… 4,252 characters hidden …" in short_detail(command(text), ENGLISH)
    assert "rm -rf ~/x" in on_screen(lines(drawn(command(text))))


def test_O_f1_everything_is_reachable() -> None:
    text = "ls" + "\n" * 60 + "x" * 5000
    assert whole_detail(command(text), ENGLISH)[:61] == ("│ ls", *["│ "] * 59, "│ " + "x" * 5000)


def test_details_say_nothing_twice() -> None:
    assert whole_detail(replace(JAN, detail=Command("ls"), arguments='{"command": "ls"}'), ENGLISH) == (
        "│ ls",
    )
    task = replace(
        OWN, detail=Task("jan", "look\n\nhere"), arguments='{"question": "look", "context": "here"}'
    )
    assert "all arguments:" not in whole_detail(task, ENGLISH)


def test_details_show_the_arguments_that_the_detail_does_not_hold() -> None:
    call = replace(JAN, detail=Command("ls"), arguments='{"command": "ls"}')
    other = replace(call, arguments='{"command": "rm"}')
    listed = replace(call, arguments='{"command": ["ls"]}')
    more = replace(call, arguments='{"command": "ls", "timeout": "ls"}')
    doubtful = replace(call, doubts=(Doubt.NAME_MISSING,))
    for shown in (other, listed, more, doubtful):
        assert "all arguments:" in whole_detail(shown, ENGLISH)


def test_O_f2_controls_of_a_command_are_visible() -> None:
    text = "echo good && echo evil \x1b[24D\x1b[K && echo good"
    assert short_detail(command(text), ENGLISH) == (
        r"│ echo good && echo evil \u{1b}[24D\u{1b}[K && echo good",
    )


def test_O_f3_the_whole_chain_and_the_folder_are_visible() -> None:
    shown = drawn(command("cd /srv/www && rm -rf *"))
    assert shown.detail == ("│ cd /srv/www && rm -rf *",)
    assert shown.folder == "folder: /home/me/project"


def test_O_f4_an_unknown_command_is_said_plainly() -> None:
    call = replace(JAN, detail=Arguments(""), arguments="", title="bash", doubts=(Doubt.NO_ARGUMENTS,))
    assert drawn(call, once_only=True).body == (
        "jan wants to run a command on this computer",
        "jan did not say what it would run or change",
        "folder: /home/me/project",
    )


def test_a_task_is_shown_as_it_is_sent() -> None:
    assert short_detail(replace(JAN, detail=Task("homer", "tidy\nup"), arguments=""), ENGLISH) == (
        "│ tidy",
        "│ up",
    )


def test_arguments_are_shown_as_json() -> None:
    call = replace(JAN, detail=Arguments('{"a": "\\u00e9\\u001b"}'))
    assert short_detail(call, ENGLISH) == ("│ {", r'│   "a": "é\u001b"', "│ }")


def test_arguments_that_cannot_be_read_are_shown_as_they_are() -> None:
    for text in ("9" * 5000, "[" * 100_000, "no JSON"):
        shown = whole_detail(replace(JAN, detail=Arguments(text)), ENGLISH)
        assert shown == ("│ " + text,)


def test_an_edit_shows_its_diff() -> None:
    before = "".join(f"line {number}\n" for number in range(10))
    change = Change("notes.txt", "/home/me/project/notes.txt", before, before.replace("line 5", "LINE 5"))
    assert short_detail(replace(OWN, detail=change, arguments=""), ENGLISH) == (
        "│ notes.txt",
        "│ @@ -3,7 +3,7 @@",
        "│  line 2",
        "│  line 3",
        "│  line 4",
        "│ -line 5",
        "│ +LINE 5",
        "│  line 6",
        "│  line 7",
        "│  line 8",
    )


def test_a_new_file_is_marked() -> None:
    change = Change("new.txt", "/home/me/project/new.txt", None, "a\n")
    assert short_detail(replace(OWN, detail=change, arguments=""), ENGLISH)[:2] == ("│ new.txt", "new file")
    assert drawn(replace(OWN, detail=change, arguments="")).sentence.endswith(
        "wants to create a file on this computer"
    )


def test_an_asked_agent_is_not_believed_that_a_file_is_new() -> None:
    change = Change("new.txt", "/home/me/project/new.txt", None, "a\n")
    assert "whole content; a file that is there is replaced" in short_detail(
        replace(JAN, detail=change, arguments=""), ENGLISH
    )


def test_the_real_target_behind_links_is_shown() -> None:
    change = Change("./notes.txt", "/etc/cron.d/x", "a", "b")
    assert short_detail(replace(JAN, detail=change, arguments=""), ENGLISH)[:2] == (
        "│ ./notes.txt",
        "leads to /etc/cron.d/x",
    )
    same = replace(change, target="/home/me/project/notes.txt")
    assert "leads" not in "".join(short_detail(replace(JAN, detail=same, arguments=""), ENGLISH))


def test_an_empty_new_file_has_no_diff() -> None:
    change = Change("new.txt", "/home/me/project/new.txt", None, "")
    assert short_detail(replace(OWN, detail=change, arguments=""), ENGLISH) == ("│ new.txt", "new file")


def test_no_line_of_another_process_is_without_a_bar() -> None:
    change = Change("a\nnew file", "/home/me/project/a\nnew file", "x", "y\nleads to /b\r\x1b")
    shown = short_detail(replace(OWN, detail=change, arguments=""), ENGLISH)
    assert all(line.startswith("│ ") for line in shown)
    assert shown[0] == r"│ a\nnew file"


def test_arguments_that_the_detail_leaves_out_are_shown_too() -> None:
    hiding = replace(GEM, detail=Command("git"), arguments='{"command": "git", "args": ["push", "--force"]}')
    assert "--force" in "\n".join(short_detail(hiding, ENGLISH))
    plain = replace(GEM, detail=Command("git"), arguments='{"command": "git"}')
    assert short_detail(plain, ENGLISH) == ("│ git",)


def test_nothing_is_cut_by_less_than_its_mark_takes() -> None:
    for more in (1, 5, 11):
        assert "…" not in one_line("x" * (LONGEST_LINE + more))
        text = "x" * (MOST_CHARACTERS + more)
        assert short_detail(command(text), ENGLISH) == ("│ " + text,)
    assert "…" in one_line("x" * (LONGEST_LINE + 12))
    assert "… 50 characters hidden …" in short_detail(command("x" * (MOST_CHARACTERS + 50)), ENGLISH)
