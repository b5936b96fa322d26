"""What Tab would insert, and what it shows."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from orchestrator.conversation import CommandHelp
from orchestrator.facades import completion
from orchestrator.facades.completion import Completion, complete

COMMANDS = (
    CommandHelp("ask-jan", "", "QUESTION"),
    CommandHelp("ask-homer", "", "QUESTION"),
    CommandHelp("revoke", "", "KEY", ("jan/bash", "jan/(execute)", "jan/*")),
    CommandHelp("new", ""),
    CommandHelp("help", ""),
)


@pytest.fixture
def here(tmp_path: Path) -> Path:
    for name in ("README.md", "src/main.py", "src/mail.py", ".hidden", "notes one.txt", "notes two.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("before", "inserted", "choices"),
    [
        ("/n", "ew", ["/new"]),
        ("/ask-j", "an ", ["/ask-jan QUESTION"]),
        ("/a", "sk-", ["/ask-jan QUESTION", "/ask-homer QUESTION"]),
        ("/", "", ["/ask-jan QUESTION", "/ask-homer QUESTION", "/revoke KEY", "/new", "/help"]),
        ("/revoke ", "jan/", ["jan/bash", "jan/(execute)", "jan/*"]),
        ("/revoke jan/b", "ash", ["jan/bash"]),
        ("/revoke  j", "an/", ["jan/bash", "jan/(execute)", "jan/*"]),
        ("/revoke R", "", []),
        ("/revoke jan/bash ", "", []),
        ("/help R", "EADME.md", ["README.md"]),
        ("look at RE", "ADME.md", ["README.md"]),
        ("src/m", "ai", ["mail.py", "main.py"]),
        ("/ask-jan read sr", "c/", ["src/"]),
        ("cat 'src/mai", "", ["mail.py", "main.py"]),
        ("(./R", "EADME.md", ["README.md"]),
        ("line\nR", "EADME.md", ["README.md"]),
        ("no", "tes ", ["notes one.txt", "notes two.txt"]),
        ("./", "", ["README.md", "notes one.txt", "notes two.txt", "src/"]),
        (".h", "idden", [".hidden"]),
        ("", "", []),
        ("word ", "", []),
        ("nothing", "", []),
        ("none/x", "", []),
        ("README.md/x", "", []),
        ("~nobody-of-that-name/x", "", []),
        ("a\0b/x", "", []),
    ],
)
def test_a_text_goes_on(before: str, inserted: str, choices: list[str], here: Path) -> None:
    assert complete(before, COMMANDS, here) == Completion(inserted, tuple(choices))


def test_a_folder_may_be_anywhere(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(here))
    elsewhere = here / "src"
    assert complete(f"{here}/R", COMMANDS, elsewhere).inserted == "EADME.md"
    assert complete("~/R", COMMANDS, elsewhere).inserted == "EADME.md"
    assert complete("../R", COMMANDS, elsewhere).inserted == "EADME.md"


@pytest.mark.parametrize("name", ["a\x1b[2J", "a\nb", "a\u202eb", "a\udcff", "a\u200b"])
def test_a_name_that_cannot_be_seen_is_shown_escaped_and_not_inserted(name: str, tmp_path: Path) -> None:
    (tmp_path / os.fsencode(name).decode(errors="surrogateescape")).touch()
    found = complete("a", (), tmp_path)
    assert found.inserted == ""
    assert "\\" in found.choices[0]
    assert found.choices[0].isprintable()


def test_a_huge_folder_is_read_only_so_far(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completion, "MOST_READ", 2)
    assert len(complete("./", (), here).choices) <= 2
