"""Where in the text the marked part stands, and what the files around a command change about it."""

from __future__ import annotations

import pytest

from consent.danger.finding import Reason, Verdict
from consent.danger.paths import Blind, critical_path, readings, root_or_home
from tests.consent.danger.eyes import FOLDER, HOME, Files, look

EMPTY = Files()

PLACES = {
    "ls; rm x": "rm",
    "cd /srv/www && rm -rf *": "rm",
    "rm -rf build /": "/",
    'sudo rm -rf "$HOME"/': '"$HOME"/',
    "sh -c 'ls; rm x'": "rm",
    'sh -c "ls; r\\m x"': "r\\m",
    'sh -c "echo \\"a\\"; rm x"': '"echo \\"a\\"; rm x"',
    "echo `echo; rm x`": "rm",
    "echo `echo \\$a; rm x`": "`echo \\$a; rm x`",
    "eval rm   x": "rm   x",
    "cat <<E\nlong\n$(rm x)\nE": "rm",
    "echo > notes.txt": "notes.txt",
    "ls | $X": "$X",
    "curl x | sudo bash": "bash",
}


@pytest.mark.parametrize(("command", "part"), PLACES.items())
def test_the_part_that_is_meant_can_be_shown_inside_the_whole_text(command: str, part: str) -> None:
    found = look(command)
    assert command[found.start : found.end] == part == found.what


def test_what_was_not_read_is_the_rest_of_the_text() -> None:
    found = look("ls; echo (rm x")
    assert (found.verdict, found.reason, found.what) == (Verdict.UNCLEAR, Reason.SYNTAX, "")
    assert "ls; echo (rm x"[found.start : found.end] == "rm x"


@pytest.mark.parametrize(
    "command", ["ls > new", "mv a new", "tee new", "cd sub && ls > new", "> ~/new", "dd of=new"]
)
def test_writing_where_nothing_is_destroys_nothing(command: str) -> None:
    assert look(command, files=EMPTY).verdict is Verdict.QUIET


@pytest.mark.parametrize("command", ["ls > $X", "cd $X; ls > new", "mv a $X"])
def test_what_cannot_be_known_counts_as_there(command: str) -> None:
    assert look(command, files=EMPTY).verdict is Verdict.DESTRUCTIVE


def test_a_file_is_looked_for_in_the_folder_where_the_command_is_by_then() -> None:
    files = Files(there={f"{FOLDER}/sub/old"})
    assert look("cd sub && ls > old", files=files).reason is Reason.OVERWRITES
    assert look("ls > old", files=files).reason is None
    assert look("if x; then cd sub; fi; ls > old", files=files).reason is Reason.OVERWRITES


def test_deleting_and_truncating_are_marked_even_where_nothing_is() -> None:
    assert look("rm new", files=EMPTY).reason is Reason.DELETES
    assert look("truncate -s 0 new", files=EMPTY).reason is Reason.OVERWRITES


def test_a_link_counts_by_where_it_leads() -> None:
    files = Files(links=((f"{FOLDER}/x", "/home/ann/.ssh/id"), (f"{FOLDER}/d", "/dev/sda")))
    assert look("cp a x", files=files).reason is Reason.SSH
    assert look("cp a d", files=files).reason is Reason.DISK


@pytest.mark.parametrize(
    "command", ["echo x >> agents.yaml", "rm -rf ../project", "cp a .", "mv a state/log", "rm state"]
)
def test_the_files_that_decide_are_critical(command: str) -> None:
    deciding = (f"{FOLDER}/agents.yaml", f"{FOLDER}/state", f"{FOLDER}/a")
    assert look(command, deciding=deciding).reason is Reason.DECIDES


def test_reading_and_copying_beside_a_file_that_decides_is_quiet() -> None:
    deciding = (f"{FOLDER}/agents.yaml",)
    assert look("cat agents.yaml; cp a agents.yaml.old", deciding=deciding).verdict is Verdict.QUIET


CRITICAL = {
    "/etc/passwd": Reason.ACCOUNTS,
    "/private/etc/sudoers.d/x": Reason.ACCOUNTS,
    "/etc/PASSWD": Reason.ACCOUNTS,
    "/home/ann/.ssh/config": Reason.SSH,
    "/home/bob/.ssh": Reason.SSH,
    "/root/.bashrc": Reason.STARTUP,
    "/etc/profile.d/x.sh": Reason.STARTUP,
    "/home/ann/.config/fish/config.fish": Reason.STARTUP,
    "/home/ann/project/.git/config": Reason.GIT_INNER,
    "/home/ann/project/.git/modules/x/hooks/pre-push": Reason.GIT_INNER,
    "/home/ann/.gitconfig": Reason.GIT_INNER,
    "/var/spool/cron/crontabs/ann": Reason.CRONTAB,
    "/etc/crontab": Reason.CRONTAB,
    "/home/ann/project/etc/passwd": None,
    "/home/ann/project/.git/index": None,
    "/w/.github/.git/modules/a/config": Reason.GIT_INNER,
    "/w/.git/x/.git": Reason.GIT_INNER,
    "/w" + "/.git" * 800 + "/index": None,
    "/home/ann/project/.gitignore": None,
    "/home/ann/project/.bashrc": None,
    "/home/ann/.sshd": None,
    "/home/ann/notes.txt": None,
}


@pytest.mark.parametrize(("path", "wanted"), CRITICAL.items())
def test_a_path_is_critical_by_its_name(path: str, wanted: Reason | None) -> None:
    assert critical_path([path], HOME, ()) is wanted


def test_a_path_is_critical_by_where_it_leads() -> None:
    assert critical_path(["/home/ann/project/x", "/home/ann/.profile"], HOME, ()) is Reason.STARTUP


WRITINGS = {
    "/home/ann/.SSH/config": Reason.SSH,
    "/home/ann/.\u017f\u017fh/config": Reason.SSH,
    "/home/ann/.g\u200bitconfig": Reason.GIT_INNER,
    "/srv/cafe\u0301/agents.yaml": Reason.DECIDES,
    "/SRV/CAF\u00c9/AGENTS.YAML": Reason.DECIDES,
    "/srv/cafe/agents.yaml": None,
}


@pytest.mark.parametrize(("path", "wanted"), WRITINGS.items())
def test_letter_case_accents_and_invisible_signs_make_no_other_file(path: str, wanted: Reason | None) -> None:
    assert critical_path([path], HOME, ["/srv/caf\u00e9/Agents.yaml"]) is wanted


LINKS = Files(
    links=(("/w/link/../.bashrc", "/home/ann/.bashrc"), ("/w/../x", "/x"), ("/home/ann", "/data/ann"))
)


def test_a_path_may_mean_what_it_reads_and_where_it_leads_before_and_after_its_dots() -> None:
    assert readings("/w/link/../.bashrc", "/home/x", LINKS) == ("/w/.bashrc", "/home/ann/.bashrc")
    assert readings("/w//a/./", "/home/x", LINKS) == ("/w/a",)
    assert look("echo >> ../.bashrc", folder="/w/link", files=LINKS).reason is Reason.STARTUP


def test_where_the_home_really_is_is_home() -> None:
    assert readings("/data/ann/.bashrc", HOME, LINKS) == ("/data/ann/.bashrc", "/home/ann/.bashrc")
    assert look("echo >> /data/ann/.bashrc", files=LINKS).reason is Reason.STARTUP


def test_only_losing_a_folder_whole_takes_what_decides_in_it() -> None:
    deciding = ("/srv/mm/agents.yaml",)
    assert critical_path(["/srv/mm"], HOME, deciding) is None
    assert critical_path(["/srv/mm"], HOME, deciding, whole=True) is Reason.DECIDES
    assert critical_path(["/"], HOME, deciding, whole=True) is Reason.DECIDES


@pytest.mark.parametrize("path", ["/tmp", "/srv", "/home/ann/project", "/home/ann/*x", "/tmp/*"])
def test_most_folders_are_neither_root_nor_home(path: str) -> None:
    assert root_or_home(path, HOME) is None


def test_who_looks_at_nothing_takes_everything_for_there_and_for_itself() -> None:
    assert Blind().exists("/x")
    assert Blind().real("/x") == "/x"
